//! The call whose arguments are being written, for signature help.

use marotte_syntax::{LexemeKind, Mode, STATEMENT_CALLS, lexemes};
use marotte_text::TextSize;

use super::context::{Scanner, interpolated, is_in_template_text};

/// An unfinished call of a function, or of a type's constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenCall {
    /// The name of the function, or of the type whose constructor is called.
    pub(crate) name: String,
    /// The index of the argument at the place; the receiver before a dot is the first argument.
    pub(crate) argument: usize,
}

/// The innermost call whose parentheses contain a place.
pub(crate) fn call_at(text: &str, offset: TextSize, mode: Mode) -> Option<OpenCall> {
    let before = text.get(..usize::from(offset))?;
    if is_in_template_text(before, mode) {
        return None;
    }
    let unclosed = lexemes(before, mode).unclosed;
    if let Some(code) = interpolated(text, before, unclosed, mode) {
        return call_at(&code, offset, mode);
    }
    let end = unclosed.map_or(before.len(), |it| usize::from(it.start()));
    let scanner = Scanner::new(text, &before[..end], offset, mode);
    if let Some(call) = statement_call(&scanner, &before[..end]) {
        return Some(call);
    }
    for open in scanner.open.iter().rev() {
        let name = open.checked_sub(1)?;
        match scanner.word_at(*open) {
            "(" if matches!(scanner.kind_at(name), Some(LexemeKind::Name | LexemeKind::Reference)) => {
                let before = name.checked_sub(1).map_or("", |it| scanner.word_at(it));
                if matches!(before, "class" | "define" | "function" | "plan") {
                    return None;
                }
                let commas = scanner.top_level(*open).filter(|it| scanner.word_at(*it) == ",").count();
                // `Integer.new(` is `Integer(`.
                let is_type = |it: &usize| scanner.kind_at(*it) == Some(LexemeKind::Reference);
                let is_new = before == "." && scanner.word_at(name) == "new";
                let constructed = name.checked_sub(2).filter(|it| is_new && is_type(it));
                let argument = commas + usize::from(before == "." && constructed.is_none());
                let name = scanner.word_at(constructed.unwrap_or(name)).to_owned();
                return Some(OpenCall { name, argument });
            }
            // A block of statements isn't part of the arguments.
            "{" if scanner.word_at(name) != "=>"
                && scanner.word_at(name) != "("
                && scanner.word_at(name) != "," =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// The call of a function without parentheses, `include web, `, whose arguments are on one line.
fn statement_call(scanner: &Scanner<'_>, before: &str) -> Option<OpenCall> {
    let line = before.rfind('\n').map_or(0, |it| it + 1);
    let start = TextSize::try_from(line).ok()?;
    // Behind the name, and outside of brackets that are open within the line.
    let first = scanner.all.iter().position(|it| it.range.start() >= start)?;
    let is_within = scanner.open.last().is_none_or(|it| *it < first && scanner.word_at(*it) == "{");
    let name = scanner.word_at(first);
    let is_behind = scanner.all.get(first).is_some_and(|it| usize::from(it.range.end()) < before.len());
    if !is_within || !is_behind || !STATEMENT_CALLS.contains(&name) {
        return None;
    }
    if matches!(scanner.word_at(first + 1), "(" | "=" | "=>" | "+=" | "." | ":") {
        return None;
    }
    let argument = scanner.level(first + 1).filter(|it| scanner.word_at(*it) == ",").count();
    Some(OpenCall { name: name.to_owned(), argument })
}
