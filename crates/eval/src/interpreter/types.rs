//! Types by name, and what their instances have.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::body::Expr;
use marotte_hir::{ExprId, lower};
use marotte_pcore::create::{self, named};
use marotte_pcore::new::{Context, Outside, new};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::{ResourceType, Type, TypeAlias, TypeKind};
use marotte_pcore::uri::Uri;
use marotte_pcore::value::{Hash, Value};
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

use super::{Env, Evaluated, Interpreter};
use crate::{Code, EvaluationError, Origin, ReadError};

impl Interpreter<'_> {
    /// `Name` (D1, D2).
    pub(super) fn reference(&mut self, env: &Env<'_>, id: ExprId, name: &Str) -> Evaluated {
        match self.find_type(env, id, name)? {
            Some(it) => Ok(Value::Type(it)),
            // What a type is made of may be unknown as long as nothing asks for it.
            None if self.defining > 0 => Ok(Value::Type(TypeKind::Reference(name.clone()).into())),
            None => {
                let message = format!("Resource type not found: {}", name.trim_start_matches("::"));
                Err(self.fail(env, id, "unknown-resource-type", message))
            }
        }
    }

    /// The type that an expression denotes.
    pub(crate) fn eval_type(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Type> {
        match self.eval(env, id)? {
            Value::Type(it) => Ok(it),
            other => {
                let actual = marotte_pcore::infer::infer(self.dialect(), &other);
                let actual = marotte_pcore::infer::generalize(&actual);
                let message = format!("Expected value of type Type, got {actual}");
                Err(self.fail(env, id, "type-mismatch", message))
            }
        }
    }

    /// The type of a name: one of the language, an alias, a resource type.
    pub(crate) fn find_type(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated<Option<Type>> {
        if let Some(it) = named(self.dialect(), name) {
            return Ok(Some(it));
        }
        let lower = Str::from(name.trim_start_matches("::").to_lowercase());
        if let Some(known) = self.loaded_types().get(&lower) {
            return Ok(known.clone());
        }
        let found = self.alias_code(&lower);
        let fail = |error| self.fail_during(env, id, "Type-Name", ReadError::to_string(&error));
        if let Some((name, code)) = found.map_err(fail)? {
            return self.load_alias(env, id, &lower, &name, &code).map(Some);
        }
        let found = self.requests.is_resource_type(&lower).then(|| {
            let capitalized = lower.split("::").map(capitalize).collect::<Vec<_>>().join("::");
            let resource = ResourceType { type_name: Some(capitalized.into()), title: None };
            Type::from(TypeKind::Resource(resource))
        });
        self.loaded_types().insert(lower, found.clone());
        Ok(found)
    }

    /// Evaluates what an alias stands for. While that goes on, the alias is known and stands for nothing, so that it can
    /// contain itself.
    fn load_alias(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        lower: &Str,
        name: &Str,
        code: &Code,
    ) -> Evaluated<Type> {
        let alias = TypeAlias::declare(name.clone());
        let it: Type = TypeKind::Alias(alias.clone()).into();
        self.loaded_types().insert(lower.clone(), Some(it.clone()));
        let top = Rc::clone(&self.top);
        let inner = Env { code, frame: None, scope: &top, own_frames: 0 };
        self.defining += 1;
        let result = self.deeper(|| env.place(id), |me| me.alias_target(&inner, name));
        self.defining -= 1;
        let target = match result {
            Ok(target) => target,
            Err(error) => {
                self.loaded_types().remove(lower);
                return Err(error);
            }
        };
        if is_own_name(&target, name) {
            // An Object type or a type set bears the name itself.
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

    fn alias_target(&mut self, inner: &Env<'_>, name: &Str) -> Evaluated<Type> {
        let Some(id) = inner.code.body.statements.first().copied() else { return Ok(Type::any()) };
        let definition = match inner.code.body.expr(id) {
            Expr::Hash(_) => Some(("Object", id)),
            Expr::Access { target, keys } => match (inner.code.body.expr(*target), &**keys) {
                (Expr::Reference(it), [key]) if it == "Object" => Some(("Object", *key)),
                (Expr::Reference(it), [key]) if it == "TypeSet" => Some(("TypeSet", *key)),
                _ => None,
            },
            _ => None,
        };
        let Some((kind, key)) = definition else { return self.eval_type(inner, id) };
        let Value::Hash(hash) = self.eval(inner, key)? else { return self.eval_type(inner, id) };
        let mut hash = Hash::clone(&hash);
        hash.insert("name".into(), Value::String(name.clone()));
        let created = match kind {
            "Object" => create::object_type(self.dialect(), &hash),
            _ => create::type_set(self.dialect(), &hash),
        };
        created.map_err(|error| self.fail_during(inner, id, "'[]' expression", error.to_string()))
    }

    /// A new value of a type (D.3).
    pub(crate) fn new_value(&mut self, it: &Type, arguments: &[Value]) -> Evaluated {
        let dialect = self.dialect();
        let outside = Conversions { interpreter: RefCell::new(self) };
        let result = new(&Context { dialect, outside: &outside }, it, arguments);
        result.map_err(|error| EvaluationError::runtime(error.to_string()).into())
    }

    /// The type that a text denotes.
    pub(crate) fn parse_type(&mut self, text: &str) -> Evaluated<Type> {
        let invalid = || {
            let message = format!("The expression <{text}> is not a valid type specification.");
            EvaluationError::runtime(message).into()
        };
        let source: Arc<str> = text.into();
        let parsed = parse(&source, Mode::default());
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

    /// Whether `value.name` is an attribute or function of the value itself (B23).
    pub(super) fn has_member(&self, value: &Value, name: &str) -> bool {
        match value {
            Value::Object(object) => match object.object_type.resolved().kind() {
                TypeKind::Object(Some(it)) => {
                    it.all_attributes().contains_key(name) || it.all_functions().contains_key(name)
                }
                _ => false,
            },
            Value::Uri(uri) => uri_attribute(uri, name).is_some(),
            _ => false,
        }
    }

    /// `value.name(arguments)` for a member.
    pub(super) fn call_member(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        value: &Value,
        name: &str,
        arguments: Vec<Value>,
    ) -> Evaluated {
        let found = match value {
            Value::Object(object) => object.attribute(name).cloned(),
            Value::Uri(uri) => uri_attribute(uri, name),
            _ => None,
        };
        match found {
            Some(found) if arguments.is_empty() => Ok(found),
            Some(_) => {
                let message = format!("attribute '{name}' takes no arguments");
                Err(self.fail_during(env, id, "Method call", message))
            }
            None => {
                let message = format!("the function '{name}' of the value's type has no implementation");
                Err(self.fail_during(env, id, "Method call", message))
            }
        }
    }
}

/// What conversions ask, answered by the interpreter.
struct Conversions<'i, 'w> {
    interpreter: RefCell<&'i mut Interpreter<'w>>,
}

impl Outside for Conversions<'_, '_> {
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

/// Whether an expression is a type's name, perhaps with keys, and nothing that does something.
fn denotes_type(code: &Code, id: ExprId) -> bool {
    match code.body.expr(id) {
        Expr::Reference(_) => true,
        Expr::Access { target, keys } => {
            denotes_type(code, *target) && keys.iter().all(|it| is_key(code, *it))
        }
        _ => false,
    }
}

/// Whether an expression may stand in the brackets of a type that a text denotes.
fn is_key(code: &Code, id: ExprId) -> bool {
    match code.body.expr(id) {
        Expr::Undef
        | Expr::Default
        | Expr::Boolean(_)
        | Expr::Integer(_)
        | Expr::Float(_)
        | Expr::String(_)
        | Expr::Regexp(_) => true,
        Expr::Minus(operand) => matches!(code.body.expr(*operand), Expr::Integer(_) | Expr::Float(_)),
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

/// The value of an attribute of a URI (D43). None if there is no such attribute.
fn uri_attribute(uri: &Uri, name: &str) -> Option<Value> {
    let text = |it: Option<&str>| it.map_or(Value::Undef, Value::from);
    Some(match name {
        "scheme" => text(uri.scheme()),
        "userinfo" => text(uri.userinfo()),
        "host" => text(uri.host()),
        "port" => uri.port().and_then(|it| i64::try_from(it).ok()).map_or(Value::Undef, Value::from),
        "path" => text(uri.path().as_deref()),
        "query" => text(uri.query()),
        "fragment" => text(uri.fragment()),
        "opaque" => text(uri.opaque()),
        _ => return None,
    })
}

fn capitalize(segment: &str) -> String {
    let mut chars = segment.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
