use std::fmt;

use foldhash::fast::RandomState;
use indexmap::IndexSet;
use marotte_text::{Str, is_qualified};

/// Tags: words in lower case, in insertion order. Adding a tag with `::` in it also adds its segments (F38).
#[derive(Clone)]
pub struct Tags(Words);

/// An ordered set of words. Most resources have about ten tags: a list of so few takes half the memory of a hash table, and less time.
#[derive(Clone)]
enum Words {
    /// At most [`FEW`] words.
    Few(Vec<Str>),
    /// More words, which may be any number in hostile code.
    Many(IndexSet<Str, RandomState>),
}

/// The maximum number of words in a list.
const FEW: usize = 24;

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

impl Default for Tags {
    fn default() -> Tags {
        Tags(Words::Few(Vec::new()))
    }
}

impl PartialEq for Tags {
    fn eq(&self, other: &Tags) -> bool {
        self.len() == other.len() && self.iter().all(|it| other.contains(it))
    }
}

impl Eq for Tags {}

impl fmt::Debug for Tags {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

impl Tags {
    /// Adds a tag.
    ///
    /// # Errors
    /// If the text isn't a valid tag.
    pub fn add(&mut self, tag: &str) -> Result<(), InvalidTag> {
        let tag = lowered(tag);
        if self.contains(&tag) {
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
        if !self.insert_word(tag.clone()) || !is_qualified(&tag) {
            return;
        }
        let mut segments: Vec<&str> = tag.split("::").collect();
        // Empty segments at the end are ignored.
        while segments.last() == Some(&"") {
            segments.pop();
        }
        for segment in segments {
            self.insert_word(Str::from(segment));
        }
    }

    /// Adds one word. Returns whether it is new.
    fn insert_word(&mut self, tag: Str) -> bool {
        match &mut self.0 {
            Words::Few(list) if list.contains(&tag) => false,
            Words::Few(list) if list.len() < FEW => {
                list.push(tag);
                true
            }
            Words::Few(list) => {
                let mut table: IndexSet<Str, RandomState> = std::mem::take(list).into_iter().collect();
                table.insert(tag);
                self.0 = Words::Many(table);
                true
            }
            Words::Many(table) => table.insert(tag),
        }
    }

    /// Adds all tags of another set.
    pub fn merge(&mut self, other: &Tags) {
        if self.is_empty() {
            self.clone_from(other);
            return;
        }
        match &mut self.0 {
            Words::Few(list) => list.reserve_exact(other.len().min(FEW.saturating_sub(list.len()))),
            Words::Many(table) => table.reserve(other.len()),
        }
        for tag in other.iter() {
            self.insert_word(tag.clone());
        }
    }

    /// Whether a tag, given in lower case, is in the set.
    pub fn contains(&self, tag: &str) -> bool {
        match &self.0 {
            Words::Few(list) => list.iter().any(|it| it == tag),
            Words::Many(table) => table.contains(tag),
        }
    }

    /// Whether any of some tags, given in lower case, is in the set.
    pub fn has_one_of(&self, tags: &[Str]) -> bool {
        tags.iter().any(|it| self.contains(it))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        match &self.0 {
            Words::Few(list) => list.len(),
            Words::Many(table) => table.len(),
        }
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tags, in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = &Str> + Clone {
        let (list, table) = match &self.0 {
            Words::Few(list) => (Some(list), None),
            Words::Many(table) => (None, Some(table)),
        };
        list.into_iter().flatten().chain(table.into_iter().flatten())
    }
}

impl FromIterator<Str> for Tags {
    fn from_iter<I: IntoIterator<Item = Str>>(tags: I) -> Tags {
        let mut set = Tags::default();
        for tag in tags {
            set.insert_word(tag);
        }
        set
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

    #[test]
    fn a_list_and_a_table_are_the_same_set() {
        let word = |number: usize| Str::from(format!("tag{number}"));
        for count in [0, 1, FEW - 1, FEW, FEW + 1, 3 * FEW] {
            let tags: Tags = (0..count).chain(0..count).map(word).collect();
            assert!(tags.iter().cloned().eq((0..count).map(word)), "{tags:?}");
            assert_eq!(tags.len(), count);
            assert!(!tags.contains("tag") && (0..count).all(|it| tags.contains(&word(it))));
            let mut merged: Tags = [word(count / 2)].into_iter().collect();
            merged.merge(&tags);
            assert_eq!(merged.len(), count.max(1));
            let backwards: Tags = (0..count).rev().map(word).collect();
            assert_eq!(backwards, tags);
            assert_ne!(tags, [word(count)].into_iter().collect());
        }
    }
}
