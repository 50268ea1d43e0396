use crate::pending::ops::OperationError;
use marotte_hir::ExprId;
use marotte_hir::body::Binary;

use super::{Env, Evaluated, Interpreter};
use crate::Unwind;

impl Interpreter<'_> {
    pub(super) fn binary(&mut self, env: &Env<'_>, id: ExprId, binary: &Binary) -> Evaluated {
        let left = self.eval(env, binary.left)?;
        let right = self.eval(env, binary.right)?;
        let _ = (id, left, right);
        Ok(marotte_pcore::value::Value::Undef)
    }
    pub(super) fn minus(&mut self, env: &Env<'_>, _id: ExprId, operand: ExprId) -> Evaluated {
        self.eval(env, operand)
    }
    pub(super) fn access(
        &mut self,
        env: &Env<'_>,
        _id: ExprId,
        target: ExprId,
        keys: &[ExprId],
    ) -> Evaluated {
        let _ = self.unfold(env, keys)?;
        self.eval(env, target)
    }
    pub(super) fn operation_error(
        &self,
        env: &Env<'_>,
        id: ExprId,
        _: ExprId,
        _: ExprId,
        error: OperationError,
    ) -> Unwind {
        self.fail(env, id, error.issue(), error.to_string())
    }
}
