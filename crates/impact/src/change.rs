use std::fmt;

use marotte_catalog::{Line, Reference};
use marotte_text::Str;
use serde::{Deserialize, Serialize};

use crate::partial::{reference, references};
use crate::{Shown, TextDiff};

/// A difference between two catalogs of a node. Two nodes have the same change if these are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// A resource is new.
    Added {
        /// The resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// Its attributes, in order.
        attributes: Vec<(Str, Shown)>,
        /// What contains it.
        #[serde(with = "references")]
        within: Vec<Reference>,
        /// Whether it is exported.
        exported: bool,
    },
    /// A resource is gone.
    Removed {
        /// The resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// What contained it.
        #[serde(with = "references")]
        within: Vec<Reference>,
    },
    /// An attribute has another value, is set now, or no longer.
    Attribute {
        /// Of which resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// Which.
        name: Str,
        /// The value before; `None` if it was not set.
        before: Option<Shown>,
        /// The value after; `None` if it is not set.
        after: Option<Shown>,
    },
    /// An attribute is a text, of which some lines are different.
    Text {
        /// Of which resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// Which.
        name: Str,
        /// The lines.
        diff: TextDiff,
    },
    /// A relationship came or went: `require`, `before`, `notify` or `subscribe` names another resource.
    Relationship {
        /// Which resource has it.
        #[serde(with = "reference")]
        resource: Reference,
        /// The attribute that names the other.
        name: Str,
        /// The other.
        #[serde(with = "reference")]
        other: Reference,
        /// Whether it is new, as against gone.
        is_added: bool,
    },
    /// A resource got tags, or lost some.
    Tags {
        /// Which resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// The tags, sorted.
        tags: Vec<Str>,
        /// Whether they are new, as against gone.
        is_added: bool,
    },
    /// What is said of a resource beside its attributes is different: its kind, whether it is exported.
    Property {
        /// Which resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// What.
        name: Str,
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// A resource is in another class, defined type or stage.
    Containment {
        /// Which resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// What contains it only before.
        #[serde(with = "references")]
        before: Vec<Reference>,
        /// What contains it only after.
        #[serde(with = "references")]
        after: Vec<Reference>,
    },
    /// The list of classes has another entry, without a resource that says the same.
    Class {
        /// Its name.
        name: Str,
        /// Whether it is new, as against gone.
        is_added: bool,
    },
    /// Resources are declared earlier or later than others. Agents apply what is not related in this order.
    Order {
        /// The fewest resources that are elsewhere; the first of them, if they are many.
        #[serde(with = "references")]
        moved: Vec<Reference>,
        /// How many more there are.
        more: usize,
    },
}

/// A change, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The change.
    pub change: Change,
    /// Whether it is certain. If not, it may only be that something is not known of one of the catalogs.
    pub is_certain: bool,
    /// Where the resource is declared, before and after.
    pub places: [Option<Line>; 2],
}

impl Change {
    /// The resource that it is about. None for what is about all of a catalog.
    pub fn resource(&self) -> Option<&Reference> {
        match self {
            Change::Added { resource, .. }
            | Change::Removed { resource, .. }
            | Change::Attribute { resource, .. }
            | Change::Text { resource, .. }
            | Change::Relationship { resource, .. }
            | Change::Tags { resource, .. }
            | Change::Property { resource, .. }
            | Change::Containment { resource, .. } => Some(resource),
            Change::Class { .. } | Change::Order { .. } => None,
        }
    }

    /// A word for its kind, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Change::Added { .. } => "resource-added",
            Change::Removed { .. } => "resource-removed",
            Change::Attribute { .. } => "attribute",
            Change::Text { .. } => "text",
            Change::Relationship { is_added: true, .. } => "relationship-added",
            Change::Relationship { is_added: false, .. } => "relationship-removed",
            Change::Tags { is_added: true, .. } => "tags-added",
            Change::Tags { is_added: false, .. } => "tags-removed",
            Change::Property { .. } => "property",
            Change::Containment { .. } => "containment",
            Change::Class { is_added: true, .. } => "class-added",
            Change::Class { is_added: false, .. } => "class-removed",
            Change::Order { .. } => "order",
        }
    }

    /// How much it matters to who reads few of them: the lowest first.
    pub fn rank(&self) -> usize {
        match self {
            Change::Removed { .. } => 0,
            Change::Added { .. } => 1,
            Change::Attribute { .. } | Change::Text { .. } => 2,
            Change::Relationship { .. } => 3,
            Change::Property { .. } | Change::Containment { .. } | Change::Class { .. } => 4,
            Change::Order { .. } => 5,
            Change::Tags { .. } => 6,
        }
    }

    /// Whether a relationship makes one resource restart another, and how: `(what is watched, what restarts)`.
    pub fn restarts(&self) -> Option<(&Reference, &Reference)> {
        match self {
            Change::Relationship { resource, name, other, .. } => match &**name {
                "notify" => Some((resource, other)),
                "subscribe" => Some((other, resource)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The change on one line, with a sign before it: `+`, `-` or `~`. Of changed texts, only that there is one.
impl fmt::Display for Change {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |is_added: bool| if is_added { '+' } else { '-' };
        match self {
            Change::Added { resource, exported, .. } => {
                write!(out, "+ {resource}{}", if *exported { " (exported)" } else { "" })
            }
            Change::Removed { resource, .. } => write!(out, "- {resource}"),
            Change::Attribute { resource, name, before, after } => {
                write!(out, "~ {resource} {name}: ")?;
                match (before, after) {
                    (Some(before), Some(after)) if before == after => {
                        write!(out, "{before}, which is another value")
                    }
                    (before, after) => write!(out, "{} => {}", or_not_set(before), or_not_set(after)),
                }
            }
            Change::Text { resource, name, diff } => {
                let lines = if diff.added == 1 { "line" } else { "lines" };
                write!(out, "~ {resource} {name}: {} {lines} added, {} removed", diff.added, diff.removed)
            }
            Change::Relationship { resource, name, other, is_added } => {
                write!(out, "{} {resource} {name}: {other}", sign(*is_added))?;
                let Some((watched, restarted)) = self.restarts() else { return Ok(()) };
                let verb = if *is_added { "restarts" } else { "no longer restarts" };
                write!(out, " ({restarted} {verb} when {watched} changes)")
            }
            Change::Tags { resource, tags, is_added } => {
                write!(
                    out,
                    "~ {resource} tags: {}{}",
                    sign(*is_added),
                    tags.join(&format!(", {}", sign(*is_added)))
                )
            }
            Change::Property { resource, name, before, after } => {
                write!(out, "~ {resource} ({name}): {before} => {after}")
            }
            Change::Containment { resource, before, after } => {
                write!(out, "~ {resource} is contained in {} rather than {}", list(after), list(before))
            }
            Change::Class { name, is_added } => write!(out, "{} class {name}", sign(*is_added)),
            Change::Order { moved, more } => {
                let shown = moved.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let more = more.saturating_add(moved.len().saturating_sub(3));
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(out, "~ declared at another place in the order: {shown}{more}")
            }
        }
    }
}

fn or_not_set(value: &Option<Shown>) -> String {
    value.as_ref().map_or_else(|| "(not set)".to_owned(), ToString::to_string)
}

fn list(resources: &[Reference]) -> String {
    if resources.is_empty() {
        return "nothing".to_owned();
    }
    resources.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
