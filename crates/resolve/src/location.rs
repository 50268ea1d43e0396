//! `illegal-definition-location` and `illegal-top-construct-location`: a module's file contains the definition that the
//! autoloader looks for under the file's name, and nothing else.
//!
//! The reference's `internal_check_file_namespace` and `internal_check_top_construct_in_module`, for the folders that it loads
//! from. It also rejects definitions in a module's other folders if a file there is evaluated as part of the environment;
//! nothing loads them, and examples and tests are valid code, so nothing is reported about those.

use camino::Utf8Path;
use marotte_db::{Db, File, ModuleFile, files_below, module_file};
use marotte_diagnostics::rules::{self, Rule};
use marotte_diagnostics::{Diagnostic, FileId, Level};
use marotte_syntax::{TopKind, TopStatement};
use marotte_text::{Str, TextRange, TextSize, unrooted};

use crate::autoload::{AUTOLOADED, belongs, namespace};

/// The rules that are reported here.
pub const RULES: [&Rule; 2] = [rules::ILLEGAL_DEFINITION_LOCATION, rules::ILLEGAL_TOP_CONSTRUCT_LOCATION];

/// Adds a finding for each misplaced construct of a readable file.
pub fn check(
    db: &dyn Db,
    file: File,
    statements: &[TopStatement],
    text: &str,
    findings: &mut Vec<Diagnostic>,
) {
    let Some(place) = module_file(db, file) else { return };
    let Some(namespace) = namespace(place) else { return };
    let mut checker = Checker { file: file.id(db), text, place, namespace, findings };
    if !is_module_name(&place.module) {
        if is_first(db, file, place) {
            checker.no_module(statements);
        }
        return;
    }
    for statement in statements {
        checker.statement(statement);
    }
}

/// Whether a folder of this name can be a module's (the reference's `is_module_directory_name?`), case aside.
fn is_module_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// Whether a file is the first that would be loaded from its module.
fn is_first(db: &dyn Db, file: File, place: &ModuleFile) -> bool {
    let Some(root) = file.path(db).as_str().strip_suffix(place.path.as_str()) else { return false };
    let mut folders = AUTOLOADED.iter().map(|it| files_below(db, &Utf8Path::new(root).join(it), "pp"));
    folders.find_map(|it| it.into_iter().next()).is_some_and(|it| it == *file.path(db))
}

struct Checker<'a> {
    file: FileId,
    text: &'a str,
    place: &'a ModuleFile,
    namespace: String,
    findings: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    /// Reports a folder whose name cannot be that of a module: Puppet doesn't reject it, but never loads it.
    fn no_module(&mut self, statements: &[TopStatement]) {
        let Some(first) = statements.first() else { return };
        let module = &self.place.module;
        let message = format!("nothing is loaded from this folder: no module can be called `{module}`");
        let range = self.first_line(first.range);
        let mut finding =
            Diagnostic::new(rules::ILLEGAL_DEFINITION_LOCATION, Level::Warning, self.file, range, message);
        finding.notes.push(
            "the names of modules have letters, digits and underscores; this is said once for all files of the folder"
                .to_owned(),
        );
        self.findings.push(finding);
    }

    fn statement(&mut self, statement: &TopStatement) {
        match &statement.kind {
            TopKind::Definition { keyword, name, name_range, nested } => {
                self.definition(keyword, name, *name_range);
                // Only classes may have definitions in them; others are reported as such.
                nested.iter().for_each(|statement| self.statement(statement));
            }
            // The reference doesn't compare a type's name, and unparsable code is already reported.
            TopKind::Type | TopKind::Error => {}
            TopKind::Node | TopKind::Code => self.top_construct(statement),
        }
    }

    fn definition(&mut self, what: &str, name: &Str, range: TextRange) {
        if belongs(name, &self.namespace) {
            return;
        }
        let (path, namespace) = (&self.place.path, &self.namespace);
        let message =
            format!("the {what} `{name}` cannot be defined in {path}, which is the place of `{namespace}`");
        let mut finding =
            Diagnostic::new(rules::ILLEGAL_DEFINITION_LOCATION, Level::Error, self.file, range, message);
        finding.label = Some(format!("not `{namespace}`"));
        let home = self.home(name);
        finding.notes.extend(home.map(|home| format!("Puppet looks for it in {home}")));
        self.findings.push(finding);
    }

    /// The file of this module in which the autoloader would find a name.
    fn home(&self, name: &Str) -> Option<String> {
        let name = name.to_lowercase();
        let mut names = unrooted(&name).split("::");
        if names.next()? != self.place.module.as_str() {
            return None;
        }
        let rest: Vec<&str> = names.collect();
        let file = if rest.is_empty() { "init".to_owned() } else { rest.join("/") };
        Some(format!("{}/{file}.pp", self.place.folder()?))
    }

    fn first_line(&self, range: TextRange) -> TextRange {
        let text = &self.text[range];
        let line = text.lines().next().unwrap_or_default().trim_end();
        TextRange::at(range.start(), TextSize::of(line))
    }

    fn top_construct(&mut self, statement: &TopStatement) {
        let range = self.first_line(statement.range);
        let message =
            "this is not allowed at the top of a module's file, where only definitions may".to_owned();
        let mut finding =
            Diagnostic::new(rules::ILLEGAL_TOP_CONSTRUCT_LOCATION, Level::Error, self.file, range, message);
        finding.notes.push(match statement.kind {
            TopKind::Node => "node definitions belong in the main manifest".to_owned(),
            _ => format!("put it into the body of a class, such as `{}`", self.namespace),
        });
        self.findings.push(finding);
    }
}
