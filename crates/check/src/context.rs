use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use marotte_db::Db;
use marotte_db::{Environment, File, environment_of};
use marotte_diagnostics::{Diagnostic, Related, Rule};
use marotte_hir::body::{Callee, Expr, Variable};
use marotte_hir::{Body, ExprId, Item, ItemPlaces, places};
use marotte_infer::declarations::{Declaration, declarations};
use marotte_infer::flow::Flow;
use marotte_infer::inference::{Inference, TypedItem, effort_for};
use marotte_infer::literal::outcomes;
use marotte_pcore::effort;
use marotte_resolve::functions::{self, Function};
use marotte_resolve::resource_types::{self, ResourceTypeName};
use marotte_text::{Str, TextRange, TextSize};

use crate::analysis::names::uses::{Use, uses};
use crate::analysis::variables::variable_tests::{VariableTest, qualified_tests, variable_tests};
pub(crate) use crate::at::At;
use crate::conditions::{Decided, decided};
use crate::findings::Findings;
use crate::hints;

/// The input and output of a rule: one item, its resolved names and inferred types, and the list of findings. Facts that
/// several rules need are computed once.
pub(crate) struct Context<'db, 'f> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: File,
    pub(crate) environment: Environment,
    pub(crate) item: Item<'db>,
    pub(crate) body: &'db Body,
    typed: OnceCell<TypedItem<'db>>,
    flow: OnceCell<Rc<Flow>>,
    decided: OnceCell<Rc<[Decided]>>,
    declarations: OnceCell<Rc<[Declaration]>>,
    places: OnceCell<ItemPlaces>,
    functions: RefCell<HashMap<Str, Function<'db>>>,
    resource_types: RefCell<HashMap<Str, ResourceTypeName<'db>>>,
    uses: OnceCell<Rc<[Use<'db>]>>,
    variable_tests: OnceCell<HashMap<&'db str, VariableTest>>,
    qualified_tests: OnceCell<HashSet<(&'db str, &'db str)>>,
    findings: &'f mut Findings,
}

impl<'db, 'f> Context<'db, 'f> {
    pub(crate) fn new(db: &'db dyn Db, item: Item<'db>, findings: &'f mut Findings) -> Self {
        let file = item.file(db);
        Context {
            db,
            file,
            environment: environment_of(db, file),
            item,
            body: item.body(db),
            typed: OnceCell::new(),
            flow: OnceCell::new(),
            decided: OnceCell::new(),
            declarations: OnceCell::new(),
            places: OnceCell::new(),
            functions: RefCell::default(),
            resource_types: RefCell::default(),
            uses: OnceCell::new(),
            variable_tests: OnceCell::new(),
            qualified_tests: OnceCell::new(),
            findings,
        }
    }

    /// The item with the types of its expressions.
    pub(crate) fn typed(&self) -> TypedItem<'db> {
        *self.typed.get_or_init(|| TypedItem::new(self.db, self.item))
    }

    /// The types of the item's expressions.
    pub(crate) fn inference(&self) -> &'db Inference {
        self.typed().inference
    }

    /// The branches of the body.
    pub(crate) fn flow(&self) -> Rc<Flow> {
        Rc::clone(self.flow.get_or_init(|| Rc::new(Flow::new(self.body))))
    }

    /// The conditions whose result is fixed, whatever the node.
    pub(crate) fn decided(&self) -> Rc<[Decided]> {
        Rc::clone(self.decided.get_or_init(|| decided(self).into()))
    }

    /// The declarations in the body.
    pub(crate) fn declarations(&self) -> Rc<[Declaration]> {
        Rc::clone(self.declarations.get_or_init(|| declarations(self.body).into()))
    }

    /// The most explicit way in which the body tests a variable.
    pub(crate) fn variable_test(&self, name: &str) -> VariableTest {
        self.variable_tests
            .get_or_init(|| variable_tests(self.body))
            .get(name)
            .copied()
            .unwrap_or(VariableTest::None)
    }

    /// Whether the body tests whether the variable of a class exists.
    pub(crate) fn tests_qualified(&self, scope: &str, name: &str) -> bool {
        self.qualified_tests.get_or_init(|| qualified_tests(self.body)).contains(&(scope, name))
    }

    /// Resolves a function name, as seen from the item.
    pub(crate) fn function(&self, name: &str) -> Function<'db> {
        remembered(&self.functions, name, || functions::function(self.db, self.file, self.environment, name))
    }

    /// Resolves a resource type name, as seen from the item.
    pub(crate) fn resource_type(&self, name: &str) -> ResourceTypeName<'db> {
        remembered(&self.resource_types, name, || {
            resource_types::resource_type(self.db, self.file, self.environment, name)
        })
    }

    /// The definitions that the item refers to.
    pub(crate) fn uses(&self) -> Rc<[Use<'db>]> {
        Rc::clone(self.uses.get_or_init(|| uses(self).into()))
    }

    /// The expressions that an expression may evaluate to, as [`outcomes`]; also follows a variable that was set to a choice, if
    /// there is no condition in between. If there are several outcomes, variables are left out: their possible values in the last
    /// branch are unknown.
    pub(crate) fn choices(&self, id: ExprId) -> Vec<ExprId> {
        let direct = outcomes(self.body, id);
        let assigned = self.assigned_once(id).filter(|_| direct.len() == 1);
        let flow = self.flow();
        let is_certain = |value: &ExprId| *value < id && flow.of(*value) == flow.of(id);
        let of_value = assigned.filter(is_certain).map(|it| outcomes(self.body, it));
        let mut all = of_value.filter(|it| it.len() > 1).unwrap_or(direct);
        if all.len() > 1 {
            all.retain(|it| !matches!(self.body.expr(*it), Expr::Variable(_)));
        }
        all
    }

    /// The value of a variable, if exactly one assignment of the body sets it.
    fn assigned_once(&self, id: ExprId) -> Option<ExprId> {
        let Expr::Variable(variable) = self.body.expr(id) else { return None };
        let Variable::Local { name, .. } = &**variable else { return None };
        self.body.set_once(name)
    }

    fn places(&self) -> &ItemPlaces {
        self.places.get_or_init(|| places(self.db, self.item))
    }

    /// Returns the word that an expression consists of, if it is written without quotes.
    pub(crate) fn bare_word(&self, id: ExprId) -> Option<&'db Str> {
        let Expr::String(word) = self.body.expr(id) else { return None };
        (usize::from(self.range(At::Expr(id)).len()) == word.len()).then_some(word)
    }

    /// The range of a part of the item.
    pub(crate) fn range(&self, at: At) -> TextRange {
        let places = self.places();
        let place = |id| places.map.place(id);
        let found = match at {
            At::Expr(id) => place(id).map(|it| it.range),
            At::Operator(id) => place(id).map(|it| match self.body.expr(id) {
                Expr::Binary(binary) => TextRange::at(it.anchor, TextSize::of(binary.op.text())),
                _ => it.range,
            }),
            At::Callee(id) => match self.body.expr(id) {
                Expr::MethodCall(call) => place(call.at).map(|it| it.range),
                Expr::Call(call) => match &call.callee {
                    Callee::Function(name) => {
                        place(id).map(|it| TextRange::at(it.range.start(), TextSize::of(name.as_str())))
                    }
                    Callee::Type(callee) | Callee::Other(callee) => place(*callee).map(|it| it.range),
                },
                _ => place(id).map(|it| it.range),
            },
            At::Name => places.name,
            At::Parent => places.parent.or(places.name),
        };
        found.unwrap_or_default()
    }

    /// Runs a rule within the effort limit. A rule that exceeds it reports nothing; real code stays below the limit.
    pub(crate) fn within_effort(&mut self, rule: impl FnOnce(&mut Self)) {
        let count = self.findings.len();
        let steps = effort_for(self.body.exprs().count());
        if effort::within(steps, || rule(self)).is_err() {
            self.findings.truncate(count);
        }
    }

    /// Adds a finding, at the level of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        at: At,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let level = rule.level;
        let range = self.range(at);
        let hint = hints::for_finding(self.body, rule, at, || self.range(at).len().into());
        let finding = Diagnostic::new(rule, level, self.file.id(self.db), range, message.into());
        let finding = self.findings.add(finding);
        finding.notes.extend(hint);
        finding
    }

    /// Removes the findings of a rule about a place: another finding explains them.
    pub(crate) fn withdraw(&mut self, rule: &'static Rule, at: At) {
        let (file, range) = (self.file.id(self.db), self.range(at));
        self.findings.retain(|it| it.rule != rule || it.file != file || it.range != range);
    }

    /// Removes the findings with this message: another finding explains them. Returns whether there were any.
    pub(crate) fn withdraw_message(&mut self, rule: &'static Rule, message: &str) -> bool {
        let is_reported = self.has_reported(rule, message);
        if is_reported {
            self.findings.retain(|it| it.rule != rule || it.message != message);
        }
        is_reported
    }

    /// Whether a finding with this message was already added.
    pub(crate) fn has_reported(&mut self, rule: &'static Rule, message: &str) -> bool {
        self.findings.with_message(rule, message).is_some()
    }

    /// The places of the findings about the file that were already added.
    pub(crate) fn reported_ranges(&self) -> HashSet<TextRange> {
        let file = self.file.id(self.db);
        self.findings.iter().filter(|it| it.file == file).map(|it| it.range).collect()
    }

    /// Adds a related place to the finding with this message. Returns whether there is one.
    pub(crate) fn add_place(&mut self, rule: &'static Rule, message: &str, at: At, text: &str) -> bool {
        let related = self.related(at, text);
        let earlier = self.findings.with_message(rule, message);
        let is_reported = earlier.is_some();
        if let Some(finding) = earlier {
            finding.related.push(related);
        }
        is_reported
    }

    /// Adds a note to the finding with this message, unless it has it.
    pub(crate) fn add_note(&mut self, rule: &'static Rule, message: &str, note: &str) {
        let finding = self.findings.with_message(rule, message);
        if let Some(finding) = finding.filter(|it| !it.notes.iter().any(|it| it == note)) {
            finding.notes.push(note.to_owned());
        }
    }

    /// The finding that was added last.
    pub(crate) fn last(&mut self) -> Option<&mut Diagnostic> {
        self.findings.last_mut()
    }

    /// A related place in the same item.
    pub(crate) fn related(&self, at: At, message: impl Into<String>) -> Related {
        Related { file: self.file.id(self.db), range: self.range(at), message: message.into() }
    }

    /// A related place: the definition of another item.
    pub(crate) fn defined(&self, item: Item<'_>, message: impl Into<String>) -> Related {
        defined_at(self.db, item, message)
    }

    /// A related place: the declaration of a parameter of another item.
    pub(crate) fn parameter(
        &self,
        item: Item<'_>,
        name: &str,
        message: impl Into<String>,
    ) -> Option<Related> {
        parameter_at(self.db, item, name, message)
    }
}

fn remembered<T: Copy>(known: &RefCell<HashMap<Str, T>>, name: &str, find: impl FnOnce() -> T) -> T {
    if let Some(it) = known.borrow().get(name) {
        return *it;
    }
    let found = find();
    known.borrow_mut().insert(name.into(), found);
    found
}

/// A related place: the definition of an item.
pub(crate) fn defined_at(db: &dyn Db, item: Item<'_>, message: impl Into<String>) -> Related {
    let range = places(db, item).name.unwrap_or_default();
    Related { file: item.file(db).id(db), range, message: message.into() }
}

/// A related place: an expression of an item.
pub(crate) fn expression_at(
    db: &dyn Db,
    item: Item<'_>,
    id: ExprId,
    message: impl Into<String>,
) -> Option<Related> {
    let range = places(db, item).map.place(id)?.range;
    Some(Related { file: item.file(db).id(db), range, message: message.into() })
}

/// A related place: the declaration of an item's parameter.
pub(crate) fn parameter_at(
    db: &dyn Db,
    item: Item<'_>,
    name: &str,
    message: impl Into<String>,
) -> Option<Related> {
    let parameters = &item.body(db).parameters;
    let here = item.signature(db).position(name).and_then(|it| parameters.get(it));
    let at = here.filter(|it| it.name == name).or_else(|| parameters.iter().find(|it| it.name == name))?.at;
    let range = places(db, item).map.place(at)?.range;
    Some(Related { file: item.file(db).id(db), range, message: message.into() })
}
