//! Comments within expressions, which the layout moves to the end of a line: then other lines may be aligned or joined.

use marotte_syntax::{Comment, STATEMENT_CALLS};

/// Whether any comment is elsewhere than before or after an item: a statement, an attribute, an element.
pub(crate) fn any_may_move(text: &str, comments: &[Comment]) -> bool {
    let bytes = text.as_bytes();
    let mut rest = comments;
    while let Some((first, others)) = rest.split_first() {
        let before = text.get(..usize::from(first.range.start())).unwrap_or_default().trim_end();
        let mut last = first;
        rest = others;
        loop {
            let end = usize::from(last.range.end());
            if bytes.get(usize::from(last.range.start())) == Some(&b'/') && !is_alone(text, last) {
                return true;
            }
            let after = text.get(end..).unwrap_or_default().trim_start();
            match rest.split_first() {
                Some((next, others)) if usize::from(next.range.start()) == text.len() - after.len() => {
                    (last, rest) = (next, others);
                }
                _ => {
                    let is_alone = is_alone(text, first);
                    let starts_item = before.ends_with(['(', '[', '{', '|', ':']) || before.ends_with("|>");
                    let is_chained =
                        ["->", "~>"].iter().any(|it| before.ends_with(it) || after.starts_with(it));
                    if !before.ends_with([',', ';'])
                        && !(is_alone && (starts_item || is_chained))
                        && (continues(before) || is_continued(before, after))
                    {
                        return true;
                    }
                    break;
                }
            }
        }
    }
    false
}

/// Whether nothing else is on the lines of a comment.
fn is_alone(text: &str, comment: &Comment) -> bool {
    let before = text.get(..usize::from(comment.range.start())).unwrap_or_default();
    let after = text.get(usize::from(comment.range.end())..).unwrap_or_default();
    let is_blank = |it: Option<&str>| it.is_none_or(|it| it.trim().is_empty());
    is_blank(before.rsplit('\n').next()) && is_blank(after.split('\n').next())
}

/// Whether an expression or a list goes on after a text.
fn continues(before: &str) -> bool {
    let ends = |it: u8| {
        it.is_ascii_alphanumeric() || matches!(it, b'_' | b',' | b';' | b'}' | b')' | b']' | b'\'' | b'"')
    };
    let is_block = |it: &str| {
        let before = it.strip_suffix('{').map(str::trim_end);
        before.is_some_and(|it| {
            it.ends_with(|it: char| {
                it.is_ascii_alphanumeric() || matches!(it, '_' | ')' | ':' | '\'' | '"' | ']')
            })
        })
    };
    let last = before.rsplit(|it: char| !it.is_ascii_alphanumeric() && it != '_').next().unwrap_or_default();
    KEYWORDS.contains(&last)
        || STATEMENT_CALLS.contains(&last)
        || before.bytes().next_back().is_some_and(|it| !it.is_ascii() || !ends(it)) && !is_block(before)
}

/// Keywords after which a statement goes on.
const KEYWORDS: [&str; 14] = [
    "and", "case", "class", "define", "elsif", "function", "if", "in", "inherits", "node", "or", "plan",
    "type", "unless",
];

/// Whether a text goes on with a part of what precedes it.
fn is_continued(before: &str, after: &str) -> bool {
    let starts = |it: u8| {
        it.is_ascii_alphanumeric()
            || matches!(it, b'_' | b'$' | b'}' | b')' | b']' | b'\'' | b'"' | b'@' | b':' | b'%')
    };
    let is_operator = |it: &str| ["and", "or", "in", "inherits"].contains(&it);
    let is_type = before.ends_with(']') && !before.rsplit('\n').next().is_some_and(|it| it.contains('='))
        || before
            .rsplit(|it: char| !it.is_ascii_alphanumeric() && it != '_')
            .next()
            .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()));
    let word = after.split(|it: char| !it.is_ascii_alphanumeric()).next().unwrap_or_default();
    after.bytes().next().is_some_and(|it| !starts(it))
        || is_operator(word)
        || is_type && after.starts_with('$')
}
