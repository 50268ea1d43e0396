//! Metaparameters, which every resource has (F.7).

use std::sync::Arc;

use indexmap::IndexMap;
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_catalog::{METAPARAMETERS, Reference};
use marotte_pcore::budget::Budget;
use marotte_pcore::types::{StructElement, Type};
use marotte_pcore::value::Value;

use super::State;
use super::costs::{charge_parameter, charge_tags};
use super::definition::Definition;
use super::instance::{Parameter, ResourceId};
use super::provenance::{Reads, Trace, TraceKind};
use crate::EvaluationError;
use crate::interpreter::Evaluated;

/// Checks the names of the parameters of a class or defined type; returns warnings.
///
/// # Errors
/// If a parameter has the name of a metaparameter and no default (F41).
pub(super) fn check_parameter_names(definition: &Definition) -> Result<Vec<String>, EvaluationError> {
    let name = &definition.name;
    let taken = definition.parameters().iter().filter(|it| METAPARAMETERS.contains(&&*it.name));
    taken
        .map(|it| {
            let parameter = &it.name;
            match it.default {
                Some(_) => Ok(format!(
                    "{parameter} is a metaparam; this value will inherit to all contained resources in the {name} definition"
                )),
                None => Err(EvaluationError::runtime(format!(
                    "{parameter} is a metaparameter; please choose another parameter name in the {name} definition"
                ))),
            }
        })
        .collect()
}

impl State {
    /// Propagates metaparameters and tags from containers to the resources they contain (F39). It starts at the main
    /// class: classes that are only attached to their stage are not reached.
    pub(super) fn inherit_metaparameters(&mut self, main: ResourceId, budget: &Budget) -> Evaluated<()> {
        let mut inherited: Vec<Option<IndexMap<&str, Parameter>>> = vec![None; self.len()];
        let mut seen = vec![false; self.len()];
        let mut queue = std::collections::VecDeque::from([main]);
        while let Some(source) = queue.pop_front() {
            if std::mem::replace(&mut seen[source.0], true) {
                continue;
            }
            let contents: Vec<ResourceId> = self.contents(source).collect();
            let given = inherited[source.0].take().unwrap_or_else(|| self.metaparameters(source));
            for target in &contents {
                if !given.is_empty() {
                    for (name, parameter) in &given {
                        if *self.resource(*target).value(name) == Value::Undef {
                            charge_parameter(budget, name, &parameter.value)?;
                            let mut parameter = parameter.clone();
                            if parameter.trace.is_some() {
                                let from = self.resource(source).reference.clone();
                                parameter.trace = Some(inherited_trace(from, &parameter));
                            }
                            self.set_parameter(*target, name, parameter)?;
                        }
                    }
                    let mut own = given.clone();
                    if let Some(by) = self.resource(*target).open.clone() {
                        // The resource may have values of its own.
                        own.values_mut().for_each(|it| it.value = Value::Unknown(by.computed()));
                    }
                    own.extend(self.metaparameters(*target));
                    inherited[target.0] = Some(own);
                }
                charge_tags(budget, &self.resource(source).tags)?;
                self.share_tags(source, *target);
            }
            inherited[source.0] = Some(given);
            queue.extend(contents);
        }
        Ok(())
    }

    /// The inherited metaparameters: those that are set, except relationships.
    fn metaparameters(&self, id: ResourceId) -> IndexMap<&'static str, Parameter> {
        let instance = self.resource(id);
        let names = METAPARAMETERS.into_iter().filter(|it| !RELATIONSHIPS.contains(it));
        let set = names.filter_map(|name| Some((name, instance.parameters.get(name)?.clone())));
        set.filter(|(_, it)| it.value != Value::Undef).collect()
    }
}

/// The trace of a metaparameter that a resource takes from its container.
fn inherited_trace(from: Reference, parameter: &Parameter) -> Arc<Trace> {
    let (kind, value) = (TraceKind::Inherited(from), parameter.value.clone());
    Arc::new(Trace::new(kind, None, None, value, Reads::default()).after(parameter.trace.clone()))
}

/// The metaparameters that every resource accepts; tags and relationships may have any value.
pub(super) fn accepted() -> Vec<StructElement> {
    let free = |name: &str| StructElement { name: name.into(), optional: true, value: Type::any() };
    ["name"].into_iter().chain(METAPARAMETERS).map(free).collect()
}
