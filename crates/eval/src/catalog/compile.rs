//! The steps in which a catalog is made (F1).

use std::rc::Rc;

use marotte_catalog::{Catalog, Kind, Named, NativeType, Reference};
use marotte_pcore::print::writing_in;
use marotte_syntax::ast::ResourceForm;

use super::Definition;
use super::gaps::Gap;
use super::instance::{Container, ResourceId, ResourceKind};
use super::resource::NewResource;
use crate::interpreter::{Evaluated, Interpreter, Scope};
use crate::{EvaluationError, Place};

/// How often collectors and resource types may take turns.
const ROUNDS: usize = 1000;

/// What a compilation gives.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What there is of a catalog: all of it if there are no errors. None if nothing could be evaluated.
    pub catalog: Option<Catalog<Place>>,
    /// What is wrong, in the order in which it was found.
    pub errors: Vec<EvaluationError>,
    /// What could not be evaluated, and what that has kept from being known. Nothing if the catalog is known to the end.
    pub gaps: Vec<Gap>,
}

impl Interpreter<'_> {
    /// Makes the catalog of the node: evaluates the main manifests, the node's definition, the classes of its classifier,
    /// and all that these declare.
    ///
    /// After an error, what has nothing to do with it is still evaluated, and its errors are told, too. What is missing then
    /// may be missing because of the error, so that nothing is said of it.
    pub fn compile(&mut self) -> Compiled {
        self.catalog = Some(Box::default());
        writing_in(self.dialect(), || {
            let compiled = self.compile_steps();
            self.noted(compiled);
        });
        let mut state = self.catalog.take().unwrap_or_default();
        let errors = std::mem::take(&mut state.errors);
        let gaps = std::mem::take(&mut state.gaps).into_all();
        Compiled { catalog: Some(state.into_catalog(self.requests.node())), errors, gaps }
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

    /// The main stage, the settings, and what is outside of all definitions.
    fn begin(&mut self, main: &Rc<Definition>) -> Evaluated<ResourceId> {
        let top = Rc::clone(&self.top);
        let stage = self.requests.native_type("stage").unwrap_or_else(|| NativeType::unknown("stage").into());
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
        // A second catalog in the same top scope goes on from the first.
        let _ = self.top.container.set(container);
        Ok(id)
    }

    /// The class of the settings has been evaluated; `$settings::name` is asked of the outside.
    fn settings_scope(&mut self, id: ResourceId, settings: &Rc<Definition>) -> Evaluated<()> {
        let container = Container::new(id, Rc::clone(settings), Some(Rc::clone(&self.top)));
        let scope = Scope::of(container, None, Some(Rc::clone(&self.top)));
        let state = self.state()?;
        state.add_class("settings");
        state.class_scopes.insert("settings".into(), Rc::new(scope));
        self.add_to_stage(id)
    }

    /// Collectors collect and resource types are evaluated until there is nothing new (F4, F28).
    fn evaluate_generators(&mut self) -> Evaluated<()> {
        for _ in 0..=ROUNDS {
            let found = self.evaluate_collectors()?;
            let evaluated = self.evaluate_definitions()?;
            if !found && !evaluated {
                return Ok(());
            }
        }
        let message = "Somehow looped more than 1000 times while evaluating host catalog";
        Err(EvaluationError::new("too-many-rounds", message).into())
    }

    /// Evaluates resource types, and classes that wait for it, each by itself.
    fn evaluate_definitions(&mut self) -> Evaluated<bool> {
        let waiting = self
            .state()?
            .declared()
            .filter(|(_, it)| !it.evaluated && !it.is_virtual && !matches!(it.kind, ResourceKind::Native(_)));
        let waiting: Vec<ResourceId> = waiting.map(|(id, _)| id).collect();
        for id in &waiting {
            let state = self.state()?;
            state.evaluating = state.resource(*id).place.clone();
            let result = self.evaluate_resource(*id);
            self.noted(result);
            self.state()?.evaluating = None;
        }
        Ok(!waiting.is_empty())
    }
}
