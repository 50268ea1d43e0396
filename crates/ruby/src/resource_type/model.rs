//! The data model. It is also the format of the records of Puppet's own types, in which default values are omitted.

use std::fmt;

use marotte_text::Str;
use serde::{Deserialize, Serialize};

/// The resource types that a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTypes {
    /// The types, in source order.
    pub types: Vec<ResourceType>,
    /// The additions to types that are declared elsewhere.
    pub additions: Vec<Addition>,
    /// Whether the lists are complete. If not, the file may declare other types, or add to others.
    pub complete: bool,
}

/// An addition to a type that is declared elsewhere: `Puppet::Type.type(:package).newparam(:x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The type's name.
    pub resource_type: Str,
    /// The attributes that are added.
    pub attributes: Vec<Attribute>,
    /// Whether the list is complete.
    pub complete: bool,
}

/// A resource type: the attributes of its resources, and the way titles identify resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceType {
    /// The name, in lower case: `file`.
    pub name: Str,
    /// The documentation, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
    /// All attributes but metaparameters: `ensure` first if it is a property, the others in source order.
    ///
    /// A type with a provider of its own also has the parameter `provider`, which Puppet adds when it finds the first
    /// one, mostly in `lib/puppet/provider/NAME`. It is listed if the type's own file declares it or a provider.
    pub attributes: Vec<Attribute>,
    /// The patterns that split a title into namevars, in the order in which they are tried. `None` if they are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_patterns: Option<Vec<TitlePattern>>,
    /// Whether two resources with the same name are the same object. False for `exec` and `notify`. `None` if unknown.
    #[serde(default = "isomorphic", skip_serializing_if = "is_isomorphic")]
    pub isomorphic: Option<bool>,
    /// Where resources can be applied.
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: Target,
    /// The optional capabilities of providers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// Types to whose resources relationships are added automatically, as far as they could be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub autorelations: Vec<Autorelation>,
    /// Whether all attributes are listed with their kinds, and it is known which of them are namevars.
    ///
    /// If not, an attribute that is not listed may exist.
    #[serde(default = "complete", skip_serializing_if = "is_complete")]
    pub complete: bool,
}

impl ResourceType {
    /// The attribute of this name, unless it is a metaparameter ([`core::metaparameters`](crate::core::metaparameters)).
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The namevars, in source order. Most types have one.
    pub fn namevars(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter().filter(|attribute| attribute.namevar)
    }

    /// Whether resources can be present and absent, that is, whether there is a property `ensure`.
    pub fn ensurable(&self) -> bool {
        self.attribute("ensure").is_some_and(|attribute| attribute.kind == AttributeKind::Property)
    }
}

/// An attribute of a resource type, or a metaparameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The name of the attribute.
    pub name: Str,
    /// The kind of attribute.
    pub kind: AttributeKind,
    /// Whether it is a namevar.
    #[serde(default, skip_serializing_if = "is_default")]
    pub namevar: bool,
    /// The values that the attribute declares.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Values,
    /// Whether the attribute has its own validation, which then applies *instead of* [`Attribute::values`].
    ///
    /// The declared values are only a description in that case: other values may be accepted, and these rejected.
    #[serde(default, skip_serializing_if = "is_default")]
    pub validated: bool,
    /// The part of an array that is compared with the system's state. Only relevant for properties.
    #[serde(default, skip_serializing_if = "is_default")]
    pub matching: Matching,
    /// Features that a provider must have if the attribute is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_features: Vec<Str>,
    /// The default value, as text, if it is a literal in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Str>,
    /// Whether setting it warns of deprecation, or the documentation calls it deprecated.
    #[serde(default, skip_serializing_if = "is_default")]
    pub deprecated: bool,
    /// The documentation, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
}

impl Attribute {
    /// Creates an attribute of which only the name and the kind are known: it accepts everything.
    pub fn new(name: impl Into<Str>, kind: AttributeKind) -> Attribute {
        Attribute {
            name: name.into(),
            kind,
            namevar: false,
            values: Values::Any,
            validated: false,
            matching: Matching::First,
            required_features: Vec::new(),
            default: None,
            deprecated: false,
            doc: None,
        }
    }
}

/// The kind of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeKind {
    /// A piece of the system's state, which can be read and changed.
    Property,
    /// A read-only property. Setting it is an error.
    ReadOnly,
    /// A setting of how resources are managed.
    Parameter,
    /// A parameter that every resource has.
    Metaparameter,
}

/// The declared values of an attribute. A value matches if its text does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// None are declared: the attribute's validation decides; without one, every value is accepted.
    #[default]
    Any,
    /// Listed words and patterns.
    Listed {
        /// The words that are accepted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<Value>,
        /// The patterns, tried after the words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        patterns: Vec<Regexp>,
    },
    /// A type in Puppet's notation (of the Resource API).
    Type(Str),
    /// The values could not be read.
    Unknown,
}

/// A word that an attribute accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The accepted word.
    pub name: Str,
    /// Other words with the same meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Str>,
}

/// A regular expression in Ruby's syntax.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regexp {
    /// The text between the slashes.
    pub source: Str,
    /// The flags after the closing slash.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: Flags,
}

impl fmt::Display for Regexp {
    /// Formats the expression between slashes, followed by its flags: `/^a/i`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.source)?;
        let Flags { multi_line, ignore_case, extended } = self.flags;
        for (set, letter) in [(multi_line, "m"), (ignore_case, "i"), (extended, "x")] {
            f.write_str(if set { letter } else { "" })?;
        }
        Ok(())
    }
}

/// The flags of a regular expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Flags {
    /// `i`: ignores case.
    #[serde(skip_serializing_if = "is_default")]
    pub ignore_case: bool,
    /// `m`: a dot matches line ends too.
    #[serde(skip_serializing_if = "is_default")]
    pub multi_line: bool,
    /// `x`: ignores blanks and comments.
    #[serde(skip_serializing_if = "is_default")]
    pub extended: bool,
}

/// The part of an array that is compared with the system's state (`array_matching`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// Only the first element: the property has one value.
    #[default]
    First,
    /// All elements: the property's value is an array.
    All,
}

/// A pattern for titles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TitlePattern {
    /// The regular expression that titles are matched against.
    pub regexp: Regexp,
    /// The attributes to which its groups are assigned, in the order of the groups.
    ///
    /// Named groups of the Resource API denote attributes by name, which are then listed in their order.
    pub attributes: Vec<Str>,
}

/// The place where resources of a type can be applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The machine on which the agent runs.
    #[default]
    Host,
    /// Devices that an agent manages.
    Device,
    /// Both the machine of the agent and devices.
    Both,
}

/// An optional capability of a type's providers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The name of the feature.
    pub name: Str,
    /// The documentation, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
}

/// A relationship to resources of a type that is added automatically if they are in the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Autorelation {
    /// The kind of relationship.
    pub relation: Relation,
    /// The other type's name, in lower case.
    pub resource_type: Str,
}

/// A kind of relationship, from the side of the resource that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The other resource is applied first.
    Require,
    /// The other resource is applied later.
    Before,
    /// The other resource is applied first, and its changes refresh this one.
    Subscribe,
    /// The other resource is applied later, and changes of this one refresh it.
    Notify,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn complete() -> bool {
    true
}

fn is_complete(complete: &bool) -> bool {
    *complete
}

fn isomorphic() -> Option<bool> {
    Some(true)
}

fn is_isomorphic(isomorphic: &Option<bool>) -> bool {
    *isomorphic == Some(true)
}

#[cfg(test)]
mod tests {
    use super::{Flags, Regexp};

    #[test]
    fn regular_expressions_are_shown_as_ruby_writes_them() {
        let flags = Flags { ignore_case: true, multi_line: true, extended: false };
        assert_eq!(Regexp { source: "^a".into(), flags }.to_string(), "/^a/mi");
    }
}
