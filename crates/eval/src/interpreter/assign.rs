use marotte_diagnostics::{issues, rules};
use marotte_text::is_qualified;
use std::rc::Rc;

use marotte_hir::ExprId;
use marotte_hir::body::{Target, TargetKind};
use marotte_pcore::dialect::SurplusValues;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;
use marotte_syntax::ast::AssignmentOp;

use super::{Env, Evaluated, Interpreter};
use crate::EvaluationError;
use crate::catalog::{Reads, TraceKind};

impl Interpreter<'_> {
    /// Evaluates `target = value` (B45–B48).
    pub(super) fn assignment(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        target: &Target,
        op: AssignmentOp,
        value: ExprId,
    ) -> Evaluated {
        let (value, reads) = self.reading(|it| it.eval(env, value));
        let value = value?;
        if op != AssignmentOp::Assign {
            let message = format!("The operator '{}' is not supported.", op.text());
            return Err(self.fail(env, id, issues::UNSUPPORTED_OPERATOR, message));
        }
        self.assign(env, id, target, &value)?;
        if let Some(reads) = reads {
            self.trace_assignment(env, id, target, &value, &reads);
        }
        Ok(value)
    }

    /// Records the provenance of assigned variables.
    fn trace_assignment(&self, env: &Env<'_>, id: ExprId, target: &Target, value: &Value, reads: &Reads) {
        let (name, slot) = match &target.kind {
            TargetKind::Variable(name, slot) => (name, *slot),
            TargetKind::Several(targets) => {
                return targets.iter().for_each(|it| self.trace_assignment(env, id, it, value, reads));
            }
            TargetKind::Other => return,
        };
        let set = match (env.frame, slot) {
            (Some(frame), Some(slot)) => frame.get(usize::from(slot)),
            _ => env.scope.get(name),
        };
        let value = set.as_ref().unwrap_or(value);
        let Some(trace) = self.trace(env, TraceKind::Assignment, &env.place(id), value, reads) else {
            return;
        };
        match (env.frame, slot) {
            (Some(frame), Some(slot)) => frame.keep_trace(usize::from(slot), trace),
            _ => env.scope.keep_trace(name, trace),
        }
    }

    pub(crate) fn assign(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        target: &Target,
        value: &Value,
    ) -> Evaluated<()> {
        match &target.kind {
            TargetKind::Variable(name, slot) => self.set(env, id, target.at, name, *slot, value.clone()),
            TargetKind::Several(targets) => self.assign_several(env, id, targets, value),
            TargetKind::Other => Err(self.fail(
                env,
                target.at,
                rules::ILLEGAL_ASSIGNMENT,
                "Illegal attempt to assign. Not an assignable reference".to_owned(),
            )),
        }
    }

    fn assign_several(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        targets: &[Target],
        value: &Value,
    ) -> Evaluated<()> {
        match value {
            Value::Hash(hash) => {
                for target in targets {
                    let TargetKind::Variable(name, _) = &target.kind else {
                        // A list of names is a key, whose value is assigned to them.
                        if let Some(value) = target_key(target).and_then(|it| hash.get(&it)) {
                            self.assign(env, id, target, value)?;
                            continue;
                        }
                        let key = target_text(target);
                        let message =
                            format!("No value for required key '{key}' in assignment to variables from hash");
                        return Err(self.fail(env, target.at, issues::MISSING_MULTI_ASSIGNMENT_KEY, message));
                    };
                    let Some(value) = hash.get_str(name) else {
                        let message = format!(
                            "No value for required key '{name}' in assignment to variables from hash"
                        );
                        return Err(self.fail(env, id, issues::MISSING_MULTI_ASSIGNMENT_KEY, message));
                    };
                    self.assign(env, id, target, value)?;
                }
                Ok(())
            }
            Value::Type(it) if matches!(it.kind(), TypeKind::Class(_)) => {
                self.assign_from_class(env, id, targets, it)
            }
            Value::Array(values) => self.assign_each(env, id, targets, values),
            Value::Unknown(_) => targets.iter().try_for_each(|it| self.assign(env, id, it, value)),
            value => self.assign_each(env, id, targets, std::slice::from_ref(value)),
        }
    }

    fn assign_each(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        targets: &[Target],
        values: &[Value],
    ) -> Evaluated<()> {
        let fits = match self.dialect().evaluation.surplus_values {
            SurplusValues::AreRefused => values.len() == targets.len(),
            SurplusValues::AreLeft => values.len() >= targets.len(),
        };
        if !fits {
            let message = format!(
                "Mismatched number of assignable entries and values, expected {}, got {}",
                targets.len(),
                values.len()
            );
            return Err(self.fail(env, id, issues::ILLEGAL_MULTI_ASSIGNMENT_SIZE, message));
        }
        targets.iter().zip(values).try_for_each(|(target, value)| self.assign(env, id, target, value))
    }

    fn set(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        at: ExprId,
        name: &str,
        slot: Option<u16>,
        value: Value,
    ) -> Evaluated<()> {
        if is_qualified(name) {
            let message = format!(
                "Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"
            );
            return Err(self.fail(env, at, rules::CROSS_SCOPE_ASSIGNMENT, message));
        }
        if name.starts_with(|it: char| it.is_ascii_digit()) {
            let message = format!(
                "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
            );
            return Err(self.fail(env, at, rules::ILLEGAL_NUMERIC_ASSIGNMENT, message));
        }
        let reserved = |it: &mut Self| {
            let message = format!("Attempt to assign to a reserved variable name: '${name}'");
            Err(it.fail(env, id, issues::ILLEGAL_RESERVED_ASSIGNMENT, message))
        };
        if name == "server_facts" {
            return reserved(self);
        }
        let is_new = match (env.frame, slot) {
            (Some(frame), Some(slot)) => {
                if frame.parameters.get().is_some() {
                    let message = format!("Attempt to assign variable {name} when evaluating parameters");
                    return Err(self.fail_during(env, id, "'=' expression", message));
                }
                refuse_reserved(name)
                    .map_err(|it| self.fail_during(env, id, "'=' expression", it.message))?;
                frame.set(usize::from(slot), value)
            }
            // Variables that requests provide cannot be assigned (C16).
            _ if Rc::ptr_eq(env.scope, &self.top) => {
                self.requests.variable(name).is_none() && env.scope.set(name, value)
            }
            _ => {
                let message = match name {
                    "facts" | "trusted" => {
                        format!("Attempt to assign to a reserved variable name: '{name}'")
                    }
                    _ if env.scope.is_read_only() => {
                        format!("Attempt to assign variable {name} when evaluating parameters")
                    }
                    _ => String::new(),
                };
                if !message.is_empty() {
                    return Err(self.fail_during(env, id, "'=' expression", message));
                }
                env.scope.set(name, value)
            }
        };
        match is_new {
            true => Ok(()),
            false if matches!(name, "facts" | "trusted") => reserved(self),
            false => {
                let message = match name {
                    "title" | "name" => {
                        format!("Cannot reassign built in (or already assigned) variable '${name}'")
                    }
                    _ => format!("Cannot reassign variable '${name}'"),
                };
                Err(self.fail(env, id, issues::ILLEGAL_REASSIGNMENT, message))
            }
        }
    }
}

/// Rejects parameters with the name of a reserved variable about the node.
pub(crate) fn refuse_reserved(parameter: &str) -> Result<(), EvaluationError> {
    match parameter {
        "facts" | "trusted" | "server_facts" => Err(EvaluationError::runtime(format!(
            "Attempt to assign to a reserved variable name: '{parameter}'"
        ))),
        _ => Ok(()),
    }
}

/// Returns the key of a hash that a target requests: a name, or a list of names.
fn target_key(target: &Target) -> Option<Value> {
    match &target.kind {
        TargetKind::Variable(name, _) => Some(Value::String(name.clone())),
        TargetKind::Several(targets) => {
            Some(Value::Array(targets.iter().map(target_key).collect::<Option<Vec<_>>>()?.into()))
        }
        TargetKind::Other => None,
    }
}

/// A list of variables on the left side, as messages show it.
fn target_text(target: &Target) -> String {
    match &target.kind {
        TargetKind::Variable(name, _) => format!("{name:?}"),
        TargetKind::Several(targets) => {
            let texts: Vec<String> = targets.iter().map(target_text).collect();
            format!("[{}]", texts.join(", "))
        }
        TargetKind::Other => String::new(),
    }
}
