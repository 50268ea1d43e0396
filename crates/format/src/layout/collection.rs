//! Arrays, hashes, and the keys of accesses.

use marotte_syntax::ast::{Access, Expr, ExprKind, Hash, HashEntry};

use super::list::List;
use crate::writer::Writer;

/// An item of a list of values.
pub(crate) enum Item<'e> {
    Value(&'e Expr),
    /// A pair without braces of its own.
    Pair(&'e HashEntry),
}

/// The items of a list as written.
pub(crate) fn items(elements: &[Expr]) -> impl Iterator<Item = Item<'_>> {
    elements.iter().flat_map(|element| {
        let (value, pairs): (_, &[HashEntry]) = match &element.kind {
            ExprKind::Hash(hash) if hash.bare => (None, &hash.entries),
            _ => (Some(Item::Value(element)), &[]),
        };
        value.into_iter().chain(pairs.iter().map(Item::Pair))
    })
}

/// Whether only the last element of the list may be broken: it is a hash or an array, or ends with one or with a block,
/// and no other element does.
pub(super) fn last_is_broken_alone(elements: &[Expr]) -> bool {
    let Some((last, others)) = elements.split_last() else { return false };
    ends_with_brackets(last) && !others.iter().any(|it| is_collection(it) || is_pairs(it))
}

/// Whether an expression is an array or a hash, in brackets, with elements.
pub(super) fn is_collection(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Array(elements) => !elements.is_empty(),
        ExprKind::Hash(hash) => !hash.bare && !hash.entries.is_empty(),
        _ => false,
    }
}

fn is_pairs(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Hash(hash) if hash.bare)
}

fn ends_with_brackets(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(call) => call.lambda.is_some() || last_is_broken_alone(&call.arguments),
        ExprKind::MethodCall(call) => call.lambda.is_some() || last_is_broken_alone(&call.arguments),
        ExprKind::Access(access) => last_is_broken_alone(&access.keys),
        _ => is_collection(expr),
    }
}

/// Whether a target of accesses ends with the arguments of a call.
fn follows_arguments(target: &Expr) -> bool {
    match &target.kind {
        ExprKind::Access(access) => follows_arguments(&access.target),
        ExprKind::Call(call) => call.lambda.is_none() && !call.arguments.is_empty(),
        ExprKind::MethodCall(call) => call.lambda.is_none() && !call.arguments.is_empty(),
        _ => false,
    }
}

impl Writer<'_> {
    pub(super) fn array(&mut self, elements: &[Expr]) {
        let columns = self.start_columns();
        let list = List { trailing_comma: true, ..List::default() };
        self.list(list, items(elements), |writer, item| match item {
            Item::Value(value) => writer.value(value),
            Item::Pair(pair) => writer.pair(pair),
        });
        self.align(columns);
    }

    /// Writes `target[keys]`. After a call with arguments, a short index is never broken: its arguments are, instead.
    pub(super) fn access(&mut self, access: &Access) {
        self.expression(&access.target);
        if self.is_at_short_index() && follows_arguments(&access.target) {
            (0..3).for_each(|_| self.token());
            return;
        }
        self.items(List { hugs_last: last_is_broken_alone(&access.keys), ..List::default() }, &access.keys);
    }

    /// Writes arguments or keys in brackets.
    pub(super) fn items(&mut self, list: List, elements: &[Expr]) {
        let columns = self.start_columns();
        self.list(list, items(elements), |writer, item| match item {
            Item::Value(value) => writer.expression(value),
            Item::Pair(pair) => writer.pair(pair),
        });
        self.align(columns);
    }

    /// Writes a hash in braces; `broken` if each pair has a line of its own.
    pub(super) fn hash(&mut self, hash: &Hash, broken: bool) {
        let list = List { padded: true, trailing_comma: true, broken, ..List::default() };
        let columns = self.start_columns();
        // The parent of an object type's alias is an entry in the tree, but not written in the braces.
        let written = hash.entries.iter().filter(|entry| !entry.arrow.is_empty());
        self.list(list, written, |writer, pair| writer.pair(pair));
        self.align(columns);
    }

    pub(super) fn pair(&mut self, pair: &HashEntry) {
        let mark = self.start_cell();
        self.expression(&pair.key);
        self.column(mark);
        self.spaced_token();
        self.value(&pair.value);
    }
}
