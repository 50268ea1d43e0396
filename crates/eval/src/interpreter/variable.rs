use marotte_diagnostics::issues;
use std::rc::Rc;

use marotte_catalog::Named;
use marotte_text::{Str, split_namespace};

use marotte_hir::ExprId;
use marotte_hir::body::Variable;
use marotte_pcore::dialect::LocalVariables;
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::Value;

use super::{Env, Evaluated, Interpreter};
use crate::EvaluationError;

impl Interpreter<'_> {
    /// Evaluates a variable (C4–C13).
    pub(super) fn read(&mut self, env: &Env<'_>, variable: &Variable, id: ExprId) -> Evaluated {
        let value = self.read_untraced(env, variable, id);
        if self.is_tracing()
            && let Ok(value) = &value
        {
            self.note_read(env, variable, id, value);
        }
        value
    }

    fn read_untraced(&mut self, env: &Env<'_>, variable: &Variable, id: ExprId) -> Evaluated {
        match variable {
            Variable::Local { name, candidates } => {
                if let Some(frame) = env.frame {
                    if let Some(value) = frame.first(candidates) {
                        return Ok(value);
                    }
                    if let Some(unset) = frame.unset_parameter(name) {
                        // The error is that of the call, not of the variable.
                        return Err(EvaluationError::runtime(unset).into());
                    }
                    if let Some(value) = env.foreign_frame().and_then(|it| it.find(name)) {
                        return Ok(value);
                    }
                }
                if let Some(value) = env.scope.find(name).or_else(|| self.global(name)) {
                    return match env.scope.unset_parameter(name) {
                        Some(unset) => Err(EvaluationError::runtime(unset).into()),
                        None => Ok(value),
                    };
                }
                if let Some(unset) = env.scope.unset_parameter(name) {
                    // The error is that of the declaration, not of the variable.
                    return Err(EvaluationError::runtime(unset).into());
                }
                match &**name {
                    "module_name" | "caller_module_name" if self.catalog.is_some() => Ok(Value::Undef),
                    _ => self.missing_in(None).map_or_else(|| self.unknown_variable(env, id, name), Ok),
                }
            }
            Variable::Top(name) => match self.global(name) {
                Some(value) => Ok(value),
                None => match self.missing_in(None) {
                    Some(value) => Ok(value),
                    None => self.unknown_variable(env, id, &format!("::{name}")),
                },
            },
            Variable::Qualified { scope, name, absolute } => match self.qualified_in(env, scope, name) {
                Some(value) => Ok(value),
                None => match self.missing_in(Some(scope)) {
                    Some(value) => Ok(value),
                    None => {
                        let prefix = if *absolute { "::" } else { "" };
                        self.unknown_variable(env, id, &format!("{prefix}{scope}::{name}"))
                    }
                },
            },
            Variable::Group(number) => Ok(env.scope.group(*number).unwrap_or(Value::Undef)),
        }
    }

    /// A variable of the top scope.
    pub(crate) fn global(&self, name: &str) -> Option<Value> {
        self.top.get(name).or_else(|| self.requests.variable(name))
    }

    /// A variable of a class, or a setting (C10, C14).
    pub(crate) fn qualified(&self, scope: &str, name: &str) -> Option<Value> {
        match scope {
            "settings" => self.requests.setting(name),
            _ => self.class_variable(scope, name),
        }
    }

    /// A qualified variable, where the local variables of enclosing lambdas count as those of their class, as in the
    /// reference.
    pub(super) fn qualified_in(&self, env: &Env<'_>, scope: &str, name: &str) -> Option<Value> {
        let are_seen = self.dialect().evaluation.local_variables == LocalVariables::SeenByClasses;
        let is_own = || self.is_scope_of_class(env.scope, scope);
        let local = env.find(name).filter(|_| are_seen && is_own());
        local.or_else(|| self.qualified(scope, name))
    }

    /// The value of a variable by its name as written in programs, if it exists.
    pub(crate) fn find_variable(&self, env: &Env<'_>, name: &str) -> Option<Value> {
        let absolute = name.strip_prefix("::");
        if let Some((scope, name)) = split_namespace(absolute.unwrap_or(name)) {
            return self.qualified_in(env, scope, name);
        }
        match absolute {
            Some(name) => self.global(name),
            None if name.bytes().all(|it| it.is_ascii_digit()) => {
                // A number without a group is `undef`, however large it is.
                env.scope.group(name.parse().unwrap_or(u32::MAX))
            }
            None => env.find(name).or_else(|| env.scope.find(name)).or_else(|| self.global(name)),
        }
    }

    /// All variables visible at a place by unqualified names, like `scope.to_hash` of Ruby code: without those that are `undef`.
    /// Unless `is_recursive` is set, only those of the scope itself. None if some are unknown.
    pub(crate) fn all_variables(&self, env: &Env<'_>, is_recursive: bool) -> Option<Vec<(Str, Value)>> {
        let mut all: Named<Value> = Named::default();
        let mut known = Vec::new();
        if is_recursive || Rc::ptr_eq(&self.top, env.scope) {
            all.extend(self.requests.variables()?);
        }
        if is_recursive {
            let global = env.scope.global.iter().flat_map(|it| [it.inherited.as_ref(), Some(it)]).flatten();
            for scope in [&self.top].into_iter().chain(global).chain(&env.scope.inherited) {
                if !known.iter().any(|it| Rc::ptr_eq(it, scope)) {
                    known.push(Rc::clone(scope));
                }
            }
        }
        if !known.iter().any(|it| Rc::ptr_eq(it, env.scope)) {
            known.push(Rc::clone(env.scope));
        }
        let frame = env.frame.map(|it| it.all()).unwrap_or_default();
        let own: Option<Vec<_>> = known.iter().map(|it| it.own()).collect();
        for (name, value) in own?.into_iter().flatten().chain(frame) {
            match value {
                Value::Undef => drop(all.shift_remove(&name)),
                value => drop(all.insert(name, value)),
            }
        }
        all.retain(|_, value| !matches!(value, Value::Undef));
        Some(all.into_iter().collect())
    }

    /// The value of a variable by its name, unknown where skipped code may have evaluated the class it belongs to.
    pub(crate) fn find_variable_or_unknown(&self, env: &Env<'_>, name: &str) -> Option<Value> {
        self.find_variable(env, name).or_else(|| {
            let class = split_namespace(name.strip_prefix("::").unwrap_or(name)).map(|(scope, _)| scope);
            self.missing_in(class)
        })
    }

    /// The unknown value of a missing variable, if skipped code may have set it: in a class, or in the top scope.
    fn missing_in(&self, class: Option<&str>) -> Option<Value> {
        let by = match class {
            Some(class) => self.may_lack_variables(class)?,
            None => self.top.open()?,
        };
        Some(Value::Unknown(by.computed()))
    }

    /// Whether it depends on skipped code if a variable exists.
    pub(crate) fn is_variable_doubtful(&self, env: &Env<'_>, name: &str) -> bool {
        let absolute = name.strip_prefix("::");
        if let Some((scope, name)) = split_namespace(absolute.unwrap_or(name)) {
            let state = self.catalog.as_ref();
            return match state.and_then(|it| it.class_scopes.get(&*scope.to_lowercase())) {
                Some(scope) => scope.is_doubtful(name),
                None => self.may_lack_variables(scope).is_some(),
            };
        }
        let name = absolute.unwrap_or(name);
        if self.requests.variable(name).is_some() && self.top.get(name).is_none() {
            return false;
        }
        match absolute {
            Some(name) => self.top.is_doubtful(name),
            None => match env.frame {
                Some(frame) if frame.find(name).is_some() => frame.is_doubtful(name),
                _ => env.scope.is_doubtful(name),
            },
        }
    }

    /// Handles an unknown variable by the settings (C9): an error, or `undef`, with or without a warning.
    pub(crate) fn unknown_variable(&mut self, env: &Env<'_>, id: ExprId, name: &str) -> Evaluated {
        let issue = self.unknown_variable_issue(name);
        let message = format!("Unknown variable: '{name}'.");
        match self.settings.strict {
            _ if self.settings.strict_variables || issue != issues::UNKNOWN_VARIABLE => {
                Err(EvaluationError::new(issue, message).at(env.place(id)).into())
            }
            // Where strict variables are an option, the setting `strict` does not apply (X85).
            _ if !self.dialect().evaluation.strict_variables => Ok(Value::Undef),
            Strictness::Error => Err(EvaluationError::new(issue, message).at(env.place(id)).into()),
            Strictness::Warning => {
                self.warn(issue, message, env.place(id));
                Ok(Value::Undef)
            }
            Strictness::Off => Ok(Value::Undef),
        }
    }
}
