//! The title patterns of a resource type.

use super::super::model::{Flags, Regexp, ResourceType, TitlePattern};
use crate::evaluate::{Scope, Value, Visit};
use crate::syntax::{Expr, ExprKind, Method};

/// The patterns of a type without a declaration: the whole title is the namevar. Unknown if there are several namevars:
/// Puppet then fails.
pub(super) fn usual(found: &ResourceType) -> Option<Vec<TitlePattern>> {
    let mut namevars = found.namevars();
    match (namevars.next(), namevars.next()) {
        (None, _) => Some(Vec::new()),
        (Some(namevar), None) => Some(vec![TitlePattern {
            regexp: Regexp { source: "(.*)".into(), flags: Flags { multi_line: true, ..Flags::default() } },
            attributes: vec![namevar.name.clone()],
        }]),
        _ => None,
    }
}

/// The patterns that `def self.title_patterns` returns, if its last expression is a literal.
pub(super) fn of(scope: &mut Scope<'_>, method: &Method) -> Option<Vec<TitlePattern>> {
    let (last, before) = method.body.split_last()?;
    let mut plain = Plain { plain: true };
    scope.walk(before, &mut plain);
    let value = match &last.kind {
        ExprKind::Return(values) => match &values[..] {
            [value] => scope.value(value),
            _ => Value::Unknown,
        },
        _ => scope.value(last),
    };
    let converts = !method.body.iter().all(|it| only_identities(scope.source.text_of(it)));
    let names_conversions = scope.source.mentions(last, &PROCS) || method.body.len() > 1;
    match plain.plain && !converts {
        true => patterns(&value, names_conversions),
        false => None,
    }
}

/// The words that begin a proc.
const PROCS: [&str; 4] = ["lambda", "proc", "Proc", "->"];

/// Whether all procs in a text return their argument, as in `lambda { |x| x }`.
fn only_identities(text: &str) -> bool {
    let mut from = 0;
    while let Some((word, end)) = next_proc(text, from) {
        let rest = text[end..].trim_start_matches(".new").trim_start();
        match after_identity(word, rest) {
            Some(after) => from = text.len() - after.len(),
            None => return false,
        }
    }
    true
}

/// The first word of a text, at or after an offset, that begins a proc, and its end. `processors` is another word.
fn next_proc(text: &str, from: usize) -> Option<(&'static str, usize)> {
    let is_of_word = |it: char| it.is_alphanumeric() || it == '_';
    text[from..].char_indices().find_map(|(at, _)| {
        let (before, here) = text.split_at(from + at);
        let word = PROCS.into_iter().find(|it| here.starts_with(it))?;
        let is_whole =
            word == "->" || !before.ends_with(is_of_word) && !here[word.len()..].starts_with(is_of_word);
        is_whole.then_some((word, from + at + word.len()))
    })
}

/// The text after a proc that returns its argument: `->(x) { x }`, or `{ |x| x }` and `do |x| x end` after another word. None if
/// the proc may return anything else.
fn after_identity<'t>(word: &str, text: &'t str) -> Option<&'t str> {
    let between = |text: &'t str, open: &str, close: &str| -> Option<(&'t str, &'t str)> {
        let (inner, after) = text.strip_prefix(open)?.split_once(close)?;
        Some((inner.trim(), after))
    };
    if word == "->" {
        let (parameter, rest) = between(text, "(", ")")?;
        let (value, after) = between(rest.trim_start(), "{", "}")?;
        return (value == parameter).then_some(after);
    }
    let (body, after) = between(text, "{", "}").or_else(|| between(text, "do", "end"))?;
    let (parameter, value) = body.strip_prefix('|')?.split_once('|')?;
    (parameter.trim() == value.trim()).then_some(after)
}

/// The statements before the last: only assignments are simple; others may return anything.
struct Plain {
    plain: bool,
}

impl Visit for Plain {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        scope.forget(expr);
        self.plain &= !scope.source.mentions(expr, &["return", "raise"]);
    }
}

fn patterns(value: &Value, takes_conversions: bool) -> Option<Vec<TitlePattern>> {
    let Value::Array(patterns) = value else { return None };
    patterns.iter().map(|it| pattern(it, takes_conversions)).collect()
}

/// Reads `[/regexp/, [[:attribute, conversion], …]]`, where conversions return their argument. None for others.
fn pattern(value: &Value, takes_conversions: bool) -> Option<TitlePattern> {
    let Value::Array(pair) = value else { return None };
    let [Value::Regexp(regexp), Value::Array(attributes)] = &pair[..] else { return None };
    let attribute = |value: &Value| match value {
        Value::Array(attribute) => match attribute.get(1) {
            None | Some(Value::Nil) => attribute.first()?.text().cloned(),
            Some(_) if takes_conversions => attribute.first()?.text().cloned(),
            Some(_) => None,
        },
        _ => None,
    };
    Some(TitlePattern {
        regexp: regexp.clone(),
        attributes: attributes.iter().map(attribute).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::only_identities;

    #[test]
    fn procs_that_return_their_argument_convert_nothing() {
        for text in [
            "[[/(.*)/, [[:name]]]]",
            "[[/(.*)/, [[:name, lambda { |x| x }]]]]",
            "[[/(.*)/, [[:a, ->(x) { x }], [:b, proc do |y| y end], [:c, Proc.new { |z| z }]]]]",
            "[[/(.*)/, [[:processors], [:approc]]]]",
        ] {
            assert!(only_identities(text), "{text}");
        }
        for text in [
            "[[:name, lambda { |x| x.downcase }]]",
            "[[:a, lambda { |x| x }], [:b, ->(x) { x.to_i }]]",
            "[[:name, lambda(&:strip)]]",
        ] {
            assert!(!only_identities(text), "{text}");
        }
        // The stack does not grow with the number of procs.
        assert!(only_identities(&"->(x) { x }, ".repeat(200_000)));
    }
}
