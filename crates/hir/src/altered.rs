//! Attributes that resources get outside of their declarations: from defaults, overrides and collectors.

use std::collections::{BTreeMap, BTreeSet};

use marotte_text::{Str, normalized};

use crate::body::{Attribute, AttributeName, Body, Expr};
use crate::{Definition, DefinitionKind, ExprId, Lowered};

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
    /// The alterations that may affect resources of any file: by defaults, by collectors, and by overrides in main manifests and
    /// subclasses.
    anywhere: Alterations,
    /// The alterations that affect only resources declared in the same file: by overrides in classes without a parent and in defined
    /// types.
    here: Alterations,
}

/// Attributes by the names of resource types in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Alterations {
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
        let definitions = file.definitions.iter().map(|it| (&it.body, overrides_only_its_own(it)));
        for (body, is_alone) in definitions.chain([(&file.main, false)]) {
            for (_, expr) in body.exprs() {
                let Some((name, attributes)) = altered(body, expr) else { continue };
                let is_here = is_alone && matches!(expr, Expr::ResourceOverride(..));
                let target = if is_here { &mut all.here } else { &mut all.anywhere };
                target.add(name, attributes);
            }
        }
        all
    }

    /// Whether an attribute of a resource type, given by its name in lower case, may be altered for resources that any file declares.
    pub fn may_have(&self, type_name: &str, attribute: &str) -> bool {
        self.anywhere.may_have(type_name, attribute)
    }

    /// Whether it may be altered for resources that the same file declares.
    pub fn may_have_here(&self, type_name: &str, attribute: &str) -> bool {
        self.may_have(type_name, attribute) || self.here.may_have(type_name, attribute)
    }
}

/// Whether the overrides of a definition only succeed for resources that it declares itself: resources are overridden by the class or
/// defined type that declares them, and by subclasses (`Puppet::Parser::Resource#merge`).
fn overrides_only_its_own(definition: &Definition) -> bool {
    match definition.kind {
        DefinitionKind::Class(_) => definition.signature.parent.is_none(),
        DefinitionKind::Define => true,
        _ => false,
    }
}

impl Alterations {
    fn add(&mut self, type_name: Option<&Str>, attributes: &[Attribute]) {
        let Some(type_name) = type_name else {
            self.any = true;
            return;
        };
        let altered = self.types.entry(normalized(type_name)).or_default();
        for attribute in attributes {
            match &attribute.name {
                AttributeName::Name(name) => _ = altered.names.insert(name.clone()),
                AttributeName::Unfold => altered.any = true,
            }
        }
    }

    fn may_have(&self, type_name: &str, attribute: &str) -> bool {
        self.any || self.types.get(type_name).is_some_and(|it| it.any || it.names.contains(attribute))
    }
}

/// Only what may affect resources of any file is taken over.
impl<'a> Extend<&'a AlteredTypes> for AlteredTypes {
    fn extend<I: IntoIterator<Item = &'a AlteredTypes>>(&mut self, others: I) {
        for it in others {
            self.anywhere.any |= it.anywhere.any;
            for (name, attributes) in &it.anywhere.types {
                let all = self.anywhere.types.entry(name.clone()).or_default();
                all.any |= attributes.any;
                all.names.extend(attributes.names.iter().cloned());
            }
        }
    }
}
