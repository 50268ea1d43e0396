use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::ExprId;

/// `type { title: … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// The form of the declaration: regular, virtual or exported.
    pub form: ResourceForm,
    /// The name of the type, or an expression that denotes it.
    pub type_name: ExprId,
    /// The bodies, in order.
    pub bodies: Box<[ResourceBody]>,
}

/// `title: attributes`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// An expression for one title or several.
    pub title: ExprId,
    /// The attributes, in order.
    pub attributes: Box<[Attribute]>,
}

/// `name => value`, `name +> value`, `* => hash`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The attribute to set.
    pub name: AttributeName,
    /// A marker expression: gives the name a place in the source map.
    pub at: ExprId,
    /// Whether the operator is `+>`.
    pub append: bool,
    /// The value to set.
    pub value: ExprId,
}

/// The attributes that an [`Attribute`] sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttributeName {
    /// The attribute of this name.
    Name(Str),
    /// `*`: the attributes that a hash names.
    Unfold,
}

/// `Type <| … |> { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collector {
    /// The type of the resources.
    pub type_ref: ExprId,
    /// Whether it collects exported resources: `<<| |>>`.
    pub exported: bool,
    /// The condition that selects the resources; all of the type if `None`.
    pub query: Option<Box<Query>>,
    /// The attributes to set on them.
    pub attributes: Box<[Attribute]>,
}

/// The condition of a collector, which selects resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// A marker expression: gives the query a place in the source map.
    pub at: ExprId,
    /// The kind of condition.
    pub kind: QueryKind,
}

/// A kind of [`Query`].
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// `attribute == value`. The attribute is a name, or a variable that has the name.
    Equal(ExprId, ExprId),
    /// `attribute != value`.
    NotEqual(ExprId, ExprId),
    /// `… and …`.
    And(Box<Query>, Box<Query>),
    /// `… or …`.
    Or(Box<Query>, Box<Query>),
    /// Any other expression, which isn't a valid query; its value is evaluated and rejected.
    Other(ExprId),
}
