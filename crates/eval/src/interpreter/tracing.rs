//! The recorder of provenance. Without one, evaluation records nothing.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use marotte_catalog::Reference;
use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Variable};
use marotte_pcore::value::Value;
use marotte_text::{Str, split_namespace};

use super::{Env, Evaluated, Interpreter, Scope};
use crate::Place;
use crate::catalog::{
    Arrow, Declaration, DeclarationKind, Read, ReadSource, Reads, ResourceId, Trace, TraceKind,
};

/// The maximal number of traces and reads of an evaluation.
const RECORDS: usize = 2_000_000;

/// The maximal number of reads of one value.
const READS: usize = 200;

/// The traces of the variables of a scope or frame. Empty unless an evaluation is recorded.
pub(crate) type Traces<K> = RefCell<Option<Box<HashMap<K, Arc<Trace>>>>>;

/// The recorder of an evaluation.
#[derive(Default)]
pub(crate) struct Tracing {
    /// The values that are being evaluated, outermost first, with their reads so far.
    spans: RefCell<Vec<Reads>>,
    /// The values that the arguments of the running calls have read, outermost first.
    calls: RefCell<Vec<Rc<Reads>>>,
    records: Cell<usize>,
    declared: RefCell<HashMap<ResourceId, Vec<Declaration>>>,
    arrows: RefCell<Vec<Arrow>>,
}

/// The spans and calls of the code around a body that is evaluated separately.
pub(crate) struct Suspended(Vec<Reads>, Vec<Rc<Reads>>);

impl Tracing {
    /// Counts a record. Returns whether it may be kept.
    fn count(&self) -> bool {
        let count = self.records.get();
        self.records.set(count.saturating_add(1));
        count < RECORDS
    }

    /// Whether some records were dropped.
    pub(crate) fn is_cut(&self) -> bool {
        self.records.get() > RECORDS
    }

    fn note(&self, read: Read) {
        let mut spans = self.spans.borrow_mut();
        let Some(span) = spans.last_mut() else { return };
        let is_known = span.all.iter().any(|it| {
            let is_here =
                Arc::ptr_eq(&it.place.origin, &read.place.origin) && it.place.expr == read.place.expr;
            // Ruby code reads different variables at one place.
            let is_named = it.name.starts_with(&*read.name);
            is_named && (is_here || it.name == read.name && is_same(&it.source, &read.source))
        });
        if is_known {
            return;
        }
        if span.all.len() < READS && self.count() {
            span.all.push(read);
        } else {
            span.more += 1;
        }
    }

    /// Records that something declares a resource.
    pub(crate) fn declare(&self, id: ResourceId, declaration: Declaration) {
        /// The maximal number of declarations of one resource that are kept.
        const DECLARATIONS: usize = 100;
        let mut declared = self.declared.borrow_mut();
        let own = declared.entry(id).or_default();
        if own.len() < DECLARATIONS && self.count() {
            own.push(declaration);
        }
    }

    /// Returns the constructs that declare a resource.
    pub(crate) fn declarations(&self, id: ResourceId) -> Vec<Declaration> {
        self.declared.borrow().get(&id).cloned().unwrap_or_default()
    }

    /// Records the relationship of an arrow.
    pub(crate) fn relate(&self, arrow: Arrow) {
        if self.count() {
            self.arrows.borrow_mut().push(arrow);
        }
    }

    /// The relationships of arrows.
    pub(crate) fn arrows(&self) -> Vec<Arrow> {
        self.arrows.borrow().clone()
    }
}

/// Whether two reads are of the same value of a variable.
fn is_same(one: &ReadSource, other: &ReadSource) -> bool {
    match (one, other) {
        (ReadSource::Set(one), ReadSource::Set(other)) => Arc::ptr_eq(one, other),
        (ReadSource::Fact, ReadSource::Fact) | (ReadSource::Node, ReadSource::Node) => true,
        _ => false,
    }
}

/// Whether two collections are the same one, which is known without comparing their elements.
fn is_identical(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => one.as_ptr() == other.as_ptr(),
        (Value::Hash(one), Value::Hash(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

/// Sets the trace of a variable.
pub(crate) fn keep<K: std::hash::Hash + Eq>(traces: &Traces<K>, key: K, trace: Arc<Trace>) {
    traces.borrow_mut().get_or_insert_default().insert(key, trace);
}

/// The trace of a variable.
pub(crate) fn kept<K: std::hash::Hash + Eq>(traces: &Traces<K>, key: &K) -> Option<Arc<Trace>> {
    traces.borrow().as_ref()?.get(key).cloned()
}

impl Interpreter<'_> {
    /// Records the provenance of values from now on.
    pub fn record_provenance(&mut self) {
        self.tracing = Some(Box::default());
    }

    /// Whether provenance is recorded.
    pub(crate) fn is_tracing(&self) -> bool {
        self.tracing.is_some()
    }

    /// Runs a computation, and returns its result together with its reads, if these are recorded.
    pub(crate) fn reading<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> (T, Option<Reads>) {
        let Some(tracing) = &self.tracing else { return (body(self), None) };
        tracing.spans.borrow_mut().push(Reads::default());
        let result = body(self);
        let reads = self.tracing.as_ref().and_then(|it| it.spans.borrow_mut().pop());
        (result, reads)
    }

    /// Evaluates the arguments of a call, and then the call, to whose parameters their reads belong.
    pub(crate) fn calling<A, T>(
        &mut self,
        arguments: impl FnOnce(&mut Self) -> Evaluated<A>,
        call: impl FnOnce(&mut Self, A) -> Evaluated<T>,
    ) -> Evaluated<T> {
        if self.tracing.is_none() {
            let arguments = arguments(self)?;
            return call(self, arguments);
        }
        let (arguments, reads) = self.reading(arguments);
        let arguments = arguments?;
        if let (Some(tracing), Some(reads)) = (&self.tracing, reads) {
            // The value around the call has read them, too.
            reads.all.iter().for_each(|it| tracing.note(it.clone()));
            tracing.calls.borrow_mut().push(Rc::new(reads));
        }
        let result = call(self, arguments);
        if let Some(tracing) = &self.tracing {
            tracing.calls.borrow_mut().pop();
        }
        result
    }

    /// Returns the values that the arguments of the innermost call have read.
    pub(crate) fn argument_reads(&self) -> Reads {
        let last = self.tracing.as_ref().and_then(|it| it.calls.borrow().last().cloned());
        last.map(|it| Reads::clone(&it)).unwrap_or_default()
    }

    /// Starts a body that is evaluated separately, at its first use.
    pub(crate) fn suspend_tracing(&self) -> Option<Suspended> {
        let tracing = self.tracing.as_ref()?;
        Some(Suspended(tracing.spans.take(), tracing.calls.take()))
    }

    /// Ends a body that is evaluated separately.
    pub(crate) fn resume_tracing(&self, suspended: Option<Suspended>) {
        if let (Some(tracing), Some(Suspended(spans, calls))) = (&self.tracing, suspended) {
            tracing.spans.replace(spans);
            tracing.calls.replace(calls);
        }
    }

    /// Returns the trace of a value that code at a place sets. None if nothing is recorded.
    pub(crate) fn trace(
        &self,
        env: &Env<'_>,
        kind: TraceKind,
        place: &Place,
        value: &Value,
        reads: &Reads,
    ) -> Option<Arc<Trace>> {
        let tracing = self.tracing.as_ref()?;
        if !tracing.count() {
            return None;
        }
        let (place, within) = (Some(place.clone()), self.within(env.scope));
        Some(Arc::new(Trace::new(kind, place, within, value.clone(), reads.clone())))
    }

    /// The class, resource or node to which a scope belongs; None for the top scope.
    pub(crate) fn within(&self, scope: &Rc<Scope>) -> Option<Reference> {
        let container = scope.container.get().filter(|_| !Rc::ptr_eq(scope, &self.top))?;
        Some(self.catalog.as_ref()?.resource(container.resource).reference.clone())
    }

    /// Records that something declares a resource.
    pub(crate) fn declared_by(
        &self,
        id: ResourceId,
        kind: DeclarationKind,
        place: Option<Place>,
        scope: &Rc<Scope>,
    ) {
        if let Some(tracing) = &self.tracing {
            tracing.declare(id, Declaration { kind, place, within: self.within(scope) });
        }
    }

    /// Records a read of a variable that an expression names.
    pub(super) fn note_read(&self, env: &Env<'_>, variable: &Variable, id: ExprId, value: &Value) {
        match variable {
            Variable::Local { name, candidates } => {
                if let Some(frame) = env.frame {
                    if frame.first(candidates).is_some() {
                        let trace = frame.first_trace(candidates);
                        return self.note_traced(env, name, id, value, trace);
                    }
                    if let Some(frame) = env.foreign_frame().filter(|it| it.find(name).is_some()) {
                        return self.note_traced(env, name, id, value, frame.find_trace(name));
                    }
                }
                self.note_in_scope(env, name, id, value);
            }
            Variable::Top(name) => self.note_global(env, name, id, value),
            Variable::Qualified { scope, name, .. } => self.note_qualified(env, scope, name, id, value),
            Variable::Group(_) => {}
        }
    }

    /// Records a read of a variable by a name that is computed, or that Ruby code or data has.
    pub(crate) fn note_named_read(&self, env: &Env<'_>, name: &str, at: ExprId, value: &Value) {
        if self.tracing.is_none() {
            return;
        }
        let absolute = name.strip_prefix("::");
        if let Some((scope, name)) = split_namespace(absolute.unwrap_or(name)) {
            return self.note_qualified(env, scope, name, at, value);
        }
        match absolute {
            Some(name) => self.note_global(env, name, at, value),
            None => match env.frame.filter(|it| it.find(name).is_some()) {
                Some(frame) => self.note_traced(env, name, at, value, frame.find_trace(name)),
                None => self.note_in_scope(env, name, at, value),
            },
        }
    }

    fn note_in_scope(&self, env: &Env<'_>, name: &str, at: ExprId, value: &Value) {
        match env.scope.find_trace(name) {
            Some(trace) => self.note_traced(env, name, at, value, trace),
            None => self.note_global(env, name, at, value),
        }
    }

    fn note_qualified(&self, env: &Env<'_>, class: &str, name: &str, at: ExprId, value: &Value) {
        let shown = format!("{class}::{name}");
        if class == "settings" {
            return self.note_source(env, &shown, at, value, ReadSource::Node);
        }
        let scopes = self.catalog.as_ref().map(|it| &it.class_scopes);
        let mut scope = scopes.and_then(|it| it.get(&*class.to_lowercase()));
        while let Some(it) = scope {
            if it.visible(name).is_some() {
                return self.note_traced(env, &shown, at, value, it.own_trace(name));
            }
            scope = it.inherited.as_ref();
        }
    }

    fn note_global(&self, env: &Env<'_>, name: &str, at: ExprId, value: &Value) {
        if self.top.get(name).is_some() {
            return self.note_traced(env, name, at, value, self.top.own_trace(name));
        }
        let is_fact = name == "facts" || self.requests.fact(name).is_some_and(|it| it == *value);
        let is_provided = self.requests.variable(name).is_some();
        match (is_provided, is_fact) {
            (false, _) => {}
            (true, true) => self.note_source(env, name, at, value, ReadSource::Fact),
            (true, false) => self.note_source(env, name, at, value, ReadSource::Node),
        }
    }

    /// Records a read of a variable that code has set. The values of parameters of templates are those of the call around it.
    fn note_traced(&self, env: &Env<'_>, name: &str, at: ExprId, value: &Value, trace: Option<Arc<Trace>>) {
        if let Some(trace) = trace {
            self.note_source(env, name, at, value, ReadSource::Set(trace));
        }
    }

    /// Records that a value was read.
    pub(crate) fn note_source(
        &self,
        env: &Env<'_>,
        name: &str,
        at: ExprId,
        value: &Value,
        source: ReadSource,
    ) {
        if let Some(tracing) = &self.tracing {
            tracing.note(Read { name: name.into(), place: env.place(at), value: value.clone(), source });
        }
    }

    /// Records a read of a fact that an expression names.
    pub(super) fn note_fact(&self, env: &Env<'_>, name: &str, at: ExprId, value: &Value) {
        if self.tracing.is_some() {
            self.note_source(env, &format!("facts.{name}"), at, value, ReadSource::Fact);
        }
    }

    /// Records that only a part of a variable was read: of the value `whole` of `$x` the one of `$x['key']`.
    pub(super) fn note_part(
        &self,
        env: &Env<'_>,
        target: ExprId,
        whole: &Value,
        keys: &[Value],
        value: &Value,
    ) {
        let Some(tracing) = &self.tracing else { return };
        let mut root = target;
        while let Expr::Access { target, .. } = env.code.body.expr(root) {
            root = *target;
        }
        if !matches!(env.code.body.expr(root), Expr::Variable(_)) {
            return;
        }
        let mut spans = tracing.spans.borrow_mut();
        let Some(span) = spans.last_mut() else { return };
        let is_it = |it: &&mut Read| {
            Arc::ptr_eq(&it.place.origin, &env.code.origin)
                && it.place.expr == Some(root)
                && is_identical(&it.value, whole)
        };
        let Some(read) = span.all.iter_mut().rev().find(is_it) else { return };
        let mut name = read.name.to_string();
        for key in keys {
            name.push('.');
            match key {
                Value::String(key) => name.push_str(key),
                key => name.push_str(&marotte_pcore::print::literal(key)),
            }
        }
        read.name = Str::from(name);
        read.value = value.clone();
    }
}
