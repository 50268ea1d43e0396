use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8Path;
use marotte_pcore::dialect::{Dialect, IntegerWidth, RegexpOptions, RepeatedParameters};
use marotte_syntax::ast::Program;
use marotte_syntax::{Choices, Comment, Mode, Parse, SyntaxError, TopStatement, top_statements};

use crate::{Db, File, Settings, Source, environment_of, module_file, source_text};

/// The syntax tree of a file, its syntax errors and its comments. The tree can be released, because it can be rebuilt.
///
/// Trees are by far the largest cached values. A run that needs each of them once releases them one by one.
#[derive(Debug)]
pub struct ParsedFile {
    source: Arc<Source>,
    mode: Mode,
    errors: Box<[SyntaxError]>,
    comments: Box<[Comment]>,
    statements: Box<[TopStatement]>,
    program: Mutex<Option<Arc<Program>>>,
}

impl ParsedFile {
    /// Parses a file. Not a query: the callers cache the tree together with their results.
    pub fn new(db: &dyn Db, file: File) -> Self {
        let (source, mode) = (Arc::clone(source_text(db, file)), mode(db, file));
        let Parse { program, comments, errors } = marotte_syntax::parse(source.text(), mode);
        let statements = top_statements(&program);
        ParsedFile {
            source,
            mode,
            errors,
            comments,
            statements,
            program: Mutex::new(Some(Arc::new(program))),
        }
    }

    /// The text that was parsed.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The mode in which the text was parsed.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// All errors and warnings in order of position.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// All comments in order of position.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// The statements at the top of the file.
    pub fn statements(&self) -> &[TopStatement] {
        &self.statements
    }

    /// Returns the tree; parses again if it was released.
    pub fn program(&self) -> Arc<Program> {
        let mut program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        let again = || Arc::new(marotte_syntax::parse(self.source.text(), self.mode).program);
        Arc::clone(program.get_or_insert_with(again))
    }

    /// Whether the tree is in memory.
    pub fn has_tree(&self) -> bool {
        self.program.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Releases the tree, as far as this database is concerned.
    pub fn release(&self) {
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The parse mode of a file: `.epp` files are templates; in `plans` folders, plan keywords are recognized.
pub fn mode(db: &dyn Db, file: File) -> Mode {
    let path = file.path(db);
    let template = path.extension() == Some("epp");
    let tasks = Settings::get(db).tasks(db) || is_among_plans(db, file);
    Mode { tasks, ..mode_in(Settings::get(db).read_as(db), template) }
}

/// The parse mode of a text in a dialect.
pub fn mode_in(dialect: &Dialect, template: bool) -> Mode {
    let choices = Choices {
        large_integers: dialect.integer_width == IntegerWidth::Unlimited,
        refuses_regex_options: dialect.regexp_options == RegexpOptions::AreRefused,
        refuses_repeated_parameters: dialect.repeated_parameters == RepeatedParameters::AreRefused,
    };
    Mode { template, tasks: false, choices }
}

/// Whether a file is in the `plans` folder of a module, an environment or a project, or of something that may be a module
/// elsewhere, such as the modules that a module's tests bring.
fn is_among_plans(db: &dyn Db, file: File) -> bool {
    let path = file.path(db);
    if !path.as_str().contains("/plans/") {
        return false;
    }
    // A module, or a part of one, may itself be called `plans`.
    let may_be = |path: &Utf8Path| {
        path.iter().any(|it| it == "plans") && !path.iter().any(|it| it == "manifests" || it == "functions")
    };
    match module_file(db, file) {
        Some(place) => may_be(&place.path),
        None => {
            let main = environment_of(db, file).main_manifest(db);
            !main.is_some_and(|main| path.starts_with(main)) && may_be(path)
        }
    }
}
