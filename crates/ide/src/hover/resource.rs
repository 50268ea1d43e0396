//! Hover texts of resource types and their attributes.

use marotte_check::semantics::{self, ResourceTypeMeaning};
use marotte_db::File;
use marotte_ruby::core;
use marotte_ruby::resource_type::{Attribute, AttributeKind, ResourceType, Values};

use super::{code, shown_path};
use crate::Db;

/// The description of a resource type that isn't written in Puppet.
pub(crate) fn described<'db>(db: &'db dyn Db, from: File, name: &str) -> Option<&'db ResourceType> {
    match semantics::resource_type(db, from, name)? {
        ResourceTypeMeaning::Core(it) => Some(it),
        ResourceTypeMeaning::Ruby(_, it) => it,
        ResourceTypeMeaning::Define(_) => None,
    }
}

pub(super) fn of_type(db: &dyn Db, from: File, name: &str) -> Vec<String> {
    let mut parts = vec![code(name)];
    if let Some(ResourceTypeMeaning::Ruby(file, _)) = semantics::resource_type(db, from, name) {
        let environment = marotte_db::environment_of(db, from);
        parts.push(format!("A resource type in Ruby: `{}`.", shown_path(db, environment, file)));
    } else {
        parts.push("A resource type of Puppet.".to_owned());
    }
    let Some(described) = described(db, from, name) else { return parts };
    parts.extend(type_documentation(described).map(str::to_owned));
    let of = |wanted: fn(AttributeKind) -> bool| {
        let names = described.attributes.iter().filter(|it| wanted(it.kind)).map(|it| match it.namevar {
            true => format!("`{}` (names the resource)", it.name),
            false => format!("`{}`", it.name),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let properties = of(|it| matches!(it, AttributeKind::Property | AttributeKind::ReadOnly));
    let parameters = of(|it| it == AttributeKind::Parameter);
    if !properties.is_empty() {
        parts.push(format!("**Properties**: {properties}"));
    }
    if !parameters.is_empty() {
        parts.push(format!("**Parameters**: {parameters}"));
    }
    if !described.complete {
        parts.push("It may have further attributes.".to_owned());
    }
    parts
}

pub(super) fn of_attribute(db: &dyn Db, from: File, type_name: &str, name: &str) -> Vec<String> {
    let mut parts = vec![code(&format!("{type_name}: {name}"))];
    let described = described(db, from, type_name);
    let Some((described, attribute)) = described.and_then(|it| Some((it, it.attribute(name)?))) else {
        parts.push(format!("An attribute of `{type_name}` of which nothing is known."));
        return parts;
    };
    parts.push(summary(attribute));
    parts.extend(attribute_documentation(described, attribute).map(str::to_owned));
    parts
}

/// The documentation of a resource type: its own, or that of Puppet's type.
fn type_documentation(described: &ResourceType) -> Option<&str> {
    let own = described.doc.as_deref();
    own.or_else(|| of_core(described).then(|| core::type_documentation(&described.name)).flatten())
}

/// The documentation of an attribute of a resource type: its own, or that of Puppet's type.
pub(crate) fn attribute_documentation<'a>(
    described: &'a ResourceType,
    attribute: &'a Attribute,
) -> Option<&'a str> {
    let of_type = || core::attribute_documentation(&described.name, &attribute.name);
    attribute.doc.as_deref().or_else(|| of_core(described).then(of_type).flatten())
}

/// Whether a description is that of one of Puppet's own types, and not of a type of a module with the same name.
fn of_core(described: &ResourceType) -> bool {
    core::resource_type(&described.name).is_some_and(|it| std::ptr::eq(it, described))
}

/// The kind of an attribute, and the values that it accepts.
pub(crate) fn summary(attribute: &Attribute) -> String {
    let mut text = match attribute.kind {
        AttributeKind::Property => "A property.",
        AttributeKind::ReadOnly => "A property that can only be read.",
        AttributeKind::Parameter => "A parameter.",
        AttributeKind::Metaparameter => "A metaparameter.",
    }
    .to_owned();
    if attribute.namevar {
        text += " It names the resource.";
    }
    let values = match &attribute.values {
        Values::Any | Values::Unknown => String::new(),
        Values::Type(it) => format!("`{it}`"),
        Values::Listed { words, patterns } => {
            let words = words.iter().map(|it| {
                let aliases: Vec<String> = it.aliases.iter().map(|it| format!("`{it}`")).collect();
                let aliases =
                    if aliases.is_empty() { String::new() } else { format!(" ({})", aliases.join(", ")) };
                format!("`{}`{aliases}", it.name)
            });
            words.chain(patterns.iter().map(|it| format!("`{it}`"))).collect::<Vec<_>>().join(", ")
        }
    };
    if !values.is_empty() {
        let label = if attribute.validated { "Values, among others" } else { "Values" };
        text += &format!(" {label}: {values}");
    }
    if let Some(default) = &attribute.default {
        text += &format!(" Default: `{default}`");
    }
    if attribute.deprecated {
        text += " Deprecated.";
    }
    text
}

/// The purpose of a metaparameter.
pub(crate) fn metaparameter(name: &str) -> &'static str {
    match name {
        "alias" => "Another name by which relationships can refer to the resource.",
        "audit" => "Attributes whose changes are reported, but not undone.",
        "before" => "Resources that come after this one.",
        "loglevel" => "The level at which changes of the resource are logged.",
        "noop" => "Whether changes are reported, but not made.",
        "notify" => "Resources that come after this one, and refresh when it changes.",
        "require" => "Resources that come before this one.",
        "schedule" => "When the resource may be managed: the name of a `schedule`.",
        "stage" => "The run stage that a class belongs to.",
        "subscribe" => "Resources that come before this one, and whose changes refresh it.",
        "tag" => "Words by which the resource can be found.",
        _ => "An attribute that every resource has.",
    }
}
