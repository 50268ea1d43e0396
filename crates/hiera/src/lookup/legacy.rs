//! `data_provider`: the way in which modules and environments configured their data before they could have a `hiera.yaml`.

use marotte_pcore::ops::Strictness;

use super::Invocation;
use crate::config::{CONFIG_FILE_NAME, Config};
use crate::{DataProvider, Layer, LookupError, LookupHost, Variable};

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Returns the configuration of a layer that names a data provider: a configuration of version 5 takes precedence.
    pub(super) fn by_data_provider(
        &mut self,
        layer: &Layer,
        config: Option<Config>,
    ) -> Result<Option<Config>, LookupError> {
        let Some(DataProvider { name, root }) = self.outside.data().data_provider(layer) else {
            return Ok(config);
        };
        let (defining, kind, function) = match layer {
            Layer::Global => return Ok(config),
            Layer::Environment => (
                format!("Defining environment_data_provider='{name}' in environment.conf is deprecated"),
                "environment_data_provider",
                "environment::data".to_owned(),
            ),
            Layer::Module(module) => (
                format!("Defining \"data_provider\": \"{name}\" in metadata.json is deprecated."),
                "module_data_provider",
                format!("{module}::data"),
            ),
        };
        if let Some(config) = config.as_ref().filter(|it| it.version >= 5) {
            match layer {
                Layer::Module(_) => self.deprecated(format!(
                    "{defining} It is ignored since a '{CONFIG_FILE_NAME}' with version >= 5 is present"
                )),
                _ => {
                    self.deprecated(defining);
                    if name != "hiera" {
                        let path = config.path.as_deref().unwrap_or_default();
                        self.deprecated(format!(
                            "The environment_data_provider='{name}' setting is ignored since '{path}' version >= 5"
                        ));
                    }
                }
            }
            return Ok(Some(config.clone()));
        }
        let instead = match config {
            Some(_) => String::new(),
            None => format!(" A '{CONFIG_FILE_NAME}' file should be used instead"),
        };
        self.deprecated(format!("{}.{instead}", defining.trim_end_matches('.')));
        match &*name {
            "none" => Ok(None),
            "hiera" => Ok(Some(config.unwrap_or_else(|| Config::default_in(&root)))),
            "function" => {
                self.deprecated(format!(
                    "Using of legacy data provider function '{function}'. Please convert to a 'data_hash' function"
                ));
                Ok(Some(Config::of_function(&root, &function)))
            }
            _ => {
                let environment = match self.outside.variable("environment") {
                    Variable::Value(it) => it.as_str().unwrap_or_default().to_owned(),
                    Variable::Missing(_) => String::new(),
                };
                Err(LookupError::other(format!("Environment '{environment}', cannot find {kind} '{name}'")))
            }
        }
    }

    fn deprecated(&mut self, message: String) {
        if self.outside.strict() != Strictness::Off {
            self.outside.warn_once(message);
        }
    }
}
