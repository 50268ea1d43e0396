//! Findings that are only consequences of other errors.

use foldhash::HashSet;
use marotte_diagnostics::{Diagnostic, Rule, rules};
use marotte_text::TextRange;

/// Rules about assigned and read variables: their findings may be consequences of a rejected assignment or parameter.
const OF_VARIABLES: [&Rule; 6] = [
    rules::POSSIBLY_UNSET_VARIABLE,
    rules::REASSIGNED_VARIABLE,
    rules::TOP_SCOPE_FACT_SHADOW,
    rules::UNRESOLVED_VARIABLE,
    rules::UNUSED_PARAMETER,
    rules::UNUSED_VARIABLE,
];

/// Returns the findings about what a text means, except those that a syntax error may explain: findings that start on the line of
/// an error, and findings about a variable that such a line names.
pub(crate) fn without(findings: Vec<Diagnostic>, errors: &[TextRange], text: &str) -> Vec<Diagnostic> {
    let lines: Vec<TextRange> = errors.iter().map(|it| line(text, *it)).collect();
    let names: HashSet<&str> = lines.iter().flat_map(|it| variables(&text[*it])).collect();
    let is_explained = |it: &Diagnostic| {
        let name = || text[it.range].trim_start_matches('$');
        lines.iter().any(|line| line.contains_inclusive(it.range.start()))
            || OF_VARIABLES.contains(&it.rule) && names.contains(name())
    };
    findings.into_iter().filter(|it| !is_explained(it)).collect()
}

/// The line on which a range starts, without its end.
fn line(text: &str, range: TextRange) -> TextRange {
    let (before, after) = text.split_at(usize::from(range.start()));
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    let end = after.find('\n').map_or(text.len(), |it| before.len() + it);
    let offset = |it: usize| it.try_into().unwrap_or(range.start());
    TextRange::new(offset(start), offset(end))
}

/// Returns the names that follow a dollar sign in a line.
fn variables(line: &str) -> impl Iterator<Item = &str> {
    line.split('$').skip(1).map(|rest| {
        let rest = rest.trim_start_matches('{');
        let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == ':'));
        &rest[..end.unwrap_or(rest.len())]
    })
}
