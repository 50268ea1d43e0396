//! Overloads as types, parsed once from Puppet's own notation.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::{DefinitionKind, lower};
use marotte_pcore::mismatch;
use marotte_pcore::types::{CallableType, Type};
use marotte_syntax::{Mode, parse};

use super::{Builtin, Overload};
use crate::interpreter::{Env, Interpreter, Signature, UnitSource};
use crate::{Code, NoRequests, Origin, Settings, Unit};

/// A parsed overload of a function.
#[derive(Debug)]
pub struct Compiled {
    pub(crate) signature: Signature,
    /// The type of the lambda.
    pub(crate) block: Option<Type>,
}

impl Compiled {
    /// Returns the type of the overload.
    pub(crate) fn callable(&self) -> CallableType {
        CallableType {
            parameters: Some(self.signature.parameters.clone()),
            block: self.block.clone(),
            returns: self.signature.returns.clone(),
        }
    }

    /// Returns the form of the signature in messages.
    pub(crate) fn shown(&self) -> mismatch::Signature {
        mismatch::Signature {
            callable: self.callable(),
            parameter_names: self.signature.shown.parameter_names.clone(),
            block_name: self.block.as_ref().map(|_| "block".into()),
        }
    }
}

/// Parses the overloads of a function. They are part of this program, and a test ensures that all can be parsed.
pub(super) fn compile(builtin: &Builtin) -> Vec<Compiled> {
    builtin.overloads.iter().filter_map(|it| read(builtin, it)).collect()
}

fn read(builtin: &Builtin, overload: &Overload) -> Option<Compiled> {
    let returns = overload.returns.map(|it| format!(" >> {it}")).unwrap_or_default();
    let block = overload.block.map(|it| format!("type Overload_block = {it}\n")).unwrap_or_default();
    let text = format!("{}\n{block}function overload({}){returns} {{}}", builtin.types, overload.parameters);
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(Settings::default(), &NoRequests, &mut effects);
    let lowered = Arc::new(lower(&parse(&text, Mode::default()).program));
    let unit = Unit { lowered: lowered.clone(), source: UnitSource::Text("overload".into(), text.into()) };
    interpreter.run_unit(&unit).ok()?;
    let code = |kind| {
        let it = lowered.definitions.iter().rfind(|it| it.kind == kind)?;
        Some(Code { body: it.body.clone(), origin: Arc::new(Origin::Internal) })
    };
    let top = Rc::clone(&interpreter.top);
    let function = code(DefinitionKind::Function)?;
    let env = Env { code: &function, frame: None, scope: &top, own_frames: 0 };
    let signature = interpreter.declared(&env)?;
    let block = match overload.block {
        Some(_) => {
            let alias = code(DefinitionKind::TypeAlias)?;
            let env = Env { code: &alias, ..env };
            Some(interpreter.eval_type(&env, *alias.body.statements.first()?).ok()?)
        }
        None => None,
    };
    Some(Compiled { signature, block })
}

#[cfg(test)]
mod tests {
    use super::super::ALL;

    #[test]
    fn every_overload_can_be_read() {
        for it in ALL {
            assert_eq!(it.compiled().len(), it.overloads.len(), "an overload of {} is wrong", it.name);
        }
    }

    #[test]
    fn names_are_in_order() {
        assert!(ALL.is_sorted_by(|a, b| a.name < b.name));
    }
}
