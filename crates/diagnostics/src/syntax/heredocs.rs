//! Messages of errors in heredocs.

use marotte_text::TextRange;

use super::words::{Site, Words};
use crate::printable::quoted;
use crate::rules;

const HEADER: &str =
    "a header is `@(END)`, `@(\"END\")` to interpolate, and can name a syntax and escapes: `@(END:json/tn)`";
const END: &str = "a heredoc ends at a line that holds nothing but its end tag, which `|`, `-` or `|-` may precede: `| END`";

pub(super) fn unclosed_parenthesis() -> Words {
    Words::new(rules::HEREDOC_UNCLOSED_PARENTHESIS, "`@(` opens a heredoc's header that is never closed")
        .label("expected `)` on this line")
        .note(HEADER)
}

pub(super) fn header(site: Site) -> Words {
    Words::new(rules::HEREDOC_INVALID_SYNTAX, format!("{} is not a header of a heredoc", site.quoted()))
        .label("expected an end tag, then perhaps `:` and a syntax, then perhaps `/` and escapes")
        .note(HEADER)
}

pub(super) fn escape(escape: char) -> Words {
    Words::new(
        rules::HEREDOC_INVALID_ESCAPE,
        format!("{} is not an escape that a heredoc can enable", quoted(&escape.to_string())),
    )
    .label("expected `t`, `r`, `n`, `s`, `u`, `L` or `$`")
    .note("`/` alone enables all of them; `L` joins a line that ends with a backslash to the next")
}

pub(super) fn repeated_escape(escape: char) -> Words {
    Words::new(
        rules::HEREDOC_MULTIPLE_ESCAPES,
        format!("the heredoc enables the escape {} more than once", quoted(&escape.to_string())),
    )
    .label("each escape can appear here once")
}

pub(super) fn empty_end_tag() -> Words {
    Words::new(rules::HEREDOC_EMPTY_ENDTAG, "the heredoc has an empty end tag")
        .label("expected a word, such as `END`")
        .note(END)
}

pub(super) fn no_text() -> Words {
    Words::new(rules::HEREDOC_WITHOUT_TEXT, "no line follows the heredoc's header")
        .label("its text was expected from the next line on")
        .note(END)
}

pub(super) fn swallows(tag: &str, other: TextRange) -> Words {
    let tag = quoted(tag);
    let message = format!("no line ends the heredoc {tag} before another one with this tag");
    Words::new(rules::HEREDOC_WITHOUT_END_TAGGED_LINE, message)
        .label("its text goes on to the end of the other one")
        .related(other, "this header is only text")
        .note(END)
}

pub(super) fn no_end(tag: &str) -> Words {
    let lacks_quote = tag.starts_with('"') != tag.ends_with('"');
    let tag = quoted(tag);
    let words = Words::new(rules::HEREDOC_WITHOUT_END_TAGGED_LINE, format!("no line ends the heredoc {tag}"))
        .label(format!("expected a line with {tag} below"));
    if lacks_quote {
        return words.note("quotes appear on both sides of an end tag: `@(\"END\")`");
    }
    words.note(END).note("upper and lower case count, and nothing may follow the tag on its line")
}

pub(super) fn text(syntax: &str, reason: &str) -> Words {
    Words::new(rules::HEREDOC_TEXT, format!("the heredoc's text is not valid {}: {reason}", quoted(syntax)))
        .note("the header declares the syntax after `:`; leave it out to have the text unchecked")
}
