use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use marotte_diagnostics::baseline::Known;
use marotte_diagnostics::output::Color;
use marotte_diagnostics::upgrade::TOPICS;
use marotte_diagnostics::{Diagnostic, Level, printable, rules};
use marotte_project::fix::Wanted;
use marotte_project::{Project, Report};

use super::fetched::Fetched;
use super::options::Options;
use crate::terminal::styled;

/// The output around the findings: on standard output in the formats for people, on standard error with a
/// machine-readable format.
pub(super) struct Told<'a> {
    options: &'a Options,
}

impl<'a> Told<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Told { options }
    }

    /// Reports which files are checked, if the output is verbose.
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

    /// Counts the findings of each topic of an upgrade, with their fixes, if the options request it.
    pub(super) fn topics(&mut self, report: &Report) -> io::Result<()> {
        if self.options.quiet || !self.options.by_topic {
            return Ok(());
        }
        self.write(&topics(report))
    }

    /// Says which fixes were not made, because they may not be what was meant.
    pub(super) fn unsafe_fixes(&self, report: &Report) -> io::Result<()> {
        if self.options.quiet || self.options.fixes == Wanted::All {
            return Ok(());
        }
        let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
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

/// `3 errors and 1 warning`, or that there are none.
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

fn topics(report: &Report) -> String {
    let mut text = String::new();
    for topic in &TOPICS {
        let findings = || report.findings.iter().filter(|it| topic.rules.contains(&it.rule));
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
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry(finding.rule).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let width = counts.iter().map(|(rule, _)| rule.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (rule, count) in counts {
        let summary = rules::rule(rule).map_or("", |rule| rule.summary);
        let _ = writeln!(text, "{count:6}  {}  {summary}", styled(color, "1", &format!("{rule:width$}")));
    }
    text
}

#[cfg(test)]
mod tests {
    use marotte_diagnostics::{Diagnostic, FileId};

    use super::*;

    fn report(findings: &[(&'static str, Level)]) -> Report {
        let finding = |(rule, level): &(&'static str, Level)| {
            Diagnostic::new(rule, *level, FileId(0), Default::default(), String::new())
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
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_micros(1_900)), "1 ms");
        assert_eq!(seconds(Duration::from_millis(2_340)), "2.3 s");
    }
}
