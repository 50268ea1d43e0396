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
    /// The indexes of the parameters, ordered by name; empty if there are few.
    by_name: Box<[usize]>,
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
    /// A signature of these parts.
    pub(crate) fn new(
        parameters: Box<[SignatureParameter]>,
        return_type: Option<ExprId>,
        parent: Option<Str>,
        types: Arc<Body>,
    ) -> Signature {
        /// It takes less time to compare the names of this many parameters than to keep a table of them.
        const FEW: usize = 32;
        let mut by_name: Vec<usize> =
            if parameters.len() > FEW { (0..parameters.len()).collect() } else { Vec::new() };
        // Of equal names, the first parameter is the one.
        by_name.sort_by(|one, other| parameters[*one].name.cmp(&parameters[*other].name));
        Signature { parameters, return_type, parent, types, by_name: by_name.into() }
    }

    /// Returns the parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&SignatureParameter> {
        self.position(name).map(|it| &self.parameters[it])
    }

    /// Returns the index of the parameter of a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        if self.by_name.is_empty() {
            return self.parameters.iter().position(|it| it.name == name);
        }
        let name_at = |index: &usize| self.parameters[*index].name.as_str();
        let first = self.by_name.partition_point(|it| name_at(it) < name);
        self.by_name.get(first).copied().filter(|it| name_at(it) == name)
    }
}
