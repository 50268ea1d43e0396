use std::fmt;

use foldhash::fast::RandomState;
use indexmap::IndexSet;
use marotte_text::{Str, is_qualified};

/// Tags: words in lower case, in insertion order. Adding a tag with `::` in it also adds its segments (F38).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(IndexSet<Str, RandomState>);

/// The error for a text that isn't a valid tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTag(pub Str);

impl fmt::Display for InvalidTag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Invalid tag '{}'", self.0)
    }
}

impl std::error::Error for InvalidTag {}

/// Whether a text is a valid tag.
pub fn is_valid_tag(text: &str) -> bool {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    // The reference's pattern ignores a line end after a tag.
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.starts_with(is_word) && text.chars().all(|it| is_word(it) || matches!(it, ':' | '.' | '-'))
}

/// The text in lower case, which most tags already are.
fn lowered(text: &str) -> Str {
    match text.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase()) {
        true => text.into(),
        false => text.to_lowercase().into(),
    }
}

impl Tags {
    /// Adds a tag.
    ///
    /// # Errors
    /// If the text isn't a valid tag.
    pub fn add(&mut self, tag: &str) -> Result<(), InvalidTag> {
        let tag = lowered(tag);
        if self.0.contains(&tag) {
            return Ok(());
        }
        if !is_valid_tag(&tag) {
            return Err(InvalidTag(tag));
        }
        self.insert(tag);
        Ok(())
    }

    /// Adds a title if it is a valid tag.
    pub fn add_title(&mut self, title: &str) {
        if is_valid_tag(title) {
            self.insert(lowered(title));
        }
    }

    fn insert(&mut self, tag: Str) {
        if !self.0.insert(tag.clone()) || !is_qualified(&tag) {
            return;
        }
        let mut segments: Vec<&str> = tag.split("::").collect();
        // Empty segments at the end are ignored.
        while segments.last() == Some(&"") {
            segments.pop();
        }
        self.0.extend(segments.into_iter().map(Str::from));
    }

    /// Adds all tags of another set.
    pub fn merge(&mut self, other: &Tags) {
        match self.0.is_empty() {
            true => self.0.clone_from(&other.0),
            false => {
                self.0.reserve(other.0.len());
                self.0.extend(other.0.iter().cloned());
            }
        }
    }

    /// Whether a tag, given in lower case, is in the set.
    pub fn contains(&self, tag: &str) -> bool {
        self.0.contains(tag)
    }

    /// Whether any of some tags, given in lower case, is in the set.
    pub fn has_one_of(&self, tags: &[Str]) -> bool {
        tags.iter().any(|it| self.0.contains(it))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tags, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = &Str> + Clone {
        self.0.iter()
    }
}

impl FromIterator<Str> for Tags {
    fn from_iter<I: IntoIterator<Item = Str>>(tags: I) -> Tags {
        Tags(tags.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_tags() {
        let mut tags = Tags::default();
        tags.add("A::B").unwrap();
        tags.add_title("/tmp/x");
        assert_eq!(tags.add("x y"), Err(InvalidTag("x y".into())));
        assert_eq!(tags.iter().map(|it| &**it).collect::<Vec<_>>(), ["a::b", "a", "b"]);
        assert!(tags.has_one_of(&["z".into(), "b".into()]));
    }
}
