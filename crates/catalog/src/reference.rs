use std::fmt;

use marotte_pcore::print::capitalize_segments;
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;
use marotte_text::{Str, normalized, unrooted};

/// A reference to a resource by its type and title, as catalogs write them: the segments of type and class names are
/// capitalized.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The type, with capitalized segments: `Apt::Source`.
    pub type_name: Str,
    /// The title; for classes, with capitalized segments.
    pub title: Str,
}

impl Reference {
    /// Creates a reference to a resource or a class; type and class names may be in any case.
    pub fn new(type_name: &str, title: &str) -> Reference {
        let type_name = unrooted(type_name);
        if type_name.eq_ignore_ascii_case("class") {
            return Reference::class(title);
        }
        Reference { type_name: capitalize_segments(&normalized(type_name)).into(), title: title.into() }
    }

    /// Creates a reference to a class. The class without a name is the top-level one.
    pub fn class(name: &str) -> Reference {
        match unrooted(name) {
            "" => Reference::main(),
            // Only the first letter of each segment is changed.
            name => Reference { type_name: "Class".into(), title: capitalize_segments(name).into() },
        }
    }

    /// The top-level class, which contains everything outside of definitions. A class named `main` is distinct from it:
    /// `Class[Main]`.
    pub fn main() -> Reference {
        Reference { type_name: "Class".into(), title: "main".into() }
    }

    /// Parses `Type[title]`. `None` for other texts.
    pub fn parse(text: &str) -> Option<Reference> {
        parts(text).map(|(type_name, title)| Reference::new(type_name, title))
    }

    /// Parses `Type[title]` as written in a catalog, where the case is already normalized. `None` for other texts.
    pub fn read(text: &str) -> Option<Reference> {
        let (type_name, title) = parts(text)?;
        Some(Reference { type_name: type_name.into(), title: title.into() })
    }

    /// Returns the reference that a value denotes, if it is the type of one resource or class. The title is empty if
    /// the type has none.
    pub fn of_value(value: &Value) -> Option<Reference> {
        let Value::Type(it) = value else { return None };
        match it.resolved().kind() {
            TypeKind::Resource(ResourceType { type_name: Some(name), title, .. }) => {
                Some(Reference::new(name, title.as_deref().unwrap_or_default()))
            }
            TypeKind::Class(Some(name)) => Some(Reference::class(name)),
            _ => None,
        }
    }

    /// Returns the type of exactly this resource.
    pub fn to_value(&self) -> Value {
        let kind = match &*self.type_name {
            "Class" => TypeKind::Class(Some(self.title.to_lowercase())),
            _ => TypeKind::Resource(ResourceType {
                type_name: Some(self.type_name.clone()),
                title: Some(self.title.clone()),
                ..ResourceType::default()
            }),
        };
        Value::Type(kind.into())
    }
}

/// Splits `Type[title]` into the type and the title.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (type_name, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let is_part = !type_name.is_empty() && !type_name.contains(']') && !title.is_empty();
    is_part.then_some((type_name, title))
}

impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}[{}]", self.type_name, self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_capitalized_and_titles_are_not() {
        assert_eq!(Reference::new("a::b", "x y").to_string(), "A::B[x y]");
        assert_eq!(Reference::new("class", "a::b").to_string(), "Class[A::B]");
        assert_eq!(Reference::new("Class", "").to_string(), "Class[main]");
        assert_eq!(Reference::parse("file[/a[b]]").unwrap().to_string(), "File[/a[b]]");
        assert_eq!(Reference::parse("file"), None);
        assert_ne!(Reference::class("main"), Reference::main());
        assert_eq!(Reference::read("Class[main]"), Some(Reference::main()));
    }

    #[test]
    fn values_refer() {
        let reference = Reference::new("file", "/a");
        assert_eq!(Reference::of_value(&reference.to_value()), Some(reference));
        assert_eq!(Reference::of_value(&Value::from("File[/a]")), None);
    }
}
