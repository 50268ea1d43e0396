use marotte_text::{Str, TextRange};

use super::Expr;

/// Whether a resource is realized at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceForm {
    /// `file { … }`
    #[default]
    Regular,
    /// `@file { … }`
    Virtual,
    /// `@@file { … }`
    Exported,
}

/// `type { title: attributes; … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Virtual, exported or neither.
    pub form: ResourceForm,
    /// Usually a name; `class` is the name `class`.
    pub type_name: Expr,
    /// At least one.
    pub bodies: Box<[ResourceBody]>,
}

/// `title: attributes`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// All of it.
    pub range: TextRange,
    /// A title, a list of titles, or `default`.
    pub title: Expr,
    /// In order of writing.
    pub attributes: Box<[Attribute]>,
}

/// `name => value`, `name +> value` or `* => hash`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// All of it.
    pub range: TextRange,
    /// What stands before the arrow.
    pub name: AttributeName,
    /// Where that stands.
    pub name_range: TextRange,
    /// `+>` rather than `=>`.
    pub append: bool,
    /// What stands after it.
    pub value: Expr,
}

/// The left side of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeName {
    /// A name or keyword.
    Name(Str),
    /// `*`: all entries of a hash.
    Unfold,
    /// What could not be read, and was reported.
    Error,
}

/// `Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDefaults {
    /// Anything but regular is refused by validation.
    pub form: ResourceForm,
    /// The type reference.
    pub type_ref: Expr,
    /// In order of writing.
    pub attributes: Box<[Attribute]>,
}

/// `Type['title'] { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceOverride {
    /// Anything but regular is refused by validation.
    pub form: ResourceForm,
    /// The access expression.
    pub resources: Expr,
    /// In order of writing.
    pub attributes: Box<[Attribute]>,
}

/// `Type <| query |> { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collector {
    /// A type reference; validation refuses others.
    pub type_ref: Expr,
    /// What stands between the brackets.
    pub query: Query,
    /// Overrides of what is collected.
    pub attributes: Box<[Attribute]>,
}

/// `<| … |>` or `<<| … |>>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Brackets included.
    pub range: TextRange,
    /// `<<|`.
    pub exported: bool,
    /// Empty queries select all.
    pub condition: Option<Expr>,
}
