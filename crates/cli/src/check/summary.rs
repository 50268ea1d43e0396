use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use marotte_diagnostics::baseline::Known;
use marotte_diagnostics::output::Color;
use marotte_diagnostics::upgrade::TOPICS;
use marotte_diagnostics::{Diagnostic, Level, Rule, printable};
use marotte_project::fix::FixSafety;
use marotte_project::{Project, Report, Unresolved};
use marotte_text::Str;

use super::fetched::Fetched;
use super::options::Options;
use crate::terminal::styled;

/// The output around the findings: on standard output in the formats for people, on standard error with a
/// machine-readable format.
pub(super) struct Summary<'a> {
    options: &'a Options,
}

impl<'a> Summary<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Summary { options }
    }

    /// Reports the checked files, if the output is verbose.
    pub(super) fn targets(&mut self, project: &Project) -> io::Result<()> {
        if !self.options.verbose {
            return Ok(());
        }
        let mut text = String::new();
        for target in project.targets() {
            let _ = writeln!(text, "{}: {}", printable::line(target.path.as_str()), target.kind);
        }
        let files = project.files().len();
        let _ = writeln!(text, "{} to check", count(files, "file"));
        io::stderr().lock().write_all(text.as_bytes())
    }

    /// Writes the number of findings of each rule, the most frequent first, if requested.
    pub(super) fn statistics(&mut self, report: &Report) -> io::Result<()> {
        if self.options.statistics { self.write(&statistics(report, self.color())) } else { Ok(()) }
    }

    /// Writes one line: files, findings, time.
    pub(super) fn summary(&mut self, report: &Report, known: Known, fetched: Fetched) -> io::Result<()> {
        if self.options.quiet {
            return Ok(());
        }
        let what = count(report.files, "file");
        let mut text = format!(
            "Checked {what} in {}: {}{}{}\n",
            seconds(report.elapsed),
            findings(report, self.color()),
            left_out(known),
            fetched.summary()
        );
        if known.gone > 0 {
            let gone = count(known.gone, "finding");
            let _ = writeln!(text, "{gone} of the baseline no longer there: `--write-baseline` shortens it");
        }
        self.write(&text)
    }

    /// Writes the number of findings that fixes remove, if any.
    pub(super) fn fixes(&self, report: &Report) -> io::Result<()> {
        if self.options.quiet || self.options.by_topic {
            return Ok(());
        }
        let fixes = |safe: bool| {
            report.findings.iter().filter(|it| it.fix.as_ref().is_some_and(|it| it.safe == safe)).count()
        };
        self.write(&fixable(fixes(true), fixes(false), self.options.fixes))
    }

    /// Writes the names of the modules that were not checked, and what was not checked because of modules that are not installed.
    pub(super) fn modules(&self, project: &Project) -> io::Result<()> {
        if self.options.quiet {
            return Ok(());
        }
        let mut text = not_installed(&project.uninstalled_modules());
        text.push_str(&not_resolved(&project.unresolved()));
        for (what, why) in project.unjudged() {
            let _ = writeln!(text, "Not checked: {what}, because {}", printable::line(&why));
        }
        let ignored = if self.options.third_party { 0 } else { project.ignored_modules() };
        if ignored > 0 {
            let modules = count(ignored, "module");
            let _ = writeln!(
                text,
                "Not checked: {modules} of the Puppetfile in folders that git ignores; `--third-party` checks them"
            );
        }
        self.write(&text)
    }

    /// Counts the findings of each topic of an upgrade, with their fixes, if the options request it.
    pub(super) fn topics(&mut self, report: &Report) -> io::Result<()> {
        if self.options.quiet || !self.options.by_topic {
            return Ok(());
        }
        self.write(&topics(report))
    }

    /// Writes the fixes that were not applied because they are unsafe.
    pub(super) fn unsafe_fixes(&self, report: &Report) -> io::Result<()> {
        if self.options.quiet || self.options.fixes == FixSafety::All {
            return Ok(());
        }
        let mut rules: BTreeMap<&Rule, usize> = BTreeMap::new();
        let is_unsafe = |it: &&Arc<Diagnostic>| it.fix.as_ref().is_some_and(|fix| !fix.safe);
        for finding in report.findings.iter().filter(is_unsafe) {
            *rules.entry(finding.rule).or_default() += 1;
        }
        if rules.is_empty() {
            return Ok(());
        }
        let total = count(rules.values().sum(), "finding");
        let each: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} ({count})")).collect();
        let have = if total.starts_with("1 ") { "has a fix that needs" } else { "have fixes that need" };
        let text = format!("{total} {have} `--unsafe-fixes`: {}\n", each.join(", "));
        io::stderr().lock().write_all(text.as_bytes())
    }

    fn color(&self) -> Color {
        if self.options.format.is_for_people() { self.options.color } else { Color::Never }
    }

    fn write(&self, text: &str) -> io::Result<()> {
        if self.options.format.is_for_people() {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        } else {
            io::stderr().lock().write_all(text.as_bytes())
        }
    }
}

/// Returns the number of findings as text: `3 errors and 1 warning`, or that there are none.
pub(super) fn findings(report: &Report, color: Color) -> String {
    let of = |level| report.findings.iter().filter(|finding| finding.level == level).count();
    let (errors, warnings) = (of(Level::Error), of(Level::Warning));
    let red = |text: String| styled(color, "1;31", &text);
    let yellow = |text: String| styled(color, "1;33", &text);
    match (errors, warnings) {
        (0, 0) => styled(color, "32", "nothing found"),
        (0, _) => yellow(count(warnings, "warning")),
        (_, 0) => red(count(errors, "error")),
        _ => format!("{} and {}", red(count(errors, "error")), yellow(count(warnings, "warning"))),
    }
}

/// The number of findings left out because of the baseline.
pub(super) fn left_out(known: Known) -> String {
    if known.left == 0 { String::new() } else { format!(", and {} of the baseline", known.left) }
}

pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

pub(super) fn seconds(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(1) {
        format!("{} ms", elapsed.as_millis())
    } else {
        format!("{:.1} s", elapsed.as_secs_f64())
    }
}

/// Formats the number of findings with fixes, and the options that apply them.
fn fixable(safe: usize, other: usize, wanted: FixSafety) -> String {
    match (safe, other, wanted) {
        (0, 0, _) => String::new(),
        (_, 0, _) | (_, _, FixSafety::All) => format!("{} can be fixed with `--fix`\n", safe + other),
        (0, _, _) => {
            format!("{other} can be fixed with `--fix --unsafe-fixes`, which may change the meaning\n")
        }
        _ => format!(
            "{safe} can be fixed with `--fix`, and {other} more with `--unsafe-fixes`, which may change the meaning\n"
        ),
    }
}

/// Returns a text about the modules that are not installed, and the consequences.
fn not_installed(modules: &BTreeSet<Str>) -> String {
    let shown = listed(modules.iter().map(Str::to_string));
    let are = if modules.len() == 1 { "is" } else { "are" };
    match modules.is_empty() {
        true => String::new(),
        false => format!(
            "Not checked: uses of {shown}, which {are} in the Puppetfile and not installed; `r10k puppetfile install` installs modules\n"
        ),
    }
}

/// Returns a text about the names that were not resolved.
fn not_resolved(names: &Unresolved) -> String {
    let mut text = String::new();
    if !names.modules.is_empty() {
        let listed = listed(names.modules.iter().map(Str::to_string));
        let (what, rest) = match names.modules.len() {
            1 => ("module", "is not here; `--module-path` names its folder"),
            _ => ("modules", "are not here; `--module-path` names their folder"),
        };
        let _ = writeln!(text, "Not checked: uses of the {what} {listed}, which {rest}");
    }
    let functions = names.functions.iter().map(|it| format!("{it}()"));
    let others: Vec<String> = functions.chain(names.types.iter().map(Str::to_string)).collect();
    if !others.is_empty() {
        let _ = writeln!(
            text,
            "Not checked: uses of {}, which no module here defines",
            listed(others.into_iter())
        );
    }
    text
}

/// Lists names, and counts those beyond the first few.
fn listed(names: impl Iterator<Item = String>) -> String {
    /// The number of names that are shown.
    const SHOWN: usize = 5;
    let names: Vec<String> = names.map(|it| format!("`{}`", printable::line(&it))).collect();
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn topics(report: &Report) -> String {
    let mut text = String::new();
    for topic in &TOPICS {
        let findings =
            || report.findings.iter().filter(|it| topic.rules.contains(&it.rule) && !it.in_all_versions);
        let fixes =
            |safe: bool| findings().filter(|it| it.fix.as_ref().is_some_and(|it| it.safe == safe)).count();
        let (all, safe, other) = (findings().count(), fixes(true), fixes(false));
        let _ = write!(text, "{all:6}  {}", topic.title);
        if safe > 0 {
            let _ = write!(text, ", {safe} with a fix (`--fix`)");
        }
        if other > 0 {
            let _ = write!(text, ", {other} with a fix that needs `--unsafe-fixes`");
        }
        text.push('\n');
    }
    text
}

fn statistics(report: &Report, color: Color) -> String {
    let mut counts: BTreeMap<&Rule, usize> = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry(finding.rule).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let width = counts.iter().map(|(rule, _)| rule.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (rule, count) in counts {
        let _ =
            writeln!(text, "{count:6}  {}  {}", styled(color, "1", &format!("{rule:width$}")), rule.summary);
    }
    text
}

#[cfg(test)]
mod tests {
    use marotte_diagnostics::{Diagnostic, FileId, rules};

    use super::*;

    fn report(findings: &[(&'static str, Level)]) -> Report {
        let finding = |(rule, level): &(&'static str, Level)| {
            Diagnostic::new(rules::rule(rule).unwrap(), *level, FileId(0), Default::default(), String::new())
        };
        Report { findings: findings.iter().map(|it| finding(it).into()).collect(), ..Report::default() }
    }

    #[test]
    fn findings_are_counted_by_level() {
        let of = |found: &[_]| findings(&report(found), Color::Never);
        let (error, warning) = (("duplicate-key", Level::Error), ("unrecognized-escape", Level::Warning));
        assert_eq!(of(&[]), "nothing found");
        assert_eq!(of(&[error]), "1 error");
        assert_eq!(of(&[warning, warning]), "2 warnings");
        assert_eq!(of(&[error, warning, error]), "2 errors and 1 warning");
    }

    #[test]
    fn the_most_frequent_rule_comes_first() {
        let found = report(&[
            ("duplicate-key", Level::Error),
            ("not-rvalue", Level::Error),
            ("not-rvalue", Level::Error),
        ]);
        let lines = statistics(&found, Color::Never);
        let rules: Vec<_> =
            lines.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>()).collect();
        assert_eq!(rules, [["2", "not-rvalue"], ["1", "duplicate-key"]]);
    }

    #[test]
    fn fixes_are_counted_with_the_options_that_make_them() {
        assert_eq!(fixable(0, 0, FixSafety::Safe), "");
        assert_eq!(fixable(2, 0, FixSafety::Safe), "2 can be fixed with `--fix`\n");
        assert_eq!(fixable(2, 3, FixSafety::All), "5 can be fixed with `--fix`\n");
        let with_both = fixable(2, 3, FixSafety::Safe);
        assert!(with_both.starts_with("2 can be fixed with `--fix`, and 3 more with `--unsafe-fixes`"));
        assert!(fixable(0, 3, FixSafety::Safe).starts_with("3 can be fixed with `--fix --unsafe-fixes`"));
    }

    #[test]
    fn some_modules_that_are_not_installed_are_named() {
        let of = |names: &[&str]| not_installed(&names.iter().map(|it| Str::from(*it)).collect());
        assert_eq!(of(&[]), "");
        assert!(of(&["a"]).starts_with("Not checked: uses of `a`, which is in the Puppetfile"));
        let many = of(&["a", "b", "c", "d", "e", "f", "g"]);
        assert!(
            many.starts_with("Not checked: uses of `a`, `b`, `c`, `d`, `e` and 2 more, which are"),
            "{many}"
        );
    }

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_micros(1_900)), "1 ms");
        assert_eq!(seconds(Duration::from_millis(2_340)), "2.3 s");
    }
}
