use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::{Block, Case, Choice, Expr, Selector};
use marotte_pcore::dialect::ComputedDefault;
use marotte_pcore::format::interpolated;
use marotte_pcore::ops;
use marotte_pcore::value::Value;

use super::{Env, Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Runs `body` and then restores the captures of matches from before (B56).
    pub(crate) fn guarded<T>(
        &mut self,
        env: &Env<'_>,
        body: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let captures = env.scope.captures();
        let result = body(self);
        env.scope.replace_captures(captures);
        result
    }

    /// Evaluates `if`, or `unless` if `wanted` is false (B49).
    pub(super) fn choose(&mut self, env: &Env<'_>, choice: &Choice, wanted: bool) -> Evaluated {
        self.guarded(env, |it| {
            for arm in &choice.arms {
                if it.test(env, arm.test)? == wanted {
                    return it.statements(env, &arm.body);
                }
            }
            it.statements(env, choice.otherwise.as_deref().unwrap_or_default())
        })
    }

    /// Evaluates `case` (B50–B54).
    pub(super) fn case(&mut self, env: &Env<'_>, case: &Case) -> Evaluated {
        self.guarded(env, |it| {
            let value = it.eval(env, case.test)?;
            let value = it.decided(env, case.test, value)?;
            let mut default: Option<&Block> = None;
            for option in &case.options {
                for id in &option.values {
                    if matches!(env.code.body.expr(*id), Expr::Default) {
                        default = Some(&option.body);
                    } else if it.option_matches(env, &value, *id)? {
                        return it.statements(env, &option.body);
                    }
                }
            }
            it.statements(env, default.map(|it| &**it).unwrap_or_default())
        })
    }

    /// Evaluates a selector: `value ? { … }` (B55).
    pub(super) fn selector(&mut self, env: &Env<'_>, selector: &Selector) -> Evaluated {
        self.guarded(env, |it| {
            let value = it.eval(env, selector.test)?;
            if let Some(by) = value.unknown() {
                return Err(it.undecided(env, selector.test, by));
            }
            let mut default = None;
            for (key, chosen) in &selector.entries {
                if matches!(env.code.body.expr(*key), Expr::Default) {
                    default = Some(*chosen);
                } else if it.option_matches(env, &value, *key)? {
                    return it.eval(env, *chosen);
                }
            }
            match default {
                Some(chosen) => it.eval(env, chosen),
                None => {
                    let text = interpolated(it.dialect(), &value);
                    let message = format!("No matching entry for selector parameter with value '{text}'");
                    Err(it.fail(env, selector.test, issues::UNMATCHED_SELECTOR, message))
                }
            }
        })
    }

    /// Whether an option matches a value; for a splat, whether one of its elements does.
    fn option_matches(&mut self, env: &Env<'_>, value: &Value, id: ExprId) -> Evaluated<bool> {
        let options = match env.code.body.expr(id) {
            Expr::Splat(operand) => self.splat(env, *operand)?,
            _ => vec![self.eval(env, id)?],
        };
        for option in options {
            let option = self.decided(env, id, option)?;
            let by_itself = self.dialect().evaluation.computed_default == ComputedDefault::MatchesItself;
            if by_itself && option == Value::Default {
                if *value == Value::Default {
                    return Ok(true);
                }
                continue;
            }
            let matched = ops::option_matches(self.dialect(), value, &option)
                .map_err(|error| self.operation_error(env, id, id, error))?;
            self.keep_captures(env, matched.variables);
            if matched.matches {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
