//! A catalog that grows with every program that is run, for programs that are entered one after the other.

use std::rc::Rc;

use marotte_catalog::Reference;
use marotte_hir::DefinitionKind;
use marotte_pcore::print::writing_in;
use marotte_pcore::value::Value;

use super::Definition;
use super::gaps::Gap;
use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Unit, Unwind};

/// The effects of a program on the catalog.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The value of the last statement; None if there are errors.
    pub value: Option<Value>,
    /// The resources that were declared, in the order of their declaration; none if there are errors.
    pub resources: Vec<Reference>,
    /// The errors, in the order in which they were found.
    pub errors: Vec<EvaluationError>,
    /// The causes of unknown values and of skipped code.
    pub gaps: Vec<Gap>,
}

impl Interpreter<'_> {
    /// Begins a catalog to which `run_in_catalog` adds. The main manifests and node definitions are not evaluated.
    ///
    /// # Errors
    /// If the main stage or the top scope cannot be set up.
    pub fn begin_catalog(&mut self) -> Result<(), EvaluationError> {
        self.catalog = Some(Box::default());
        let begun = writing_in(self.dialect(), || {
            let main = self.begin(&Rc::new(Definition::empty_class("")))?;
            self.evaluate_resource(main)
        });
        begun.map_err(Unwind::into_error)
    }

    /// Evaluates a program in the top scope, and everything that it declares. Relationships and overrides are kept,
    /// but not compared with the resources that exist: a later program may declare them. A program with errors changes
    /// nothing, so that it can be run again once it is corrected.
    pub fn run_in_catalog(&mut self, unit: &Unit) -> Addition {
        let checkpoint = self.checkpoint();
        let before = self.catalog.as_ref().map_or(0, |it| it.len());
        let value = writing_in(self.dialect(), || {
            let value = self.run_declared(unit).map_err(Unwind::into_error);
            if value.is_ok() {
                let generated = self.evaluate_generators();
                self.noted(generated);
                let valid = self.validate_attributes();
                self.noted(valid);
            }
            value
        });
        let mut addition =
            Addition { value: None, resources: Vec::new(), errors: Vec::new(), gaps: Vec::new() };
        match value {
            Ok(value) => addition.value = Some(value),
            Err(error) => addition.errors.push(error),
        }
        if let Some(state) = &mut self.catalog {
            addition.errors.append(&mut state.errors);
            addition.gaps = std::mem::take(&mut state.gaps).into_all();
            addition.resources = state.resources().skip(before).map(|(_, it)| it.reference.clone()).collect();
        }
        if !addition.errors.is_empty() {
            addition.value = None;
            addition.resources.clear();
            self.roll_back(checkpoint);
        }
        addition
    }

    fn run_declared(&mut self, unit: &Unit) -> Evaluated {
        let is_for_catalogs =
            |kind: &DefinitionKind| matches!(kind, DefinitionKind::Class(_) | DefinitionKind::Define);
        match unit.lowered.definitions.iter().any(|it| is_for_catalogs(&it.kind)) {
            true => self.define_all(unit, "")?,
            // Functions and type aliases may be defined again.
            false => self.declare(unit)?,
        }
        let code = unit.main();
        let top = Rc::clone(&self.top);
        let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
        self.in_program(&code, |it| it.statements(&env, &code.body.statements))
    }
}
