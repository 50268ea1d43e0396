//! The attributes that equality compares.

use marotte_text::Str;

use super::{Builder, CreateError, fail};
use crate::types::{AttributeKind, Member, MemberKind, ObjectType};
use crate::value::Value;

impl Builder<'_> {
    pub(super) fn equality(&self, equality: Option<&Value>) -> Result<Option<Box<[Str]>>, CreateError> {
        let names: Vec<Str> = match equality {
            Some(Value::String(name)) => vec![name.clone()],
            Some(Value::Array(names)) => names.iter().filter_map(|it| it.as_str().map(Str::from)).collect(),
            _ => return Ok(None),
        };
        if !names.is_empty() && !self.object.equality_include_type {
            return fail(
                "equality_include_type = false cannot be combined with non empty equality specification"
                    .into(),
            );
        }
        names.iter().try_for_each(|name| self.check_equality(name))?;
        Ok(Some(names.into()))
    }

    fn check_equality(&self, name: &Str) -> Result<(), CreateError> {
        let label = self.object.label();
        let inherited = self.inherited(name);
        if let (Some(Member { kind: MemberKind::Attribute(_), .. }), Some(parent)) =
            (&inherited, self.object.parent_object())
            && parent.equality_attributes().contains(name)
        {
            let member = inherited.map(|it| it.to_string()).unwrap_or_default();
            return fail(format!(
                "{label} equality is referencing {member} which is included in equality of {}",
                definer_of_equality(parent, name)
            ));
        }
        let Some(member) = inherited.or_else(|| self.object.member(name)) else {
            return fail(format!("{label} equality is referencing non existent attribute '{name}'"));
        };
        match member.kind {
            MemberKind::Attribute(it) if it.kind == AttributeKind::Constant => fail(format!(
                "{label} equality is referencing constant {member}. Reference to constant is not allowed in equality"
            )),
            MemberKind::Attribute(_) => Ok(()),
            MemberKind::Function(_) => fail(format!(
                "{label} equality is referencing {member}. Only attribute references are allowed"
            )),
        }
    }
}

/// Returns the name of the type whose equality first includes an attribute.
fn definer_of_equality<'o>(object: &'o ObjectType, name: &Str) -> &'o str {
    let mut it = object;
    while let Some(parent) = it.parent_object()
        && parent.equality_attributes().contains(name)
    {
        it = parent;
    }
    it.label()
}
