//! Short messages: one line describes the error, and notes contain the long parts.

use std::sync::Arc;

use crate::Diagnostic;

/// The maximum length of a message, in characters.
pub const LONGEST: usize = 160;

/// The maximum length, in characters, of the part of a type, or of a truncated message, that a note contains.
const LONGEST_NOTE: usize = 400;

/// Names types by their aliases, and truncates messages of more than [`LONGEST`] characters; notes have the omitted parts.
///
/// `$port expects a Stdlib::Port = Integer[0, 65535] value` becomes `$port expects a Stdlib::Port value`, with the note
/// "`Stdlib::Port` is `Integer[0, 65535]`".
pub fn shorten(diagnostic: &mut Diagnostic) {
    // Most messages are short and name no alias: nothing is to be shortened.
    if diagnostic.message.len() <= LONGEST && !diagnostic.message.contains('=') {
        return;
    }
    shorten_to(diagnostic, LONGEST);
}

/// Moves the further lines of messages of an evaluation into notes, and [shortens](shorten) the first ones.
pub fn headlines(diagnostics: &[Arc<Diagnostic>]) -> Vec<Arc<Diagnostic>> {
    let mut headed = diagnostics.to_vec();
    headed.iter_mut().for_each(|it| head(Arc::make_mut(it), ""));
    headed
}

/// Moves the further lines of a message into notes, [shortens](shorten) the first one, and adds a suffix to it.
///
/// `Class[A]:\n  parameter 'b' expects …` becomes `Class[A]: parameter 'b' expects …`.
pub fn head(diagnostic: &mut Diagnostic, suffix: &str) {
    let whole = std::mem::take(&mut diagnostic.message);
    let mut lines = whole.lines().filter(|it| !it.trim().is_empty()).peekable();
    let mut first = lines.next().unwrap_or_default().trim_end().to_owned();
    let mut notes: Vec<String> = Vec::new();
    let mut expansions = Vec::new();
    if first.ends_with(':') {
        // A list of signatures is no part of a sentence.
        if let Some(next) = lines.next_if(|it| !it.trim_start().starts_with('(')) {
            first = format!("{first} {}", next.trim());
        }
    }
    for line in lines {
        let (short, of_line) = without_expansions(line.trim());
        expansions.extend(of_line);
        match notes.last_mut() {
            Some(signature) if short.starts_with("rejected: ") => *signature = format!("{signature} {short}"),
            _ => notes.push(short),
        }
    }
    diagnostic.message = first;
    for note in notes {
        add(&mut diagnostic.notes, cut(&note, LONGEST_NOTE));
    }
    shorten_to(diagnostic, LONGEST.saturating_sub(suffix.chars().count()).max(LONGEST / 2));
    diagnostic.message.push_str(suffix);
    expand(diagnostic, expansions);
}

/// Shortens a message to a maximum number of characters.
fn shorten_to(diagnostic: &mut Diagnostic, most: usize) {
    let (message, expansions) = without_expansions(&diagnostic.message);
    expand(diagnostic, expansions);
    diagnostic.message = message;
    if diagnostic.message.chars().count() > most {
        let short = cut(&with_few_words(&diagnostic.message), most);
        let whole = std::mem::replace(&mut diagnostic.message, short);
        diagnostic.notes.push(format!("in full: {}", cut(&whole, 2 * LONGEST_NOTE)));
    }
}

/// Adds notes that say which types some aliases stand for.
fn expand(diagnostic: &mut Diagnostic, expansions: Vec<(String, String)>) {
    for (alias, expansion) in expansions {
        add(&mut diagnostic.notes, format!("`{alias}` is `{}`", cut(&expansion, LONGEST_NOTE)));
    }
}

/// Adds a note unless it is already present.
fn add(notes: &mut Vec<String>, note: String) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Truncates a text to a maximum number of characters. A truncated text ends in `…`, with its backquotes closed.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(2)).collect();
    let is_open = short.matches('`').count() % 2 == 1;
    short.push('…');
    if is_open {
        short.push('`');
    }
    short
}

/// A message that shows the first of many words of an `Enum`: what it says after them matters more than the others.
fn with_few_words(message: &str) -> String {
    const ENUM: &str = "Enum[";
    const SHOWN: usize = 3;
    let (mut short, mut rest) = (String::new(), message);
    while let Some(at) = rest.find(ENUM) {
        let end = at + length_of_type(&rest[at..]).unwrap_or(ENUM.len());
        let words = &rest[at + ENUM.len()..end];
        let (mut is_quoted, mut is_escaped) = (false, false);
        let separators = words.char_indices().filter(|(_, it)| {
            is_quoted ^= *it == '\'' && !is_escaped;
            is_escaped = *it == '\\' && !is_escaped;
            *it == ',' && !is_quoted
        });
        let separators: Vec<usize> = separators.map(|it| it.0).take(SHOWN + 1).collect();
        match separators.get(SHOWN - 1).filter(|_| separators.len() > SHOWN) {
            Some(last) => {
                short.push_str(&rest[..at + ENUM.len() + last]);
                short.push_str(", …]");
            }
            None => short.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    short + rest
}

/// A message with types named by their aliases alone, and what these stand for.
fn without_expansions(message: &str) -> (String, Vec<(String, String)>) {
    const IS: &str = " = ";
    let (mut short, mut expansions) = (String::new(), Vec::new());
    let mut rest = message;
    while let Some(at) = rest.find(IS) {
        let (before, after) = (&rest[..at], &rest[at + IS.len()..]);
        let alias = alias_at_end(before);
        let length = length_of_type(after);
        match (alias, length) {
            (Some(alias), Some(length)) => {
                short.push_str(before);
                expansions.push((alias.to_owned(), after[..length].to_owned()));
                rest = &after[length..];
            }
            _ => {
                short.push_str(&rest[..at + IS.len()]);
                rest = after;
            }
        }
    }
    short.push_str(rest);
    (short, expansions)
}

/// The name of a type with which a text ends.
fn alias_at_end(text: &str) -> Option<&str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    let name = &text[text.trim_end_matches(is_part).len()..];
    name.starts_with(|it: char| it.is_ascii_uppercase()).then_some(name)
}

/// Returns the length of the type at the start of a text: a name, with the brackets after it.
fn length_of_type(text: &str) -> Option<usize> {
    let name =
        text.find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '_' | ':'))).unwrap_or(text.len());
    if !text.starts_with(|it: char| it.is_ascii_uppercase()) {
        return None;
    }
    if !text[name..].starts_with('[') {
        return Some(name);
    }
    let mut depth = 0_usize;
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    let mut before = ' ';
    for (at, it) in text[name..].char_indices() {
        match (quote, it) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if it == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(it),
            // A regular expression is an element.
            (None, '/') if matches!(before, '[' | ' ' | ',') => quote = Some(it),
            (None, '[') => depth += 1,
            (None, ']') => {
                depth -= 1;
                if depth == 0 {
                    return Some(name + at + 1);
                }
            }
            _ => {}
        }
        before = it;
    }
    None
}

#[cfg(test)]
mod tests {
    use marotte_text::TextRange;

    use super::*;
    use crate::{FileId, Level};

    fn shortened(message: &str) -> Diagnostic {
        let mut it = Diagnostic::new(
            crate::rules::ARGUMENT_TYPE,
            Level::Error,
            FileId(0),
            TextRange::default(),
            message.to_owned(),
        );
        shorten(&mut it);
        it
    }

    #[test]
    fn letters_beside_a_type_may_be_long() {
        for message in ["an entry 'é = Integer", "'né = N::Port = Integer[1, 2] é", "é = ü"] {
            assert!(shortened(message).message.contains('é'), "{message}");
        }
    }

    #[test]
    fn types_are_named_by_their_aliases() {
        for (message, short, note) in [
            (
                "`$port` expects a Stdlib::Port = Integer[0, 65535] value, got String",
                "`$port` expects a Stdlib::Port value, got String",
                Some("`Stdlib::Port` is `Integer[0, 65535]`"),
            ),
            (
                r"expects a match for Mode = Pattern[/\A[0-7\]]{4}\z/], got '['",
                "expects a match for Mode, got '['",
                Some(r"`Mode` is `Pattern[/\A[0-7\]]{4}\z/]`"),
            ),
            ("`$a = 1` is not a type", "`$a = 1` is not a type", None),
            ("`A = B` is cut", "`A` is cut", Some("`A` is `B`")),
        ] {
            let found = shortened(message);
            assert_eq!(found.message, short);
            assert_eq!(found.notes.first().map(String::as_str), note);
        }
    }

    fn headed(message: &str, suffix: &str) -> (String, Vec<String>) {
        let mut it = Diagnostic::new(
            crate::issues::RUNTIME_ERROR,
            Level::Error,
            FileId(0),
            TextRange::default(),
            message.to_owned(),
        );
        head(&mut it, suffix);
        (it.message, it.notes)
    }

    #[test]
    fn further_lines_become_notes() {
        let (message, notes) = headed(
            "Class[M]:\n  parameter 'a' expects a M::A = Integer value\n  parameter 'b' expects a String value",
            " on node n1",
        );
        assert_eq!(message, "Class[M]: parameter 'a' expects a M::A value on node n1");
        assert_eq!(notes, ["parameter 'b' expects a String value", "`M::A` is `Integer`"]);
        let (message, notes) = headed(
            "f expects one of:\n  (T = Type a)\n    rejected: expects 1 argument, got 2\n  (T = Type a)\n    rejected: expects 1 argument, got 2",
            "",
        );
        assert_eq!(message, "f expects one of:");
        assert_eq!(notes, ["(T a) rejected: expects 1 argument, got 2", "`T` is `Type`"]);
        let (message, notes) = headed(&format!("{}\n\nb", "a".repeat(200)), " on node n1");
        assert!(message.chars().count() <= LONGEST);
        assert!(message.ends_with("… on node n1"), "{message}");
        assert_eq!(notes.len(), 2);
    }

    #[test]
    fn long_messages_have_few_words_of_an_enum() {
        let many: Vec<String> = (0..300).map(|it| format!("'word, {it}'")).collect();
        let many = format!("Enum[{}]", many.join(", "));
        let found = shortened(&format!("`$a` expects a match for Variant[{many}, Integer], got Boolean"));
        assert_eq!(
            found.message,
            "`$a` expects a match for Variant[Enum['word, 0', 'word, 1', 'word, 2', …], Integer], got Boolean"
        );
        assert!(found.notes[0].starts_with("in full: ") && found.notes[0].contains("'word, 20'"));
        let few = "Enum['a', 'it\\'s', 'c', 'd']";
        let found = shortened(&format!("{few} {few} {}", "a".repeat(200)));
        assert!(found.message.starts_with(&format!("{few} {few} a")), "{}", found.message);
    }

    #[test]
    fn long_messages_are_cut() {
        let found = shortened(&format!("`{}` is long", "é".repeat(5000)));
        assert_eq!(found.message.chars().count(), LONGEST);
        assert!(found.message.ends_with("…`"));
        assert!(found.notes[0].starts_with("in full: `é"));
        let short = "`a` is short";
        assert_eq!(shortened(short).message, short);
        assert!(shortened(short).notes.is_empty());
    }
}
