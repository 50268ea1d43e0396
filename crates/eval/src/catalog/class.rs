//! Classes: `include`, `require`, `contain`, classes with parameters, inheritance (F.8, E4–E6).

use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::{Kind, Named, Reference};
use marotte_hir::ExprId;
use marotte_pcore::dialect::LocalVariables;
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;
use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::doubt::Cause;
use super::instance::{Instance, Parameter, ResourceId, ResourceKind};
use super::provenance::{DeclarationKind, Reads, Trace, TraceKind};
use super::resource::NewResource;
use super::{Definition, flattened};
use crate::interpreter::{Env, Evaluated, Interpreter, Scope, Truth};
use crate::{EvaluationError, Place};

impl Interpreter<'_> {
    /// Declares classes and evaluates those that are new. Returns references to all named classes, and their resources:
    /// first those that existed, then the new ones. `by` is the name of the function, and its call.
    pub(crate) fn include(
        &mut self,
        env: &Env<'_>,
        by: (&'static str, ExprId),
        arguments: &[Value],
    ) -> Evaluated<(Vec<Value>, Vec<ResourceId>)> {
        let names = class_names(arguments)?;
        let references = names.iter().map(|name| Value::Type(TypeKind::Class(Some(plain(name))).into()));
        let references = references.collect();
        let how = (DeclarationKind::Include(by.0), self.is_tracing().then(|| env.place(by.1)));
        let resources = self.showing_locals(env, |it| it.include_named(env.scope, &names, true, how))?;
        Ok((references, resources))
    }

    /// Runs `body` so that classes evaluated by it see the local variables of this place, in dialects where classes do.
    pub(super) fn showing_locals<T>(&mut self, env: &Env<'_>, body: impl FnOnce(&mut Self) -> T) -> T {
        let are_seen = self.dialect().evaluation.local_variables == LocalVariables::SeenByClasses;
        let Some(frame) = env.frame.filter(|_| are_seen) else { return body(self) };
        env.scope.show_locals(frame);
        let result = body(self);
        env.scope.hide_locals();
        result
    }

    /// Declares classes by their names, and evaluates them if `at_once`; otherwise they are evaluated later.
    pub(super) fn include_named(
        &mut self,
        scope: &Rc<Scope>,
        names: &[Str],
        at_once: bool,
        by: (DeclarationKind, Option<Place>),
    ) -> Evaluated<Vec<ResourceId>> {
        let mut classes = Vec::with_capacity(names.len());
        for name in names {
            match self.find_class(name)? {
                Some(class) => classes.push(class),
                None => {
                    let node = self.requests.node().name;
                    let message = format!("Could not find class {name} for {node}");
                    return Err(EvaluationError::runtime(message).into());
                }
            }
        }
        let (mut present, mut new) = (Vec::new(), Vec::new());
        for class in classes {
            let known = self.state()?.class_scopes.get(&class.name).cloned();
            match known.as_ref().and_then(|it| it.container.get()) {
                Some(container) => {
                    present.push(container.resource);
                    self.declared_by(container.resource, by.0.clone(), by.1.clone(), scope);
                }
                None => new.push(self.ensure_class(scope, &class, None, by.clone())?),
            }
        }
        if at_once {
            for id in &new {
                self.evaluate_resource(*id)?;
            }
        }
        present.extend(new);
        Ok(present)
    }

    /// Returns the resource of a class or node, declaring it if it does not exist. With parameters, it must not exist
    /// yet.
    pub(super) fn ensure_class(
        &mut self,
        scope: &Rc<Scope>,
        class: &Rc<Definition>,
        parameters: Option<Named<Parameter>>,
        by: (DeclarationKind, Option<Place>),
    ) -> Evaluated<ResourceId> {
        let reference = match class.is_node() {
            true => Reference { type_name: "Node".into(), title: class.name.clone() },
            false => Reference::class(&class.name),
        };
        if parameters.is_none()
            && let Some(known) = self.state()?.find(&reference)
        {
            self.declared_by(known, by.0, by.1, scope);
            return Ok(known);
        }
        let doubts = &self.state()?.doubts;
        // A class declared with parameters can't be declared again.
        let included = parameters.is_none();
        let elsewhere = doubts.may_be_declared(&reference).filter(|_| included).cloned();
        let open = doubts.may_have_parameters(&reference).filter(|_| included).cloned();
        let mut instance = self.new_instance(NewResource {
            kind: ResourceKind::Container(Rc::clone(class)),
            reference,
            title: None,
            shown_kind: Kind::Unknown,
            parameters: parameters.unwrap_or_default(),
            open,
            place: None,
            form: ResourceForm::Regular,
            scope,
            source: Rc::clone(class),
        })?;
        instance.elsewhere = elsewhere;
        self.instantiate_class(scope, class, &instance)?;
        let added = self.add_resource(scope, instance)?;
        self.declared_by(added, by.0, by.1, scope);
        Ok(added)
    }

    /// Prepares the addition of a class or node: ensures the parent class, and adds the class's tags to the catalog.
    pub(super) fn instantiate_class(
        &mut self,
        scope: &Rc<Scope>,
        class: &Rc<Definition>,
        instance: &Instance,
    ) -> Evaluated<()> {
        if class.parent.is_some() {
            let parent = self.parent_class(class)?;
            if self.state()?.find(&Reference::class(&parent.name)).is_none() {
                let depth_place = instance.place.clone().or_else(|| class.place.clone());
                let Some(place) = depth_place else { return Ok(()) };
                let by = (DeclarationKind::Inherits(instance.reference.clone()), class.place.clone());
                self.deeper(|| place, |it| it.ensure_class(scope, &parent, None, by))?;
            }
        }
        let tags = instance.tags.clone();
        self.state()?.tags.merge(&tags);
        Ok(())
    }

    /// Finds the parent class of a class.
    pub(super) fn parent_class(&mut self, class: &Definition) -> Evaluated<Rc<Definition>> {
        let parent = class.parent.clone().unwrap_or_default();
        match self.find_class(&parent)? {
            Some(found) => Ok(found),
            None => {
                let environment = self.requests.node().environment;
                let message = format!(
                    "Could not find parent resource type '::{parent}' of type hostclass in {environment}"
                );
                let mut error = EvaluationError::runtime(message);
                error.place = class.place.clone();
                Err(error.into())
            }
        }
    }

    /// `contain(…)`: the class or resource whose body has the call contains the classes.
    pub(crate) fn contain_classes(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        arguments: &[Value],
    ) -> Evaluated<Vec<Value>> {
        let container = self.containing(env)?;
        let (references, resources) = self.include(env, ("contain", at), arguments)?;
        let state = self.state()?;
        for id in resources {
            state.contain(container, id);
        }
        Ok(references)
    }

    /// `require(…)`: the class or resource whose body has the call requires the classes.
    pub(crate) fn require_classes(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        arguments: &[Value],
    ) -> Evaluated<Vec<Value>> {
        let container = self.containing(env)?;
        let (references, _) = self.include(env, ("require", at), arguments)?;
        let is_plain = !self.is_tracing() && !self.state()?.doubts.has_changes();
        // Otherwise, each addition has its own trace, or is changed on its own.
        let at_once = if is_plain { references.len() } else { 1 };
        for references in references.chunks(at_once.max(1)) {
            let instance = self.state()?.resource(container);
            let before = flattened([instance.value("require").clone()]);
            let all = before.into_iter().filter(|it| *it != Value::Undef);
            let all = all.chain(references.iter().cloned());
            let (value, source) = (Value::Array(all.collect()), Rc::clone(&instance.source));
            let known = instance.parameters.get("require").and_then(|it| it.trace.clone());
            let trace =
                self.trace(env, TraceKind::Function("require"), &env.place(at), &value, &Reads::default());
            let trace = trace.map(|it| Arc::new(Trace::clone(&it).after(known)));
            self.charge_edges(references.len())?;
            self.charge_list(&value)?;
            let parameter = Parameter { value, source, place: None, append: false, trace };
            self.state()?.set_parameter(container, "require", parameter)?;
        }
        Ok(references)
    }

    /// Returns the reason why a class may have unknown variables: skipped code may have evaluated it, or set variables in it.
    pub(crate) fn may_lack_variables(&self, class: &str) -> Option<Cause> {
        let state = self.catalog.as_ref()?;
        match state.class_scopes.get(&*class.to_lowercase()) {
            Some(scope) => scope.open(),
            None => state.doubts.may_be_declared(&Reference::class(class)).cloned(),
        }
    }

    /// The value of a variable of an evaluated class, or of its ancestors (C10, C12).
    pub(crate) fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        let mut scope = self.catalog.as_ref()?.class_scopes.get(&*class.to_lowercase())?;
        loop {
            if let Some(value) = scope.visible(name) {
                return Some(value);
            }
            scope = scope.inherited.as_ref()?;
        }
    }

    /// Whether a scope is that of the named class.
    pub(crate) fn is_scope_of_class(&self, scope: &Rc<Scope>, class: &str) -> bool {
        let known = self.catalog.as_ref().and_then(|it| it.class_scopes.get(&*class.to_lowercase()));
        known.is_some_and(|it| Rc::ptr_eq(it, scope))
    }

    /// Whether a variable exists, for `defined`: in an evaluated class, or in any scope that encloses it.
    pub(crate) fn is_seen_by_class(&self, class: &str, name: &str) -> Truth {
        let scopes = self.catalog.as_ref().map(|it| &it.class_scopes);
        let Some(scope) = scopes.and_then(|it| it.get(&*class.to_lowercase())) else {
            return Truth::Known(false);
        };
        if matches!(name, "module_name" | "caller_module_name") {
            return Truth::Known(true);
        }
        match scope.find(name).or_else(|| self.global(name)) {
            Some(Value::Unknown(by)) => Truth::Unknown(by),
            found => Truth::Known(found.is_some()),
        }
    }
}

/// The class name without a leading `::`.
fn plain(name: &str) -> Str {
    name.strip_prefix("::").unwrap_or(name).into()
}

/// The class names in arguments, in lower case and with a leading `::` (E4).
fn class_names(arguments: &[Value]) -> Result<Vec<Str>, EvaluationError> {
    let absolute = |name: &str| {
        let name = name.to_lowercase();
        Str::from(if name.starts_with("::") { name } else { format!("::{name}") })
    };
    let fail = |message: String| Err(EvaluationError::runtime(message));
    flattened(arguments.iter().cloned())
        .iter()
        .map(|value| match value {
            Value::Undef => fail("Cannot use undef as a class name".to_owned()),
            Value::String(name) if name.is_empty() => {
                fail("Cannot use empty string as a class name".to_owned())
            }
            Value::String(name) => Ok(absolute(name)),
            Value::Type(it) => match it.resolved().kind() {
                TypeKind::Class(None) => fail("Cannot use an unspecific Class[] Type".to_owned()),
                TypeKind::Class(Some(name)) => Ok(absolute(name)),
                TypeKind::Resource(ResourceType { type_name: None, .. }) => fail(
                    "Cannot use an unspecific Resource[] where a Resource['class', name] is expected".to_owned(),
                ),
                TypeKind::Resource(ResourceType { type_name: Some(name), title, .. }) => {
                    if !name.eq_ignore_ascii_case("class") {
                        return fail(format!(
                            "Cannot use a Resource[{name}] where a Resource['class', name] is expected"
                        ));
                    }
                    match title {
                        Some(title) => Ok(absolute(title)),
                        None => fail(
                            "Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected"
                                .to_owned(),
                        ),
                    }
                }
                _ => no_class_name(value),
            },
            other => no_class_name(other),
        })
        .collect()
}

fn no_class_name(value: &Value) -> Result<Str, EvaluationError> {
    let shown = marotte_pcore::print::literal(value);
    Err(EvaluationError::runtime(format!(
        "a class is named by a string or a Class reference, not by {shown}"
    )))
}
