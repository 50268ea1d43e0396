use marotte_text::{Str, TextRange};

use super::Expr;

/// Whether a resource is realized immediately, or is virtual or exported.
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
    /// The type: usually a name; for `class { … }` the name `class`.
    pub type_name: Expr,
    /// The bodies, at least one.
    pub bodies: Box<[ResourceBody]>,
}

/// `title: attributes`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// The range of the whole body.
    pub range: TextRange,
    /// A title, a list of titles, or `default`.
    pub title: Expr,
    /// The attributes, in source order.
    pub attributes: Box<[Attribute]>,
}

/// `name => value`, `name +> value` or `* => hash`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The range of the whole attribute.
    pub range: TextRange,
    /// The left side, before the arrow.
    pub name: AttributeName,
    /// The range of the left side.
    pub name_range: TextRange,
    /// Whether the arrow is `+>` rather than `=>`.
    pub append: bool,
    /// The right side, after the arrow.
    pub value: Expr,
}

/// The left side of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeName {
    /// A name or keyword.
    Name(Str),
    /// `*`: all entries of a hash.
    Unfold,
    /// Source that could not be parsed and has been reported.
    Error,
}

/// `Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDefaults {
    /// The form; validation rejects all but the regular one.
    pub form: ResourceForm,
    /// The reference to the type.
    pub type_ref: Expr,
    /// The attributes, in source order.
    pub attributes: Box<[Attribute]>,
}

/// `Type['title'] { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceOverride {
    /// The form; validation rejects all but the regular one.
    pub form: ResourceForm,
    /// The access expression that names the resources.
    pub resources: Expr,
    /// The attributes, in source order.
    pub attributes: Box<[Attribute]>,
}

/// `Type <| query |> { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collector {
    /// The type reference; validation rejects other expressions.
    pub type_ref: Expr,
    /// The query between the brackets.
    pub query: Query,
    /// The attributes to override on the collected resources.
    pub attributes: Box<[Attribute]>,
}

/// `<| … |>` or `<<| … |>>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The range, brackets included.
    pub range: TextRange,
    /// Whether it is `<<| … |>>`, which collects exported resources.
    pub exported: bool,
    /// The condition; `None` (an empty query) selects all.
    pub condition: Option<Expr>,
}
