//! The costs of resources, parameters, tags and edges: a short program can declare more of them than fit into memory, or
//! than can be shown in a reasonable time.
//!
//! Memory is charged for what is new, with enough to spare: the size of the process decides in the end whether too much is
//! alive. Steps are charged for everything that a catalog shows, even if its memory is shared.

use marotte_catalog::Tags;
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_pcore::budget::Budget;
use marotte_pcore::effort;
use marotte_pcore::value::Value;

use super::instance::Instance;
use crate::interpreter::{Evaluated, Interpreter, spent};

/// The memory for a resource and the scope of its body, in bytes.
const RESOURCE: usize = 2_000;

/// The memory for a parameter of a resource, without its value.
const PARAMETER: usize = 200;

/// The memory for a tag.
const TAG: usize = 64;

/// The memory for an override that waits for its resource, without its parameters.
const OVERRIDE: usize = 300;

impl Interpreter<'_> {
    /// Charges for a resource that is about to be added.
    pub(super) fn charge_resource(&mut self, new: &Instance) -> Evaluated<()> {
        /// The steps for a resource without parameters.
        const STEPS: u64 = 50;
        self.spend(STEPS)?;
        self.allocate(RESOURCE)?;
        charge_title(self.budget(), &new.reference.title)?;
        for (name, parameter) in &new.parameters {
            charge_parameter(self.budget(), name, &parameter.value)?;
        }
        Ok(())
    }

    /// Charges for a parameter that is about to be set.
    pub(super) fn charge_parameter(&self, name: &str, value: &Value) -> Evaluated<()> {
        charge_parameter(self.budget(), name, value)
    }

    /// Charges for a deep copy of a value.
    pub(super) fn charge_copy(&self, value: &Value) -> Evaluated<()> {
        /// The memory for an entry of a hash, in relation to its size.
        const OVERHEAD: usize = 2;
        if let Value::Array(_) | Value::Hash(_) = value {
            self.budget().reserve((OVERHEAD * value.extent().size()) as u64).map_err(spent)?;
            self.budget().spend(effort::size(value.extent()) / 2).map_err(spent)?;
        }
        Ok(())
    }

    /// Charges for the tags in a value, each of which may consist of many segments.
    pub(super) fn charge_tags_of(&self, value: &Value) -> Evaluated<()> {
        charge_tags_of(self.budget(), value)
    }

    /// Charges for an override that is about to be recorded, or applied.
    pub(super) fn charge_override(&self, parameters: usize) -> Evaluated<()> {
        self.allocate(OVERRIDE + PARAMETER * parameters)?;
        self.budget().spend(10 + 2 * parameters as u64).map_err(spent)
    }

    /// Charges for edges from one resource.
    pub(super) fn charge_edges(&self, count: usize) -> Evaluated<()> {
        /// An edge is resolved, shown, and followed by the search for cycles.
        const STEPS: u64 = 10;
        self.allocate(count * size_of::<Value>())?;
        self.budget().spend(STEPS.saturating_mul(count as u64)).map_err(spent)
    }

    /// Charges for an array that was copied to extend it.
    pub(super) fn charge_list(&self, list: &Value) -> Evaluated<()> {
        let count = elements(list);
        self.allocate(count * size_of::<Value>())?;
        self.budget().spend(count as u64 / 2).map_err(spent)
    }

    /// Charges for an error of an edge: each has a message of its own.
    pub(super) fn charge_fault(&self) -> Evaluated<()> {
        const FAULT: (u64, usize) = (1_000, 1_000);
        self.allocate(FAULT.1)?;
        self.budget().spend(FAULT.0).map_err(spent)
    }

    /// Fails if the budget is exhausted: then, nothing that is left to evaluate succeeds.
    pub(super) fn check_budget(&self) -> Evaluated<()> {
        self.budget().check().map_err(spent)
    }
}

/// Charges for a parameter of a resource. The value itself may be shared, but is shown for each resource.
pub(super) fn charge_parameter(budget: &Budget, name: &str, value: &Value) -> Evaluated<()> {
    /// The number of levels of nesting whose indentation takes as much space as a value.
    const LEVELS: u64 = 4;
    /// Arrays of references are flattened, resolved, and followed by the search for cycles.
    const REFERENCE: u64 = 3;
    let (extent, elements) = (value.extent(), elements(value));
    budget.allocate((PARAMETER + elements * size_of::<Value>()) as u64).map_err(spent)?;
    let each = 4 + extent.depth() as u64 / LEVELS;
    let each = if RELATIONSHIPS.contains(&name) { REFERENCE * each } else { each };
    budget.spend(effort::size(extent).saturating_mul(each)).map_err(spent)?;
    if name == "tag" { charge_tags_of(budget, value) } else { Ok(()) }
}

/// The number of values that a flattened copy of an array has at least.
fn elements(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.len(),
        _ => 0,
    }
}

fn charge_tags_of(budget: &Budget, value: &Value) -> Evaluated<()> {
    charge_text_of_tags(budget, value.extent().size())
}

/// Charges for the tags that a title implies.
fn charge_title(budget: &Budget, title: &str) -> Evaluated<()> {
    charge_text_of_tags(budget, title.len())
}

fn charge_text_of_tags(budget: &Budget, length: usize) -> Evaluated<()> {
    /// The shortest segment of a tag, with its separator.
    const SEGMENT: usize = 3;
    let count = length / SEGMENT;
    budget.reserve((count * TAG) as u64).map_err(spent)?;
    budget.spend(count as u64 / 2).map_err(spent)
}

/// Charges for the tags that a resource takes from another.
pub(super) fn charge_tags(budget: &Budget, tags: &Tags) -> Evaluated<()> {
    budget.allocate((tags.len() * TAG) as u64).map_err(spent)?;
    budget.spend(tags.len() as u64).map_err(spent)
}
