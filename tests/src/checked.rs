//! Small trees of code with the expected findings: an example is a text such as
//!
//! ```text
//! # file: modules/ntp/manifests/init.pp
//! class ntp {
//!   contain ntp::instal
//!           ^^^^^^^^^^^ unresolved-class: there is no class `ntp::instal`
//! }
//! ```
//!
//! A line `# dialect: 2014-05` selects the dialect of the files, and isn't part of them either. The text before the first `#
//! file:` is the main manifest. A line of carets marks a range of the line above it, and contains the rule, optionally preceded
//! by the level (`error`, `warning`) and followed by the message; it isn't part of the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::MemorySystem;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::rules::Subject;
use marotte_diagnostics::{Level, RuleSet, Sources as _, rules};
use marotte_pcore::dialect::Dialect;
use marotte_project::{Project, ProjectDatabase, ProjectOptions, Report};

/// The root folder of an example's environment.
const ROOT: &str = "/environment";

/// The path of the text that precedes all headers.
pub(crate) const MAIN: &str = "manifests/site.pp";

/// A tree of code with expected findings.
#[derive(Debug, Default)]
pub struct Example {
    /// The texts of the files, by path below the environment.
    pub files: BTreeMap<String, String>,
    /// The findings that the tree must have.
    pub expected: Vec<Finding>,
    /// The dialect of the files, if it isn't that of Puppet 8.
    pub dialect: Option<&'static Dialect>,
}

/// An actual or expected finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The path of the file.
    pub path: String,
    /// The line number, from 1.
    pub line: usize,
    /// The columns in characters from 0, limited to the first line.
    pub columns: (usize, usize),
    /// The name of the rule.
    pub rule: String,
    /// The message, if it is checked.
    pub message: Option<String>,
    /// Whether it is an error, if that is checked.
    pub is_error: Option<bool>,
}

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// All findings, including those of rules about style and whole trees, which are off by default.
    pub findings: Vec<Finding>,
    /// The findings as `marotte check` prints them; those of rules about whole trees only if one is expected.
    pub shown: String,
}

impl Finding {
    fn is(&self, other: &Finding) -> bool {
        let agree = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        let agree_on_level =
            self.is_error.is_none() || other.is_error.is_none() || self.is_error == other.is_error;
        (&self.path, self.line, self.columns, &self.rule)
            == (&other.path, other.line, other.columns, &other.rule)
            && agree(&self.message, &other.message)
            && agree_on_level
    }
}

impl Example {
    /// Reads an example from its text.
    pub fn read(text: &str) -> Example {
        let mut example = Example::default();
        let mut path = MAIN.to_owned();
        let mut line = 0;
        for text in text.lines() {
            if let Some(header) = text.strip_prefix("# file: ") {
                (path, line) = (header.trim().to_owned(), 0);
                example.files.entry(path.clone()).or_default();
            } else if let Some(name) = text.strip_prefix("# dialect: ") {
                example.dialect = Dialect::by_name(name.trim());
                assert!(example.dialect.is_some(), "there is no dialect `{name}`");
            } else if let Some(mut finding) = expectation(text) {
                (finding.path, finding.line) = (path.clone(), line);
                example.expected.push(finding);
            } else {
                line += 1;
                let file = example.files.entry(path.clone()).or_default();
                file.push_str(text);
                file.push('\n');
            }
        }
        example
    }

    fn project(&self) -> Project {
        let system = MemorySystem::new();
        system.write_file(Utf8PathBuf::from(ROOT).join("environment.conf"), "modulepath = modules\n");
        for (path, text) in &self.files {
            system.write_file(Utf8PathBuf::from(ROOT).join(path), text);
        }
        let db = ProjectDatabase::frozen(Arc::new(system));
        let dialect = self.dialect.unwrap_or_else(Dialect::puppet8);
        let rules = RuleSet::usual().with(Subject::Style).with(Subject::Tree);
        Project::new(db, &[ROOT.into()], ProjectOptions { dialect, rules, ..ProjectOptions::default() })
    }

    /// Checks the files once.
    pub fn check(&self) -> Checked {
        let project = self.project();
        let report = project.check(&());
        let findings = self.findings(&project, &report);
        let is_of_tree = |it: &Finding| rules::rule(&it.rule).is_some_and(|it| it.subject == Subject::Tree);
        let mut told = RuleSet::usual();
        if self.expected.iter().any(is_of_tree) {
            told = told.with(Subject::Tree);
        }
        let told: Vec<_> = report.findings.into_iter().filter(|it| told.contains(it.rule)).collect();
        let mut out = Vec::new();
        output::write(Format::Full, &told, &project.sources(), Color::Never, &mut out).expect("a vector");
        let shown = String::from_utf8_lossy(&out).replace(&format!("{}/", &ROOT[1..]), "");
        Checked { findings, shown }
    }

    fn findings(&self, project: &Project, report: &Report) -> Vec<Finding> {
        let sources = project.sources();
        let found = report.findings.iter().map(|it| {
            let path = sources.path(it.file).to_string();
            let path = path.trim_start_matches('/');
            let path = path.strip_prefix(&ROOT[1..]).unwrap_or(path).trim_start_matches('/').to_owned();
            let text = self.files.get(&path).map(String::as_str).unwrap_or_default();
            let before = &text[..usize::from(it.range.start())];
            let start = before.rsplit('\n').next().unwrap_or_default().chars().count();
            let covered = text[it.range].lines().next().unwrap_or_default().chars().count();
            Finding {
                line: before.matches('\n').count() + 1,
                columns: (start, start + covered.max(1)),
                rule: it.rule.name.to_owned(),
                message: Some(it.message.clone()),
                is_error: Some(it.level == Level::Error),
                path,
            }
        });
        found.collect()
    }

    /// Returns the differences between the expected findings and those of a check, as lines of text.
    pub fn differences(&self, checked: &Checked) -> Vec<String> {
        let mut found = checked.findings.clone();
        let mut differences = Vec::new();
        for expected in &self.expected {
            match found.iter().position(|it| expected.is(it)) {
                Some(index) => {
                    found.remove(index);
                }
                None => differences.push(format!("not found: {}", show(expected))),
            }
        }
        // Findings of rules that are off by default needn't be expected.
        found.retain(|it| !is_off(&it.rule));
        differences.extend(found.iter().map(|it| format!("not expected: {}", show(it))));
        differences
    }
}

/// Whether a rule reports nothing by default.
pub fn is_off(rule: &str) -> bool {
    rules::rule(rule).is_some_and(|it| it.level == Level::Ignore)
}

fn show(it: &Finding) -> String {
    let Finding { path, line, columns: (from, to), rule, message, .. } = it;
    let message = message.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
    format!("{path}:{line}:{}-{to} {rule}{message}", from + 1)
}

/// Parses the expectation in a line of carets.
pub(crate) fn expectation(text: &str) -> Option<Finding> {
    let start = text.chars().take_while(|it| *it == ' ').count();
    let rest = text.trim_start_matches(' ');
    let length = rest.chars().take_while(|it| *it == '^').count();
    let told = rest.trim_start_matches('^').strip_prefix(' ')?;
    let (is_error, told) = match told.split_once(' ') {
        Some(("error", told)) => (Some(true), told),
        Some(("warning", told)) => (Some(false), told),
        _ => (None, told),
    };
    let (rule, message) = match told.split_once(": ") {
        Some((rule, message)) => (rule, Some(message.trim_end().to_owned())),
        None => (told.trim(), None),
    };
    let is_rule = !rule.is_empty() && rule.bytes().all(|it| it.is_ascii_lowercase() || it == b'-');
    (length > 0 && is_rule).then(|| Finding {
        path: String::new(),
        line: 0,
        columns: (start, start + length),
        rule: rule.to_owned(),
        message,
        is_error,
    })
}
