//! The screen of `check --watch`: the findings that a change added and removed, then the findings that fit, those of
//! changed files last.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_diagnostics::output::{Color, Format};
use marotte_diagnostics::{Diagnostic, Rule, printable};
use marotte_project::Project;

use super::options::Options;
use super::summary::count;
use crate::terminal::styled;

/// The divisor of the screen's height that limits the lines for new findings, and those for removed findings.
const SHARE: usize = 4;

/// The screen, which remembers the findings of the last report.
#[derive(Default)]
pub(super) struct Screen {
    last: Option<Vec<Known>>,
}

/// A finding of a report.
struct Known {
    /// The rule, the file and the message, which stay the same when lines move.
    key: (&'static Rule, String, String),
    /// The finding as one line.
    line: String,
}

impl Screen {
    /// Returns the text for a report, without its summary: at most `height` lines of `width` characters.
    ///
    /// # Errors
    /// If the findings cannot be written.
    pub(super) fn text(
        &mut self,
        project: &Project,
        findings: &[Arc<Diagnostic>],
        options: &Options,
        changed: &BTreeSet<Utf8PathBuf>,
        (width, height): (usize, usize),
    ) -> io::Result<String> {
        let now = known(project, findings)?;
        let mut text = match self.last.replace(Vec::new()) {
            Some(last) => delta(&last, &now, options.color, (width, (height / SHARE).max(1))),
            None => String::new(),
        };
        self.last = Some(now);
        let used = rows(&text, width);
        text.push_str(&fitting(project, findings, options, changed, (width, height.saturating_sub(used)))?);
        Ok(text)
    }
}

fn known(project: &Project, findings: &[Arc<Diagnostic>]) -> io::Result<Vec<Known>> {
    let lines = rendered(project, findings, Format::Concise, Color::Never)?;
    let path = |it: &Diagnostic| project.path(it.file).unwrap_or_default().to_owned();
    let known = findings
        .iter()
        .zip(lines.lines())
        .map(|(it, line)| Known { key: (it.rule, path(it), it.message.clone()), line: line.to_owned() });
    Ok(known.collect())
}

fn rendered(
    project: &Project,
    findings: &[Arc<Diagnostic>],
    format: Format,
    color: Color,
) -> io::Result<String> {
    let mut text = Vec::new();
    project.write(format, findings, color, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the added and the removed findings, at most `most` lines of each.
fn delta(last: &[Known], now: &[Known], color: Color, (width, most): (usize, usize)) -> String {
    let (new, gone) = (without(now, last), without(last, now));
    if new.is_empty() && gone.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    for (sign, style, lines) in [('−', "32", gone), ('+', "31", new)] {
        let shown = if lines.len() > most { most - 1 } else { lines.len() };
        for line in &lines[..shown] {
            let line = cut(&format!("{sign} {}", printable::line(line)), width);
            let _ = writeln!(text, "{}", styled(color, style, &line));
        }
        if shown < lines.len() {
            let _ = writeln!(text, "{sign} {}", cut(&format!("{} more", lines.len() - shown), width));
        }
    }
    text.push('\n');
    text
}

/// Returns the lines of the findings in `all` that aren't in `others`. Each occurrence in `others` cancels one in `all`.
fn without<'k>(all: &'k [Known], others: &[Known]) -> Vec<&'k str> {
    let mut left: HashMap<_, usize> = HashMap::new();
    for it in others {
        *left.entry(&it.key).or_default() += 1;
    }
    let mut is_left = |it: &Known| match left.get_mut(&it.key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    all.iter().filter(|it| is_left(it)).map(|it| it.line.as_str()).collect()
}

/// Returns the findings that fit, those of changed files last, and the number of the others by rule.
fn fitting(
    project: &Project,
    findings: &[Arc<Diagnostic>],
    options: &Options,
    changed: &BTreeSet<Utf8PathBuf>,
    (width, height): (usize, usize),
) -> io::Result<String> {
    let is_changed =
        |it: &Diagnostic| project.path(it.file).is_some_and(|it| changed.contains(Utf8Path::new(it)));
    let (last, first): (Vec<_>, Vec<_>) = findings.iter().partition(|it| is_changed(it));
    let ordered: Vec<&Arc<Diagnostic>> = first.into_iter().chain(last).collect();
    let mut shown = Vec::new();
    // One line shows the number of findings that don't fit.
    let mut free = height.saturating_sub(1);
    let mut left = ordered.len();
    for it in ordered.iter().rev() {
        let one = std::slice::from_ref(*it);
        let needed = rows(&rendered(project, one, options.format, Color::Never)?, width);
        if needed > free {
            break;
        }
        free -= needed;
        left -= 1;
        shown.push(rendered(project, one, options.format, options.color)?);
    }
    let mut text = String::new();
    if left > 0 {
        let mut rules: BTreeMap<&Rule, usize> = BTreeMap::new();
        for it in &ordered[..left] {
            *rules.entry(it.rule).or_default() += 1;
        }
        let mut rules: Vec<_> = rules.into_iter().collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let each: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} ({count})")).collect();
        let line = format!("{} not shown: {}", count(left, "finding"), each.join(", "));
        let _ = writeln!(text, "{}", cut(&line, width));
    }
    text.extend(shown.into_iter().rev());
    Ok(text)
}

/// Returns the number of terminal lines that a text without styles takes.
fn rows(text: &str, width: usize) -> usize {
    text.lines().map(|it| it.chars().count().div_ceil(width.max(1)).max(1)).sum()
}

/// Truncates a line to a width.
fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use marotte_diagnostics::rules;

    use super::*;

    fn known(lines: &[(&'static str, &str)]) -> Vec<Known> {
        let known = lines.iter().map(|(message, line)| Known {
            key: (rules::SYNTAX_ERROR, "a.pp".to_owned(), (*message).to_owned()),
            line: (*line).to_owned(),
        });
        known.collect()
    }

    #[test]
    fn findings_that_only_moved_are_neither_new_nor_gone() {
        let last = known(&[("x", "a.pp:1 x"), ("y", "a.pp:2 y"), ("y", "a.pp:3 y")]);
        let now = known(&[("x", "a.pp:9 x"), ("y", "a.pp:9 y"), ("z", "a.pp:9 z")]);
        assert_eq!(delta(&last, &now, Color::Never, (40, 5)), "− a.pp:3 y\n+ a.pp:9 z\n\n");
        assert_eq!(delta(&last, &last, Color::Never, (40, 5)), "");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let now = known(&[("x", "a.pp:1 x"), ("y", "a.pp:2 y"), ("z", "a.pp:3 z")]);
        assert_eq!(delta(&[], &now, Color::Never, (8, 2)), "+ a.pp:…\n+ 2 more\n\n");
    }

    #[test]
    fn long_lines_take_several_rows() {
        assert_eq!(rows("12345\n\n1", 2), 5);
        assert_eq!(cut("12345", 3), "12…");
    }
}
