use std::sync::Arc;

use marotte_text::Str;

use crate::{Body, ExprId};

/// The interface of a definition: all that a call of a function, or a use of a class or of a resource type, depends on.
/// Edits of statements and of default values don't change it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// The parameters, in order.
    pub parameters: Box<[SignatureParameter]>,
    /// The return type, after `>>`; an expression of `types`.
    pub return_type: Option<ExprId>,
    /// The class that a class inherits from, as written.
    pub parent: Option<Str>,
    /// The expressions of all declared types.
    pub types: Arc<Body>,
}

/// A parameter of a [`Signature`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureParameter {
    /// The name of the parameter, without `$`.
    pub name: Str,
    /// The declared type, in the signature's `types`.
    pub type_expr: Option<ExprId>,
    /// Whether it has a default value.
    pub is_optional: bool,
    /// `*`: the parameter takes all remaining arguments.
    pub captures_rest: bool,
}

impl Signature {
    /// Returns the parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&SignatureParameter> {
        self.parameters.iter().find(|it| it.name == name)
    }
}
