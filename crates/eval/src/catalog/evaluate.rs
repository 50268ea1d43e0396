//! Evaluation of the bodies of classes, resources and nodes, each in a scope of its own (F3, F4).

use std::rc::Rc;

use marotte_catalog::Reference;
use marotte_pcore::value::Value;

use super::Definition;
use super::costs::charge_tags;
use super::instance::{Container, Instance, Parameter, ResourceId};
use crate::interpreter::{Env, Evaluated, Interpreter, Scope, with_stack};
use crate::{Code, EvaluationError, Origin, Unwind};

impl Interpreter<'_> {
    /// Evaluates the body of a class, resource or node, unless that has been done or is in progress.
    pub(super) fn evaluate_resource(&mut self, id: ResourceId) -> Evaluated<()> {
        let instance = self.state()?.resource_mut(id);
        if std::mem::replace(&mut instance.evaluated, true) {
            return Ok(());
        }
        let Some(definition) = instance.kind.definition().cloned() else { return Ok(()) };
        let place = instance.place.clone().or_else(|| definition.place.clone());
        self.take_scope_tags(id)?;
        let evaluate = |it: &mut Self| with_stack(|| it.evaluate_code(id, &definition));
        match place {
            Some(place) => self.deeper(|| place, evaluate),
            None => evaluate(self),
        }
    }

    /// Adds the tags of the enclosing class or resource to a resource, once.
    pub(super) fn take_scope_tags(&mut self, id: ResourceId) -> Evaluated<()> {
        let top = self.top.container.get().map(|it| it.resource);
        let state = self.state()?;
        let instance = state.resource_mut(id);
        if std::mem::replace(&mut instance.has_scope_tags, true) {
            return Ok(());
        }
        if instance.elsewhere.is_some() {
            // It may have the tags of another class.
            return Ok(());
        }
        let container = instance.scope.container.get().map(|it| it.resource).or(top);
        if let Some(container) = container.filter(|it| *it != id) {
            charge_tags(&self.budget().clone(), &self.state()?.resource(container).tags)?;
            self.state()?.share_tags(container, id);
        }
        Ok(())
    }

    fn evaluate_code(&mut self, id: ResourceId, definition: &Rc<Definition>) -> Evaluated<()> {
        let inherited = self.evaluate_parent(definition)?;
        let declared_in = Rc::clone(&self.state()?.resource(id).scope);
        let scope = if definition.is_main() {
            Rc::clone(&self.top)
        } else {
            self.new_scope(id, definition, inherited.unwrap_or(declared_in))
        };
        if !definition.is_define() {
            self.state()?.add_class(&definition.name);
        }
        self.set_parameters(id, definition, &scope)?;
        self.add_to_stage(id)?;
        if let super::definition::DefinitionKind::Node(Some(_), _) = &definition.kind {
            self.capture_node_name(&scope, definition)?;
        }
        let suspended = self.suspend_tracing();
        let result = self.evaluate_statements(definition, &scope);
        self.resume_tracing(suspended);
        result
    }

    /// Evaluates the statements of a class, resource or node.
    fn evaluate_statements(&mut self, definition: &Rc<Definition>, scope: &Rc<Scope>) -> Evaluated<()> {
        let returns = !definition.is_node() && !definition.is_main();
        let all = definition.whole.get_or_init(|| definition.code.iter().map(|it| self.whole(it)).collect());
        for code in all {
            let statements = definition.statements(code);
            let env = Env { code, frame: None, scope, own_frames: 0 };
            let captures = scope.captures();
            let result = match definition.is_main() {
                true => self.in_program(code, |it| it.statements_by_themselves(&env, statements)),
                false => self.statements_by_themselves(&env, statements),
            };
            scope.replace_captures(captures);
            match result {
                Ok(()) => {}
                Err(Unwind::Next(_) | Unwind::Return(_)) if returns => {}
                // The rest has been skipped.
                Err(Unwind::Undecided(_)) => {}
                Err(unwind) => return Err(illegal(unwind)),
            }
        }
        Ok(())
    }

    /// The complete code of a definition of which only the head has been loaded.
    pub(super) fn whole(&self, code: &Code) -> Code {
        let body = match &*code.origin {
            Origin::File { path, definition: Some(index) } => self.requests.body(path, *index),
            _ => None,
        };
        Code { body: body.unwrap_or_else(|| code.body.clone()), origin: code.origin.clone() }
    }

    /// Evaluates the parent class of a class; returns its scope.
    fn evaluate_parent(&mut self, class: &Definition) -> Evaluated<Option<Rc<Scope>>> {
        if class.parent.is_none() {
            return Ok(None);
        }
        let parent = self.parent_class(class)?;
        let Some(resource) = self.state()?.find(&Reference::class(&parent.name)) else { return Ok(None) };
        self.evaluate_resource(resource)?;
        match self.state()?.class_scopes.get(&parent.name) {
            Some(scope) => Ok(Some(Rc::clone(scope))),
            None => {
                let message = format!("Could not find scope for {}", parent.name);
                Err(EvaluationError::runtime(message).into())
            }
        }
    }

    /// Creates a scope within another.
    fn new_scope(&self, id: ResourceId, definition: &Rc<Definition>, parent: Rc<Scope>) -> Rc<Scope> {
        let is_global =
            Rc::ptr_eq(&parent, &self.top) || parent.container.get().is_some_and(Container::is_node);
        let global = if is_global { Some(Rc::clone(&parent)) } else { parent.global.clone() };
        let inherited = definition.parent.is_some().then(|| Rc::clone(&parent));
        let container = Container::new(id, Rc::clone(definition), Some(parent));
        Rc::new(Scope::of(container, inherited, global))
    }

    /// Determines the stage that a class belongs to (F36).
    pub(super) fn add_to_stage(&mut self, id: ResourceId) -> Evaluated<()> {
        let top = self.top.container.get().map(|it| it.resource);
        let state = self.state()?;
        let instance = state.resource(id);
        if !instance.is_class() {
            return Ok(());
        }
        let around = instance.scope.container.get().map(|it| it.resource).or(top);
        let own = instance.value("stage").clone();
        let stage = match &own {
            Value::Undef => around.map_or(Value::Undef, |it| state.resource(it).value("stage").clone()),
            own => own.clone(),
        };
        // The stage is not known; if the class was declared elsewhere, it may have got that of another class.
        let has_others = |state: &super::State| {
            let is_other = |it: &Instance| it.is_stage() && &*it.reference.title != "main";
            state.declared().any(|(_, it)| is_other(it)) || state.doubts.may_be_declared_of("Stage").is_some()
        };
        let elsewhere = instance.elsewhere.is_some() && own == Value::Undef && has_others(state);
        if stage.has_unknown() || elsewhere {
            return Ok(());
        }
        let name = match &stage {
            Value::Undef => "main".to_owned(),
            Value::String(name) => name.to_string(),
            other => marotte_pcore::print::literal(other),
        };
        let wanted = Reference::new("stage", &name);
        let Some(found) = state.find(&wanted) else {
            if state.doubts.may_be_declared(&wanted).is_some() {
                return Ok(());
            }
            let reference = &instance.reference;
            let shown = if own == Value::Undef { "main" } else { &name };
            let message = format!("Could not find stage {shown} specified by {reference}");
            return Err(EvaluationError::runtime(message).into());
        };
        if own == Value::Undef && name != "main" {
            let title = Value::String(state.resource(found).reference.title.clone());
            let source = Rc::clone(&instance.source);
            let parameter = Parameter { value: title, source, place: None, append: false, trace: None };
            state.set_parameter(id, "stage", parameter)?;
        }
        state.contain(found, id);
        Ok(())
    }
}

/// Turns an unwinding with nothing left to end into an error.
fn illegal(unwind: Unwind) -> Unwind {
    match unwind {
        Unwind::Error(_) => unwind,
        other => other.into_error().into(),
    }
}
