//! The catalog language: the operations that add to a catalog while a program runs, and the final steps (group F).
//!
//! `State` is the catalog under construction. It changes through its own operations only (`state`), so that the
//! evaluation of one body is a sequence of requests and of these operations. Scopes of classes outlive the evaluation
//! of their bodies and are shared; frames of functions and lambdas are not.

mod access;
mod attribute;
mod class;
mod collector;
mod compile;
mod costs;
mod create_resources;
mod defaults;
mod definition;
mod doubt;
mod evaluate;
mod faults;
mod finish;
mod gaps;
mod import;
mod instance;
mod interactive;
mod load;
mod metaparameters;
mod node;
mod overriding;
mod parameters;
mod provenance;
mod relationship;
mod resource;
mod skipped;
mod state;
mod tagging;
mod validate;

pub use compile::Compiled;
pub(crate) use definition::{Definition, DefinitionKind, Definitions, FUNCTION, TYPE_ALIAS};
pub use gaps::{Gap, Places};
pub(crate) use instance::{Container, ContainerState, ResourceId, ResourceKind};
pub use interactive::Addition;
pub use provenance::{
    Declaration, DeclarationKind, Provenance, Read, ReadSource, Reads, Trace, TraceKind, Traced,
};
pub use relationship::Arrow;
pub(crate) use skipped::{may_match, may_render};
pub(crate) use state::State;

use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::value::Value;

use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Unwind};
use relationship::operand_value;

impl Interpreter<'_> {
    /// Evaluates an expression that requires a catalog.
    pub(crate) fn catalog_expression(&mut self, env: &Env<'_>, id: ExprId, expr: &Expr) -> Evaluated {
        let (what, during) = match expr {
            Expr::Relationship { op, .. } => ("a relationship", relationship::label(*op)),
            Expr::Resource(_) => ("a resource", "Resource Statement"),
            Expr::ResourceDefaults(..) => ("defaults of resources", "Resource Defaults Expression"),
            Expr::ResourceOverride(..) => ("an override of a resource", "Resource Override"),
            Expr::Collector(it) if it.exported => ("a collector", "Exported Query"),
            Expr::Collector(_) => ("a collector", "Virtual Query"),
            _ => ("apply", "Apply Expression"),
        };
        if self.catalog.is_none() {
            return Err(self.no_catalog(env, id, what));
        }
        let result = match expr {
            Expr::Relationship { .. } => self
                .relationship(env, id)
                .map(|it| Value::Array(it.iter().filter_map(operand_value).collect())),
            Expr::Resource(it) => self.resource(env, id, it),
            Expr::ResourceDefaults(type_ref, attributes) => {
                self.resource_defaults(env, *type_ref, attributes)
            }
            Expr::ResourceOverride(_, resources, attributes) => {
                self.resource_override(env, id, *resources, attributes)
            }
            Expr::Collector(it) => self.collector(env, id, it).map(|_| Value::Undef),
            _ => Err(self.no_catalog(env, id, what)),
        };
        result.map_err(|unwind| placed(unwind, env, id, during))
    }

    /// The error that an operation needs a catalog, and there is none.
    pub(crate) fn no_catalog(&self, env: &Env<'_>, id: ExprId, operation: &str) -> Unwind {
        let message = format!("{operation} needs a catalog, and expressions are evaluated without one");
        self.fail(env, id, issues::CATALOG_OPERATION_NOT_SUPPORTED, message)
    }

    /// The catalog under construction.
    pub(crate) fn state(&mut self) -> Evaluated<&mut State> {
        match &mut self.catalog {
            Some(state) => Ok(state),
            None => Err(EvaluationError::runtime("there is no catalog").into()),
        }
    }
}

/// Sets the place of an error that has none to the expression.
fn placed(unwind: Unwind, env: &Env<'_>, id: ExprId, during: &'static str) -> Unwind {
    match unwind {
        Unwind::Error(mut error) if error.place.is_none() => {
            error.place = Some(env.place(id));
            if error.issue == issues::RUNTIME_ERROR {
                error.during.get_or_insert(during);
            }
            Unwind::Error(error)
        }
        other => other,
    }
}

/// Flattens nested arrays into one list of values.
fn flattened(values: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut flat = Vec::new();
    for value in values {
        flatten(value, &mut flat);
    }
    flat
}

fn flatten(value: Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|it| flatten(it.clone(), flat)),
        value => flat.push(value),
    }
}
