//! `duplicate-case-option`: an option of a `case` or a selector that equals an earlier one, and therefore never matches.

use std::hash::{Hash, Hasher};

use foldhash::HashMap;
use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_text::{Str, normalized};

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let (options, what): (Vec<ExprId>, _) = match expr {
            Expr::Case(it) => (it.options.iter().flat_map(|it| it.values.iter().copied()).collect(), "case"),
            Expr::Selector(it) => (it.entries.iter().map(|it| it.0).collect(), "selector"),
            _ => continue,
        };
        let mut seen: HashMap<Key, ExprId> = HashMap::default();
        for id in options {
            let Some(key) = key(body, id) else { continue };
            let Some(&first) = seen.get(&key) else {
                seen.insert(key, id);
                continue;
            };
            let related = context.related(At::Expr(first), "this matches first");
            let found = match body.expr(id) {
                Expr::String(text) => format!("`'{text}'`"),
                _ => key.describe(),
            };
            let message = format!("an earlier option of this {what} equals {found}");
            let finding = context.report(rules::DUPLICATE_CASE_OPTION, At::Expr(id), message);
            finding.label = Some("never matches".to_owned());
            finding.related.push(related);
            if let (Expr::String(one), Expr::String(other)) = (body.expr(first), body.expr(id))
                && one != other
            {
                finding.notes.push("strings are compared without regard to case".to_owned());
            }
        }
    }
}

/// The comparison key of an option: options with equal keys match the same values.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Undef,
    Boolean(bool),
    Number(Number),
    /// In lower case, as `==` compares.
    String(String),
    Regexp(String),
    Type(Str),
    Array(Vec<Key>),
}

/// A number, which literals never leave undefined, so that it equals itself.
#[derive(PartialEq)]
struct Number(f64);

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Both zeros are equal.
        (self.0 + 0.0).to_bits().hash(state);
    }
}

impl Key {
    fn describe(&self) -> String {
        match self {
            Key::Undef => "`undef`".to_owned(),
            Key::Boolean(value) => format!("`{value}`"),
            Key::Number(Number(value)) => format!("`{value}`"),
            Key::String(text) => format!("`'{text}'`"),
            Key::Regexp(pattern) => format!("`/{pattern}/`"),
            Key::Type(name) => format!("`{name}`"),
            Key::Array(_) => "this array".to_owned(),
        }
    }
}

fn key(body: &Body, id: ExprId) -> Option<Key> {
    // The recursion is as deep as the brackets in the source.
    Some(match body.expr(id) {
        Expr::Undef => Key::Undef,
        Expr::Boolean(value) => Key::Boolean(*value),
        // A float has 53 bits of precision: larger integers aren't distinguished, and are therefore left out.
        #[expect(clippy::cast_precision_loss, reason = "small enough to be exact")]
        Expr::Integer(value) if value.unsigned_abs() < 1 << 53 => Key::Number(Number(*value as f64)),
        Expr::Float(value) => Key::Number(Number(*value)),
        // Comparisons in the reference fold ASCII letters only.
        Expr::String(text) => Key::String(text.as_str().to_ascii_lowercase()),
        Expr::Regexp(pattern) => Key::Regexp(pattern.to_string()),
        Expr::Reference(name) => Key::Type(normalized(name)),
        Expr::Array(elements) => Key::Array(elements.iter().map(|it| key(body, *it)).collect::<Option<_>>()?),
        _ => return None,
    })
}
