//! The statements of a `Puppetfile`: `mod 'author/name', '1.0.0'`, `mod 'name', git: 'url'`.

use std::ops::Range;

use marotte_text::Str;

use crate::syntax::{self, Call, Expr, ExprKind, Part, Source};

/// A statement on its own: a call without a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name of what is called: `mod`, `forge`, or a method that the file defines.
    pub name: Literal,
    /// The first argument, if it is a text.
    pub title: Option<Literal>,
    /// A second string literal directly after the first one, which Ruby joins to it: a comma is missing.
    pub joined: Option<Range<usize>>,
    /// The second argument, if it is a text.
    pub version: Option<Literal>,
    /// The keys of the options, in order.
    pub options: Vec<Literal>,
    /// The names in place of keys, which the file does not define: `git => 'url'`.
    pub names: Vec<Literal>,
}

/// A text of the source, and its range in bytes, without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The text.
    pub text: Str,
    /// The range of the text.
    pub range: Range<usize>,
}

/// Reads the statements that run in any case, in order, except those that call methods which the file defines. None if the text is not
/// certainly Ruby.
pub fn statements(text: &str) -> Option<Vec<Statement>> {
    let source = syntax::parse(text);
    if !source.sound {
        return None;
    }
    let defined = |name: &str| {
        source.body.iter().any(|it| matches!(&it.kind, ExprKind::Method(method) if method.name == name))
    };
    let calls = source.body.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Call(call) if call.receiver.is_none() && !defined(&call.method) => Some((expr, call)),
        _ => None,
    });
    let is_assigned = |name: &str| {
        let mut targets = source.body.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Assign(target, _) => Some(target),
            _ => None,
        });
        // Other statements may contain an assignment.
        targets.any(|it| matches!(&it.kind, ExprKind::Name(it) if it == name))
            || text.contains(&format!("{name} = "))
    };
    let is_own = |name: &str| defined(name) || is_assigned(name);
    Some(calls.map(|(expr, call)| statement(&source, expr, call, &is_own)).collect())
}

fn statement(source: &Source<'_>, expr: &Expr, call: &Call, is_own: &dyn Fn(&str) -> bool) -> Statement {
    let start = expr.range.start;
    let first = call.arguments.first();
    let (mut options, mut names) = (Vec::new(), Vec::new());
    if let Some(Expr { kind: ExprKind::Hash(pairs), .. }) = call.arguments.last() {
        options.extend(pairs.iter().filter_map(|(key, _)| literal(source, key)));
        names.extend(pairs.iter().filter_map(|(key, _)| match &key.kind {
            ExprKind::Name(name) if !is_own(name) => {
                Some(Literal { text: name.clone(), range: key.range.clone() })
            }
            _ => None,
        }));
    }
    Statement {
        name: Literal { text: call.method.clone(), range: start..start + call.method.len() },
        title: first.and_then(|it| literal(source, it)),
        joined: first.and_then(|it| joined(source, it)),
        version: call.arguments.get(1).and_then(|it| literal(source, it)),
        options,
        names,
    }
}

/// A string or a symbol without interpolation.
fn literal(source: &Source<'_>, expr: &Expr) -> Option<Literal> {
    let (ExprKind::String(parts) | ExprKind::Symbol(parts)) = &expr.kind else { return None };
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(it) => text.push_str(it),
            Part::Code(_) => return None,
        }
    }
    let range = match source.text_of(expr).find(&text) {
        Some(at) => expr.range.start + at..expr.range.start + at + text.len(),
        None => expr.range.clone(),
    };
    Some(Literal { text: text.into(), range })
}

/// The range of the second one of several texts that Ruby joins.
fn joined(source: &Source<'_>, expr: &Expr) -> Option<Range<usize>> {
    let ExprKind::String(_) = &expr.kind else { return None };
    let written = source.text_of(expr);
    let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let end = written[1..].find(quote)? + 2;
    let rest = written.get(end..)?;
    let at = end + rest.find(['\'', '"'])?;
    Some(expr.range.start + at..expr.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[Literal]) -> Vec<&str> {
        all.iter().map(|it| it.text.as_str()).collect()
    }

    #[test]
    fn statements_have_names_versions_and_options() {
        let text = "forge 'https://forge'\nmod 'a/b', '1.0.0'\nmod \"c\",\n  :git => 'url',\n  tag: 'v1'\nmod 'd', :latest\nmod('e', local: true)\n";
        let found = statements(text).expect("Ruby");
        let names: Vec<&str> = found.iter().map(|it| it.name.text.as_str()).collect();
        assert_eq!(names, ["forge", "mod", "mod", "mod", "mod"]);
        let titles: Vec<&str> =
            found.iter().filter_map(|it| Some(it.title.as_ref()?.text.as_str())).collect();
        assert_eq!(titles, ["https://forge", "a/b", "c", "d", "e"]);
        assert_eq!(found[1].version.as_ref().map(|it| it.text.as_str()), Some("1.0.0"));
        assert_eq!(texts(&found[2].options), ["git", "tag"]);
        assert_eq!(texts(&found[4].options), ["local"]);
        for it in found.iter().flat_map(|it| it.options.iter().chain(&it.title).chain([&it.name])) {
            assert_eq!(&text[it.range.clone()], it.text.as_str());
        }
    }

    #[test]
    fn texts_in_a_row_are_joined() {
        let text = "mod 'a/b' '1.0.0'\nmod 'c/d', '1.0.0'\n";
        let found = statements(text).expect("Ruby");
        assert_eq!(found[0].joined.clone().map(|it| &text[it]), Some("'1.0.0'"));
        assert_eq!(found[1].joined, None);
    }

    #[test]
    fn only_what_runs_in_any_case_is_a_statement() {
        let text = "def own(name)\n  mod name\nend\nown 'a/b'\nmod 'x' if ENV['Y']\nif ENV['X']\n  mod 'c/d'\nend\nmod 'e/f'\n";
        let found = statements(text).expect("Ruby");
        let titles: Vec<&str> =
            found.iter().filter_map(|it| Some(it.title.as_ref()?.text.as_str())).collect();
        assert_eq!(titles, ["e/f"]);
        assert_eq!(statements("mod 'a\n"), None);
    }
}
