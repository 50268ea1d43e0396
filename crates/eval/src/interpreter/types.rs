//! Types by name, and the members of their instances.

use marotte_diagnostics::{issues, rules};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, lower, mode_in};
use marotte_pcore::create::{self, named};
use marotte_pcore::dialect::{AliasText, Dialect};
use marotte_pcore::new::{Context, ConversionHost, NewError, new};
use marotte_pcore::ops::{self, Strictness};
use marotte_pcore::print::{capitalize_segments, is_builtin, literal};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::{LOOKUP_CONTEXT, ResourceType, Type, TypeAlias, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_syntax::parse;
use marotte_text::{Str, normalized, unrooted};

use super::call::Block;
use super::type_set::Definition;
use super::{Env, Evaluated, Interpreter};
use crate::{Code, EvaluationError, Origin, ReadError};

impl Interpreter<'_> {
    /// Evaluates `Name` (D1, D2).
    pub(super) fn reference(&mut self, env: &Env<'_>, id: ExprId, name: &Str) -> Evaluated {
        match self.find_type(env, id, name)? {
            Some(it) => Ok(Value::Type(self.original(it))),
            // Inside type definitions, unknown types are permitted until they are used.
            None if self.defining > 0 => Ok(Value::Type(TypeKind::Reference(name.clone()).into())),
            None if self.dialect().unknown_names_are_resources && !is_type_of_a_dialect(name) => {
                Ok(Value::Type(resources(&normalized(name))))
            }
            None => {
                let message = format!("Resource type not found: {}", unrooted(name));
                Err(self.fail(env, id, issues::UNKNOWN_RESOURCE_TYPE, message))
            }
        }
    }

    /// Returns the target of an alias, in dialects that do not distinguish the two (X139), unless the alias is recursive.
    fn original(&self, it: Type) -> Type {
        if self.dialect().type_names.aliases == AliasText::Names || is_builtin(&it) {
            return it;
        }
        match it.kind() {
            TypeKind::Alias(alias) if !alias.is_recursive() => alias.target().cloned().unwrap_or(it),
            _ => it,
        }
    }

    /// The type that an expression denotes.
    pub(crate) fn eval_type(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Type> {
        match self.eval(env, id)? {
            Value::Type(it) => Ok(it),
            // Whatever it is, nothing is rejected because of it.
            Value::Unknown(_) => Ok(Type::unit()),
            other => {
                let actual = marotte_pcore::infer::infer(self.dialect(), &other);
                let actual = marotte_pcore::infer::generalize(&actual);
                let message = format!("Expected value of type Type, got {actual}");
                Err(self.fail(env, id, issues::TYPE_MISMATCH, message))
            }
        }
    }

    /// Finds a type by name: a built-in one, an alias, a member of a set, a resource type.
    pub(crate) fn find_type(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Type>> {
        let lower = normalized(name);
        // The main manifest of a catalog is read before the type `Error`, and may define another one.
        let is_own = &*lower == "error"
            && (self.loaded.own_types.contains_key(&lower) || self.requests.replaces_error());
        if let Some(it) = named(self.dialect(), name).filter(|_| !is_own) {
            return Ok(Some(it));
        }
        if let Some(it) = self.local_types.get(&*lower) {
            return Ok(Some(it.clone()));
        }
        match self.find_global(env, id, &lower)? {
            Some(it) => Ok(Some(it)),
            None => self.find_in_set(env, id, &lower),
        }
    }

    /// Finds a type by a name, in lower case, that means the same everywhere.
    fn find_global(&mut self, env: &Env<'_>, id: ExprId, lower: &Str) -> Evaluated<Option<Type>> {
        if let Some(known) = self.loaded_types().get(lower) {
            return Ok(known.clone());
        }
        if let Some(ready) = self.requests.ready_type(lower) {
            self.loaded_types().insert(lower.clone(), Some(ready.clone()));
            return Ok(Some(ready));
        }
        // A resource type wins over an alias of the same name.
        if let Some(resource) = self.resource_type(lower)? {
            self.loaded_types().insert(lower.clone(), Some(resource.clone()));
            return Ok(Some(resource));
        }
        let found = self.alias_code(lower);
        let fail = |error| self.fail_during(env, id, "Type-Name", ReadError::to_string(&error));
        if let Some((name, code)) = found.map_err(fail)? {
            let definition = Definition { name, code, expr: None, scope: None };
            return self.load_type(env, id, lower, &definition).map(Some);
        }
        if let Some(member) = self.find_member(env, id, lower)? {
            return Ok(Some(member));
        }
        // A set that is still loading may define more names.
        if self.loaded.scope.is_none() {
            self.loaded_types().insert(lower.clone(), None);
        }
        Ok(None)
    }

    /// The type of all resources of a resource type, by its name in lower case, if that exists.
    fn resource_type(&mut self, lower: &str) -> Evaluated<Option<Type>> {
        if self.is_reserved(lower) {
            return Ok(None);
        }
        // The reference counts nodes as resources here, without checking that they are.
        let is_resource = lower == "node" || self.is_resource_type(lower)?;
        Ok(is_resource.then(|| resources(lower)))
    }

    /// Whether a name, in lower case, is reserved for a type that does not exist yet.
    fn is_reserved(&self, lower: &str) -> bool {
        self.dialect().type_names.reserved.contains(&lower)
    }

    /// Returns the target of an alias, defined by the first statement of a body.
    pub(crate) fn alias_type(&mut self, env: &Env<'_>, name: &Str) -> Evaluated<Type> {
        let lower = normalized(name);
        let definition = Definition { name: name.clone(), code: env.code.clone(), expr: None, scope: None };
        self.load_type(env, ExprId::FIRST, &lower, &definition)
    }

    /// Evaluates a type definition. Meanwhile its name is registered as an unresolved alias, so that the type can
    /// contain itself.
    pub(super) fn load_type(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        lower: &Str,
        definition: &Definition,
    ) -> Evaluated<Type> {
        let name = &definition.name;
        let alias = TypeAlias::declare(name.clone());
        let it: Type = TypeKind::Alias(alias.clone()).into();
        self.loaded_types().insert(lower.clone(), Some(it.clone()));
        let top = Rc::clone(&self.top);
        let inner = Env { code: &definition.code, frame: None, scope: &top, own_frames: 0 };
        let around = std::mem::replace(&mut self.loaded.scope, definition.scope.clone());
        self.defining += 1;
        let result = self.deeper(|| env.place(id), |me| me.definition_target(&inner, definition));
        self.defining -= 1;
        self.loaded.scope = around;
        let target = match result {
            Ok(target) => target,
            Err(error) => {
                self.loaded_types().remove(lower);
                return Err(error);
            }
        };
        if is_own_name(&target, name) {
            // An Object type or a type set has the name itself.
            alias.define(target.clone());
            self.loaded_types().insert(lower.clone(), Some(target.clone()));
            return Ok(target);
        }
        match alias.resolve(&target) {
            Ok(()) => Ok(it),
            Err(error) => {
                self.loaded_types().remove(lower);
                Err(self.fail_during(env, id, "Type-Name", error.to_string()))
            }
        }
    }

    fn definition_target(&mut self, inner: &Env<'_>, definition: &Definition) -> Evaluated<Type> {
        let body = &inner.code.body;
        let first = body.statements.first().copied();
        let Some(id) = definition.expr.or(first) else { return Ok(Type::any()) };
        let name = &definition.name;
        let hash = match body.expr(id) {
            Expr::Hash(_) => self.eval(inner, id)?,
            Expr::Access { target, keys } => match (body.expr(*target), &**keys) {
                (Expr::Reference(it), [key]) if it == "Object" => self.eval(inner, *key)?,
                (Expr::Reference(it), [key]) if it == "TypeSet" => {
                    return self.load_type_set(inner, name, *key);
                }
                _ => return self.aliased_type(inner, id),
            },
            Expr::ResourceDefaults(parent, attributes) => self.members(inner, id, *parent, attributes)?,
            _ => return self.aliased_type(inner, id),
        };
        let Value::Hash(hash) = hash else {
            let message = "Object-Type[] expects a Hash value".to_owned();
            return Err(self.fail_during(inner, id, "'[]' expression", message));
        };
        let created = create::named_object_type(self.dialect(), name, &hash);
        created.map_err(|error| self.fail_during(inner, id, "'[]' expression", error.to_string()))
    }

    fn aliased_type(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Type> {
        match self.eval(env, id)? {
            Value::Type(it) => Ok(it),
            other => {
                let message =
                    format!("The expression <{}> is not a valid type specification.", literal(&other));
                Err(self.fail(env, id, issues::TYPE_MISMATCH, message))
            }
        }
    }

    /// Evaluates the members of an `Object` type, `Parent { member => …, … }`, to a hash (B67).
    fn members(&mut self, env: &Env<'_>, id: ExprId, parent: ExprId, attributes: &[Attribute]) -> Evaluated {
        let mut hash = Hash::default();
        if !matches!(env.code.body.expr(parent), Expr::Reference(it) if it == "Object" || it == "TypeSet") {
            hash.insert("parent".into(), self.eval(env, parent)?);
        }
        for it in attributes {
            let AttributeName::Name(name) = &it.name else { continue };
            let value = self.eval(env, it.value)?;
            if hash.get_str(name).is_some() && self.settings.strict == Strictness::Error {
                let message = format!("The key '{name}' is declared more than once");
                return Err(self.fail(env, id, rules::DUPLICATE_KEY, message));
            }
            hash.insert(Value::String(name.clone()), value);
        }
        Ok(Value::Hash(Arc::new(hash)))
    }

    /// Creates a new value of a type (D.3).
    pub(crate) fn new_value(&mut self, it: &Type, arguments: &[Value]) -> Evaluated {
        let dialect = self.dialect();
        let most_elements = self.settings.limits.collection_size;
        let outside = Conversions { interpreter: RefCell::new(self) };
        let result = new(&Context { dialect, outside: &outside, most_elements }, it, arguments);
        result.map_err(|error| {
            let issue = if let NewError::TooMany(_) = error {
                issues::COLLECTION_SIZE_LIMIT
            } else {
                issues::RUNTIME_ERROR
            };
            EvaluationError::new(issue, error.to_string()).into()
        })
    }

    /// Parses and evaluates a type.
    pub(crate) fn parse_type(&mut self, text: &str) -> Evaluated<Type> {
        /// The cost of parsing a type, in steps of expressions.
        const TYPE: u64 = 200;
        self.spend(TYPE + text.len() as u64)?;
        let invalid = || {
            let message = format!("The expression <{text}> is not a valid type specification.");
            EvaluationError::runtime(message).into()
        };
        let source: Arc<str> = text.into();
        let parsed = parse(&source, mode_in(self.dialect(), false));
        if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
            return Err(invalid());
        }
        let lowered = lower(&parsed.program);
        let origin = Origin::Text { name: "type".into(), text: source, map: lowered.main_map.clone() };
        let code = Code { body: lowered.main.clone(), origin: Arc::new(origin) };
        let top = Rc::clone(&self.top);
        let inner = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
        let [only] = &*code.body.statements else { return Err(invalid()) };
        if !denotes_type(&code, *only) {
            return Err(invalid());
        }
        self.defining += 1;
        let result = self.eval(&inner, *only);
        self.defining -= 1;
        match result? {
            Value::Type(it) => Ok(it),
            _ => Err(invalid()),
        }
    }

    /// Calls a member of the value itself: `value.name(arguments)` (B23).
    pub(crate) fn call_member(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        value: &Value,
        name: &str,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        let signature = block.map(|it| self.block_signature(it)).transpose()?.map(|it| it.callable());
        let result = ops::call_member(self.dialect(), value, name, arguments, signature);
        if let (Err(ops::MemberError::NotImplemented { .. }), Value::Object(object)) = (&result, value)
            && object.object_type == *LOOKUP_CONTEXT
        {
            return self.call_context(env, id, object, name, arguments, block);
        }
        result.map_err(|error| self.fail_during(env, id, "Method call", error.to_string()))
    }
}

/// The interpreter as the outside of conversions.
struct Conversions<'i, 'w> {
    interpreter: RefCell<&'i mut Interpreter<'w>>,
}

impl ConversionHost for Conversions<'_, '_> {
    fn now(&self) -> Timestamp {
        self.interpreter.borrow().requests.now()
    }

    fn local_offset(&self) -> LocalOffset {
        self.interpreter.borrow().requests.local_offset()
    }

    fn parse_type(&self, text: &str) -> Result<Type, String> {
        let parsed = self.interpreter.borrow_mut().parse_type(text);
        parsed.map_err(|unwind| unwind.into_error().message)
    }
}

/// Whether an expression is a type's name, possibly with keys, and has no effects.
pub(crate) fn denotes_type(code: &Code, id: ExprId) -> bool {
    match code.body.expr(id) {
        Expr::Reference(_) => true,
        Expr::Access { target, keys } => {
            denotes_type(code, *target) && keys.iter().all(|it| is_key(code, *it))
        }
        _ => false,
    }
}

/// Whether an expression is allowed in the brackets of a type that is parsed from text.
fn is_key(code: &Code, id: ExprId) -> bool {
    match code.body.expr(id) {
        Expr::Undef
        | Expr::Default
        | Expr::Boolean(_)
        | Expr::Integer(_)
        | Expr::LargeInteger { .. }
        | Expr::Float(_)
        | Expr::String(_)
        | Expr::Regexp(_) => true,
        Expr::Minus(operand) => {
            matches!(code.body.expr(*operand), Expr::Integer(_) | Expr::LargeInteger { .. } | Expr::Float(_))
        }
        Expr::Array(elements) => elements.iter().all(|it| is_key(code, *it)),
        Expr::Hash(entries) => entries.iter().all(|(key, value)| is_key(code, *key) && is_key(code, *value)),
        _ => denotes_type(code, id),
    }
}

fn is_own_name(target: &Type, name: &str) -> bool {
    match target.kind() {
        TypeKind::Object(Some(object)) => object.name == name,
        TypeKind::TypeSet(Some(set)) => set.name == name,
        _ => false,
    }
}

/// Whether a name denotes a type, or is reserved for one, in one of the dialects: then that type is meant.
fn is_type_of_a_dialect(name: &str) -> bool {
    let lower = normalized(name);
    let is_reserved = |it: &Dialect| it.type_names.reserved.contains(&&*lower);
    Dialect::all().into_iter().any(|it| named(it, name).is_some() || is_reserved(it))
}

/// The type of all resources of a resource type, by its name in lower case.
fn resources(lower: &str) -> Type {
    let resource =
        ResourceType { type_name: Some(capitalize_segments(lower).into()), ..ResourceType::default() };
    TypeKind::Resource(resource).into()
}
