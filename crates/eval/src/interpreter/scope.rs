//! Scopes and frames: the storage of variables while a program runs.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::map::Entry;
use marotte_catalog::{Named, Reference};
use marotte_hir::ExprId;
use marotte_hir::body::Candidate;
use marotte_pcore::ops::MatchVariables;
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;

use super::tracing::{Traces, keep, kept};
use crate::catalog::{Container, ContainerState, Trace};
use crate::{Code, Place};

/// A scope whose variables are visible to other code: the top scope; in catalogs, also those of classes, resources and
/// nodes.
#[derive(Default)]
pub(crate) struct Scope {
    variables: RefCell<Named<Value>>,
    /// The captures of the last successful match of a regular expression that is still visible (B41, B56).
    captures: RefCell<Option<Rc<MatchVariables>>>,
    /// The scope of the parent class (C12, C17).
    pub(crate) inherited: Option<Rc<Scope>>,
    /// The scope of the node, or the top scope: where variables are looked up last (C4, C5). None in the top scope.
    pub(crate) global: Option<Rc<Scope>>,
    /// The local variables of lambdas and functions in this scope that are currently declaring classes, innermost last:
    /// these classes see them, as in the reference.
    locals: RefCell<Vec<Named<Value>>>,
    /// The parameters of a class or resource while they are being bound.
    parameters: RefCell<Option<Parameters>>,
    /// The class, resource or node to which the scope belongs in a catalog.
    pub(crate) container: OnceCell<Container>,
    /// Variables that skipped code may have set.
    doubtful: RefCell<Named<Arc<Unknown>>>,
    /// Set if any variable may have been set.
    open: RefCell<Option<Arc<Unknown>>>,
    /// The provenance of its variables, if recorded.
    traces: Traces<Str>,
}

/// The variables of a scope between two programs, and the resource defaults set in it.
pub(crate) struct ScopeState {
    variables: Named<Value>,
    captures: Option<Rc<MatchVariables>>,
    doubtful: Named<Arc<Unknown>>,
    open: Option<Arc<Unknown>>,
    container: Option<ContainerState>,
}

/// The parameters of a class or resource while they are being bound.
struct Parameters {
    /// The class or resource as messages name it.
    owner: Reference,
    /// The values in order of declaration, followed by further parameters of the resource.
    values: Named<Option<Value>>,
    /// The index of the parameter whose default is being evaluated.
    evaluating: Option<usize>,
}

impl Scope {
    /// Creates a top scope.
    pub(crate) fn top() -> Scope {
        Scope::default()
    }

    /// Creates the scope of a class, resource or node in a catalog.
    pub(crate) fn of(container: Container, inherited: Option<Rc<Scope>>, global: Option<Rc<Scope>>) -> Scope {
        Scope { inherited, global, container: OnceCell::from(container), ..Scope::default() }
    }

    /// Copies the state of the scope, so that it can be restored.
    pub(crate) fn save(&self) -> ScopeState {
        ScopeState {
            variables: self.variables.borrow().clone(),
            captures: self.captures(),
            doubtful: self.doubtful.borrow().clone(),
            open: self.open(),
            container: self.container.get().map(Container::save),
        }
    }

    /// Restores a state that was saved while no program was running.
    pub(crate) fn restore(&self, state: ScopeState) {
        self.variables.replace(state.variables);
        self.captures.replace(state.captures);
        self.doubtful.replace(state.doubtful);
        self.open.replace(state.open);
        if let (Some(container), Some(state)) = (self.container.get(), state.container) {
            container.restore(state);
        }
    }

    /// Replaces values of variables and parameters by `replace`.
    pub(crate) fn replace_values(&self, replace: &dyn Fn(&Value) -> Option<Value>) {
        for value in self.variables.borrow_mut().values_mut() {
            if let Some(new) = replace(value) {
                *value = new;
            }
        }
        if let Some(parameters) = &mut *self.parameters.borrow_mut() {
            for value in parameters.values.values_mut().flatten() {
                if let Some(new) = replace(value) {
                    *value = new;
                }
            }
        }
        for value in self.locals.borrow_mut().iter_mut().flat_map(|it| it.values_mut()) {
            if let Some(new) = replace(value) {
                *value = new;
            }
        }
    }

    /// The value of a variable of this scope.
    pub(crate) fn get(&self, name: &str) -> Option<Value> {
        if let Some(parameters) = &*self.parameters.borrow()
            && let Some(Some(value)) = parameters.values.get(name)
        {
            return Some(value.clone());
        }
        self.variables.borrow().get(name).cloned().or_else(|| self.doubtful.borrow().get(name).map(doubtful))
    }

    /// The value of a variable of this scope, or of a lambda or function in it that is currently declaring a class.
    pub(crate) fn visible(&self, name: &str) -> Option<Value> {
        let locals = self.locals.borrow();
        locals.iter().rev().find_map(|it| it.get(name).cloned()).or_else(|| self.get(name))
    }

    /// Makes the local variables of a frame visible to classes declared from now on, until they are hidden again.
    pub(crate) fn show_locals(&self, frame: &Frame<'_>) {
        self.locals.borrow_mut().push(frame.all());
    }

    /// Hides the local variables that were made visible most recently.
    pub(crate) fn hide_locals(&self) {
        self.locals.borrow_mut().pop();
    }

    /// The value of a variable in this scope or an enclosing one.
    pub(crate) fn find(&self, name: &str) -> Option<Value> {
        let mut scope = self;
        loop {
            if let Some(value) = scope.visible(name) {
                return Some(value);
            }
            // Variables provided by requests cannot be set in the top scope.
            let outer = scope.inherited.as_ref().or(scope.global.as_ref())?;
            if let Some(by) = scope.open.borrow().as_ref() {
                return Some(doubtful(by));
            }
            scope = outer;
        }
    }

    /// Sets the trace of a variable.
    pub(crate) fn keep_trace(&self, name: &str, trace: Arc<Trace>) {
        keep(&self.traces, name.into(), trace);
    }

    /// The trace of a variable of this scope.
    pub(crate) fn own_trace(&self, name: &str) -> Option<Arc<Trace>> {
        kept(&self.traces, &name.into())
    }

    /// Finds a variable as [`find`](Scope::find) does, and returns its trace. The outer None if the variable doesn't exist.
    pub(crate) fn find_trace(&self, name: &str) -> Option<Option<Arc<Trace>>> {
        let mut scope = self;
        loop {
            if scope.visible(name).is_some() {
                return Some(scope.own_trace(name));
            }
            scope = scope.inherited.as_ref().or(scope.global.as_ref())?;
        }
    }

    /// Records that skipped code may have set a variable. A variable that is set keeps its value.
    pub(crate) fn doubt(&self, name: &str, by: &Arc<Unknown>) {
        if !self.variables.borrow().contains_key(name) {
            self.doubtful.borrow_mut().entry(name.into()).or_insert_with(|| Arc::clone(by));
        }
    }

    /// Records that any variable may have been set.
    pub(crate) fn doubt_all(&self, by: &Arc<Unknown>) {
        self.open.borrow_mut().get_or_insert_with(|| Arc::clone(by));
    }

    /// Why any variable of this scope may have been set.
    pub(crate) fn open(&self) -> Option<Arc<Unknown>> {
        self.open.borrow().clone()
    }

    /// Whether it depends on skipped code if a variable is set in this scope or an enclosing one.
    pub(crate) fn is_doubtful(&self, name: &str) -> bool {
        let mut scope = self;
        loop {
            if scope.variables.borrow().contains_key(name) {
                return false;
            }
            if scope.doubtful.borrow().contains_key(name) || scope.open.borrow().is_some() {
                return true;
            }
            match scope.inherited.as_ref().or(scope.global.as_ref()) {
                Some(outer) => scope = outer,
                None => return false,
            }
        }
    }

    /// The scope of the enclosing node, if there is one, otherwise the top scope. None for the top scope itself.
    pub(crate) fn node_or_top(self: &Rc<Scope>) -> Option<&Rc<Scope>> {
        if self.container.get().is_some_and(Container::is_node) {
            return Some(self);
        }
        let mut scope = self;
        while let Some(parent) = &scope.inherited {
            scope = parent;
        }
        scope.global.as_ref()
    }

    /// Starts the binding of the parameters of a class or resource.
    pub(crate) fn open_parameters(&self, owner: Reference, names: impl Iterator<Item = Str>) {
        let values = names.map(|name| (name, None)).collect();
        self.parameters.replace(Some(Parameters { owner, values, evaluating: None }));
    }

    /// Binds a parameter to its value.
    pub(crate) fn bind(&self, name: &str, value: Value) {
        if let Some(parameters) = &mut *self.parameters.borrow_mut() {
            parameters.values.insert(name.into(), Some(value));
        }
    }

    /// Sets the parameter whose default is being evaluated; nothing can be assigned in the scope meanwhile.
    pub(crate) fn evaluate_default(&self, index: Option<usize>) {
        if let Some(parameters) = &mut *self.parameters.borrow_mut() {
            parameters.evaluating = index;
        }
    }

    /// Whether the default of a parameter is being evaluated.
    pub(crate) fn is_read_only(&self) -> bool {
        self.parameters.borrow().as_ref().is_some_and(|it| it.evaluating.is_some())
    }

    /// The error message for reading a parameter that has no value yet; None if it is not a parameter, or has a value
    /// (C39).
    pub(crate) fn unset_parameter(&self, name: &str) -> Option<String> {
        let parameters = self.parameters.borrow();
        let Parameters { owner, values, evaluating } = parameters.as_ref()?;
        let (asked, _, value) = values.get_full(name)?;
        let from = (*evaluating)?;
        if value.is_some() {
            return None;
        }
        if asked < from {
            return Some(format!("{owner}: expects a value for parameter ${name}"));
        }
        let (from, _) = values.get_index(from)?;
        Some(format!(
            "{owner}: default expression for ${from} tries to illegally access not yet evaluated ${name}"
        ))
    }

    /// Ends the binding of the parameters; returns those that have values.
    pub(crate) fn close_parameters(&self) -> Vec<(Str, Value)> {
        let Some(parameters) = self.parameters.take() else { return Vec::new() };
        parameters.values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Sets a variable. Returns whether it was not set yet; if it was, it keeps its value.
    pub(crate) fn set(&self, name: &str, value: Value) -> bool {
        match self.variables.borrow_mut().entry(name.into()) {
            Entry::Occupied(_) => false,
            Entry::Vacant(free) => {
                free.insert(value);
                self.doubtful.borrow_mut().swap_remove(name);
                true
            }
        }
    }

    /// The variables and parameters of this scope. None if skipped code may have set others.
    pub(crate) fn own(&self) -> Option<Vec<(Str, Value)>> {
        if self.open.borrow().is_some() || !self.doubtful.borrow().is_empty() {
            return None;
        }
        let mut own: Named<Value> = self.variables.borrow().clone();
        if let Some(parameters) = &*self.parameters.borrow() {
            let given = parameters.values.iter().filter_map(|(name, it)| Some((name.clone(), it.clone()?)));
            own.extend(given);
        }
        Some(own.into_iter().collect())
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> Vec<Str> {
        self.variables.borrow().keys().cloned().collect()
    }

    /// The capture of a group by the last match.
    pub(crate) fn group(&self, number: u32) -> Option<Value> {
        Some(self.captures.borrow().as_ref()?.get(number as usize))
    }

    /// Sets the captures; returns the previous ones, so that the caller can restore them.
    pub(crate) fn replace_captures(
        &self,
        captures: Option<Rc<MatchVariables>>,
    ) -> Option<Rc<MatchVariables>> {
        self.captures.replace(captures)
    }

    pub(crate) fn captures(&self) -> Option<Rc<MatchVariables>> {
        self.captures.borrow().clone()
    }
}

/// The variables of one call of a function, lambda or template.
pub(crate) struct Frame<'e> {
    /// The name of the function, lambda or template in messages.
    owner: &'e str,
    pub(crate) names: &'e [Str],
    slots: RefCell<Box<[Option<Value>]>>,
    /// The slots that skipped code may have set.
    doubtful: RefCell<Vec<(usize, Arc<Unknown>)>>,
    /// The frame of the enclosing function, lambda or template.
    pub(crate) outer: Option<&'e Frame<'e>>,
    /// The progress of binding the parameters, while that lasts.
    pub(crate) parameters: Cell<Option<Binding>>,
    /// The number of the changes in place of values that the slots reflect at least.
    pub(crate) seen: Cell<usize>,
    /// The text that a template has rendered so far.
    pub(crate) rendered: Option<RefCell<super::template::Rendered>>,
    /// The provenance of its slots, if recorded.
    traces: Traces<usize>,
}

impl<'e> Frame<'e> {
    pub(crate) fn new(owner: &'e str, names: &'e [Str], outer: Option<&'e Frame<'e>>) -> Frame<'e> {
        let slots = RefCell::new(names.iter().map(|_| None).collect());
        let (doubtful, parameters) = (RefCell::default(), Cell::new(None));
        let (seen, traces) = (Cell::new(0), RefCell::default());
        Frame { owner, names, slots, doubtful, outer, parameters, seen, rendered: None, traces }
    }

    /// Creates a frame with exactly these variables.
    pub(crate) fn with_values(names: &'e [Str], values: &[Value], outer: Option<&'e Frame<'e>>) -> Frame<'e> {
        let slots = RefCell::new(values.iter().cloned().map(Some).collect());
        Frame { slots, ..Frame::new("", names, outer) }
    }

    /// The value in a slot.
    pub(crate) fn get(&self, slot: usize) -> Option<Value> {
        self.slots.borrow().get(slot)?.clone()
    }

    /// Whether a slot is set.
    pub(crate) fn is_set(&self, slot: usize) -> bool {
        self.slots.borrow().get(slot).is_some_and(Option::is_some)
    }

    /// Sets the value in a slot. Returns whether it was not set yet.
    pub(crate) fn set(&self, slot: usize, value: Value) -> bool {
        let mut slots = self.slots.borrow_mut();
        let Some(unset) = slots.get_mut(slot).filter(|it| it.is_none()) else { return false };
        *unset = Some(value);
        true
    }

    /// Replaces values of this frame and the enclosing ones by `replace`.
    pub(crate) fn replace_values(&self, replace: &dyn Fn(&Value) -> Option<Value>) {
        for frame in std::iter::successors(Some(self), |it| it.outer) {
            for value in frame.slots.borrow_mut().iter_mut().flatten() {
                if let Some(new) = replace(value) {
                    *value = new;
                }
            }
        }
    }

    /// Records that skipped code may have set a slot. A slot that is set keeps its value.
    pub(crate) fn doubt(&self, slot: usize, by: &Arc<Unknown>) {
        if !self.is_set(slot) {
            self.doubtful.borrow_mut().push((slot, Arc::clone(by)));
        }
    }

    /// The value in a slot, unknown if skipped code may have set it.
    fn read(&self, slot: usize) -> Option<Value> {
        let may_be_set = || {
            let doubtful = self.doubtful.borrow();
            doubtful.iter().find(|it| it.0 == slot).map(|(_, by)| Value::Unknown(by.computed()))
        };
        self.get(slot).or_else(may_be_set)
    }

    /// Whether it depends on skipped code if a variable is set in this frame or an enclosing one.
    pub(crate) fn is_doubtful(&self, name: &str) -> bool {
        let mut frame = Some(self);
        while let Some(it) = frame {
            if let Some(slot) = it.names.iter().position(|it| it == name) {
                if it.is_set(slot) {
                    return false;
                }
                if it.read(slot).is_some() {
                    return true;
                }
            }
            frame = it.outer;
        }
        false
    }

    /// The frame `count` levels out.
    fn up(&self, count: u16) -> Option<&Frame<'e>> {
        let mut frame = self;
        for _ in 0..count {
            frame = frame.outer?;
        }
        Some(frame)
    }

    /// The value of a variable in this frame or an enclosing one, searched by name.
    pub(crate) fn find(&self, name: &str) -> Option<Value> {
        let mut frame = Some(self);
        while let Some(it) = frame {
            if let Some(value) = it.names.iter().position(|it| it == name).and_then(|slot| it.read(slot)) {
                return Some(value);
            }
            frame = it.outer;
        }
        None
    }

    /// Returns all variables of this frame and the enclosing ones; of equal names, the innermost.
    pub(crate) fn all(&self) -> Named<Value> {
        let mut all = Named::default();
        let mut frame = Some(self);
        while let Some(it) = frame {
            for (name, value) in it.names.iter().zip(it.slots.borrow().iter()) {
                if let Some(value) = value {
                    all.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
            frame = it.outer;
        }
        all
    }

    /// The error message for reading a parameter that has no value yet; None if it is not a parameter, or has a value
    /// (C39).
    pub(crate) fn unset_parameter(&self, name: &str) -> Option<String> {
        let (Binding { count, index }, owner) = (self.parameters.get()?, self.owner);
        let asked = self.names.get(..count)?.iter().position(|it| it == name)?;
        if asked < index {
            return Some(format!("{owner}: expects a value for parameter ${name}"));
        }
        let from = &self.names[index];
        Some(format!(
            "{owner}: default expression for ${from} tries to illegally access not yet evaluated ${name}"
        ))
    }

    /// Sets the trace of a slot.
    pub(crate) fn keep_trace(&self, slot: usize, trace: Arc<Trace>) {
        keep(&self.traces, slot, trace);
    }

    /// The trace of the first candidate slot that is set.
    pub(crate) fn first_trace(&self, candidates: &[Candidate]) -> Option<Arc<Trace>> {
        candidates.iter().find_map(|it| {
            let (frame, slot) = (self.up(it.up)?, usize::from(it.slot));
            frame.read(slot).map(|_| kept(&frame.traces, &slot))
        })?
    }

    /// The trace of a variable in this frame or an enclosing one, searched by name.
    pub(crate) fn find_trace(&self, name: &str) -> Option<Arc<Trace>> {
        let mut frame = Some(self);
        while let Some(it) = frame {
            let slot = it.names.iter().position(|it| it == name);
            if let Some(slot) = slot.filter(|it_| it.read(*it_).is_some()) {
                return kept(&it.traces, &slot);
            }
            frame = it.outer;
        }
        None
    }

    /// The value in the first candidate slot that is set.
    pub(crate) fn first(&self, candidates: &[Candidate]) -> Option<Value> {
        candidates.iter().find_map(|it| self.up(it.up)?.read(usize::from(it.slot)))
    }
}

/// The progress of binding the parameters of a call.
#[derive(Clone, Copy)]
pub(crate) struct Binding {
    /// The number of parameters; their slots come first.
    pub(crate) count: usize,
    /// The index of the parameter whose default is being evaluated.
    pub(crate) index: usize,
}

/// The environment of an expression.
#[derive(Clone, Copy)]
pub(crate) struct Env<'e> {
    /// The body that contains the expression.
    pub(crate) code: &'e Code,
    /// The innermost frame. None in statements whose variables are those of the scope.
    pub(crate) frame: Option<&'e Frame<'e>>,
    /// The scope that encloses all frames.
    pub(crate) scope: &'e Rc<Scope>,
    /// The number of frames that belong to the body itself; those farther out belong to another body.
    pub(crate) own_frames: u16,
}

impl<'e> Env<'e> {
    /// The place of an expression in this body.
    pub(crate) fn place(&self, expr: ExprId) -> Place {
        Place { origin: self.code.origin.clone(), expr: Some(expr) }
    }

    /// The frame that encloses those of this body.
    pub(crate) fn foreign_frame(&self) -> Option<&'e Frame<'e>> {
        let mut frame = self.frame;
        for _ in 0..self.own_frames {
            frame = frame?.outer;
        }
        frame
    }

    /// The value of a local variable, searched by name.
    pub(crate) fn find(&self, name: &str) -> Option<Value> {
        self.frame?.find(name)
    }
}

fn doubtful(by: &Arc<Unknown>) -> Value {
    Value::Unknown(by.computed())
}
