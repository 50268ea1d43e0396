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
    /// The attributes that identify a resource, in alphabetical order: several, one, or (by mistake) none. `None` if they are
    /// unknown, or if resources with equal names may be different.
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

    /// Whether no attribute identifies its resources. No title is valid then, unless the type has patterns for titles.
    fn has_no_namevar(&self) -> bool {
        self.namevars.as_ref().is_some_and(Vec::is_empty)
    }

    /// Returns the attributes that a title sets, as far as that can be analyzed. `None` if no pattern matches it.
    pub fn parse_title(&self, title: &str) -> Option<Vec<(Str, Str)>> {
        if !self.unread_title.is_empty() {
            return Some(Vec::new());
        }
        if self.title_patterns.is_empty() {
            if self.has_no_namevar() {
                return None;
            }
            return Some(vec![(self.namevar.clone(), title.into())]);
        }
        self.title_patterns.iter().find_map(|it| it.attributes_of(title))
    }
}

/// The pattern of `file`: a path without the slashes at its end.
const PATH: &str = r"^(/|.+:/|.*[^/])/*\Z";

/// The pattern of most types with one name.
const ANYTHING: &str = "(.*)";

/// The source of a pattern without the group for the option `m`, which concerns only line ends.
fn without_multi_line(source: &str) -> &str {
    source.strip_prefix("(?m-ix:").and_then(|it| it.strip_suffix(')')).unwrap_or(source)
}

impl TitlePattern {
    /// Returns the attributes that a title sets. `None` if it doesn't match.
    fn attributes_of(&self, title: &str) -> Option<Vec<(Str, Str)>> {
        // Most resources of a catalog are files, and for this pattern a search in a line takes much longer than to look
        // at its end.
        let source = without_multi_line(self.regexp.source());
        if source == PATH && !title.contains('\n') {
            let name = self.attributes.first()?;
            return Some(vec![(name.clone(), without_slashes(title)?.into())]);
        }
        // The pattern of most other types: whole lines.
        if source == ANYTHING && !title.contains('\n') {
            return Some(vec![(self.attributes.first()?.clone(), title.into())]);
        }
        let captures = self.regexp.captures(title).ok()??;
        let values = self
            .attributes
            .iter()
            .enumerate()
            .filter_map(|(index, name)| Some((name.clone(), captures.get(index + 1)?.into())));
        Some(values.collect())
    }
}

/// The group of [`PATH`] for a title of one line. `None` if it doesn't match.
fn without_slashes(title: &str) -> Option<&str> {
    let shorter = title.trim_end_matches('/');
    let has_slash = shorter.len() < title.len();
    match shorter {
        "" => has_slash.then_some("/"),
        // A drive, as in `C:/`
        _ if has_slash && shorter.len() > 1 && shorter.ends_with(':') => title.get(..=shorter.len()),
        _ => Some(shorter),
    }
}

#[cfg(test)]
mod tests {
    use marotte_pcore::regexp::Options;

    use super::*;

    fn pattern(source: &str) -> TitlePattern {
        let regexp =
            Regexp::with_options(source, Options { multi_line: true, ..Options::default() }).unwrap();
        assert_eq!(without_multi_line(regexp.source()), source);
        TitlePattern { regexp, attributes: vec!["path".into()] }
    }

    #[test]
    fn common_patterns_give_what_a_search_gives() {
        let all = [
            "/", "//", "", ":", ":/", "::/", "C:/", "C://", "C:", "a", "/a", "/a/", "/a//", "/a:/", "/a/:/",
            "é:/", "é/", "a b", "a\nb", "/a/\n", "/a\n/",
        ];
        for pattern in [pattern(PATH), pattern(ANYTHING)] {
            for title in all {
                let captures = pattern.regexp.captures(title).unwrap();
                let group = captures.as_ref().and_then(|it| it.get(1));
                let attributes = pattern.attributes_of(title);
                assert_eq!(attributes.as_ref().map(|it| &*it[0].1), group, "{title}");
            }
        }
    }
}
