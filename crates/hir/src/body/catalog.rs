use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::ExprId;

/// `type { title: … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Declared, virtual or exported.
    pub form: ResourceForm,
    /// The name of the type, or an expression that denotes it.
    pub type_name: ExprId,
    /// In order.
    pub bodies: Box<[ResourceBody]>,
}

/// `title: attributes`.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceBody {
    /// One title, or several.
    pub title: ExprId,
    /// In order.
    pub attributes: Box<[Attribute]>,
}

/// `name => value`, `name +> value`, `* => hash`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// What is set.
    pub name: AttributeName,
    /// Stands for the name in the source map.
    pub at: ExprId,
    /// `+>`.
    pub append: bool,
    /// To what.
    pub value: ExprId,
}

/// What an attribute sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttributeName {
    /// The attribute of this name.
    Name(Str),
    /// `*`: those that a hash names.
    Unfold,
}

/// `Type <| … |> { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collector {
    /// The type of the resources.
    pub type_ref: ExprId,
    /// `<<| |>>`.
    pub exported: bool,
    /// Which ones.
    pub query: Option<Box<Query>>,
    /// What is set on them.
    pub attributes: Box<[Attribute]>,
}

/// Which resources a collector means.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Stands for it in the source map.
    pub at: ExprId,
    /// What it says.
    pub kind: QueryKind,
}

/// What a query says.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// `attribute == value`. The attribute is a name, or a variable that has the name.
    Equal(ExprId, ExprId),
    /// `attribute != value`.
    NotEqual(ExprId, ExprId),
    /// Both.
    And(Box<Query>, Box<Query>),
    /// One of both.
    Or(Box<Query>, Box<Query>),
    /// What is no query; its value is asked for and refused.
    Other(ExprId),
}
