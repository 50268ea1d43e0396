//! Templates that arguments name, both EPP and ERB.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, System};
use marotte_host::layout::environment_folder;
use marotte_host::{EvaluationContext, Findings, NodeInput, Source};
use marotte_project::ProjectDatabase;

use crate::evaluation::code_tree;
use crate::failure::Failure;
use crate::text::{self, ARGUMENT, Code, STDIN};

/// The text of a template.
pub(crate) struct Template {
    /// The name in messages and headers.
    pub(crate) name: String,
    /// The text of the template.
    pub(crate) code: Code,
}

impl Template {
    /// The text as an EPP program.
    pub(crate) fn source(&self) -> Source<'_> {
        match &self.code {
            Ok(text) => Source::Text { name: &self.name, text, template: true },
            Err(mark) => Source::Marked { name: &self.name, mark: *mark },
        }
    }

    /// Returns the text. None if it is in another encoding than UTF-8, which is reported in `findings`.
    pub(crate) fn text(&self, findings: &mut Findings<'_>) -> Option<&str> {
        let unfit = self.code.as_ref().map_err(|mark| findings.byte_order_mark(&self.name, *mark));
        unfit.ok().map(String::as_str)
    }
}

/// The lookup of templates by name.
pub(crate) struct Finder<'s> {
    pub(crate) system: Arc<dyn System>,
    pub(crate) context: &'s EvaluationContext,
}

impl Finder<'_> {
    /// The path of a template in a module, otherwise of a file: names are resolved as by `puppet epp`. None if neither
    /// exists.
    fn path(&self, name: &str) -> Result<Option<Utf8PathBuf>, Failure> {
        let path = Utf8Path::new(name);
        // A file named here may be read wherever it is.
        let in_module = match path.is_absolute() {
            true => None,
            false => self.context.template_path(name).map_err(|error| error.to_string())?,
        };
        Ok(in_module.or_else(|| Some(self.system.absolute(path)).filter(|it| self.system.is_file(it))))
    }

    /// Reads the templates of these names; also returns the names of those that do not exist.
    pub(crate) fn templates(&self, names: &[String]) -> Result<(Vec<Template>, Vec<String>), Failure> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for name in names {
            match self.path(name)? {
                Some(path) => {
                    found.push(Template { name: name.clone(), code: text::read_code(&*self.system, &path)? })
                }
                None => missing.push(name.clone()),
            }
        }
        Ok((found, missing))
    }
}

/// EvaluationContext for commands that read templates and evaluate nothing.
pub(crate) fn context(module_path: Option<&str>) -> Result<(Arc<dyn System>, EvaluationContext), Failure> {
    let system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let environment = environment_folder(&*system, &system.absolute(Utf8Path::new(".")));
    let tree = code_tree(&*system, module_path, environment);
    let db = ProjectDatabase::frozen(Arc::clone(&system));
    Ok((system, EvaluationContext::new(db, tree, NodeInput::default())))
}

/// The text of the argument or of standard input; None if templates are named.
pub(crate) fn given(source: Option<&String>, names: &[String]) -> Result<Option<Template>, Failure> {
    if let Some(text) = source {
        return Ok(Some(Template { name: ARGUMENT.to_owned(), code: Ok(text.clone()) }));
    }
    if !names.is_empty() {
        return Ok(None);
    }
    if io::stdin().is_terminal() {
        return Err(Failure::Message("there is no template: name one, or give a text with `-e`".to_owned()));
    }
    Ok(Some(Template { name: STDIN.to_owned(), code: text::read_stdin()? }))
}

/// Fails if templates do not exist.
pub(crate) fn all_exist(missing: &[String]) -> Result<(), Failure> {
    match missing {
        [] => Ok(()),
        missing => {
            let missing: Vec<String> = missing.iter().map(|it| format!("`{it}`")).collect();
            Err(Failure::Message(format!("there is no template {}", missing.join(" or "))))
        }
    }
}
