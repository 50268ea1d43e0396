//! Reading parameters of resources and variables of classes from other code (C35, C36).

use std::rc::Rc;

use marotte_catalog::Reference;
use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::{Target, TargetKind};
use marotte_pcore::types::{ResourceType, Type, TypeKind};
use marotte_pcore::value::Value;

use super::flattened;
use super::instance::{ResourceId, ResourceKind};
use crate::interpreter::{Env, Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Finds the resource that a reference denotes: by its title, an alias, or the namevar values that its title
    /// implies.
    pub(crate) fn find_resource(&mut self, reference: &Reference) -> Evaluated<Option<ResourceId>> {
        if let Some(found) = self.state()?.find(reference) {
            return Ok(Some(found));
        }
        if reference.type_name.contains(':') {
            return Ok(None);
        }
        let Some(native) = self.requests.native_type(&reference.type_name.to_lowercase())? else {
            return Ok(None);
        };
        let (Some(namevars), Some(parsed)) = (&native.namevars, native.parse_title(&reference.title)) else {
            return Ok(None);
        };
        let value = |name: &str| {
            let given = parsed.iter().find(|(it, _)| it == name);
            match given {
                Some((_, text)) => Value::String(text.clone()),
                None if name == native.namevar => Value::String(reference.title.clone()),
                None => Value::Undef,
            }
        };
        let key = namevars.iter().map(|it| value(it)).collect();
        Ok(self.state()?.find_key(&reference.type_name, key))
    }

    /// Evaluates `Type['title'][name]`: the value of one parameter, or of several.
    pub(crate) fn resource_parameters(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        it: &Type,
        keys: &[Value],
    ) -> Evaluated {
        if self.catalog.is_none() {
            return Err(self.no_catalog(env, id, "a parameter of a resource"));
        }
        let several = keys.len() > 1 || matches!(keys, [Value::Array(_)]);
        let (type_name, title) = match it.resolved().kind() {
            TypeKind::Class(Some(name)) => ("Class".into(), name.clone()),
            TypeKind::Resource(ResourceType { type_name: Some(name), title: Some(title), .. }) => {
                (name.clone(), title.clone())
            }
            _ => return Ok(Value::Undef),
        };
        let Some(resource) = self.find_resource(&Reference::new(&type_name, &title))? else {
            if let Some(by) = self.may_exist(&Reference::new(&type_name, &title)) {
                return Ok(Value::Unknown(by));
            }
            let message = format!("Resource not found: {type_name}['{title}']");
            return Err(self.fail(env, id, issues::UNKNOWN_RESOURCE, message));
        };
        let mut values = Vec::new();
        for key in flattened(keys.iter().cloned()) {
            if key == Value::Undef {
                continue;
            }
            let name = key.as_str().filter(|name| self.has_parameter(resource, name));
            let Some(name) = name else {
                let shown = match &key {
                    Value::String(text) => text.to_string(),
                    other => marotte_pcore::print::literal(other),
                };
                let mut letters = type_name.chars();
                let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
                let capitalized = first + &letters.as_str().to_lowercase();
                let message = format!(
                    "The resource {capitalized}['{title}'] does not have a parameter called '{shown}'"
                );
                return Err(self.fail(env, id, issues::UNKNOWN_RESOURCE_PARAMETER, message));
            };
            values.push(self.parameter_value(resource, name)?);
        }
        Ok(match several {
            true => Value::Array(values.into_iter().collect()),
            false => values.pop().unwrap_or(Value::Undef),
        })
    }

    fn has_parameter(&self, id: ResourceId, name: &str) -> bool {
        let Some(state) = &self.catalog else { return false };
        match &state.resource(id).kind {
            ResourceKind::Native(it) => it.accepts(name) || self.requests.may_be_extended(&it.name, name),
            ResourceKind::Container(it) | ResourceKind::Define(it) => {
                name == "name"
                    || marotte_catalog::METAPARAMETERS.contains(&name)
                    || it.parameters().iter().any(|it| it.name == name)
            }
        }
    }

    /// The value that a resource has for a parameter, or would get by default.
    fn parameter_value(&mut self, id: ResourceId, name: &str) -> Evaluated {
        let instance = self.state()?.resource(id);
        match instance.attribute(name) {
            Value::Undef => {
                let (scope, type_name) = (Rc::clone(&instance.scope), instance.reference.type_name.clone());
                let open = instance.open.clone();
                let mut defaults = self.defaults_of(&scope, &type_name);
                let default = defaults.known.swap_remove(name).map(|it| it.value);
                let unknown = open.or(defaults.open).map(|by| Value::Unknown(by.computed()));
                Ok(unknown.or(default).unwrap_or(Value::Undef))
            }
            value => Ok(value),
        }
    }

    /// Evaluates `[$a, $b] = Class['c']`: the variables get the values of the class's variables of the same names.
    pub(crate) fn assign_from_class(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        targets: &[Target],
        class: &Type,
    ) -> Evaluated<()> {
        if self.catalog.is_none() {
            return Err(self.no_catalog(env, id, "multi var assignment from class"));
        }
        let TypeKind::Class(name) = class.resolved().kind() else { return Ok(()) };
        let name = name.clone().unwrap_or_default();
        let is_there = self.state()?.find(&Reference::class(&name)).is_some();
        if let Some(by) = self.may_exist(&Reference::class(&name)).filter(|_| !is_there) {
            return targets.iter().try_for_each(|it| self.assign(env, id, it, &Value::Unknown(by.clone())));
        }
        if !is_there {
            let message = format!("Resource not found: Class['{name}']");
            return Err(self.fail(env, id, issues::UNKNOWN_RESOURCE, message));
        }
        for target in targets {
            let TargetKind::Variable(variable, _) = &target.kind else { continue };
            let found = self.class_variable(&name, variable);
            let missing = || self.may_lack_variables(&name).map(Value::Unknown);
            let Some(value) = found.or_else(missing) else {
                let message = format!(
                    "No value for required variable '${name}::{variable}' in assignment to variables from class reference"
                );
                return Err(self.fail(env, target.at, issues::MISSING_MULTI_ASSIGNMENT_VARIABLE, message));
            };
            self.assign(env, id, target, &value)?;
        }
        Ok(())
    }
}
