//! Resources that other nodes export, as collectors add them.

use std::rc::Rc;

use marotte_catalog::{Kind, Named, Reference};
use marotte_syntax::ast::ResourceForm;
use marotte_text::Str;

use super::Definition;
use super::instance::{Parameter, ResourceId, ResourceKind};
use super::resource::NewResource;
use crate::interpreter::{Evaluated, Interpreter, Scope};
use crate::{EvaluationError, Filter};

impl Interpreter<'_> {
    /// Adds the resources of a type that other nodes export and that match a filter. They are declared in the scope of their
    /// collector. Returns those that are new.
    pub(super) fn import(
        &mut self,
        type_name: &Str,
        filter: Option<&Filter>,
        scope: &Rc<Scope>,
        source: &Rc<Definition>,
    ) -> Evaluated<Vec<ResourceId>> {
        let own = self.requests.node().name;
        let stored = self.requests.exported(type_name, filter).map_err(EvaluationError::runtime)?;
        self.spend(stored.len() as u64)?;
        let mut new = Vec::new();
        for it in stored.iter().filter(|it| it.certname != own) {
            let reference = Reference { type_name: type_name.clone(), title: it.title.clone() };
            let origin = (it.certname.clone(), it.title.clone());
            if let Some(existing) = self.find_resource(&reference)? {
                if self.state()?.imported.get(&existing) == Some(&origin) {
                    continue;
                }
                let message = format!(
                    "A duplicate resource was found while collecting exported resources, with the type and title {reference}"
                );
                return Err(EvaluationError::runtime(message).into());
            }
            let Some(kind) = self.find_resource_kind(type_name)? else {
                return Err(EvaluationError::runtime(format!("Unknown resource type: '{type_name}'")).into());
            };
            let shown_kind = match kind {
                ResourceKind::Native(_) => Kind::CompilableType,
                _ => Kind::DefinedType,
            };
            let mut parameters = Named::default();
            for (name, value) in &it.parameters {
                let (value, source) = (self.converted(value.clone())?, Rc::clone(source));
                parameters.insert(
                    name.clone(),
                    Parameter { value, source, place: None, append: false, trace: None },
                );
            }
            let instance = self.new_instance(NewResource {
                kind,
                reference,
                title: None,
                shown_kind,
                parameters,
                open: None,
                place: None,
                form: ResourceForm::Regular,
                scope,
                source: Rc::clone(source),
            })?;
            let id = self.add_resource(scope, instance)?;
            self.state()?.imported.insert(id, origin);
            new.push(id);
        }
        Ok(new)
    }
}
