use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{CommandFactory as _, FromArgMatches as _};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::Diagnostic;
use marotte_lsp::{Configuration, ConfigurationError, FolderSettings, Known, Layout};
use marotte_project::ProjectDatabase;
use serde_json::{Map, Value};

use crate::args::{Cli, Command};
use crate::check::baseline::KnownFindings;
use crate::check::options::Options;
use crate::config::{self, Config, FormatConfig};
use crate::failure::Failure;
use crate::format::{EditorConfigs, layout};

/// The configuration of the command line: options from an editor take precedence over the environment, as flags do, and the
/// environment takes precedence over `marotte.toml`.
#[derive(Debug)]
pub(super) struct Files;

impl Configuration for Files {
    fn load(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Result<FolderSettings, ConfigurationError> {
        let path = config::nearest(system, folder);
        let of_file = match &path {
            None => Config::default(),
            Some(path) => config::read(system, path).map_err(|it| ConfigurationError {
                place: Some((it.path, it.place.map_or(1, |it| it.0), it.place.map_or(1, |it| it.1))),
                message: it.message,
            })?,
        };
        let of_client = config::from_json(client, folder).map_err(plain)?;
        let mut config = of_client.over(of_file);
        let format = std::mem::take(&mut config.format);
        let layout = DiskSystem::new().ok().map(|disk| Formats { config: format, disk: Arc::new(disk) });
        let options = options(config, system, folder).map_err(|it| plain(it.to_string()))?;
        let known = options.known.map(Arc::new);
        Ok(FolderSettings {
            rules: options.rules,
            project: options.project,
            fixes: options.fixes,
            third_party: options.third_party,
            known: known.map(|it| Arc::new(Baseline(it)) as Arc<dyn Known>),
            layout: layout.map(|it| Arc::new(it) as Arc<dyn Layout>),
        })
    }

    fn sources(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Vec<Utf8PathBuf> {
        let baseline = config::from_json(client, folder).ok().and_then(|it| it.baseline);
        let baseline = baseline.map(|it| system.absolute(&it));
        config::sources(system, None, folder).into_iter().chain(baseline).collect()
    }
}

fn plain(message: String) -> ConfigurationError {
    ConfigurationError { place: None, message }
}

/// The options that `marotte check` derives from a configuration for a folder, without flags.
fn options(config: Config, system: &dyn System, folder: &Utf8Path) -> Result<Options, Failure> {
    let matches = Cli::command().try_get_matches_from(["marotte", "check"])?;
    let Command::Check(args) = Cli::from_arg_matches(&matches)?.command else {
        return Err(Failure::Message("`check` is not a command".to_owned()));
    };
    let matches = matches.subcommand().map_or(&matches, |(_, matches)| matches);
    Options::new(&args, config, matches, system, &[folder.to_owned()])
}

/// The layout of `marotte format`.
#[derive(Debug)]
struct Formats {
    config: FormatConfig,
    disk: Arc<dyn System>,
}

impl Layout for Formats {
    /// Reads `.editorconfig` files each time: they may have changed.
    fn options(&self, path: &Utf8Path) -> Result<marotte_format::Options, String> {
        let editor = EditorConfigs::new(Arc::clone(&self.disk));
        let options = layout(&self.config, &editor, path);
        match editor.unread().into_iter().next() {
            None => Ok(options),
            Some((path, error)) => Err(format!("{path} cannot be read: {error}")),
        }
    }
}

#[derive(Debug)]
struct Baseline(Arc<KnownFindings>);

impl Known for Baseline {
    fn leave_out(&self, db: &ProjectDatabase, findings: &mut Vec<Arc<Diagnostic>>) {
        self.0.leave_out(db, findings);
    }
}
