//! Catalog compilation, step by step (F1).

use std::rc::Rc;

use marotte_catalog::{Catalog, Kind, Named, NativeType, Reference};
use marotte_diagnostics::issues;
use marotte_pcore::print::writing_in;
use marotte_syntax::ast::ResourceForm;

use super::Definition;
use super::gaps::Gap;
use super::instance::{Container, ResourceId, ResourceKind};
use super::provenance::Provenance;
use super::resource::NewResource;
use crate::interpreter::{Evaluated, Interpreter, Scope};
use crate::{EvaluationError, Place};

/// The maximal number of rounds in which collectors and defined types are evaluated alternately.
const ROUNDS: usize = 1000;

/// The result of a compilation.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The catalog: complete if there are no errors, otherwise partial. None if nothing could be evaluated.
    pub catalog: Option<Catalog<Place>>,
    /// The errors, in the order in which they were found.
    pub errors: Vec<EvaluationError>,
    /// The causes of unknown values and of skipped code. Empty if the catalog is completely known.
    pub gaps: Vec<Gap>,
    /// The provenance of the catalog's parts, if it was to be recorded.
    pub provenance: Option<Box<Provenance>>,
}

impl Interpreter<'_> {
    /// Compiles the catalog of the node: evaluates the main manifests, the node definition, the classes assigned by the
    /// classifier, and everything that these declare.
    ///
    /// After an error, unrelated code is still evaluated, and its errors are reported, too. Anything that is missing
    /// then may be missing because of the error, so its absence is not reported.
    pub fn compile(&mut self) -> Compiled {
        let compiled = self.compile_kept();
        let state = self.catalog.take().unwrap_or_default();
        let provenance = self.tracing.take().map(|it| Box::new(state.provenance(&it)));
        Compiled { catalog: Some(state.into_catalog(self.requests.node())), provenance, ..compiled }
    }

    /// Like [`compile`](Interpreter::compile), but the interpreter keeps the catalog, so that later evaluations see the
    /// variables of classes. The result has no catalog.
    pub fn compile_kept(&mut self) -> Compiled {
        self.catalog = Some(Box::default());
        writing_in(self.dialect(), || {
            let compiled = self.compile_steps();
            self.noted(compiled);
        });
        let (errors, gaps) = match &mut self.catalog {
            Some(state) => (std::mem::take(&mut state.errors), std::mem::take(&mut state.gaps).into_all()),
            None => (Vec::new(), Vec::new()),
        };
        Compiled { catalog: None, errors, gaps, provenance: None }
    }

    fn compile_steps(&mut self) -> Evaluated<()> {
        let main = self.load_main()?;
        let main_resource = self.begin(&main)?;
        let steps = [
            |it: &mut Self, main: ResourceId| it.evaluate_resource(main),
            |it: &mut Self, _| it.evaluate_node(),
            |it: &mut Self, _| it.evaluate_node_classes(),
        ];
        for step in steps {
            let result = step(self, main_resource);
            self.noted(result);
        }
        self.evaluate_generators()?;
        if self.is_after_error() {
            return self.validate_attributes();
        }
        self.finish(main_resource)?;
        self.fail_on_unevaluated()?;
        self.validate_relationships()
    }

    /// Sets up the main stage, the settings and the class of the code outside of all definitions.
    pub(super) fn begin(&mut self, main: &Rc<Definition>) -> Evaluated<ResourceId> {
        let top = Rc::clone(&self.top);
        let stage =
            self.requests.native_type("stage")?.unwrap_or_else(|| NativeType::unknown("stage").into());
        let add = |it: &mut Self, kind, reference, shown_kind, source: &Rc<Definition>| {
            let form = ResourceForm::Regular;
            let (parameters, place, source) = (Named::default(), None, Rc::clone(source));
            let new = NewResource {
                kind,
                reference,
                title: None,
                shown_kind,
                parameters,
                open: None,
                place,
                form,
                scope: &top,
                source,
            };
            let instance = it.new_instance(new)?;
            it.add_resource(&top, instance)
        };
        let reference = Reference::new("stage", "main");
        add(self, ResourceKind::Native(stage), reference, Kind::CompilableType, main)?;
        for (name, _) in self.requests.node().classes {
            self.state()?.add_class(&name);
        }
        let settings = match self.state()?.definitions.get(super::definition::Wanted::Class, "settings") {
            Some(known) => known,
            None => Rc::new(Definition::empty_class("settings")),
        };
        let kind = ResourceKind::Container(Rc::clone(&settings));
        let id = add(self, kind, Reference::class("settings"), Kind::Unknown, &settings)?;
        self.state()?.resource_mut(id).evaluated = true;
        self.settings_scope(id, &settings)?;
        let kind = ResourceKind::Container(Rc::clone(main));
        let id = add(self, kind, Reference::main(), Kind::Unknown, main)?;
        let container = Container::new(id, Rc::clone(main), None);
        // A second catalog in the same top scope continues from the first.
        let _ = self.top.container.set(container);
        Ok(id)
    }

    /// Creates the scope of the settings class, which counts as evaluated; `$settings::name` is answered by the
    /// requests.
    fn settings_scope(&mut self, id: ResourceId, settings: &Rc<Definition>) -> Evaluated<()> {
        let container = Container::new(id, Rc::clone(settings), Some(Rc::clone(&self.top)));
        let scope = Scope::of(container, None, Some(Rc::clone(&self.top)));
        let state = self.state()?;
        state.add_class("settings");
        state.class_scopes.insert("settings".into(), Rc::new(scope));
        self.add_to_stage(id)
    }

    /// Evaluates collectors and defined types alternately until there is nothing new (F4, F28).
    pub(super) fn evaluate_generators(&mut self) -> Evaluated<()> {
        for _ in 0..=ROUNDS {
            let found = self.evaluate_collectors()?;
            let evaluated = self.evaluate_definitions()?;
            if !found && !evaluated {
                return Ok(());
            }
        }
        let message = "Somehow looped more than 1000 times while evaluating host catalog";
        Err(EvaluationError::new(issues::TOO_MANY_ROUNDS, message).into())
    }

    /// Evaluates resources of defined types, and classes whose evaluation was deferred, each independently of the
    /// others.
    fn evaluate_definitions(&mut self) -> Evaluated<bool> {
        let waiting = self
            .state()?
            .declared()
            .filter(|(_, it)| !it.evaluated && !it.is_virtual && !matches!(it.kind, ResourceKind::Native(_)));
        let waiting: Vec<ResourceId> = waiting.map(|(id, _)| id).collect();
        for id in &waiting {
            self.check_budget()?;
            let state = self.state()?;
            state.evaluating = state.resource(*id).place.clone();
            let result = self.evaluate_resource(*id);
            self.noted(result);
            self.state()?.evaluating = None;
        }
        Ok(!waiting.is_empty())
    }
}
