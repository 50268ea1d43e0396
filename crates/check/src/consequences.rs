//! What is wrong only because of something else that is.

use foldhash::HashSet;
use marotte_diagnostics::Diagnostic;
use marotte_text::TextRange;

/// Rules about what is set and read: where an assignment or a parameter is refused, they follow from that.
const OF_VARIABLES: [&str; 6] = [
    "possibly-unset-variable",
    "reassigned-variable",
    "top-scope-fact-shadow",
    "unresolved-variable",
    "unused-parameter",
    "unused-variable",
];

/// The findings about what a text means without those that an error of the text may explain: what starts on the line of one, and what is
/// said of a variable that such a line names.
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

/// The names behind the dollar signs of a line.
fn variables(line: &str) -> impl Iterator<Item = &str> {
    line.split('$').skip(1).map(|rest| {
        let rest = rest.trim_start_matches('{');
        let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == ':'));
        &rest[..end.unwrap_or(rest.len())]
    })
}
