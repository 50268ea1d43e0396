//! Literal names in expressions: types, titles, references.

use marotte_hir::ExprId;
use marotte_hir::body::{Block, Body, Expr, Resource};
use marotte_text::{Str, normalized, unrooted};

/// A resource reference in an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The type, in lower case without a leading `::`.
    pub type_name: Str,
    /// The title; for a class, its name in lower case without a leading `::`.
    pub title: Str,
}

impl Reference {
    /// Creates a reference from a type and a title as written.
    pub fn new(type_name: &str, title: &str) -> Reference {
        let type_name = normalized(type_name);
        let title = if type_name == "class" { normalized(title) } else { title.into() };
        // The reference implementation strips trailing slashes from paths in the keys by which it distinguishes resources.
        let title = match title.strip_suffix('/') {
            Some(path) if type_name == "file" && !path.is_empty() => path.trim_end_matches('/').into(),
            _ => title,
        };
        Reference { type_name, title }
    }

    /// Parses the text of a metaparameter's value, `File[/etc/motd]`. None if it isn't a reference, or if its title contains
    /// quotes or commas, which arrows and metaparameters interpret differently.
    fn read(text: &str) -> Option<Reference> {
        let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        let is_plain = !title.is_empty() && !title.contains(['\'', '"', ',', '[', ']', '$', '%']);
        (is_plain
            && type_name.starts_with(|it: char| it.is_ascii_alphabetic())
            && type_name.chars().all(is_name))
        .then(|| Reference::new(type_name, title))
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.type_name == "class" {
            write!(f, "Class[{}]", capitalize(&self.title))
        } else {
            write!(f, "{}[{}]", capitalize(&self.type_name), self.title)
        }
    }
}

/// Capitalizes a name as references do: `foo::bar` becomes `Foo::Bar`.
pub fn capitalize(name: &str) -> String {
    let segments = name.split("::").map(|it| {
        let mut letters = it.chars();
        letters
            .next()
            .map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
            .unwrap_or_default()
    });
    segments.collect::<Vec<_>>().join("::")
}

/// The type of the resources that an expression declares, if it isn't computed.
pub fn type_name(body: &Body, resource: &Resource) -> Option<Str> {
    match body.expr(resource.type_name) {
        Expr::String(name) | Expr::Reference(name) => Some(normalized(name)),
        _ => None,
    }
}

/// The expressions that an expression may evaluate to: the alternatives of a selector, a `case` or an `if`, or the expression
/// itself.
pub fn outcomes(body: &Body, id: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let last = |block: &Block| block.last().copied();
        match body.expr(id) {
            Expr::Selector(it) => open.extend(it.entries.iter().rev().map(|(_, value)| *value)),
            Expr::If(it) | Expr::Unless(it) => {
                open.extend(it.otherwise.iter().filter_map(last));
                open.extend(it.arms.iter().rev().filter_map(|it| last(&it.body)));
            }
            Expr::Case(it) => open.extend(it.options.iter().rev().filter_map(|it| last(&it.body))),
            _ => found.push(id),
        }
    }
    found
}

/// The strings that an expression is, or is an array of; and whether the list is complete.
pub fn strings(body: &Body, id: ExprId) -> (Vec<(ExprId, &str)>, bool) {
    texts(body, id, false)
}

/// The classes that an expression names: strings, `Class['name']`, and arrays of these; and whether the list is complete.
pub fn class_names(body: &Body, id: ExprId) -> (Vec<(ExprId, &str)>, bool) {
    texts(body, id, true)
}

fn texts(body: &Body, id: ExprId, of_classes: bool) -> (Vec<(ExprId, &str)>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match body.expr(id) {
            Expr::String(text) => found.push((id, text.as_str())),
            Expr::Array(elements) => open.extend(elements.iter().rev()),
            Expr::Access { target, keys } if of_classes && is_class(body.expr(*target)) => {
                open.extend(keys.iter().rev());
            }
            Expr::Default => {}
            _ => complete = false,
        }
    }
    (found, complete)
}

fn is_class(expr: &Expr) -> bool {
    matches!(expr, Expr::Reference(it) if unrooted(it).eq_ignore_ascii_case("class"))
}

/// The resources that an expression refers to, each with the expression that names it: `Type['title', …]`, `Resource[Type,
/// 'title', …]`, such a reference as text, and arrays of these; and whether the list is complete.
pub fn references(body: &Body, id: ExprId) -> (Vec<(ExprId, Reference)>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match body.expr(id) {
            Expr::Array(elements) => open.extend(elements.iter().rev()),
            Expr::Access { target, keys } => {
                let Expr::Reference(name) = body.expr(*target) else {
                    complete = false;
                    continue;
                };
                let (name, titles) = match keys.split_first() {
                    Some((first, titles)) if normalized(name) == "resource" => match body.expr(*first) {
                        Expr::String(name) | Expr::Reference(name) => (name, titles),
                        _ => {
                            complete = false;
                            continue;
                        }
                    },
                    _ => (name, &keys[..]),
                };
                for key in titles {
                    let (titles, all) = strings(body, *key);
                    complete &= all;
                    found.extend(titles.into_iter().map(|(at, title)| (at, Reference::new(name, title))));
                }
            }
            Expr::String(text) => match Reference::read(text) {
                Some(reference) => found.push((id, reference)),
                None => complete = false,
            },
            Expr::Undef => {}
            _ => complete = false,
        }
    }
    (found, complete)
}
