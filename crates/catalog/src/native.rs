//! Resource types that are not written in Puppet: those of the language itself, and those written in Ruby (F.9).

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

/// A resource type that is not written in Puppet: as much of it as a compiler asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeType {
    /// In lower case.
    pub name: Str,
    /// The names of its attributes without those that all types have. None if they are not known.
    pub attributes: Option<BTreeSet<Str>>,
    /// The one attribute that is the name; `name` if there are several, or it is not known.
    pub namevar: Str,
    /// The attributes that make a resource the one it is, in alphabetical order. None if they are not known, or if resources
    /// of the same name are not the same.
    pub namevars: Option<Vec<Str>>,
    /// What a title says about them: the first pattern that matches counts.
    pub title_patterns: Vec<TitlePattern>,
    /// The attributes that a title may give in a way that can't be read, in alphabetical order.
    pub unread_title: Vec<Str>,
    /// Whether that is all that a title may give.
    pub titles_are_known: bool,
}

/// A pattern of titles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitlePattern {
    /// What titles are matched with.
    pub regexp: Regexp,
    /// Which attributes its groups are, in order.
    pub attributes: Vec<Str>,
}

impl NativeType {
    /// A type of which nothing but its name is known: whatever a resource says is right.
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

    /// The attributes that a title gives, as far as that can be read. None if no pattern matches it.
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
