//! `Type <| … |>`, `Type <<| … |>>`, `realize(…)` (F.4).

use marotte_diagnostics::{issues, rules};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexSet;
use marotte_catalog::Reference;
use marotte_hir::ExprId;
use marotte_hir::body::{self, Expr, Query as Condition, QueryKind};
use marotte_pcore::ops::{self, BinaryOperator, Strictness};
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;

use super::Definition;
use super::attribute::Parameters;
use super::defaults::Defaults;
use super::doubt::{Cause, Change, Which};
use super::instance::ResourceId;
use super::overriding::{Override, refuse_duplicates};
use super::provenance::{Declaration, DeclarationKind, TraceKind};
use super::relationship::Operand;
use super::tagging::{has_tag, tag_text};
use crate::interpreter::{Env, Evaluated, Interpreter, Scope, Truth};
use crate::{EvaluationError, Filter, Place};

/// The index of a collector in its catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CollectorId(usize);

/// A collector: realizes virtual resources.
#[derive(Clone)]
pub(crate) struct Collector {
    kind: CollectorKind,
    /// The resources collected so far, in order.
    pub(crate) collected: IndexSet<ResourceId>,
    /// The operands before it in a relationship chain, used if it collects nothing.
    pub(crate) alternative: Option<Vec<Operand>>,
    /// Resources that it may or may not collect, depending on unknown values.
    doubtful: IndexSet<ResourceId>,
    /// The collector, or the call of `realize`.
    place: Option<Place>,
    /// The class, resource or node whose body has it.
    within: Option<Reference>,
    /// Whether nothing is left to collect.
    done: bool,
}

#[derive(Clone)]
enum CollectorKind {
    /// Resources of a type that match a query.
    Matching(Rc<Matching>),
    /// Specific resources: references, or strings that denote resources.
    Named(Vec<Value>),
}

/// `Type <| query |> { overrides }`.
struct Matching {
    type_name: Str,
    query: Option<Query>,
    /// None if only virtual resources are collected.
    exported: Option<Exported>,
    overrides: Option<Parameters>,
    place: Place,
    /// The scope and the class or defined type of the collector, which resources of other nodes get.
    scope: Rc<Scope>,
    source: Rc<Definition>,
}

/// The source of the exported resources that a collector collects.
enum Exported {
    /// None, because no store is available.
    Nothing,
    /// The resources that this node exports, and those of other nodes that the store finds for a filter.
    Stored(Option<Filter>),
}

/// A query whose values have been evaluated.
enum Query {
    /// The tags, and the value that was given for them.
    Tagged(Vec<Str>, Value),
    Equal(Str, Value),
    NotEqual(Str, Value),
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
}

impl Query {
    /// The titles, one of which every matching resource has. None if it may be any.
    fn titles(&self) -> Option<Vec<&Str>> {
        match self {
            Query::Equal(name, Value::String(title)) if name == "title" => Some(vec![title]),
            Query::And(left, right) => left.titles().or_else(|| right.titles()),
            Query::Or(left, right) => {
                let mut titles = left.titles()?;
                titles.extend(right.titles()?);
                Some(titles)
            }
            Query::Tagged(..) | Query::Equal(..) | Query::NotEqual(..) => None,
        }
    }
}

impl Interpreter<'_> {
    /// Adds a collector; it collects once the evaluation of the current code is complete.
    pub(super) fn collector(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        collector: &body::Collector,
    ) -> Evaluated<CollectorId> {
        if collector.exported && !self.requests.has_store() {
            let message = "You cannot collect exported resources without storeconfigs being set; the collection will be ignored";
            self.warn(issues::RT_NO_STORECONFIGS, message.to_owned(), env.place(id));
        }
        let Expr::Reference(name) = env.code.body.expr(collector.type_ref) else {
            return Err(EvaluationError::runtime("LHS is not a type").into());
        };
        let lower = name.to_lowercase();
        if lower == "class" {
            return Err(EvaluationError::runtime("Classes cannot be collected").into());
        }
        if self.load_resource_kind(&lower)?.is_none() {
            return Err(EvaluationError::runtime(format!("Resource type {lower} doesn't exist")).into());
        }
        let overrides = match &*collector.attributes {
            [] => None,
            attributes => Some(self.known_attributes(env, id, attributes, TraceKind::Collector)?),
        };
        let query = collector.query.as_ref().map(|it| self.query(env, it)).transpose()?;
        let type_name = Reference::new(&lower, "").type_name;
        let exported = match (collector.exported, self.requests.has_store()) {
            (false, _) => None,
            (true, false) => {
                self.state()?.lacks_imports = true;
                Some(Exported::Nothing)
            }
            (true, true) => Some(Exported::Stored(query.as_ref().map(filter).transpose()?)),
        };
        let place = env.place(id);
        let (scope, source) = (Rc::clone(env.scope), self.source(env)?);
        let matching = Matching { type_name, query, exported, overrides, place, scope, source };
        let place = Some(matching.place.clone());
        self.add_collector(CollectorKind::Matching(Rc::new(matching)), place, env.scope)
    }

    fn add_collector(
        &mut self,
        kind: CollectorKind,
        place: Option<Place>,
        scope: &Rc<Scope>,
    ) -> Evaluated<CollectorId> {
        let within = self.within(scope);
        let collectors = &mut self.state()?.collectors;
        let (collected, doubtful) = (IndexSet::new(), IndexSet::new());
        collectors.push(Collector {
            kind,
            collected,
            alternative: None,
            doubtful,
            place,
            within,
            done: false,
        });
        Ok(CollectorId(collectors.len() - 1))
    }

    /// Evaluates the values of a query.
    fn query(&mut self, env: &Env<'_>, condition: &Condition) -> Evaluated<Query> {
        Ok(match &condition.kind {
            QueryKind::And(left, right) => {
                Query::And(Box::new(self.query(env, left)?), Box::new(self.query(env, right)?))
            }
            QueryKind::Or(left, right) => {
                Query::Or(Box::new(self.query(env, left)?), Box::new(self.query(env, right)?))
            }
            QueryKind::Equal(name, value) => {
                let name = self.query_attribute(env, *name)?;
                let value = self.query_value(env, *value)?;
                if name != "tag" {
                    return Ok(Query::Equal(name, value));
                }
                let tags = match &value {
                    Value::Array(tags) => tags.to_vec(),
                    tag => vec![tag.clone()],
                };
                if tags.iter().any(|it| matches!(it, Value::Integer(_) | Value::Float(_))) {
                    return Err(EvaluationError::runtime("Cannot transform a number to a tag").into());
                }
                Query::Tagged(tags.iter().map(|it| tag_text(it).to_lowercase()).collect(), value)
            }
            QueryKind::NotEqual(name, value) => {
                let name = self.query_attribute(env, *name)?;
                Query::NotEqual(name, self.query_value(env, *value)?)
            }
            QueryKind::Other(expr) => {
                let message =
                    "a query compares an attribute with a value: `attribute == value`, `attribute != value`";
                return Err(self.fail(env, *expr, rules::ILLEGAL_QUERY_EXPRESSION, message.to_owned()));
            }
        })
    }

    /// Evaluates the value that an attribute is compared with: a literal, a string, a variable, or an access.
    fn query_value(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated {
        let Some(refused) = no_query_value(env.code.body.expr(id)) else {
            let value = self.eval(env, id)?;
            return self.decided(env, id, value);
        };
        Err(EvaluationError::runtime(format!("Cannot transform object of class {refused}")).into())
    }

    fn query_attribute(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Str> {
        let value = self.eval(env, id)?;
        match self.decided(env, id, value)? {
            Value::String(name) => Ok(name),
            other => Ok(marotte_pcore::print::literal(&other).into()),
        }
    }

    /// `realize(…)`: realizes virtual resources, now or when they are declared.
    pub(crate) fn realize(&mut self, env: &Env<'_>, at: ExprId, values: &[Value]) -> Evaluated<()> {
        let references = super::flattened(values.iter().cloned());
        self.add_collector(CollectorKind::Named(references), Some(env.place(at)), env.scope)?;
        Ok(())
    }

    /// Runs all collectors once. Returns whether one has found something new.
    pub(super) fn evaluate_collectors(&mut self) -> Evaluated<bool> {
        let mut found = false;
        for index in 0..self.state()?.collectors.len() {
            self.check_budget()?;
            match self.collect(CollectorId(index)) {
                Ok(new) => found |= new,
                Err(unwind) => {
                    self.state()?.collectors[index].done = true;
                    self.note_error(unwind.into_error());
                }
            }
        }
        Ok(found)
    }

    fn collect(&mut self, id: CollectorId) -> Evaluated<bool> {
        let collector = &mut self.state()?.collectors[id.0];
        if collector.done {
            return Ok(false);
        }
        match &mut collector.kind {
            CollectorKind::Named(references) => {
                let references = std::mem::take(references);
                self.collect_named(id, references)
            }
            CollectorKind::Matching(it) => {
                let matching = Rc::clone(it);
                match &matching.exported {
                    Some(Exported::Nothing) => Ok(false),
                    _ => self.collect_matching(id, &matching),
                }
            }
        }
    }

    fn collect_named(&mut self, id: CollectorId, references: Vec<Value>) -> Evaluated<bool> {
        let (mut found, mut left) = (false, Vec::new());
        for value in references {
            let reference = Reference::of_value(&value).or_else(|| Reference::parse(value.as_str()?));
            let Some(reference) = reference else {
                let shown = tag_text(&value);
                let message = format!("No title provided and {shown:?} is not a valid resource reference");
                return Err(EvaluationError::new(issues::INVALID_REFERENCE, message).into());
            };
            match self.find_resource(&reference)? {
                Some(resource) => {
                    self.realized(id, resource);
                    let state = self.state()?;
                    state.resource_mut(resource).is_virtual = false;
                    found |= state.collectors[id.0].collected.insert(resource);
                }
                None => left.push(value),
            }
        }
        let collector = &mut self.state()?.collectors[id.0];
        collector.done = left.is_empty();
        collector.kind = CollectorKind::Named(left);
        Ok(found)
    }

    /// Records that a collector realizes a virtual resource.
    fn realized(&self, by: CollectorId, resource: ResourceId) {
        let (Some(tracing), Some(state)) = (&self.tracing, &self.catalog) else { return };
        if state.resource(resource).is_virtual {
            let Collector { place, within, .. } = state.collector(by);
            let (kind, place, within) = (DeclarationKind::Realized, place.clone(), within.clone());
            tracing.declare(resource, Declaration { kind, place, within });
        }
    }

    fn collect_matching(&mut self, id: CollectorId, wanted: &Matching) -> Evaluated<bool> {
        let state = self.state()?;
        let candidates = match wanted.query.as_ref().and_then(Query::titles) {
            Some(titles) => state.declared_titled(&wanted.type_name, &titles),
            None => state.declared_of(&wanted.type_name).to_vec(),
        };
        let mut matching = Vec::new();
        self.spend(1 + 2 * candidates.len() as u64)?;
        for resource in candidates {
            if wanted.exported.is_some() && !self.state()?.resource(resource).exported {
                continue;
            }
            match wanted.query.as_ref().map_or(Ok(Truth::Known(true)), |it| self.matches(resource, it))? {
                Truth::Known(true) => matching.push(resource),
                Truth::Known(false) => {}
                Truth::Unknown(by) => self.doubt_collected(id, wanted, resource, &by)?,
            }
        }
        if let Some(Exported::Stored(filter)) = &wanted.exported {
            let Matching { type_name, scope, source, .. } = wanted;
            matching.extend(self.import(type_name, filter.as_ref(), scope, source)?);
        }
        for resource in &matching {
            self.realized(id, *resource);
            self.state()?.resource_mut(*resource).is_virtual = false;
        }
        let state = self.state()?;
        let collected = &state.collectors[id.0].collected;
        let new: Vec<ResourceId> = matching.into_iter().filter(|it| !collected.contains(it)).collect();
        if new.is_empty() {
            return Ok(false);
        }
        if let Some(overrides) = &wanted.overrides {
            wanted.source.overrides_everything.set(true);
            for resource in &new {
                let reference = self.state()?.resource(*resource).reference.clone();
                refuse_duplicates(overrides, &reference).map_err(|error| error.at(wanted.place.clone()))?;
                let mut parameters = overrides.clone();
                // The defaults of the collector's scope are applied with its overrides.
                let Defaults { known: defaults, open } = self.defaults_of(&wanted.scope, &wanted.type_name);
                if let Some(by) = open {
                    let which = Which::one(reference.clone());
                    self.state()?.doubt_parameter(which, Change::Any, &by);
                }
                parameters.extend(
                    defaults.into_iter().filter(|(name, _)| overrides.iter().all(|(known, _)| known != name)),
                );
                self.add_override(Override {
                    reference,
                    parameters,
                    source: Rc::clone(&wanted.source),
                    place: Some(wanted.place.clone()),
                })?;
            }
        }
        self.state()?.collectors[id.0].collected.extend(new);
        Ok(true)
    }

    /// Records that it depends on unknown values whether a resource is collected.
    fn doubt_collected(
        &mut self,
        id: CollectorId,
        wanted: &Matching,
        resource: ResourceId,
        by: &Arc<Unknown>,
    ) -> Evaluated<()> {
        let state = self.state()?;
        if !state.collectors[id.0].doubtful.insert(resource) {
            return Ok(());
        }
        let instance = state.resource(resource);
        let (reference, is_virtual) = (instance.reference.clone(), instance.is_virtual);
        if is_virtual {
            state.doubt_virtual(Which::one(reference.clone()), by);
        }
        if let Some(overrides) = &wanted.overrides {
            wanted.source.overrides_everything.set(true);
            for (name, _) in overrides {
                let which = Which::one(reference.clone());
                state.doubt_parameter(which, Change::Replaced(name), by);
            }
        }
        if is_virtual || wanted.overrides.is_some() {
            state.gaps.skip(by, &wanted.place);
        }
        if is_virtual {
            self.doubt_body(resource, by);
        }
        Ok(())
    }

    fn matches(&mut self, resource: ResourceId, query: &Query) -> Evaluated<Truth> {
        Ok(match query {
            Query::And(left, right) => match self.matches(resource, left)? {
                Truth::Known(false) => Truth::Known(false),
                left => left.and(self.matches(resource, right)?),
            },
            Query::Or(left, right) => match self.matches(resource, left)? {
                Truth::Known(true) => Truth::Known(true),
                left => left.or(self.matches(resource, right)?),
            },
            Query::Tagged(tags, _) => has_tag(self.state()?, resource, tags),
            Query::Equal(name, value) => {
                let actual = self.state()?.resource(resource).attribute_if_known(name);
                match (&actual, actual.unknown()) {
                    (_, Some(by)) => Truth::Unknown(by),
                    // A type is an element itself; it is not matched against elements as a type.
                    (Value::Array(elements), _) if matches!(value, Value::Type(_)) => {
                        Truth::Known(elements.contains(value))
                    }
                    (Value::Array(_), _) => Truth::Known(self.compare(BinaryOperator::In, value, &actual)?),
                    (actual, _) => Truth::Known(self.compare(BinaryOperator::Equal, actual, value)?),
                }
            }
            Query::NotEqual(name, value) => {
                let actual = self.state()?.resource(resource).attribute_if_known(name);
                match actual.unknown() {
                    Some(by) => Truth::Unknown(by),
                    None => Truth::Known(!self.compare(BinaryOperator::Equal, &actual, value)?),
                }
            }
        })
    }

    fn compare(&self, operator: BinaryOperator, left: &Value, right: &Value) -> Evaluated<bool> {
        let outcome = ops::binary(self.dialect(), Strictness::Off, operator, left, right);
        match outcome {
            Ok(outcome) => Ok(outcome.value == Value::Boolean(true)),
            Err(error) => Err(EvaluationError::runtime(error.to_string()).into()),
        }
    }

    /// The resources named by `realize` that were never declared.
    pub(super) fn unrealized(&mut self) -> Evaluated<Vec<Str>> {
        let collectors = &self.state()?.collectors;
        let left = collectors.iter().filter_map(|it| match &it.kind {
            CollectorKind::Named(left) => Some(left.clone()),
            CollectorKind::Matching(_) => None,
        });
        Ok(left.flatten().map(|it| tag_text(&it)).collect())
    }
}

/// Returns the filter that requests the resources that a query matches from the store.
fn filter(query: &Query) -> Result<Filter, EvaluationError> {
    let both =
        |left: &Query, right: &Query| Ok::<_, EvaluationError>((filter(left)?.into(), filter(right)?.into()));
    // Stored tags are in lower case.
    let tag = |value: &Value| match value {
        Value::String(tag) => Ok(Value::from(&*tag.to_lowercase())),
        other => {
            let kind = other.kind_name();
            Err(EvaluationError::runtime(format!(
                "a tag of exported resources is compared with a String, not {kind}"
            )))
        }
    };
    Ok(match query {
        Query::Tagged(_, value) => Filter::Equal("tag".into(), tag(value)?),
        Query::Equal(name, value) => Filter::Equal(name.clone(), value.clone()),
        Query::NotEqual(name, value) if name == "tag" => Filter::NotEqual(name.clone(), tag(value)?),
        Query::NotEqual(name, value) => Filter::NotEqual(name.clone(), value.clone()),
        Query::And(left, right) => both(left, right).map(|(left, right)| Filter::And(left, right))?,
        Query::Or(left, right) => both(left, right).map(|(left, right)| Filter::Or(left, right))?,
    })
}

/// The reference's name for an expression that attributes can't be compared with; None for others.
fn no_query_value(expr: &Expr) -> Option<&'static str> {
    Some(match expr {
        Expr::Array(_) => "LiteralList",
        Expr::Hash(_) => "LiteralHash",
        Expr::Default => "LiteralDefault",
        Expr::Regexp(_) => "LiteralRegularExpression",
        Expr::Reference(_) => "QualifiedReference",
        Expr::Heredoc { .. } => "HeredocExpression",
        Expr::Call(_) => "CallNamedFunctionExpression",
        Expr::MethodCall(_) => "CallMethodExpression",
        Expr::Minus(_) => "UnaryMinusExpression",
        Expr::Not(_) => "NotExpression",
        Expr::If(_) => "IfExpression",
        Expr::Unless(_) => "UnlessExpression",
        Expr::Case(_) => "CaseExpression",
        Expr::Selector(_) => "SelectorExpression",
        // Other operators have lower precedence than the comparison itself.
        Expr::Binary(_) => "ArithmeticExpression",
        _ => return None,
    })
}

impl super::State {
    pub(super) fn collector(&self, id: CollectorId) -> &Collector {
        &self.collectors[id.0]
    }

    /// Why a collector may collect more than it has: there may be more resources, or different ones.
    pub(super) fn may_collect(&self, id: CollectorId) -> Option<Cause> {
        let Collector { kind, doubtful, .. } = self.collector(id);
        let CollectorKind::Matching(wanted) = kind else { return None };
        if let Some(Exported::Nothing) = wanted.exported {
            return None;
        }
        if let Some(by) = self.doubts.may_be_declared_of(&wanted.type_name) {
            return Some(Arc::clone(by));
        }
        let first = doubtful.first()?;
        let parameters = self.resource(*first).parameters.values();
        let unknown = parameters.into_iter().find_map(|it| it.value.unknown());
        unknown.or_else(|| self.resource(*first).open.clone()).or_else(|| self.doubts.tagged.clone())
    }

    /// The resources that a collector may or may not collect, with the unknown value that decides.
    pub(super) fn doubtful(&self, id: CollectorId) -> Vec<(Reference, Cause)> {
        let doubtful = self.collector(id).doubtful.iter().map(|it| self.resource(*it).reference.clone());
        match self.may_collect(id) {
            Some(by) => doubtful.map(|it| (it, Arc::clone(&by))).collect(),
            None => Vec::new(),
        }
    }

    pub(super) fn collector_mut(&mut self, id: CollectorId) -> &mut Collector {
        &mut self.collectors[id.0]
    }
}
