//! The types that definitions declare.

use std::sync::{Arc, LazyLock};

use foldhash::HashMap;
use marotte_db::Db;
use marotte_db::{File, environment_of};
use marotte_eval::{Code, DataSource, Origin, ReadError, Requests, Settings, alias_type, denoted_type};
use marotte_hir::{Body, DefinitionKind, ExprId, Item, Lowered, NameKind, lower};
use marotte_pcore::effort;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::dialect;
use marotte_resolve::names::{Lookup, known, look_up};
use marotte_resolve::stdlib;
use marotte_resolve::types::own_error;
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

use crate::aliases::stand_for_the_same;
use crate::rings::{Ring, ring};

/// The declaration of an item, with types instead of type expressions.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// In the order of the parameters: `Any` for an untyped parameter, None if the type is unknown.
    pub parameters: Box<[Option<Type>]>,
    /// The return type, if one is declared and known.
    pub returns: Option<Type>,
}

impl PartialEq for Declared {
    fn eq(&self, other: &Declared) -> bool {
        self.parameters == other.parameters
            && self.returns == other.returns
            && stand_for_the_same(self.types(), other.types())
    }
}

impl Declared {
    fn types(&self) -> impl Iterator<Item = &Type> {
        self.parameters.iter().chain([&self.returns]).flatten()
    }
}

/// The types of an item's parameters and of its result.
pub fn declared<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db Declared {
    static NOTHING: LazyLock<Declared> = LazyLock::new(Declared::default);
    let signature = item.signature(db);
    // Not cached: the query would only be one more to revalidate after each edit.
    if signature.parameters.is_empty() && signature.return_type.is_none() {
        return &NOTHING;
    }
    types_of_signature(db, item)
}

#[salsa::tracked(returns(ref))]
fn types_of_signature<'db>(db: &'db dyn Db, item: Item<'db>) -> Declared {
    let signature = item.signature(db);
    let file = item.file(db);
    let parameters = signature.parameters.iter().map(|it| match it.type_expr {
        Some(expr) => type_in(db, file, &signature.types, expr),
        None => Some(Type::any()),
    });
    Declared {
        parameters: parameters.collect(),
        returns: signature.return_type.and_then(|expr| type_in(db, file, &signature.types, expr)),
    }
}

/// The type that an expression of a body denotes, as seen from the body's file.
pub fn type_in(db: &dyn Db, file: File, body: &Arc<Body>, expr: ExprId) -> Option<Type> {
    type_among(db, file, &LocalTypes::NONE, body, expr)
}

fn type_among(db: &dyn Db, file: File, local: &LocalTypes, body: &Arc<Body>, expr: ExprId) -> Option<Type> {
    let requests = TypeRequests { db, file, local };
    let found = within_effort(|| denoted_type(&requests, Settings::of(dialect()), body, expr))?;
    is_known(&found).then_some(found)
}

/// The type denoted by a text in a Ruby file, which may refer to types of the environment and to local ones.
pub fn type_of_text(db: &dyn Db, file: File, text: &str, local: &LocalTypes) -> Option<Type> {
    let lowered = read(text)?;
    let [only] = &lowered.main.statements[..] else { return None };
    type_among(db, file, local, &lowered.main, *only)
}

fn read(text: &str) -> Option<Lowered> {
    let parsed = parse(text, Mode::default());
    parsed.errors.iter().all(|it| it.kind.is_warning()).then(|| lower(&parsed.program))
}

/// Type aliases with a local scope, by their names in lower case. There, they take precedence over all others except built-in
/// types.
#[derive(Debug, Default)]
pub struct LocalTypes(Option<HashMap<Str, (Str, Code)>>);

impl LocalTypes {
    const NONE: LocalTypes = LocalTypes(None);

    /// Reads aliases of the form `NAME = TYPE`.
    pub fn read(texts: &[Str]) -> LocalTypes {
        let read = |text: &Str| {
            let lowered = read(&format!("type {text}"))?;
            let alias = lowered.definitions.into_iter().find(|it| it.kind == DefinitionKind::TypeAlias)?;
            let code = Code { body: alias.body, origin: Arc::new(Origin::Internal) };
            Some((alias.name.to_lowercase(), (alias.name, code)))
        };
        LocalTypes(Some(texts.iter().filter_map(read).collect()))
    }

    fn get(&self, name: &str) -> Option<&(Str, Code)> {
        self.0.as_ref()?.get(name)
    }
}

/// The target of an alias.
#[derive(Clone, Debug)]
enum Aliased {
    Type(Type),
    /// Part of it is unknown, it is too large, or too many aliases contain it that it contains.
    Unknown,
    /// The alias contains itself, through others: such aliases are evaluated together, by the caller.
    InCycle,
}

impl PartialEq for Aliased {
    fn eq(&self, other: &Aliased) -> bool {
        match (self, other) {
            (Aliased::Type(one), Aliased::Type(other)) => one == other && stand_for_the_same([one], [other]),
            (Aliased::Unknown, Aliased::Unknown) | (Aliased::InCycle, Aliased::InCycle) => true,
            _ => false,
        }
    }
}

#[salsa::tracked(returns(clone), cycle_result = in_cycle)]
fn aliased<'db>(db: &'db dyn Db, item: Item<'db>) -> Aliased {
    match ring(db, item) {
        Ring::None => {}
        Ring::Small => return Aliased::InCycle,
        Ring::Large => return Aliased::Unknown,
    }
    let file = item.file(db);
    let requests = TypeRequests { db, file, local: &LocalTypes::NONE };
    let found =
        within_effort(|| alias_type(&requests, Settings::of(dialect()), item.name(db), item.body(db)));
    found.filter(is_known).map_or(Aliased::Unknown, Aliased::Type)
}

fn in_cycle<'db>(_: &'db dyn Db, _: salsa::Id, _: Item<'db>) -> Aliased {
    Aliased::InCycle
}

/// Evaluates a type within a step budget.
fn within_effort(make: impl FnOnce() -> Option<Type>) -> Option<Type> {
    /// More than any type in real code takes.
    const STEPS: u64 = 20_000;
    effort::within(STEPS, make).ok().flatten()
}

/// Whether every name in a type is known. Aliases that are among their own alternatives are legal, and equivalent to the other
/// alternatives; the code that examines types follows alternatives without a guard, so such aliases count as unknown. So do
/// types with more parts than real code has, which aliases of aliases may grow to.
fn is_known(it: &Type) -> bool {
    const MOST_PARTS: usize = 10_000;
    let is_unknown = |part: &Type| match part.kind() {
        TypeKind::Reference(_) => true,
        TypeKind::Alias(alias) => alias.target().is_none(),
        _ => false,
    };
    !it.any_part(&mut |part| is_unknown(part))
        && !it.has_circle_of_alternatives()
        && !it.has_more_parts(MOST_PARTS)
}

/// The requests that type expressions may make: other types, and nothing else.
struct TypeRequests<'db> {
    db: &'db dyn Db,
    file: File,
    local: &'db LocalTypes,
}

impl TypeRequests<'_> {
    /// The type alias of the module stdlib, if the module is not here.
    fn type_of_stdlib(&self, name: &str) -> Option<Type> {
        let found = stdlib::type_alias(name)?;
        let is_elsewhere = look_up(self.db, self.file, NameKind::TypeAlias, name) == Lookup::Unknown;
        is_elsewhere.then(|| found.clone())
    }
}

impl DataSource for TypeRequests<'_> {}

impl Requests for TypeRequests<'_> {
    fn ready_type(&self, name: &str) -> Option<Type> {
        if self.local.get(name).is_some() {
            return None;
        }
        let Some(item) = known(self.db, self.file, NameKind::TypeAlias, name) else {
            return self.type_of_stdlib(name);
        };
        match aliased(self.db, item) {
            Aliased::Type(it) => Some(it),
            // A type that contains it is unknown, too, and needn't be evaluated to find out.
            Aliased::Unknown => Some(TypeKind::Reference(name.into()).into()),
            Aliased::InCycle => None,
        }
    }

    fn type_alias(&self, name: &str) -> Result<Option<(Str, Code)>, ReadError> {
        if let Some(found) = self.local.get(name) {
            return Ok(Some(found.clone()));
        }
        let item = known(self.db, self.file, NameKind::TypeAlias, name);
        Ok(item.map(|item| {
            let body = Arc::clone(item.body(self.db));
            (item.name(self.db).clone(), Code { body, origin: Arc::new(Origin::Internal) })
        }))
    }

    fn replaces_error(&self) -> bool {
        own_error(self.db, self.file, environment_of(self.db, self.file)).is_some()
    }

    fn is_resource_type(&self, name: &str) -> bool {
        self.local.get(name).is_none()
            && (marotte_ruby::core::resource_type(name).is_some()
                || known(self.db, self.file, NameKind::Define, name).is_some())
    }
}
