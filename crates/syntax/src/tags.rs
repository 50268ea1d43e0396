//! Tags of templates that are not closed before the next one opens, so that text is read as code.

use marotte_text::{TextRange, TextSize};

use crate::parse::parse_text;
use crate::{Mode, SyntaxError, SyntaxErrorKind};

/// The number of places at which the missing end of a tag is tried.
const MOST: usize = 24;

/// Texts of more bytes are not parsed several times.
const LONGEST: usize = 100_000;

/// Returns the errors of a template with the one tag that is not closed, if a `%>` in it makes all others disappear. None if there is no
/// such tag.
pub(crate) fn unclosed(source: &str, mode: Mode, errors: &[SyntaxError]) -> Option<Vec<SyntaxError>> {
    let is_error = |it: &&SyntaxError| !it.kind.is_warning();
    let reached = errors.iter().filter(is_error).map(|it| usize::from(it.range.end())).max()?;
    if source.len() > LONGEST {
        return None;
    }
    let (open, inner) = nested(source).take_while(|(open, _)| *open <= reached).next()?;
    let repaired = ends(source, open, inner).take(MOST).find_map(|at| {
        let text = format!("{} %>{}", &source[..at], &source[at..]);
        let parsed = parse_text(&text, mode);
        parsed.errors.iter().all(|it| it.kind.is_warning()).then_some(())
    });
    repaired?;
    let range = TextRange::at(TextSize::of(&source[..open]), TextSize::of("<%"));
    Some(vec![SyntaxError { range, kind: SyntaxErrorKind::EppUnbalancedTag }])
}

/// The tags in which another tag opens: the offsets of both.
fn nested(source: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + source[at..].find("<%")?;
            let start = open + "<%".len();
            let end = source[start..].find("%>").map_or(source.len(), |it| start + it);
            at = if source[start..].starts_with(['%', '#']) { start + 1 } else { end };
            let inner = source[start..end].find("<%").map(|it| start + it);
            if let Some(inner) = inner.filter(|_| at == end) {
                return Some((open, inner));
            }
        }
    })
}

/// The places at which the end of a tag may be missing: at the end of its line, before the next tag, at the blanks of the line, and at the
/// ends of further lines.
fn ends(source: &str, open: usize, inner: usize) -> impl Iterator<Item = usize> {
    let line = source[open..inner].find('\n').map_or(inner, |it| open + it);
    let blanks =
        source[open..line].match_indices([' ', '"', '<', '>', ',']).skip(1).map(move |(it, _)| open + it);
    let further = source[line..inner].match_indices('\n').skip(1).map(move |(it, _)| line + it);
    [line, inner].into_iter().chain(further).chain(blanks.filter(move |it| *it > open + "<%=".len()))
}

#[cfg(test)]
mod tests {
    use crate::{Mode, SyntaxErrorKind, parse};

    #[test]
    fn a_tag_that_is_not_closed_is_one_error() {
        for (text, at) in [
            ("<%- | String $a |\nHost\n<%= $a %>\n<% if $a { -%>x<% } -%>\n", Some(0)),
            ("a <%= $b )<% if $c { %> to <%= $c %><% } %>", Some(2)),
            ("<% if $a { %>\n\"<%= $a \"<% } -%>\nb", Some(15)),
            ("<%= $a %><% if $b { %>c<% } %>", None),
            ("<%= $a + %><%= $b %>", None),
        ] {
            let errors = parse(text, Mode { template: true, ..Mode::default() }).errors;
            let tags: Vec<usize> = errors
                .iter()
                .filter(|it| it.kind == SyntaxErrorKind::EppUnbalancedTag)
                .map(|it| usize::from(it.range.start()))
                .collect();
            assert_eq!(tags, Vec::from_iter(at), "{text}");
            assert!(at.is_none() || errors.len() == 1, "{text}: {errors:?}");
        }
    }
}
