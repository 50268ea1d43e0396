//! Relationships: `a -> b`, `a ~> b` and their reverse (F.5).

use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use foldhash::fast::RandomState;
use indexmap::IndexSet;
use marotte_catalog::Reference;
use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::create;
use marotte_pcore::dialect::StringsInRelationships;
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_syntax::ast::RelationshipOp;
use marotte_text::Str;

use super::collector::CollectorId;
use super::doubt::{Cause, Change, Which};
use super::instance::{Parameter, ResourceId};
use super::provenance::Trace;
use super::{Definition, State, flattened};
use crate::interpreter::{Env, Evaluated, Interpreter, spent};
use crate::{EvaluationError, Place};

/// The metaparameters that arrows set.
pub(super) const BOTH: [&str; 2] = ["before", "notify"];

/// One operand of an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    /// A resource or class.
    Resource(Type),
    /// The resources that a collector will have collected.
    Collector(CollectorId),
}

/// The relationships of an arrow: each source is applied before each target.
#[derive(Clone)]
pub(crate) struct Relationship {
    sources: Rc<[End]>,
    targets: Rc<[End]>,
    /// The metaparameter of the source resources that expresses it.
    parameter: &'static str,
    /// The arrow, and the class, resource or node whose body has it, if that is recorded.
    arrow: Option<(Place, Option<Reference>)>,
}

/// A relationship that an arrow creates.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The resource that is applied first.
    pub source: Reference,
    /// The resource that is applied after it.
    pub target: Reference,
    /// The metaparameter of the first resource that expresses it: `before` or `notify`.
    pub parameter: &'static str,
    /// The place of the arrow.
    pub place: Place,
    /// The class, resource or node whose body has it.
    pub within: Option<Reference>,
}

#[derive(Clone)]
enum End {
    Resource(Reference),
    Collector(CollectorId),
}

/// The value of an operand. Collectors have none.
pub(super) fn operand_value(operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Resource(it) => Some(Value::Type(it.clone())),
        Operand::Collector(_) => None,
    }
}

/// The name of an arrow in messages.
pub(super) fn label(op: RelationshipOp) -> &'static str {
    match op {
        RelationshipOp::Before => "'->' expression",
        RelationshipOp::Notify => "'~>' expression",
        RelationshipOp::After => "'<-' expression",
        RelationshipOp::Subscribe => "'<~' expression",
    }
}

impl Interpreter<'_> {
    /// Adds the relationship of an arrow. Returns the operands that the next arrow of the chain starts from: the right
    /// side, or the left one if that is empty.
    pub(super) fn relationship(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Vec<Operand>> {
        let Expr::Relationship { op, left, right } = *env.code.body.expr(id) else {
            let operands = self.operands(env, id, id)?;
            return Ok(operands);
        };
        let left = self.unchecked_operands(env, left)?;
        let right = self.unchecked_operands(env, right)?;
        let left = self.checked_operands(env, id, left)?;
        let right = self.checked_operands(env, id, right)?;
        let reversed = matches!(op, RelationshipOp::After | RelationshipOp::Subscribe);
        let (sources, targets) = if reversed { (&right, &left) } else { (&left, &right) };
        let parameter = match op {
            RelationshipOp::Before | RelationshipOp::After => "before",
            RelationshipOp::Notify | RelationshipOp::Subscribe => "notify",
        };
        let arrow = self.is_tracing().then(|| (env.place(id), self.within(env.scope)));
        if !sources.is_empty() && !targets.is_empty() {
            let sources = sources.iter().map(|it| self.end(it)).collect::<Evaluated<_>>()?;
            let targets = targets.iter().map(|it| self.end(it)).collect::<Evaluated<_>>()?;
            self.state()?.relationships.push(Relationship { sources, targets, parameter, arrow });
        }
        if right.is_empty() {
            return Ok(left);
        }
        if let [Operand::Collector(it)] = &right[..] {
            self.state()?.collector_mut(*it).alternative = Some(left);
        }
        Ok(right)
    }

    fn operands(&mut self, env: &Env<'_>, id: ExprId, at: ExprId) -> Evaluated<Vec<Operand>> {
        let operands = self.unchecked_operands(env, id)?;
        self.checked_operands(env, at, operands)
    }

    /// Evaluates one side: its operands, or values that have yet to be converted to operands.
    fn unchecked_operands(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<Vec<Result<Operand, Value>>> {
        match env.code.body.expr(id) {
            Expr::Relationship { .. } => {
                let operands = crate::interpreter::with_stack(|| self.relationship(env, id));
                Ok(operands?.into_iter().map(Ok).collect())
            }
            Expr::Collector(it) => {
                let result = self.collector(env, id, it);
                let collector = result.map_err(|it| super::placed(it, env, id, "Virtual Query"))?;
                Ok(vec![Ok(Operand::Collector(collector))])
            }
            _ => {
                let value = self.eval(env, id)?;
                let value = self.decided(env, id, value)?;
                Ok(flattened([value]).into_iter().map(Err).collect())
            }
        }
    }

    fn checked_operands(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        operands: Vec<Result<Operand, Value>>,
    ) -> Evaluated<Vec<Operand>> {
        let mut checked: IndexSet<Operand, RandomState> = IndexSet::default();
        for it in operands {
            let operand = match it {
                Ok(operand) => operand,
                Err(value) => Operand::Resource(self.operand(env, id, value)?),
            };
            checked.insert(operand);
        }
        Ok(checked.into_iter().collect())
    }

    fn operand(&mut self, env: &Env<'_>, id: ExprId, value: Value) -> Evaluated<Type> {
        let it = match value {
            Value::Type(it) => it,
            Value::String(text) => self.operand_of_text(text)?,
            other => {
                let kind = match &other {
                    Value::Undef => "Undef Value".to_owned(),
                    other => crate::functions::kind(other),
                };
                let article = if kind.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
                let message = format!(
                    "Illegal relationship operand, can not form a relationship with {article} {kind}. A Catalog type is required."
                );
                return Err(self.fail(env, id, issues::ILLEGAL_RELATIONSHIP_OPERAND_TYPE, message));
            }
        };
        let entry: Type = TypeKind::CatalogEntry.into();
        let wanted = Type::variant([entry.clone(), Type::of(entry)]);
        if !assignable(self.dialect(), &wanted, &it) {
            let message = format!(
                "Illegal relationship operand, can not form a relationship with something of type {it}. A Catalog type is required."
            );
            return Err(self.fail(env, id, issues::NOT_CATALOG_TYPE, message));
        }
        Ok(it)
    }

    /// Resolves a string operand to a class or resource type reference.
    fn operand_of_text(&mut self, text: Str) -> Evaluated<Type> {
        let names_class = match self.dialect().evaluation.strings_in_relationships {
            StringsInRelationships::Types => false,
            StringsInRelationships::ClassNames => {
                let name = text.strip_prefix("::").unwrap_or(&text);
                !name.trim_start().starts_with(|it: char| it.is_ascii_uppercase())
            }
        };
        if !names_class {
            return self.parse_type(&text);
        }
        let class = create::create(self.dialect(), "Class", &[Value::String(text.clone())]);
        match class.map_err(|error| EvaluationError::runtime(error.to_string()))? {
            Value::Type(it) => Ok(it),
            _ => {
                let message = format!("The expression <{text}> is not a valid type specification.");
                Err(EvaluationError::runtime(message).into())
            }
        }
    }

    fn end(&self, operand: &Operand) -> Evaluated<End> {
        match operand {
            Operand::Collector(it) => Ok(End::Collector(*it)),
            Operand::Resource(it) => {
                let it = match it.resolved().kind() {
                    TypeKind::Type(Some(inner)) => inner.clone(),
                    _ => it.clone(),
                };
                match Reference::of_value(&Value::Type(it)) {
                    Some(reference) => Ok(End::Resource(reference)),
                    None => Err(EvaluationError::runtime(
                        "No title provided and \"class\" is not a valid resource reference",
                    )
                    .into()),
                }
            }
        }
    }

    /// Writes all relationships into the parameters of their source resources.
    pub(super) fn evaluate_relationships(&mut self) -> Evaluated<()> {
        let mut additions = Additions::default();
        for relationship in std::mem::take(&mut self.state()?.relationships) {
            for source in &*relationship.sources {
                for target in &*relationship.targets {
                    match (source, target) {
                        (End::Resource(source), End::Resource(target)) => {
                            self.relate(&relationship, source, target, &mut additions)?;
                        }
                        _ => self.relate_collected(&relationship, source, target, &mut additions)?,
                    }
                }
            }
        }
        self.write_additions(&mut additions)
    }

    /// Writes the relationships of two ends one of which is a collector.
    fn relate_collected(
        &mut self,
        relationship: &Relationship,
        source: &End,
        target: &End,
        additions: &mut Additions,
    ) -> Evaluated<()> {
        // Doubts are about the values that are written.
        self.write_additions(additions)?;
        let state = self.state()?;
        let Sources { references: sources, doubt } = match source {
            End::Resource(it) => Sources { references: vec![it.clone()], doubt: None },
            End::Collector(it) => leftmost(state, *it)?,
        };
        let (targets, more) = match target {
            End::Resource(it) => (vec![it.clone()], None),
            End::Collector(it) => (collected(state, *it), state.may_collect(*it)),
        };
        let parameter = relationship.parameter;
        if let End::Collector(it) = source {
            // Those that may be collected may come before the others.
            let doubtful = state.doubtful(*it);
            for (reference, by) in doubtful {
                state.doubt_extended(&reference, parameter, &by);
            }
        }
        if let Some(by) = doubt.or(more.clone()) {
            for source in &sources {
                state.doubt_extended(source, parameter, &by);
            }
            if more.is_none() {
                return Ok(());
            }
        }
        for source in &sources {
            for target in &targets {
                self.relate(relationship, source, target, additions)?;
            }
        }
        Ok(())
    }

    /// Writes one relationship; its errors are recorded.
    fn relate(
        &mut self,
        relationship: &Relationship,
        source: &Reference,
        target: &Reference,
        additions: &mut Additions,
    ) -> Evaluated<()> {
        self.charge_edges(1)?;
        let parameter = relationship.parameter;
        if let (Some(tracing), Some((place, within))) = (&self.tracing, &relationship.arrow) {
            let (source, target) = (source.clone(), target.clone());
            let (place, within) = (place.clone(), within.clone());
            tracing.relate(Arrow { source, target, parameter, place, within });
        }
        if let Err(unwind) = self.add_target(source, target, parameter, additions) {
            self.note_error(unwind.into_error());
            self.charge_fault()?;
        }
        Ok(())
    }

    fn add_target(
        &mut self,
        source: &Reference,
        target: &Reference,
        parameter: &'static str,
        additions: &mut Additions,
    ) -> Evaluated<()> {
        let Some(first) = self.resolved_end(source, additions)?.id else {
            if self.may_exist(source).is_some() {
                return Ok(());
            }
            let message = format!("Could not find resource '{source}' for relationship on '{target}'");
            return Err(EvaluationError::new(issues::MISSING_RELATIONSHIP_END, message).into());
        };
        if let Some(untitled) = [source, target].into_iter().find(|it| it.title.is_empty()) {
            let message = format!("No title provided and \"{untitled}\" is not a valid resource reference");
            return Err(EvaluationError::new(issues::INVALID_REFERENCE, message).into());
        }
        let resolved = self.resolved_end(target, additions)?;
        if resolved.id.is_none() {
            // Either the reference rejects it, or the relationship exists.
            if self.may_exist(target).is_some() {
                return Ok(());
            }
            let message = format!("Could not find resource '{target}' for relationship from '{source}'");
            return Err(EvaluationError::new(issues::MISSING_RELATIONSHIP_END, message).into());
        }
        let state = self.state()?;
        let known = additions.numbers.get(&(first, parameter)).copied();
        let number = known.unwrap_or_else(|| additions.begin(state, first, parameter));
        if let Some(list) = additions.lists.get_mut(number) {
            list.values.push(resolved.text);
        }
        if state.doubts.has_changes() {
            // They may change what is written.
            self.write_additions(additions)?;
        }
        Ok(())
    }

    /// Resolves one end of a relationship, once for all of its relationships.
    fn resolved_end(&mut self, reference: &Reference, additions: &mut Additions) -> Evaluated<ResolvedEnd> {
        if let Some(known) = additions.ends.get(reference) {
            return Ok(known.clone());
        }
        let id = self.find_resource(reference)?;
        let resolved = ResolvedEnd { id, text: Value::String(reference.to_string().into()) };
        additions.ends.insert(reference.clone(), resolved.clone());
        Ok(resolved)
    }

    /// Writes the extended parameters back to their resources.
    fn write_additions(&mut self, additions: &mut Additions) -> Evaluated<()> {
        additions.numbers.clear();
        for Addition { parameter, resources, values, source, place, trace } in additions.lists.drain(..) {
            self.budget().spend(values.len() as u64 / 8).map_err(spent)?;
            let value = Value::Array(values.into());
            for id in resources {
                let (value, source, place) = (value.clone(), Rc::clone(&source), place.clone());
                let parameter_set = Parameter { value, source, place, append: false, trace: trace.clone() };
                self.state()?.set_parameter(id, parameter, parameter_set)?;
            }
        }
        Ok(())
    }
}

/// Parameters that relationships extend. They are written once for all relationships, since a parameter may have
/// thousands of values.
#[derive(Default)]
struct Additions {
    /// In the order in which the parameters were extended first.
    lists: Vec<Addition>,
    /// The numbers of the lists.
    numbers: HashMap<(ResourceId, &'static str), usize>,
    /// The ends that have been resolved.
    ends: HashMap<Reference, ResolvedEnd>,
}

/// An end of a relationship.
#[derive(Clone)]
struct ResolvedEnd {
    /// The resource, if it exists.
    id: Option<ResourceId>,
    /// The text that refers to it.
    text: Value,
}

/// A parameter that relationships extend.
struct Addition {
    parameter: &'static str,
    /// The resources that share the parameter's array.
    resources: Vec<ResourceId>,
    values: Vec<Value>,
    source: Rc<Definition>,
    place: Option<Place>,
    trace: Option<Arc<Trace>>,
}

impl Additions {
    /// Starts to extend a parameter. Returns the number of its list.
    fn begin(&mut self, state: &State, first: ResourceId, parameter: &'static str) -> usize {
        let instance = state.resource(first);
        let values: Vec<Value> = match instance.value(parameter) {
            Value::Array(values) => values.to_vec(),
            Value::Undef => Vec::new(),
            value => vec![value.clone()],
        };
        let (source, place, trace) = match instance.parameters.get(parameter) {
            Some(known) => (Rc::clone(&known.source), known.place.clone(), known.trace.clone()),
            None => (Rc::clone(&instance.source), None, None),
        };
        let resources = state.sharing(first, parameter);
        let number = self.lists.len();
        self.numbers.extend(resources.iter().map(|it| ((*it, parameter), number)));
        self.lists.push(Addition { parameter, resources, values, source, place, trace });
        number
    }
}

impl State {
    /// Returns the resource, and those of the same body whose value of a parameter is the same array: a relationship adds
    /// to the array in place.
    fn sharing(&self, id: ResourceId, parameter: &str) -> Vec<ResourceId> {
        let address = |id: ResourceId| match self.resource(id).value(parameter) {
            Value::Array(it) => Some(it.as_ptr()),
            _ => None,
        };
        match (self.siblings.get(&id), address(id)) {
            (Some(all), Some(own)) => all.iter().copied().filter(|it| address(*it) == Some(own)).collect(),
            _ => vec![id],
        }
    }

    /// Records doubt about whether a relationship adds to a parameter of a resource, and to the same array of other
    /// resources.
    fn doubt_extended(&mut self, reference: &Reference, parameter: &'static str, by: &Cause) {
        let sharing = self.find(reference).map(|id| self.sharing(id, parameter)).unwrap_or_default();
        let mut all: Vec<Reference> = sharing.iter().map(|it| self.resource(*it).reference.clone()).collect();
        if !all.contains(reference) {
            all.push(reference.clone());
        }
        for it in all {
            self.doubt_parameter(Which::one(it), Change::Extended(parameter), by);
        }
    }
}

fn references(state: &State, ids: impl IntoIterator<Item = ResourceId>) -> Vec<Reference> {
    ids.into_iter().map(|id| state.resource(id).reference.clone()).collect()
}

fn collected(state: &State, id: CollectorId) -> Vec<Reference> {
    references(state, state.collector(id).collected.iter().copied())
}

/// The source resources of a relationship.
struct Sources {
    references: Vec<Reference>,
    /// Why they may be others: a collector that has collected nothing may have something to collect.
    doubt: Option<Cause>,
}

/// The resources that a collector has collected; if none, the operands before it in its chain (F32).
fn leftmost(state: &State, id: CollectorId) -> Evaluated<Sources> {
    let mut id = id;
    let mut doubt = None;
    loop {
        let collector = state.collector(id);
        if !collector.collected.is_empty() {
            return Ok(Sources { references: collected(state, id), doubt });
        }
        doubt = doubt.or_else(|| state.may_collect(id));
        match collector.alternative.as_deref() {
            None => return Ok(Sources { references: Vec::new(), doubt }),
            Some([Operand::Collector(before)]) => id = *before,
            Some(operands) => {
                let mut all = Vec::new();
                for operand in operands {
                    match operand {
                        Operand::Resource(it) => {
                            all.extend(Reference::of_value(&Value::Type(it.clone())));
                        }
                        Operand::Collector(it) => all.extend(collected(state, *it)),
                    }
                }
                return Ok(Sources { references: all, doubt });
            }
        }
    }
}
