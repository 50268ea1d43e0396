//! The plain types. They are also the form of the records of Puppet's own types, in which what is usual is left out.

use std::fmt;

use marotte_text::Str;
use serde::{Deserialize, Serialize};

/// The resource types that a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceTypes {
    /// The types, in the order of the source.
    pub types: Vec<ResourceType>,
    /// What the file adds to types that are declared elsewhere.
    pub additions: Vec<Addition>,
    /// Whether these are all. If not, the file may declare other types, or add to others.
    pub complete: bool,
}

/// What a file adds to a type that is declared elsewhere: `Puppet::Type.type(:package).newparam(:x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The type's name.
    pub resource_type: Str,
    /// The attributes that are added.
    pub attributes: Vec<Attribute>,
    /// Whether these are all.
    pub complete: bool,
}

/// A resource type: the attributes that its resources have, and how their titles name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceType {
    /// The name, in lower case: `file`.
    pub name: Str,
    /// The documentation, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
    /// All attributes but metaparameters: `ensure` first if it is a property, the others as the source has them.
    ///
    /// A type with a provider of its own also has the parameter `provider`, which Puppet adds when it finds the
    /// first one, mostly in `lib/puppet/provider/NAME`. It is listed if the type's own file declares it or a provider.
    pub attributes: Vec<Attribute>,
    /// How a title is taken apart into attributes that name the resource, in the order in which patterns are tried.
    /// `None` if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title_patterns: Option<Vec<TitlePattern>>,
    /// Whether two resources with the same name are the same thing. False for `exec` and `notify`. `None` if unknown.
    #[serde(default = "isomorphic", skip_serializing_if = "is_isomorphic")]
    pub isomorphic: Option<bool>,
    /// Where resources can be applied.
    #[serde(default, skip_serializing_if = "is_default")]
    pub target: Target,
    /// What providers may be able to do, or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<Feature>,
    /// Types to whose resources a relationship is made without being asked for, as far as they could be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub autorelations: Vec<Autorelation>,
    /// Whether all attributes are listed, with their kinds, and it is known which of them name the resource.
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

    /// The attributes that name a resource, in the order of the source. Most types have one.
    pub fn namevars(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter().filter(|attribute| attribute.namevar)
    }

    /// Whether resources can be present and absent: whether there is a property `ensure`.
    pub fn ensurable(&self) -> bool {
        self.attribute("ensure").is_some_and(|attribute| attribute.kind == AttributeKind::Property)
    }
}

/// An attribute of a resource type, or a metaparameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The name.
    pub name: Str,
    /// What kind of attribute.
    pub kind: AttributeKind,
    /// Whether it names the resource.
    #[serde(default, skip_serializing_if = "is_default")]
    pub namevar: bool,
    /// Which values are declared.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Values,
    /// Whether the attribute has its own validation, which then decides *instead of* [`Attribute::values`].
    ///
    /// What is listed is a description in that case: other values may be accepted, and these refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub validated: bool,
    /// What of an array is compared with the system's state. Of interest for properties only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub matching: Matching,
    /// Features that a provider must have if the attribute is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_features: Vec<Str>,
    /// The value without being set, as text, if it is a literal in the source.
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
    /// An attribute of which no more than the name and the kind is known: it accepts everything.
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

/// What kind of attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeKind {
    /// A piece of the system's state, which can be read and changed.
    Property,
    /// A property that can be read only. Setting it is an error.
    ReadOnly,
    /// It changes how resources are managed.
    Parameter,
    /// A parameter that every resource has.
    Metaparameter,
}

/// Which values of an attribute are declared. A value matches if its text does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// Nothing is declared: whatever the attribute's validation accepts, everything if it has none.
    #[default]
    Any,
    /// Listed words and patterns.
    Listed {
        /// The words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<Value>,
        /// The patterns, tried after the words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        patterns: Vec<Regexp>,
    },
    /// A type in Puppet's notation (of the Resource API).
    Type(Str),
    /// They could not be read.
    Unknown,
}

/// A word that an attribute accepts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The word.
    pub name: Str,
    /// Other words for the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Str>,
}

/// A regular expression in Ruby's syntax.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regexp {
    /// What stands between the slashes.
    pub source: Str,
    /// What stands behind them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: Flags,
}

impl fmt::Display for Regexp {
    /// Between slashes, with its flags behind: `/^a/i`.
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
    /// `i`: upper and lower case are the same.
    #[serde(skip_serializing_if = "is_default")]
    pub ignore_case: bool,
    /// `m`: a dot matches line ends too.
    #[serde(skip_serializing_if = "is_default")]
    pub multi_line: bool,
    /// `x`: blanks and comments mean nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub extended: bool,
}

/// What of an array is compared with the system's state (`array_matching`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// The first element alone: the property has one value.
    #[default]
    First,
    /// All elements: the property's value is an array.
    All,
}

/// A pattern that titles may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TitlePattern {
    /// The pattern.
    pub regexp: Regexp,
    /// The attributes that its groups are the values of: the first group is the first attribute's.
    ///
    /// Named groups of the Resource API stand for attributes by their names, which are then listed in their order.
    pub attributes: Vec<Str>,
}

/// Where resources of a type can be applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// On the machine on which the agent runs.
    #[default]
    Host,
    /// On devices that an agent manages for them.
    Device,
    /// On both.
    Both,
}

/// Something that providers of a type may be able to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The name.
    pub name: Str,
    /// What it means, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
}

/// A relationship to resources of a type that is made if they are in the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Autorelation {
    /// What kind of relationship.
    pub relation: Relation,
    /// The other type's name, in lower case.
    pub resource_type: Str,
}

/// A kind of relationship, from the side of the resource that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The other comes first.
    Require,
    /// The other comes later.
    Before,
    /// The other comes first, and its changes refresh this one.
    Subscribe,
    /// The other comes later, and changes of this one refresh it.
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
