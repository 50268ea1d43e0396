//! Classes: `include`, `require`, `contain`, classes with parameters, inheritance (F.8, E4–E6).

use std::rc::Rc;

use marotte_catalog::{Kind, Named, Reference};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;
use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::doubt::Cause;
use super::instance::{Instance, Parameter, ResourceId, ResourceKind};
use super::resource::NewResource;
use super::{Definition, flattened};
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter, Scope};

impl Interpreter<'_> {
    /// Declares and evaluates classes, those that are new. Gives references to all that are named, and the resources: those
    /// that were there, then the new ones.
    pub(crate) fn include(
        &mut self,
        env: &Env<'_>,
        arguments: &[Value],
    ) -> Evaluated<(Vec<Value>, Vec<ResourceId>)> {
        let names = class_names(arguments)?;
        let references = names.iter().map(|name| Value::Type(TypeKind::Class(Some(plain(name))).into()));
        let references = references.collect();
        let resources = self.include_named(env.scope, &names, true)?;
        Ok((references, resources))
    }

    /// Declares classes by their names. Evaluates them at once, or leaves that for later.
    pub(super) fn include_named(
        &mut self,
        scope: &Rc<Scope>,
        names: &[Str],
        at_once: bool,
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
                Some(container) => present.push(container.resource),
                None => new.push(self.ensure_class(scope, &class, None)?),
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

    /// The resource of a class or node; it is declared if there is none. With parameters, there must be none.
    pub(super) fn ensure_class(
        &mut self,
        scope: &Rc<Scope>,
        class: &Rc<Definition>,
        parameters: Option<Named<Parameter>>,
    ) -> Evaluated<ResourceId> {
        let reference = match class.is_node() {
            true => Reference { type_name: "Node".into(), title: class.name.clone() },
            false => Reference::class(&class.name),
        };
        if parameters.is_none()
            && let Some(known) = self.state()?.find(&reference)
        {
            return Ok(known);
        }
        let doubts = &self.state()?.doubts;
        // Declared with parameters, there is no other declaration.
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
        self.add_resource(scope, instance)
    }

    /// What is done before a class or node is added: the class that it inherits from is there, and the catalog has its tags.
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
                self.deeper(|| place, |it| it.ensure_class(scope, &parent, None))?;
            }
        }
        let tags = instance.tags.clone();
        self.state()?.tags.merge(&tags);
        Ok(())
    }

    /// The class that a class inherits from.
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

    /// `contain(…)`: the class or resource around the call contains the classes.
    pub(crate) fn contain_classes(&mut self, env: &Env<'_>, arguments: &[Value]) -> Evaluated<Vec<Value>> {
        let container = self.containing(env)?;
        let (references, resources) = self.include(env, arguments)?;
        let state = self.state()?;
        for id in resources {
            state.contain(container, id);
        }
        Ok(references)
    }

    /// `require(…)`: the class or resource around the call waits for the classes.
    pub(crate) fn require_classes(&mut self, env: &Env<'_>, arguments: &[Value]) -> Evaluated<Vec<Value>> {
        let container = self.containing(env)?;
        let (references, _) = self.include(env, arguments)?;
        let state = self.state()?;
        for reference in &references {
            let instance = state.resource(container);
            let before = flattened([instance.value("require").clone()]);
            let all = before.into_iter().filter(|it| *it != Value::Undef).chain([reference.clone()]);
            let parameter = Parameter {
                value: Value::Array(all.collect()),
                source: Rc::clone(&instance.source),
                place: None,
                append: false,
            };
            state.set_parameter(container, "require", parameter)?;
        }
        Ok(references)
    }

    /// Why a class may have variables that it lacks: skipped code may have evaluated it, or set them in it.
    pub(crate) fn may_lack_variables(&self, class: &str) -> Option<Cause> {
        let state = self.catalog.as_ref()?;
        match state.class_scopes.get(&*class.to_lowercase()) {
            Some(scope) => scope.open(),
            None => state.doubts.may_be_declared(&Reference::class(class)).cloned(),
        }
    }

    /// The variable of a class that has been evaluated, or of those that it inherits from (C10, C12).
    pub(crate) fn class_variable(&self, class: &str, name: &str) -> Option<Value> {
        let mut scope = self.catalog.as_ref()?.class_scopes.get(&*class.to_lowercase())?;
        loop {
            if let Some(value) = scope.get(name) {
                return Some(value);
            }
            scope = scope.inherited.as_ref()?;
        }
    }
}

/// A class name without `::` before it.
fn plain(name: &str) -> Str {
    name.strip_prefix("::").unwrap_or(name).into()
}

/// The names that arguments give, in lower case, with `::` before them (E4).
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
                TypeKind::Resource(ResourceType { type_name: Some(name), title }) => {
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
