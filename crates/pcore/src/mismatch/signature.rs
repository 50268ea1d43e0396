//! The reasons why no signature accepts the arguments of a call.

use std::fmt;

use marotte_text::Str;

use super::merge::{Mergeable, merge};
use super::{Mismatch, MismatchKind, PathElement, mismatches};
use crate::dialect::Dialect;
use crate::print::named;
use crate::relation::{assignable, is_callable};
use crate::types::{CallableType, Size, TupleType, Type, TypeKind};

/// The signature of a callable, with the names that messages show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The parameters, the block and the return type.
    pub callable: CallableType,
    /// One name for each parameter; empty if the names are unknown.
    pub parameter_names: Vec<Str>,
    /// The name of the block parameter.
    pub block_name: Option<Str>,
}

/// The called function or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee<'n> {
    /// A function, method or constructor of this name.
    Named(&'n str),
    /// A lambda, which has no name.
    Block,
}

impl fmt::Display for Callee<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Named(name) => write!(out, "'{name}'"),
            Callee::Block => out.write_str("block"),
        }
    }
}

/// The reasons why signatures reject arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The mismatches common to all signatures: a single one if they agree.
    pub merged: Vec<Mismatch>,
    /// The mismatches of each signature.
    pub by_signature: Vec<Vec<Mismatch>>,
}

/// Returns the reasons why no signature accepts arguments: a `Tuple` or `Array` of their types, with that of the block last.
///
/// `None` if there are no signatures. Blocks are only compared if the other arguments match one of the signatures.
pub fn reject(dialect: &Dialect, signatures: &[Signature], arguments: &Type) -> Option<Rejection> {
    if signatures.is_empty() {
        return None;
    }
    let path = |index| vec![PathElement::Signature(index)];
    let each = |describe: fn(&Dialect, &Signature, &Type, Vec<PathElement>) -> Vec<Mismatch>| {
        let described = signatures.iter().enumerate();
        described.map(|(index, it)| describe(dialect, it, arguments, path(index))).collect::<Vec<_>>()
    };
    let mut by_signature = each(describe_arguments);
    if by_signature.iter().any(Vec::is_empty) {
        let blocks = each(describe_block);
        if blocks.iter().all(|it| !it.is_empty()) {
            by_signature = blocks;
        } else {
            let fitting = by_signature.iter_mut().zip(blocks).filter(|(found, _)| found.is_empty());
            fitting.for_each(|(found, block)| *found = block);
        }
    }
    let merged = merge(0, Mergeable::Counts, by_signature.clone());
    Some(Rejection { merged, by_signature })
}

/// Describes why no signature accepts arguments: in one sentence if the reason is the same for all, otherwise by
/// signature. Empty if there are no signatures. The arguments are those of [`reject`].
pub fn describe_signatures(
    dialect: &Dialect,
    callee: Callee<'_>,
    signatures: &[Signature],
    arguments: &Type,
) -> String {
    let Some(rejection) = reject(dialect, signatures, arguments) else { return String::new() };
    if let [only] = &rejection.merged[..] {
        return format!("{callee}{}", only.text(dialect));
    }
    let reasons = |indent: &str, found: &[Mismatch]| {
        let reason = |it: &Mismatch| {
            let mut it = it.clone();
            it.chop(0);
            format!("\n{indent}rejected:{}", it.text(dialect))
        };
        found.iter().map(reason).collect::<String>()
    };
    if let ([signature], [found]) = (signatures, &rejection.by_signature[..]) {
        return format!("{callee} expects ({signature}){}", reasons("  ", found));
    }
    let mut text =
        format!("The function {callee} was called with arguments it does not accept. It expects one of:");
    for (signature, found) in signatures.iter().zip(&rejection.by_signature) {
        text.push_str(&format!("\n  ({signature})"));
        text.push_str(&reasons("    ", found));
    }
    text
}

fn describe_arguments(
    dialect: &Dialect,
    signature: &Signature,
    arguments: &Type,
    path: Vec<PathElement>,
) -> Vec<Mismatch> {
    let Some(parameters) = &signature.callable.parameters else { return Vec::new() };
    let (types, size) = match arguments.kind() {
        TypeKind::Tuple(given) => match given.types.split_last() {
            Some((block, types)) if is_callable(block, true) => (types.to_vec(), Size::exactly(types.len())),
            _ => (given.types.to_vec(), given.size_range()),
        },
        TypeKind::Array(element, size) => {
            (vec![element.clone(); parameters.types.len()], size.unwrap_or(Size::ANY))
        }
        _ => {
            let expected = TypeKind::Tuple(parameters.clone()).into();
            return vec![Mismatch { path, kind: MismatchKind::Type { expected, actual: arguments.clone() } }];
        }
    };
    let wanted = parameters.size_range();
    if !wanted.covers(size) {
        return vec![Mismatch { path, kind: MismatchKind::Count { expected: wanted, actual: size } }];
    }
    let describe = |(index, actual)| argument(dialect, signature, parameters, index, actual, &path);
    types.iter().enumerate().map(describe).find(|found| !found.is_empty()).unwrap_or_default()
}

fn argument(
    dialect: &Dialect,
    signature: &Signature,
    parameters: &TupleType,
    index: usize,
    actual: &Type,
    path: &[PathElement],
) -> Vec<Mismatch> {
    match parameters.type_at(index) {
        Some(wanted) if !assignable(dialect, wanted, actual) => {
            // The last parameter takes all remaining arguments.
            let index = index.min(parameters.types.len().saturating_sub(1));
            let name = signature.parameter_names.get(index).cloned().unwrap_or_default();
            let path = path.iter().cloned().chain([PathElement::Parameter(name)]).collect();
            mismatches(dialect, wanted, actual, path)
        }
        _ => Vec::new(),
    }
}

fn describe_block(
    dialect: &Dialect,
    signature: &Signature,
    arguments: &Type,
    path: Vec<PathElement>,
) -> Vec<Mismatch> {
    let given = match arguments.kind() {
        TypeKind::Tuple(given) => given.types.last().filter(|it| is_callable(it, true)),
        _ => None,
    };
    match (&signature.callable.block, given) {
        (None, Some(_)) => vec![Mismatch { path, kind: MismatchKind::UnexpectedBlock }],
        (Some(wanted), Some(given)) => {
            let path = path.into_iter().chain([PathElement::Block]).collect();
            mismatches(dialect, wanted, given, path)
        }
        (Some(wanted), None) if !assignable(dialect, wanted, &Type::undef()) => {
            vec![Mismatch { path, kind: MismatchKind::MissingRequiredBlock }]
        }
        (_, None) => Vec::new(),
    }
}

/// Formats the parameters with their types: `?` marks optional ones, `*` and `+` a repeated one, with a minimum of zero
/// or one.
impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parameters) = &self.callable.parameters else { return Ok(()) };
        let size = parameters.size_range();
        if size == Size::ZERO {
            return Ok(());
        }
        let count = match self.parameter_names.len() {
            0 => parameters.types.len(),
            count => count,
        };
        let mut written = 0;
        for index in 0..count {
            let Some(mut it) = parameters.type_at(index) else { continue };
            let repeats = size.max.is_none() && index + 1 == count;
            let mark = match (repeats, index as u64 >= size.min) {
                (true, _) if size.min == count as u64 => "+",
                (true, _) => "*",
                (false, true) => "?",
                (false, false) => "",
            };
            if mark == "?"
                && let TypeKind::Optional(Some(inner)) = it.kind()
            {
                it = inner;
            }
            let name = self.parameter_names.get(index).cloned().unwrap_or_default();
            write!(out, "{}{} {name}{mark}", if written == 0 { "" } else { ", " }, named(it))?;
            written += 1;
        }
        let block_name = self.block_name.clone().unwrap_or_default();
        let separator = if written == 0 { "" } else { ", " };
        match self.callable.block.as_ref().map(|block| (block, block.kind())) {
            Some((_, TypeKind::Optional(Some(inner)))) => {
                write!(out, "{separator}{} {block_name}?", named(inner))
            }
            Some((block, TypeKind::Callable(_))) => write!(out, "{separator}{block} {block_name}"),
            _ => Ok(()),
        }
    }
}
