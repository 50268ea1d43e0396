//! Binding of parameters of classes and defined types (F12–F14, C39).

use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::Reference;
use marotte_hir::ExprId;
use marotte_pcore::mismatch;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::definition::Definition;
use super::instance::{Parameter, ResourceId};
use super::provenance::{ReadSource, Reads, Trace, TraceKind};
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter, Scope, refuse_reserved};

/// The metaparameters that create relationships.
const RELATIONS: [&str; 4] = ["before", "notify", "require", "subscribe"];

impl Interpreter<'_> {
    /// Sets the variables of a body before it is evaluated.
    pub(super) fn set_parameters(
        &mut self,
        id: ResourceId,
        definition: &Rc<Definition>,
        scope: &Rc<Scope>,
    ) -> Evaluated<()> {
        let state = self.state()?;
        let instance = state.resource(id);
        let module = match instance.value("module_name") {
            Value::Undef => definition.module.clone().map(Value::String),
            value => Some(value.clone()),
        };
        let caller = match (instance.value("caller_module_name"), &instance.elsewhere) {
            (Value::Undef, Some(by)) => Some(Value::Unknown(by.computed())),
            (Value::Undef, None) => {
                let container = scope.container.get().and_then(|it| it.parent.as_ref());
                let source = container.and_then(|it| it.container.get()).map(|it| Rc::clone(&it.source));
                source.and_then(|it| it.module.clone()).map(Value::String)
            }
            (value, _) => Some(value.clone()),
        };
        let title = instance.title_value();
        let name = match instance.value("name") {
            Value::Undef => title.clone(),
            name => name.clone(),
        };
        let owner = instance.reference.clone();
        let set = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                scope.set(name, value);
            }
        };
        set("module_name", module);
        set("caller_module_name", caller);
        self.open_parameters(id, definition)?;
        self.convert_parameters(id, definition)?;
        if definition.is_class() {
            self.bind_from_data(id, definition, scope)?;
        }
        self.type_unknown_parameters(id, definition)?;
        let (title, name) = match definition.is_class() {
            true => (lowercase(&title), lowercase(&name)),
            false => (title, name),
        };
        if self.is_tracing() {
            let place = self.state()?.resource(id).place.clone();
            let trace = Trace::new(TraceKind::Title, place, None, title.clone(), Reads::default());
            let trace = Arc::new(trace);
            scope.keep_trace("title", Arc::clone(&trace));
            scope.keep_trace("name", trace);
        }
        set("title", Some(title));
        set("name", Some(name));
        let state = self.state()?;
        if !definition.is_define() {
            state.class_scopes.insert(definition.name.clone(), Rc::clone(scope));
        }
        scope.open_parameters(owner.clone(), definition.parameters().iter().map(|it| it.name.clone()));
        for (name, parameter) in &state.resource(id).parameters {
            if !matches!(&**name, "name" | "title") {
                scope.bind(name, parameter.value.clone());
            }
            if let Some(trace) = &parameter.trace {
                scope.keep_trace(name, Arc::clone(trace));
            }
        }
        self.assign_defaults(id, definition, scope)?;
        let bound = scope.close_parameters();
        self.check_parameters(&owner, definition, &hash(&bound))?;
        let declares = |name: &str| definition.parameters().iter().any(|it| it.name == name);
        for (name, value) in bound {
            refuse_reserved(&name)?;
            // Skipped code may or may not have added a relationship.
            if let Some(by) = value.unknown().filter(|_| RELATIONS.contains(&&*name) && !declares(&name)) {
                scope.doubt(&name, &by);
                continue;
            }
            if !scope.set(&name, value) {
                let message = format!("Cannot reassign variable '${name}'");
                return Err(EvaluationError::runtime(message).into());
            }
        }
        Ok(())
    }

    /// Makes the parameters unknown that unknown code may have set.
    fn open_parameters(&mut self, id: ResourceId, definition: &Rc<Definition>) -> Evaluated<()> {
        let Some(by) = self.state()?.resource(id).open.clone() else { return Ok(()) };
        for declared in definition.parameters() {
            if *self.state()?.resource(id).value(&declared.name) == Value::Undef {
                let unknown = Value::Unknown(by.computed());
                self.set_own_parameter(id, definition, &declared.name, unknown, None)?;
            }
        }
        Ok(())
    }

    /// Converts strings to the numbers that the types of parameters require, in dialects that do so (X78).
    pub(super) fn convert_parameters(&mut self, id: ResourceId, definition: &Definition) -> Evaluated<()> {
        if self.strings_are_texts() {
            return Ok(());
        }
        for declared in &definition.accepts {
            let value = self.state()?.resource(id).value(&declared.name).clone();
            let number = self.number_for(&declared.value, &value);
            if let (Some(number), Some(it)) =
                (number, self.state()?.resource_mut(id).parameters.get_mut(&declared.name))
            {
                it.value = number;
            }
        }
        Ok(())
    }

    /// Gives unknown values the types of their parameters: other values are refused.
    fn type_unknown_parameters(&mut self, id: ResourceId, definition: &Definition) -> Evaluated<()> {
        let instance = self.state()?.resource_mut(id);
        for declared in &definition.accepts {
            if let Some(parameter) = instance.parameters.get_mut(&declared.name)
                && let Value::Unknown(it) = &parameter.value
                && it.known_type().is_none()
            {
                parameter.value = Value::Unknown(it.typed(declared.value.clone()));
            }
        }
        Ok(())
    }

    /// Looks up the missing parameters of a class in the data (F12, F13).
    fn bind_from_data(&mut self, id: ResourceId, class: &Rc<Definition>, scope: &Rc<Scope>) -> Evaluated<()> {
        for declared in class.parameters() {
            if *self.state()?.resource(id).value(&declared.name) != Value::Undef {
                continue;
            }
            let key = format!("{}::{}", class.name, declared.name);
            let (found, reads) = self.reading(|it| it.class_parameter(scope, &key));
            let Some(value) = found? else { continue };
            if value != Value::Undef || declared.default.is_none() {
                let trace = reads.and_then(|it| data_trace(&it, &key));
                self.set_own_parameter(id, class, &declared.name, value, trace)?;
            }
        }
        Ok(())
    }

    /// The value from data for a parameter of a class.
    fn class_parameter(&mut self, scope: &Rc<Scope>, key: &str) -> Evaluated<Option<Value>> {
        self.in_scope(scope, |it, env| it.lookup_class_parameter(env, ExprId::FIRST, key))
    }

    fn set_own_parameter(
        &mut self,
        id: ResourceId,
        definition: &Rc<Definition>,
        name: &str,
        value: Value,
        trace: Option<Arc<Trace>>,
    ) -> Evaluated<()> {
        let source = match definition.is_define() {
            true => Rc::clone(&self.state()?.resource(id).source),
            false => Rc::clone(definition),
        };
        let wanted = definition.accepts.iter().find(|it| it.name == *name);
        let number = wanted.and_then(|it| self.number_for(&it.value, &value));
        let value = number.unwrap_or(value);
        self.charge_parameter(name, &value)?;
        let parameter = Parameter { value, source, place: None, append: false, trace };
        Ok(self.state()?.set_parameter(id, name, parameter)?)
    }

    fn assign_defaults(
        &mut self,
        id: ResourceId,
        definition: &Rc<Definition>,
        scope: &Rc<Scope>,
    ) -> Evaluated<()> {
        let Some(code) = definition.code.first() else { return Ok(()) };
        let env = Env { code, frame: None, scope, own_frames: 0 };
        for (index, declared) in definition.parameters().iter().enumerate() {
            let Some(default) = declared.default else { continue };
            if *self.state()?.resource(id).value(&declared.name) != Value::Undef {
                continue;
            }
            scope.evaluate_default(Some(index));
            let captures = scope.replace_captures(None);
            let (result, reads) = self.reading(|it| it.eval(&env, default));
            scope.replace_captures(captures);
            scope.evaluate_default(None);
            let value = self.converted(result?)?;
            let (kind, reads) = (TraceKind::ParameterDefault, reads.unwrap_or_default());
            let trace = self.trace(&env, kind, &env.place(default), &value, &reads);
            if let Some(trace) = &trace {
                scope.keep_trace(&declared.name, Arc::clone(trace));
            }
            self.set_own_parameter(id, definition, &declared.name, value, trace)?;
            let value = self.state()?.resource(id).value(&declared.name).clone();
            scope.bind(&declared.name, value);
        }
        Ok(())
    }

    /// Rejects parameters that a definition does not have, or whose values have other types.
    pub(super) fn check_parameters(
        &self,
        owner: &Reference,
        definition: &Definition,
        given: &Hash,
    ) -> Evaluated<()> {
        mismatch::validate_parameters(self.dialect(), owner, &definition.accepts, given, false, &|_| None)
            .map_err(|error| EvaluationError::runtime(error.to_string()).into())
    }
}

/// Returns the trace of the lookup of a key, among the recorded reads.
fn data_trace(reads: &Reads, key: &str) -> Option<Arc<Trace>> {
    reads.all.iter().find_map(|it| match &it.source {
        ReadSource::Set(trace) if it.name == key => Some(Arc::clone(trace)),
        _ => None,
    })
}

/// Returns the parameters as a hash.
fn hash(bound: &[(Str, Value)]) -> Hash {
    bound.iter().map(|(name, value)| (Value::String(name.clone()), value.clone())).collect()
}

fn lowercase(value: &Value) -> Value {
    match value {
        Value::Unknown(it) => Value::Unknown(it.computed()),
        Value::String(text) => Value::String(text.to_lowercase()),
        other => Value::String(marotte_pcore::print::literal(other).to_lowercase().into()),
    }
}
