//! The values of literals, as far as they are known without evaluation, and duplicate keys.
//!
//! The reference computes them in its own way: a type's value is its name in lower case, and that of `Type[a, b]` is
//! the list of its keys, whatever the type. So `Optional['a']` and `['a']` are the same key.

use std::borrow::Cow;
use std::fmt;

use foldhash::HashMap;
use marotte_text::{Str, TextRange};

use super::Checker;
use super::parameters::SHORT;
use crate::SyntaxErrorKind;
use crate::ast::{Access, Expr, ExprKind, Hash, UnaryOp};

/// A literal value; two are equal if the reference takes them for the same key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Literal<'a> {
    Undef,
    Default,
    Boolean(bool),
    /// Wider than the language's integers, since a minus is applied afterwards.
    Integer(i128),
    /// The bits of a float; zero has no sign.
    Float(u64),
    Text(Cow<'a, str>),
    Regex(&'a str),
    List(Vec<Literal<'a>>),
    /// Sorted, since order is irrelevant.
    Hash(Vec<(Literal<'a>, Literal<'a>)>),
}

impl Checker<'_> {
    pub(super) fn hash(&mut self, hash: &Hash) {
        let entries = &hash.entries;
        if entries.len() > SHORT {
            self.distinct_keys(hash);
        } else if entries.len() > 1 {
            self.few_distinct_keys(hash);
        }
        for entry in entries {
            self.value(&entry.key);
            self.value(&entry.value);
        }
    }

    fn distinct_keys(&mut self, hash: &Hash) {
        let mut seen: HashMap<Literal<'_>, TextRange> =
            HashMap::with_capacity_and_hasher(hash.entries.len(), Default::default());
        for entry in &hash.entries {
            if let Some(key) = literal(&entry.key) {
                let range = entry.key.range;
                let first = *seen.entry(key).or_insert(range);
                if first != range {
                    self.duplicate_key(&entry.key, first);
                }
            }
        }
    }

    fn few_distinct_keys(&mut self, hash: &Hash) {
        for (index, entry) in hash.entries.iter().enumerate() {
            let first = hash.entries.iter().take(index).find(|earlier| same_key(&earlier.key, &entry.key));
            if let Some(first) = first {
                self.duplicate_key(&entry.key, first.key.range);
            }
        }
    }

    fn duplicate_key(&mut self, key: &Expr, first: TextRange) {
        if let Some(value) = literal(key) {
            // The literal value omits the type of a struct's key: `Optional['port']`.
            let key_text = match key.kind {
                ExprKind::Access(_) => Str::from(self.written(key.range)),
                _ => Str::from(value.to_string()),
            };
            self.report(key.range, SyntaxErrorKind::DuplicateKey { key: key_text, first });
        }
    }
}

fn same_key(a: &Expr, b: &Expr) -> bool {
    match (text(a), text(b)) {
        (Some(a), Some(b)) => a == b,
        _ => literal(a).is_some_and(|a| literal(b) == Some(a)),
    }
}

/// The text of a string or name, which nearly all hash keys are.
fn text(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::String(text) | ExprKind::Name(text) => Some(text),
        _ => None,
    }
}

/// The maximal depth: deeper keys are not compared, since each enclosing hash would read them again.
const DEPTH_LIMIT: u32 = 8;

/// Returns the value of an expression that is entirely literal.
fn literal(expr: &Expr) -> Option<Literal<'_>> {
    literal_within(expr, DEPTH_LIMIT)
}

fn literal_within(expr: &Expr, depth: u32) -> Option<Literal<'_>> {
    let inner = depth.checked_sub(1)?;
    let within = |expr| literal_within(expr, inner);
    Some(match &expr.kind {
        ExprKind::Undef => Literal::Undef,
        ExprKind::Default => Literal::Default,
        ExprKind::Boolean(value) => Literal::Boolean(*value),
        ExprKind::Integer { value, .. } => Literal::Integer((*value).into()),
        ExprKind::Float(value) => float(*value),
        ExprKind::String(text) | ExprKind::Name(text) => Literal::Text(Cow::Borrowed(text)),
        ExprKind::Reference(name) => Literal::Text(Cow::Owned(name.as_str().to_lowercase())),
        ExprKind::Regex(pattern) => Literal::Regex(pattern),
        ExprKind::Unary(unary) if unary.op == UnaryOp::Minus => match within(&unary.operand)? {
            Literal::Integer(value) => Literal::Integer(-value),
            Literal::Float(bits) => float(-f64::from_bits(bits)),
            // Ruby's unary minus on a string returns the string.
            text @ Literal::Text(_) => text,
            _ => return None,
        },
        ExprKind::Array(elements) => Literal::List(elements.iter().map(within).collect::<Option<_>>()?),
        ExprKind::Access(access) if !is_list_in_list(access) => {
            Literal::List(access.keys.iter().map(within).collect::<Option<_>>()?)
        }
        ExprKind::Hash(hash) => {
            let mut entries: Vec<(Literal<'_>, Literal<'_>)> = Vec::with_capacity(hash.entries.len());
            for entry in &hash.entries {
                entries.push((within(&entry.key)?, within(&entry.value)?));
            }
            // The last of equal keys wins.
            entries.reverse();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            entries.dedup_by(|(a, _), (b, _)| a == b);
            Literal::Hash(entries)
        }
        _ => return None,
    })
}

fn float(value: f64) -> Literal<'static> {
    Literal::Float(if value == 0.0 { 0 } else { value.to_bits() })
}

/// `Type[[…]]`, for which the reference has no literal value.
fn is_list_in_list(access: &Access) -> bool {
    matches!(&*access.keys, [Expr { kind: ExprKind::Array(_), .. }])
}

/// Whether an expression has a literal value; unparsed parts may have had one.
pub(super) fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Undef
        | ExprKind::Default
        | ExprKind::Boolean(_)
        | ExprKind::Integer { .. }
        | ExprKind::LargeInteger { .. }
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::Reference(_)
        | ExprKind::Regex(_)
        | ExprKind::Error => true,
        ExprKind::Unary(unary) => unary.op == UnaryOp::Minus && is_literal(&unary.operand),
        ExprKind::Array(elements) => elements.iter().all(is_literal),
        ExprKind::Access(access) => !is_list_in_list(access) && access.keys.iter().all(is_literal),
        ExprKind::Hash(hash) => {
            hash.entries.iter().all(|entry| is_literal(&entry.key) && is_literal(&entry.value))
        }
        _ => false,
    }
}

/// Formats values as Puppet prints them.
impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Undef => f.write_str("undef"),
            Literal::Default => f.write_str("default"),
            Literal::Boolean(value) => write!(f, "{value}"),
            Literal::Integer(value) => write!(f, "{value}"),
            Literal::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Literal::Text(text) => f.write_str(text),
            Literal::Regex(pattern) => write!(f, "/{pattern}/"),
            Literal::List(elements) => {
                f.write_str("[")?;
                for (index, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Literal::Hash(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key} => {value}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}
