//! `target[keys]`.

use marotte_db::environment_of;
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{Body, ExprId};
use marotte_pcore::infer::infer_set;
use marotte_pcore::ops::{self, Strictness};
use marotte_pcore::types::{TupleType, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_resolve::globals::{fact_by_name, fact_type};
use marotte_resolve::spelling::nearest;
use marotte_ruby::core;
use marotte_text::Str;

use super::builder::InferenceBuilder;
use super::call::is_list;
use super::constant::constant;
use super::known::{Known, union};
use super::scope::Read;
use crate::declarations::value_of;

impl InferenceBuilder<'_> {
    pub(super) fn access(&mut self, id: ExprId, target: ExprId, keys: &[ExprId]) -> Known {
        // A type with keys, or a value that only the catalog has.
        if self.is_type(target) {
            self.expr(target);
            keys.iter().for_each(|it| drop(self.expr(*it)));
            return self.denoted(id);
        }
        let is_facts = self.is_facts(target);
        let target_id = target;
        let target = self.expr(target);
        let keys: Vec<Known> = keys.iter().map(|it| self.expr(*it)).collect();
        if is_facts {
            let [Some(key)] = &keys[..] else { return None };
            let Some(Value::String(name)) = constant(key) else { return None };
            let file = self.item.file(self.db);
            return fact_type(self.db, environment_of(self.db, file), &name);
        }
        let target = target?;
        if matches!(target.kind(), TypeKind::Type(_)) {
            return None;
        }
        let values: Option<Vec<Value>> = keys.iter().map(|it| it.as_ref().and_then(constant)).collect();
        if let (Some(target), Some(keys)) = (constant(&target), values) {
            let result = ops::access(dialect(), Strictness::Error, &target, &keys).ok()?;
            return Some(infer_set(dialect(), &result.value));
        }
        let [Some(key)] = &keys[..] else { return None };
        // The intended part exists.
        if misspelled_part(&target, key).is_some() && is_fact(self.body, value_of(self.body, target_id)) {
            return None;
        }
        element(&target, key).filter(|it| !matches!(it.kind(), TypeKind::Any))
    }

    /// The type of a fact, or of a part of it, that `fact('os.family')` returns.
    pub(super) fn fact_at(&self, path: ExprId) -> Known {
        let Expr::String(path) = self.body.expr(path) else { return None };
        let mut parts = path.split('.');
        let environment = environment_of(self.db, self.item.file(self.db));
        let mut known = fact_type(self.db, environment, parts.next()?)?;
        for part in parts {
            let key = Type::literal(Str::from(part));
            // Quotes in a path keep dots in names. The intended part exists.
            if part.contains(['\'', '"']) || misspelled_part(&known, &key).is_some() {
                return None;
            }
            known = element(&known, &key).filter(|it| !matches!(it.kind(), TypeKind::Undef))?;
        }
        Some(known)
    }

    /// Whether an expression is the hash of all facts.
    fn is_facts(&self, id: ExprId) -> bool {
        let Expr::Variable(variable) = self.body.expr(id) else { return false };
        match &**variable {
            Variable::Top(name) => name == "facts",
            Variable::Local { name, .. } => name == "facts" && self.scopes.read(name) == Read::Unset,
            _ => false,
        }
    }

    fn is_type(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::Reference(_) => true,
            Expr::Access { target, .. } => self.is_type(*target),
            _ => false,
        }
    }
}

/// Whether an expression reads a fact by its name, or a part of one.
pub fn is_fact(body: &Body, id: ExprId) -> bool {
    let expr = body.expr(id);
    match expr {
        Expr::Access { target, .. } => fact_by_name(body, expr).is_some() || is_fact(body, *target),
        _ => false,
    }
}

/// The part that was probably meant by a key that no value of a type has.
pub fn misspelled_part<'t>(target: &'t Type, key: &Type) -> Option<&'t str> {
    match target.resolved().kind() {
        TypeKind::Optional(Some(target)) => misspelled_part(target, key),
        TypeKind::Struct(elements) => {
            let Some(Value::String(name)) = constant(key) else { return None };
            let names = || elements.iter().map(|it| it.name.as_str());
            let is_part = names().any(|it| it == name);
            if is_part { None } else { nearest(&name, names()).or_else(|| renamed(&name, names())) }
        }
        _ => None,
    }
}

/// The part that now holds the value of a legacy fact, looked up by the legacy name: `networking.ip` for `ipaddress`.
fn renamed<'t>(name: &str, mut parts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let fact = core::legacy_fact(name)?;
    let last = fact.replacement.as_ref()?.split('.').next_back()?;
    parts.find(|it| *it == last)
}

/// The type of the element at a key.
pub fn element(target: &Type, key: &Type) -> Known {
    // Access to `undef` returns nothing, or fails.
    if let TypeKind::Optional(Some(target)) = target.kind() {
        let found = element(target, key)?;
        let is_optional = matches!(found.kind(), TypeKind::Optional(_) | TypeKind::Undef);
        return Some(if is_optional { found } else { Type::optional(found) });
    }
    match (target.resolved().kind(), constant(key)) {
        (TypeKind::Struct(elements), Some(Value::String(name))) => {
            match elements.iter().find(|it| it.name == name) {
                Some(it) if it.optional => Some(Type::optional(it.value.clone())),
                Some(it) => Some(it.value.clone()),
                None => Some(Type::undef()),
            }
        }
        (TypeKind::Variant(types), _) if types.iter().all(is_list) => {
            union(types.iter().map(|it| element(it, key)))
        }
        (TypeKind::Hash(_, value, _), _) => Some(Type::optional(value.clone())),
        // `Tuple` alone is any array.
        (TypeKind::Tuple(TupleType { types, size: None }), Some(Value::Integer(index)))
            if !types.is_empty() =>
        {
            let index = usize::try_from(index.to_i64()?).ok()?;
            Some(types.get(index).cloned().unwrap_or_else(Type::undef))
        }
        (TypeKind::Array(element, _), _) if super::operator::is_integer(key) => {
            Some(Type::optional(element.clone()))
        }
        _ => None,
    }
    .filter(|it| !matches!(it.kind(), TypeKind::Optional(Some(it)) if matches!(it.kind(), TypeKind::Any)))
}
