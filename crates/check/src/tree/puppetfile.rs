//! `invalid-puppetfile`: statements of a `Puppetfile` that r10k refuses, or reads as something else than they say.

use std::collections::BTreeMap;
use std::ops::Range;

use marotte_db::{Db, File, FileStatus, source_text};
use marotte_diagnostics::{Diagnostic, Level, Related, rules};
use marotte_pcore::semver::SemVer;
use marotte_resolve::puppetfile::PUPPETFILE;
use marotte_resolve::spelling::nearest;
use marotte_ruby::puppetfile::{Literal, Statement, statements};
use marotte_text::{TextRange, TextSize};

/// The declarations of r10k.
const DECLARATIONS: [&str; 3] = ["mod", "forge", "moduledir"];

/// The options of a module in r10k, and in the other programs that read such a file.
const OPTIONS: [&str; 31] = [
    "branch",
    "checksum",
    "commit",
    "default_branch",
    "default_branch_override",
    "exclude_spec",
    "fallback",
    "forge",
    "git",
    "github_tarball",
    "ignore-unreachable",
    "ignore_unreachable",
    "install_path",
    "link",
    "local",
    "overrides",
    "password",
    "path",
    "ref",
    "rev",
    "revision",
    "sha256sum",
    "source",
    "subdir",
    "svn",
    "tag",
    "type",
    "use_ssh_agent",
    "username",
    "version",
    "version_requirement",
];

/// In place of the version of a module: the newest one.
const LATEST: &str = "latest";

/// The options of which each names the revision of a git repository.
const REVISIONS: [&str; 5] = ["branch", "tag", "commit", "ref", "version"];

/// Returns the errors in a `Puppetfile`; none for other files, and none if it is not Ruby. Names and versions are not judged beside a lock
/// file, which librarian-puppet writes: it accepts more of them than r10k does.
pub fn check_puppetfile(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let source = source_text(db, file);
    if file.path(db).file_name() != Some(PUPPETFILE) || source.error().is_some() {
        return Vec::new();
    }
    let Some(all) = statements(source.text()) else { return Vec::new() };
    let lock = file.path(db).with_extension("lock");
    let is_of_r10k = db.files().file(db, &lock).status(db) == FileStatus::Missing;
    let mut modules = Modules { db, file, text: source.text(), findings: Vec::new() };
    let mut known: BTreeMap<&str, &Literal> = BTreeMap::new();
    for statement in &all {
        if statement.name.text != "mod" {
            modules.declaration(statement);
            continue;
        }
        let Some(title) = &statement.title else { continue };
        modules.options(statement);
        let name = match &statement.joined {
            Some(second) => {
                modules.joined(second);
                continue;
            }
            None if is_of_r10k => modules.name(title, statement),
            None => None,
        };
        let Some(name) = name else { continue };
        modules.version(statement);
        match known.get(name) {
            Some(first) => modules.repeated(name, title, first),
            None => _ = known.insert(name, title),
        }
    }
    modules.findings
}

struct Modules<'db> {
    db: &'db dyn Db,
    file: File,
    text: &'db str,
    findings: Vec<Diagnostic>,
}

impl Modules<'_> {
    fn report(&mut self, level: Level, range: &Range<usize>, message: String, label: String) {
        let range = self.range(range);
        let rule = rules::INVALID_PUPPETFILE;
        let mut finding = Diagnostic::new(rule, level, self.file.id(self.db), range, message);
        finding.label = Some(label);
        self.findings.push(finding);
    }

    fn refused(&mut self) {
        if let Some(finding) = self.findings.last_mut() {
            finding.notes.push("r10k refuses such a `Puppetfile`, and installs nothing".to_owned());
        }
    }

    fn range(&self, range: &Range<usize>) -> TextRange {
        TextRange::at(TextSize::of(&self.text[..range.start]), TextSize::of(&self.text[range.clone()]))
    }

    fn related(&mut self, range: &Range<usize>, message: &str) {
        let (file, range) = (self.file.id(self.db), self.range(range));
        if let Some(finding) = self.findings.last_mut() {
            finding.related.push(Related { file, range, message: message.to_owned() });
        }
    }

    /// Reports a declaration that is a typo away from one of r10k.
    fn declaration(&mut self, statement: &Statement) {
        let name = statement.name.text.as_str();
        let Some(meant) = nearest(name, DECLARATIONS).filter(|_| !DECLARATIONS.contains(&name)) else {
            return;
        };
        if statement.title.is_some() {
            let message = format!("a `{PUPPETFILE}` has no declaration `{name}`");
            self.report(Level::Error, &statement.name.range, message, format!("did you mean `{meant}`?"));
            self.refused();
        }
    }

    fn joined(&mut self, second: &Range<usize>) {
        let message = "a comma is missing between the name of a module and what follows".to_owned();
        self.report(Level::Error, second, message, "Ruby joins this text to the name".to_owned());
        self.refused();
    }

    /// Returns the name of a module without its author, and reports what r10k does not take for one.
    fn name<'t>(&mut self, title: &'t Literal, statement: &Statement) -> Option<&'t str> {
        let is_word =
            |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        let text = title.text.as_str();
        let (author, name) = match text.split_once(['-', '/']) {
            Some((author, name)) => (Some(author), name),
            None => (None, text),
        };
        if is_word(name) && author.is_none_or(is_word) {
            if author.is_none() && statement.version.is_some() && statement.options.is_empty() {
                let message = format!("a module of the Forge is named with its author, and this is `{text}`");
                self.report(Level::Error, &title.range, message, "no author".to_owned());
                self.refused();
            }
            return Some(name);
        }
        let message = format!("a module is named `author/name` or `name`, and this is `{text}`");
        self.report(Level::Error, &title.range, message, "not the name of a module".to_owned());
        self.refused();
        None
    }

    fn repeated(&mut self, name: &str, title: &Literal, first: &Literal) {
        let message = format!("module `{name}` is listed twice");
        self.report(Level::Error, &title.range, message, "listed again".to_owned());
        self.related(&first.range, "listed here first");
        self.refused();
    }

    /// Reports a version that lacks a number, or is a slip of `latest`. Ranges are for other programs than r10k.
    fn version(&mut self, statement: &Statement) {
        let Some(version) = &statement.version else { return };
        let text = version.text.as_str();
        if text != LATEST && nearest(text, [LATEST]).is_some() {
            let message = format!("a module has no version `{text}`");
            self.report(Level::Warning, &version.range, message, format!("did you mean `:{LATEST}`?"));
            return self.refused();
        }
        let numbers = text.strip_prefix('v').unwrap_or(text);
        let is_plain = !numbers.is_empty() && numbers.split('.').all(|it| it.parse::<u64>().is_ok());
        if is_plain && SemVer::parse(text).is_err() {
            let message = "the version of a module has three numbers, such as `1.2.0`".to_owned();
            self.report(Level::Warning, &version.range, message, "not a semantic version".to_owned());
            self.refused();
        }
    }

    fn options(&mut self, statement: &Statement) {
        /// The number of options that are compared with each other.
        const MOST: usize = 100;
        for name in statement.names.iter().filter(|it| OPTIONS.contains(&it.text.as_str())) {
            let message = format!("nothing is called `{}`: an option is a symbol", name.text);
            self.report(Level::Error, &name.range, message, format!("did you mean `:{}`?", name.text));
        }
        let options = &statement.options[..statement.options.len().min(MOST)];
        for (at, option) in options.iter().enumerate() {
            let name = option.text.as_str();
            if let Some(first) = options[..at].iter().find(|it| it.text == name) {
                let message = format!("option `{name}` is given twice, and Ruby takes the last value");
                self.report(Level::Warning, &option.range, message, "given again".to_owned());
                self.related(&first.range, "ignored");
            } else if !OPTIONS.contains(&name)
                && let Some(meant) = nearest(name, OPTIONS)
            {
                let message = format!("a module has no option `{name}`");
                self.report(Level::Warning, &option.range, message, format!("did you mean `{meant}`?"));
            }
        }
        let revisions: Vec<&Literal> = options.iter().filter(|it| is_revision(it)).collect();
        if let [first, .., last] = &revisions[..]
            && first.text != last.text
        {
            let message = format!("options `{}` and `{}` name different revisions", first.text, last.text);
            self.report(Level::Warning, &last.range, message, "r10k takes this one".to_owned());
            self.related(&first.range, "ignored");
        }
    }
}

fn is_revision(option: &Literal) -> bool {
    REVISIONS.contains(&option.text.as_str())
}
