//! Attributes that resources get outside of their declarations: from defaults, overrides and collectors.

use std::collections::{BTreeMap, BTreeSet};

use marotte_text::{Str, normalized};

use crate::body::{Attribute, AttributeName, Body, Expr};
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

/// The attributes that resources get outside of their declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlteredTypes {
    /// The altered attributes, by the names of resource types in lower case.
    types: BTreeMap<Str, AlteredAttributes>,
    /// Whether some of the types are computed, so that any type may be among them.
    any: bool,
}

/// The attributes that resources of one type get outside of their declarations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct AlteredAttributes {
    names: BTreeSet<Str>,
    /// Whether some are computed, so that any attribute may be among them.
    any: bool,
}

impl AlteredTypes {
    /// Collects the types that a file alters.
    pub(crate) fn of(file: &Lowered) -> Self {
        let mut all = AlteredTypes::default();
        let definitions = file.definitions.iter().map(|it| &it.body);
        for body in definitions.chain([&file.main]) {
            for (name, attributes) in body.exprs().filter_map(|(_, expr)| altered(body, expr)) {
                let Some(name) = name else {
                    all.any = true;
                    continue;
                };
                let altered = all.types.entry(normalized(name)).or_default();
                for attribute in attributes {
                    match &attribute.name {
                        AttributeName::Name(name) => _ = altered.names.insert(name.clone()),
                        AttributeName::Unfold => altered.any = true,
                    }
                }
            }
        }
        all
    }

    /// Whether an attribute of a resource type, given by its name in lower case, may be among them.
    pub fn may_have(&self, type_name: &str, attribute: &str) -> bool {
        self.any || self.types.get(type_name).is_some_and(|it| it.any || it.names.contains(attribute))
    }
}

impl<'a> Extend<&'a AlteredTypes> for AlteredTypes {
    fn extend<I: IntoIterator<Item = &'a AlteredTypes>>(&mut self, others: I) {
        for it in others {
            self.any |= it.any;
            for (name, attributes) in &it.types {
                let all = self.types.entry(name.clone()).or_default();
                all.any |= attributes.any;
                all.names.extend(attributes.names.iter().cloned());
            }
        }
    }
}
