//! Attributes that resources get outside of their declarations: from defaults, overrides and collectors.

use std::collections::BTreeSet;

use marotte_text::{Str, normalized};

use crate::body::{Attribute, Body, Expr};
use crate::{ExprId, Lowered};

/// Returns the type and the attributes of an expression that sets attributes of existing resources: defaults,
/// overrides, and collectors with attributes. The type is `None` if it is computed.
pub fn altered<'b>(body: &'b Body, expr: &'b Expr) -> Option<(Option<&'b Str>, &'b [Attribute])> {
    let reference = |id: ExprId| match body.expr(id) {
        Expr::Reference(name) => Some(name),
        Expr::Access { target, .. } => match body.expr(*target) {
            Expr::Reference(name) if !name.eq_ignore_ascii_case("resource") => Some(name),
            _ => None,
        },
        _ => None,
    };
    match expr {
        Expr::ResourceDefaults(it, attributes) | Expr::ResourceOverride(_, it, attributes) => {
            Some((reference(*it), attributes))
        }
        Expr::Collector(it) if !it.attributes.is_empty() => Some((reference(it.type_ref), &it.attributes)),
        _ => None,
    }
}

/// Resource types whose resources get attributes outside of their declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlteredTypes {
    /// The names of the types, in lower case.
    names: BTreeSet<Str>,
    /// Whether some of the types are computed, so that any type may be among them.
    any: bool,
}

impl AlteredTypes {
    /// Collects the types that a file alters.
    pub(crate) fn of(file: &Lowered) -> Self {
        let mut all = AlteredTypes::default();
        let definitions = file.definitions.iter().map(|it| &it.body);
        for body in definitions.chain([&file.main]) {
            for (name, _) in body.exprs().filter_map(|(_, expr)| altered(body, expr)) {
                match name {
                    Some(name) => {
                        all.names.insert(normalized(name));
                    }
                    None => all.any = true,
                }
            }
        }
        all
    }

    /// Whether a resource type, given by its name in lower case, may be among them.
    pub fn may_have(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }
}

impl<'a> Extend<&'a AlteredTypes> for AlteredTypes {
    fn extend<I: IntoIterator<Item = &'a AlteredTypes>>(&mut self, others: I) {
        for it in others {
            self.any |= it.any;
            self.names.extend(it.names.iter().cloned());
        }
    }
}
