use std::hash::{Hash, Hasher};

use marotte_text::Str;

/// A resource, the resources of a type, or all resources. The case of type names is ignored, that of titles isn't (D38).
#[derive(Clone, Debug, Default)]
pub struct ResourceType {
    /// The type, as written.
    pub type_name: Option<Str>,
    /// The title of the resource. None for the type itself.
    pub title: Option<Str>,
    /// Whether this is the resource itself, which only Ruby code returns (`findresource`): a reference in all respects, but
    /// its text has no quotes. It is not compared.
    pub is_object: bool,
}

impl ResourceType {
    /// Whether both are resources of one type, or both of any.
    pub fn has_type_of(&self, other: &ResourceType) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(a), Some(b)) => a.to_lowercase() == b.to_lowercase(),
            (None, None) => true,
            _ => false,
        }
    }
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &ResourceType) -> bool {
        self.has_type_of(other) && self.title == other.title
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_name.as_ref().map(|it| it.to_lowercase()).hash(state);
        self.title.hash(state);
    }
}
