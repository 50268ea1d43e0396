//! Resource types that aren't written in Puppet: those of the language itself, and those written in Ruby (F.9).

use std::collections::BTreeSet;

use marotte_pcore::regexp::Regexp;
use marotte_text::Str;

/// The parameters that every resource has, in the reference's order (F39).
pub const METAPARAMETERS: [&str; 11] = [
    "noop",
    "schedule",
    "audit",
    "loglevel",
    "alias",
    "tag",
    "require",
    "subscribe",
    "before",
    "notify",
    "stage",
];

/// A resource type that isn't written in Puppet: the parts that a compiler needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeType {
    /// The name, in lower case.
    pub name: Str,
    /// The names of its attributes without metaparameters. `None` if they are unknown.
    pub attributes: Option<BTreeSet<Str>>,
    /// The single namevar; `name` if there are several, or if it is unknown.
    pub namevar: Str,
    /// The attributes that identify a resource, in alphabetical order. `None` if they are unknown, or if resources with
    /// equal names may be different.
    pub namevars: Option<Vec<Str>>,
    /// The patterns that derive the values of namevars from a title: the first one that matches wins.
    pub title_patterns: Vec<TitlePattern>,
    /// The attributes that a title may set in a way that can't be analyzed, in alphabetical order.
    pub unread_title: Vec<Str>,
    /// Whether a title can't set any other attributes.
    pub titles_are_known: bool,
}

/// A pattern that derives attributes from a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitlePattern {
    /// The regular expression that titles are matched against.
    pub regexp: Regexp,
    /// The attributes that its groups set, in order.
    pub attributes: Vec<Str>,
}

impl NativeType {
    /// Creates a type of which only the name is known: it accepts any attribute.
    pub fn unknown(name: &str) -> NativeType {
        NativeType {
            name: name.into(),
            attributes: None,
            namevar: "name".into(),
            namevars: None,
            title_patterns: Vec::new(),
            unread_title: Vec::new(),
            titles_are_known: false,
        }
    }

    /// Whether a resource of this type may have an attribute.
    pub fn accepts(&self, attribute: &str) -> bool {
        match &self.attributes {
            None => true,
            Some(known) => {
                attribute == "name" || METAPARAMETERS.contains(&attribute) || known.contains(attribute)
            }
        }
    }

    /// Returns the attributes that a title sets, as far as that can be analyzed. `None` if no pattern matches it.
    pub fn parse_title(&self, title: &str) -> Option<Vec<(Str, Str)>> {
        if !self.unread_title.is_empty() {
            return Some(Vec::new());
        }
        if self.title_patterns.is_empty() {
            return Some(vec![(self.namevar.clone(), title.into())]);
        }
        self.title_patterns.iter().find_map(|pattern| {
            let captures = pattern.regexp.captures(title).ok()??;
            let values = pattern
                .attributes
                .iter()
                .enumerate()
                .filter_map(|(index, name)| Some((name.clone(), captures.get(index + 1)?.into())));
            Some(values.collect())
        })
    }
}
