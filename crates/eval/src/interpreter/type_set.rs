//! Type sets: their definitions, and the names that their types see.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::create;
use marotte_pcore::semver::SemVer;
use marotte_pcore::types::{Type, TypeAlias, TypeKind, TypeSet, TypeSetReference};
use marotte_pcore::value::{Hash, Value};
use marotte_text::{Str, split_namespace};

use super::{Env, Evaluated, Interpreter};
use crate::Code;

/// The names visible to the types of a set: those of the set, of the sets that it refers to, and of the enclosing set.
pub(super) struct SetScope {
    /// The set's version.
    version: Option<SemVer>,
    /// The definitions of its types, by name in lower case.
    members: Vec<(Str, Definition)>,
    /// The names of referenced sets, by alias in lower case.
    references: Vec<(Str, Str)>,
    outer: Option<Rc<SetScope>>,
}

/// The definition of a type.
#[derive(Clone)]
pub(super) struct Definition {
    /// The fully qualified name.
    pub(super) name: Str,
    /// The code that contains it.
    pub(super) code: Code,
    /// The expression; None if it is the only one of the code.
    pub(super) expr: Option<ExprId>,
    /// The additional names that it sees, if it is part of a set.
    pub(super) scope: Option<Rc<SetScope>>,
}

/// The meaning of a name within a set.
enum Meaning {
    Member(Definition, Rc<SetScope>),
    Set(Str),
}

/// An entry of the hash that defines a set.
enum Part {
    Types(Vec<(Str, ExprId)>),
    Other(Value, Value),
}

impl Interpreter<'_> {
    /// Resolves a name, in lower case, within the set whose types are being defined.
    pub(super) fn find_in_set(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Type>> {
        let Some(scope) = self.loaded.scope.clone() else { return Ok(None) };
        match self.meaning(&scope, name) {
            Some(Meaning::Member(definition, scope)) => {
                self.member_of_set(env, id, definition, scope).map(Some)
            }
            Some(Meaning::Set(name)) => self.find_type(env, id, &name),
            None => Ok(None),
        }
    }

    /// Finds a type of a set by its fully qualified name in lower case.
    pub(super) fn find_member(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Type>> {
        let Some((set, member)) = split_namespace(name) else { return Ok(None) };
        if !self.loaded.sets.contains_key(set) {
            let is_set = match self.alias_code(set) {
                Ok(Some((_, code))) => defines_set(&code),
                _ => false,
            };
            if !is_set || self.find_type(env, id, set)?.is_none() {
                return Ok(None);
            }
        }
        let Some(scope) = self.loaded.sets.get(set).cloned() else { return Ok(None) };
        match scope.members.iter().find(|(own, _)| own == member) {
            Some((_, definition)) => {
                let definition = definition.clone();
                self.member_of_set(env, id, definition, scope).map(Some)
            }
            None => Ok(None),
        }
    }

    fn member_of_set(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        definition: Definition,
        scope: Rc<SetScope>,
    ) -> Evaluated<Type> {
        let lower = definition.name.to_lowercase();
        if let Some(Some(known)) = self.loaded_types().get(&lower) {
            return Ok(known.clone());
        }
        self.load_type(env, id, &lower, &Definition { scope: Some(scope), ..definition })
    }

    fn meaning(&self, scope: &Rc<SetScope>, name: &str) -> Option<Meaning> {
        let mut around = Some(scope);
        while let Some(it) = around {
            if let Some(found) = self.meaning_within(it, name) {
                return Some(found);
            }
            around = it.outer.as_ref();
        }
        None
    }

    /// Resolves a name in a set, ignoring enclosing sets: each segment before the last one is the alias of a set.
    fn meaning_within(&self, scope: &Rc<SetScope>, name: &str) -> Option<Meaning> {
        let (mut scope, mut name) = (scope, name);
        loop {
            if let Some((_, definition)) = scope.members.iter().find(|(own, _)| own == name) {
                return Some(Meaning::Member(definition.clone(), Rc::clone(scope)));
            }
            let (first, rest) = name.split_once("::").unwrap_or((name, ""));
            let (_, set) = scope.references.iter().find(|(alias, _)| alias == first)?;
            if rest.is_empty() {
                return Some(Meaning::Set(set.clone()));
            }
            scope = self.loaded.sets.get(&*set.to_lowercase())?;
            name = rest;
        }
    }

    /// Defines a type set by its hash: its types see each other by their short names, in any order.
    pub(super) fn load_type_set(&mut self, env: &Env<'_>, name: &Str, key: ExprId) -> Evaluated<Type> {
        let parts = self.set_parts(env, key)?;
        // The definitions of the types are evaluated later.
        let declared = |member: &Str, _: ExprId| {
            let alias = TypeAlias::declare(format!("{name}::{member}"));
            Ok(TypeKind::Alias(alias).into())
        };
        let set = self.create_set(env, name, key, &parts, declared)?;
        let scope = Rc::new(SetScope {
            version: set.version.clone(),
            members: members(env, name, &parts),
            references: set.references.iter().map(|(alias, it)| (lower(alias), it.name.clone())).collect(),
            outer: self.loaded.scope.clone(),
        });
        let lower_name = lower(name);
        self.loaded.sets.insert(lower_name.clone(), Rc::clone(&scope));
        let types = self.load_set(env, key, &set, &scope);
        let result = types.and_then(|types| {
            let mut types = types.into_iter();
            let it =
                self.create_set(env, name, key, &parts, |_, _| Ok(types.next().unwrap_or_else(Type::any)))?;
            Ok(TypeKind::TypeSet(Some(Arc::new(it))).into())
        });
        if result.is_err() {
            self.loaded.sets.remove(&lower_name);
        }
        result
    }

    /// Resolves the references of a set, then its types.
    fn load_set(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        set: &TypeSet,
        scope: &Rc<SetScope>,
    ) -> Evaluated<Vec<Type>> {
        for (_, reference) in &set.references {
            self.check_reference(env, id, set, reference)?;
        }
        let members = scope.members.iter();
        members.map(|(_, it)| self.member_of_set(env, id, it.clone(), Rc::clone(scope))).collect()
    }

    /// Checks that a reference leads to a set, of a compatible version.
    fn check_reference(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        set: &TypeSet,
        reference: &TypeSetReference,
    ) -> Evaluated<()> {
        let subject = format!("TypeSet '{}' reference to TypeSet named '{}'", set.name, reference.name);
        let fail = |me: &Self, message: &str| {
            Err(me.fail_during(env, id, "Type-Name", format!("{subject} {message}")))
        };
        // All sets of programs and modules have the same name authority.
        let found = match &reference.name_authority {
            None => self.find_type(env, id, &reference.name)?,
            Some(_) => None,
        };
        let Some(found) = found else { return fail(self, "cannot be resolved") };
        let version = match (self.loaded.sets.get(&*lower(&reference.name)), found.kind()) {
            // The set may still be loading, and refer to this one.
            (Some(scope), _) => scope.version.clone(),
            (None, TypeKind::TypeSet(Some(set))) => set.version.clone(),
            _ => return fail(self, &format!("resolves to a {}", reference.name)),
        };
        let range = &reference.version_range;
        match version {
            Some(version) if range.includes(&version) => Ok(()),
            version => {
                let actual = version.map_or_else(|| "none".to_owned(), |it| it.to_string());
                let message = format!("resolves to an incompatible version. Expected {range}, got {actual}");
                fail(self, &message)
            }
        }
    }

    fn create_set(
        &mut self,
        env: &Env<'_>,
        name: &Str,
        id: ExprId,
        parts: &[Part],
        mut type_of: impl FnMut(&Str, ExprId) -> Evaluated<Type>,
    ) -> Evaluated<TypeSet> {
        let mut hash = Hash::default();
        for part in parts {
            match part {
                Part::Types(types) => {
                    let mut by_name = Hash::default();
                    for (member, id) in types {
                        by_name.insert(Value::String(member.clone()), Value::Type(type_of(member, *id)?));
                    }
                    hash.insert("types".into(), Value::Hash(Arc::new(by_name)));
                }
                Part::Other(key, value) => {
                    hash.insert(key.clone(), value.clone());
                }
            }
        }
        let created = create::named_type_set(self.dialect(), name, &hash);
        let created = created.map_err(|error| self.fail_during(env, id, "Type-Name", error.to_string()))?;
        match created.kind() {
            TypeKind::TypeSet(Some(set)) => Ok(TypeSet::clone(set)),
            _ => Err(self.fail_during(env, id, "Type-Name", format!("'{name}' is no TypeSet"))),
        }
    }

    /// The entries of the hash, without evaluating the types: their names, and the aliases of sets, are taken
    /// literally.
    fn set_parts(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Vec<Part>> {
        let Expr::Hash(entries) = env.code.body.expr(id) else {
            let message = "TypeSet-Type[] expects a literal Hash value".to_owned();
            return Err(self.fail_during(env, id, "Type-Name", message));
        };
        let mut parts = Vec::new();
        for (key, value) in entries {
            let key = self.eval(env, *key)?;
            parts.push(match (key.as_str(), env.code.body.expr(*value)) {
                (Some("types"), Expr::Hash(types)) if !types.is_empty() => {
                    let member = |(name, it): &(ExprId, ExprId)| Ok((self.set_key(env, *name)?, *it));
                    Part::Types(types.iter().map(member).collect::<Evaluated<_>>()?)
                }
                (Some("references"), Expr::Hash(references)) => {
                    let mut by_alias = Hash::default();
                    for (alias, it) in references {
                        let alias = Value::String(self.set_key(env, *alias)?);
                        by_alias.insert(alias, self.eval(env, *it)?);
                    }
                    Part::Other(key, Value::Hash(Arc::new(by_alias)))
                }
                _ => Part::Other(key, self.eval(env, *value)?),
            });
        }
        Ok(parts)
    }

    fn set_key(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Str> {
        if let Expr::Reference(name) = env.code.body.expr(id) {
            return Ok(name.clone());
        }
        match self.eval(env, id)? {
            Value::String(name) => Ok(name),
            _ => Err(self.fail_during(env, id, "Type-Name", "names of types are expected as keys".into())),
        }
    }
}

fn members(env: &Env<'_>, set: &Str, parts: &[Part]) -> Vec<(Str, Definition)> {
    let types = parts.iter().filter_map(|it| if let Part::Types(types) = it { Some(types) } else { None });
    let definition = |(name, expr): &(Str, ExprId)| {
        let full = format!("{set}::{name}").into();
        let code = env.code.clone();
        (lower(name), Definition { name: full, code, expr: Some(*expr), scope: None })
    };
    types.flatten().map(definition).collect()
}

/// Whether a definition is that of a type set.
fn defines_set(code: &Code) -> bool {
    let Some(first) = code.body.statements.first() else { return false };
    match code.body.expr(*first) {
        Expr::Access { target, .. } => {
            matches!(code.body.expr(*target), Expr::Reference(it) if it == "TypeSet")
        }
        _ => false,
    }
}

fn lower(name: &str) -> Str {
    name.to_lowercase().into()
}
