use std::fmt;

use marotte_catalog::{Line, Reference};
use marotte_text::Str;
use serde::{Deserialize, Serialize};

use crate::partial::{reference, references};
use crate::{Content, Shown, TextDiff};

/// A difference between two catalogs of a node. Two nodes have the same change if the values are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    /// A resource was added.
    Added {
        /// The added resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// The attributes of the resource, in order.
        attributes: Vec<(Str, Shown)>,
        /// The containers of the resource.
        #[serde(with = "references")]
        within: Vec<Reference>,
        /// Whether the resource is exported.
        exported: bool,
    },
    /// A resource was removed.
    Removed {
        /// The removed resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// The former containers of the resource.
        #[serde(with = "references")]
        within: Vec<Reference>,
    },
    /// An attribute has another value, was set, or was removed.
    Attribute {
        /// The resource with the attribute.
        #[serde(with = "reference")]
        resource: Reference,
        /// The name of the attribute.
        name: Str,
        /// The value before; `None` if it was not set.
        before: Option<Shown>,
        /// The value after; `None` if it is not set.
        after: Option<Shown>,
    },
    /// A multi-line attribute differs in some lines.
    Text {
        /// The resource with the attribute.
        #[serde(with = "reference")]
        resource: Reference,
        /// The name of the attribute.
        name: Str,
        /// The changed lines.
        diff: TextDiff,
    },
    /// The content of a file that agents fetch differs: of the one that the resource names as its source, or of one below it.
    Content {
        /// The resource whose source it is.
        #[serde(with = "reference")]
        resource: Reference,
        /// The path below the source, for a file in a folder. Empty for the source itself.
        below: Str,
        /// The source before and after.
        sources: [Str; 2],
        /// The file before; `None` if there was none.
        before: Option<Content>,
        /// The file after; `None` if there is none.
        after: Option<Content>,
        /// Whether the lines must not be shown.
        is_hidden: bool,
        /// The changed lines, if [`Report::show_contents`](crate::Report::show_contents) has added them.
        diff: Option<TextDiff>,
    },
    /// A relationship was added or removed: `require`, `before`, `notify` or `subscribe` names another resource.
    Relationship {
        /// The resource with the relationship metaparameter.
        #[serde(with = "reference")]
        resource: Reference,
        /// The metaparameter that names the other resource.
        name: Str,
        /// The resource that the metaparameter names.
        #[serde(with = "reference")]
        other: Reference,
        /// Whether the relationship was added rather than removed.
        is_added: bool,
    },
    /// Tags were added to a resource, or removed from it.
    Tags {
        /// The resource with the tags.
        #[serde(with = "reference")]
        resource: Reference,
        /// The added or removed tags, sorted.
        tags: Vec<Str>,
        /// Whether the tags were added rather than removed.
        is_added: bool,
    },
    /// A property of a resource other than its attributes differs: its kind, or whether it is exported.
    Property {
        /// The resource with the property.
        #[serde(with = "reference")]
        resource: Reference,
        /// The name of the property: `kind` or `exported`.
        name: Str,
        /// The value before the change.
        before: String,
        /// The value after the change.
        after: String,
    },
    /// A resource was moved to another class, defined type or stage.
    Containment {
        /// The moved resource.
        #[serde(with = "reference")]
        resource: Reference,
        /// The containers that it only had before.
        #[serde(with = "references")]
        before: Vec<Reference>,
        /// The containers that it only has after.
        #[serde(with = "references")]
        after: Vec<Reference>,
    },
    /// A class was added to the list of classes or removed from it, without a change of a corresponding resource.
    Class {
        /// The name of the class.
        name: Str,
        /// Whether the class was added rather than removed.
        is_added: bool,
    },
    /// A change of a resource that the node only exports for other nodes, and does not have itself.
    Exported(Box<Change>),
    /// Resources are declared in another order. Agents apply unrelated resources in the order of declaration.
    Order {
        /// A smallest set of resources whose moves explain the new order; only the first of them if they are many.
        #[serde(with = "references")]
        moved: Vec<Reference>,
        /// The number of further moved resources.
        more: usize,
    },
}

/// The origin of a changed resource in the code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The places where the resource is declared, before and after.
    pub places: [Option<Line>; 2],
    /// The innermost class that contains the resource, such as `Profile::Web`; the class itself for a class. `None` if there is
    /// none, and for changes of the whole catalog.
    pub class: Option<Str>,
}

/// A change, with its certainty and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The change between the two catalogs.
    pub change: Change,
    /// Whether the change is certain. If not, unknown parts of a catalog may be the only reason for it.
    pub is_certain: bool,
    /// The origin of the resource.
    pub origin: Origin,
}

impl Change {
    /// Returns the resource that changed. None for a change of the whole catalog.
    pub fn resource(&self) -> Option<&Reference> {
        match self {
            Change::Added { resource, .. }
            | Change::Removed { resource, .. }
            | Change::Attribute { resource, .. }
            | Change::Text { resource, .. }
            | Change::Content { resource, .. }
            | Change::Relationship { resource, .. }
            | Change::Tags { resource, .. }
            | Change::Property { resource, .. }
            | Change::Containment { resource, .. } => Some(resource),
            Change::Exported(change) => change.resource(),
            Change::Class { .. } | Change::Order { .. } => None,
        }
    }

    /// Returns the change itself, of a resource that the node has or only exports.
    pub fn unwrapped(&self) -> &Change {
        match self {
            Change::Exported(change) => change,
            change => change,
        }
    }

    /// Whether it is about a resource that the node exports: without having it itself, or because it was added.
    pub fn is_exported(&self) -> bool {
        matches!(self, Change::Added { exported: true, .. } | Change::Exported(_))
    }

    /// Returns the name of the kind of change, in machine-readable output.
    pub fn kind(&self) -> &'static str {
        match self {
            Change::Added { .. } => "resource-added",
            Change::Removed { .. } => "resource-removed",
            Change::Attribute { .. } => "attribute",
            Change::Text { .. } => "text",
            Change::Content { .. } => "content",
            Change::Relationship { is_added: true, .. } => "relationship-added",
            Change::Relationship { is_added: false, .. } => "relationship-removed",
            Change::Tags { is_added: true, .. } => "tags-added",
            Change::Tags { is_added: false, .. } => "tags-removed",
            Change::Property { .. } => "property",
            Change::Containment { .. } => "containment",
            Change::Class { is_added: true, .. } => "class-added",
            Change::Class { is_added: false, .. } => "class-removed",
            Change::Exported(change) => change.kind(),
            Change::Order { .. } => "order",
        }
    }

    /// Returns the importance of the change for readers that see only a few changes: the lowest rank is listed first.
    pub fn rank(&self) -> usize {
        match self {
            Change::Removed { .. } => 0,
            Change::Added { .. } => 1,
            Change::Attribute { .. } | Change::Text { .. } | Change::Content { .. } => 2,
            Change::Relationship { .. } => 3,
            Change::Property { .. } | Change::Containment { .. } | Change::Class { .. } => 4,
            Change::Exported(change) => change.rank(),
            Change::Order { .. } => 5,
            Change::Tags { .. } => 6,
        }
    }

    /// Whether it is about an attribute of which neither value is known.
    pub fn is_unknown_on_both_sides(&self) -> bool {
        let Change::Attribute { before, after, .. } = self.unwrapped() else { return false };
        matches!((before, after), (Some(Shown::Unknown(_)), Some(Shown::Unknown(_))))
    }

    /// Returns the resources of a relationship through which a change of one resource restarts another: `(watched, restarted)`.
    /// None for other changes.
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

/// Formats the change on one line that starts with a sign: `+`, `-` or `~`. For changed texts, the line only has the numbers of
/// lines.
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
                    (Some(before @ Shown::Unknown(_)), Some(after)) if before == after => {
                        write!(out, "{before}, on both sides")
                    }
                    (Some(before), Some(after)) if before == after => {
                        write!(out, "{before}, which is another value")
                    }
                    (before, after) => write!(out, "{} => {}", or_not_set(before), or_not_set(after)),
                }
            }
            Change::Text { resource, name, diff } => {
                write!(out, "~ {resource} {name}: ")?;
                lines(diff, out)
            }
            Change::Content { resource, below, sources, before, after, diff, .. } => {
                let of = if below.is_empty() { String::new() } else { format!(" of {below}") };
                write!(out, "~ {resource} content{of}: ")?;
                match diff {
                    Some(diff) => lines(diff, out)?,
                    None => write!(out, "{} => {}", or_missing(before), or_missing(after))?,
                }
                match sources {
                    [before, after] if before == after => write!(out, " (source {after})"),
                    [before, after] => write!(out, " (source {after}, before: {before})"),
                }
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
            Change::Exported(change) => write!(out, "{change} (exported)"),
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

/// Writes the numbers of changed lines.
fn lines(diff: &TextDiff, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let lines = if diff.added == 1 { "line" } else { "lines" };
    write!(out, "{} {lines} added, {} removed", diff.added, diff.removed)
}

fn or_missing(content: &Option<Content>) -> String {
    content.as_ref().map_or_else(|| "(missing)".to_owned(), ToString::to_string)
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
