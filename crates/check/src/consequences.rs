//! Findings that are only consequences of other errors.

use std::collections::BTreeSet;

use foldhash::HashSet;
use marotte_diagnostics::{Diagnostic, Rule, rules};
use marotte_syntax::{Slip, SyntaxError, SyntaxErrorKind};
use marotte_text::{LineIndex, TextRange};

/// Rules about assigned and read variables: their findings may be consequences of a rejected assignment or parameter.
const OF_VARIABLES: [&Rule; 6] = [
    rules::POSSIBLY_UNSET_VARIABLE,
    rules::REASSIGNED_VARIABLE,
    rules::TOP_SCOPE_FACT_SHADOW,
    rules::UNRESOLVED_VARIABLE,
    rules::UNUSED_PARAMETER,
    rules::UNUSED_VARIABLE,
];

/// Returns the syntax errors of a text, except those that an earlier one explains: within a parenthesis that is never closed, the next
/// entries of the list around it seem to lack commas; and where the brace after a name is missing, the closing one closes nothing.
pub(crate) fn first_of_slips(errors: &[SyntaxError]) -> Vec<&SyntaxError> {
    let (mut is_unclosed, mut unexpected) = (false, 0_usize);
    let is_first = |error: &&SyntaxError| match &error.kind {
        SyntaxErrorKind::Unexpected { slip: Slip::MissingComma { .. }, .. } if is_unclosed => false,
        // One missing brace explains one that is left over.
        SyntaxErrorKind::Unopened { .. } if unexpected > 0 => {
            unexpected -= 1;
            false
        }
        kind => {
            is_unclosed |= matches!(kind, SyntaxErrorKind::Unclosed { .. });
            unexpected += usize::from(matches!(kind, SyntaxErrorKind::Unexpected { .. }));
            true
        }
    };
    errors.iter().filter(is_first).collect()
}

/// Returns the findings about what a text means, except those that a syntax error may explain: findings that start on the line of
/// an error, and findings about a variable that such a line names.
pub(crate) fn without(
    findings: Vec<Diagnostic>,
    errors: &[TextRange],
    text: &str,
    index: &LineIndex,
) -> Vec<Diagnostic> {
    let lines: BTreeSet<u32> = errors.iter().map(|it| index.line(it.start())).collect();
    let names: HashSet<&str> = lines.iter().flat_map(|it| variables(line(text, index, *it))).collect();
    let is_explained = |it: &Diagnostic| {
        let name = || text[it.range].trim_start_matches('$');
        lines.contains(&index.line(it.range.start()))
            || OF_VARIABLES.contains(&it.rule) && names.contains(name())
    };
    findings.into_iter().filter(|it| !is_explained(it)).collect()
}

/// The text of a line, whose number counts from 0.
fn line<'t>(text: &'t str, index: &LineIndex, line: u32) -> &'t str {
    let range = index.line_range(line).unwrap_or_default();
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
}

/// Returns the names that follow a dollar sign in a line.
fn variables(line: &str) -> impl Iterator<Item = &str> {
    line.split('$').skip(1).map(|rest| {
        let rest = rest.trim_start_matches('{');
        let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == ':'));
        &rest[..end.unwrap_or(rest.len())]
    })
}
