//! Calls of functions whose arguments are known before evaluation.

use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::{Body, ExprId};
use marotte_pcore::budget::Allowance;
use marotte_pcore::value::Value;

use crate::functions::{Effects, builtin};
use crate::interpreter::{Env, Interpreter};
use crate::{Code, EvaluationError, Limits, NoRequests, Origin, Settings};

/// The limits for calls evaluated ahead of time.
const LIMITS: Limits = Limits {
    call_depth: 100,
    string_size: 4 << 20,
    collection_size: 10_000,
    value_size: 16 << 20,
    iterations: 10_000,
    copies: 100_000,
    budget: Allowance { steps: 100_000, memory: 64 << 20, time: None },
};

/// Returns the error of a built-in function, called without a lambda, for these arguments. None if it succeeds, if it
/// is not pure, or if evaluating it would take too long.
pub fn refusal(settings: Settings, name: &str, arguments: Vec<Value>) -> Option<EvaluationError> {
    builtin(name).filter(|it| it.effects == Effects::Pure)?;
    let code = Code { body: Arc::new(Body::default()), origin: Arc::new(Origin::Internal) };
    let mut effects = Vec::new();
    let mut interpreter =
        Interpreter::new(Settings { limits: LIMITS, ..settings }, &NoRequests, &mut effects);
    let top = Rc::clone(&interpreter.top);
    let env = Env { code: &code, frame: None, scope: &top, own_frames: 0 };
    let result = interpreter.call_function(&env, ExprId::FIRST, name, arguments, None, "Function Call");
    let error = result.err()?.into_error();
    (!error.issue.name.ends_with("-limit")).then_some(error)
}

#[cfg(test)]
mod tests {
    use marotte_pcore::dialect::Dialect;

    use super::*;

    #[test]
    fn values_are_refused_or_not() {
        let settings = || Settings::of(Dialect::puppet8());
        let text = |it: &str| Value::String(it.into());
        assert!(refusal(settings(), "sprintf", vec![text("%d"), text("x")]).is_some());
        assert!(refusal(settings(), "sprintf", vec![text("%d"), text("1")]).is_none());
        let numbers = Value::Array((0..20_000_i64).map(Value::from).collect::<Vec<_>>().into());
        let nested = Value::Array(vec![numbers.clone(), numbers].into());
        assert_eq!(
            refusal(settings(), "flatten", vec![nested]).map(|it| (it.issue, it.message)),
            None,
            "too many"
        );
        assert!(refusal(settings(), "notice", vec![]).is_none(), "does more than compute");
        assert!(refusal(settings(), "nothing", vec![]).is_none());
    }
}
