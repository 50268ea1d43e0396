use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Segment;
use marotte_pcore::format::interpolate;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::{Env, Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Evaluates `"text ${expression}"` (A.4, D77).
    pub(super) fn interpolate(&mut self, env: &Env<'_>, id: ExprId, segments: &[Segment]) -> Evaluated {
        let mut text = Str::new();
        let mut unknown = None;
        for segment in segments {
            match segment {
                Segment::Text(it) => text.push_str(it),
                Segment::Expr(expr) => {
                    let value = self.eval(env, *expr)?;
                    match value.unknown() {
                        Some(by) => unknown = Some(by),
                        None => {
                            if !matches!(value, Value::String(_)) {
                                // The text of a value may be longer than the value is large.
                                self.spend_walk(&value, 4)?;
                            }
                            interpolate(self.dialect(), &mut text, &value);
                        }
                    }
                }
            }
            self.check_size(env, id, text.len())?;
        }
        Ok(unknown.map_or(Value::String(text), |by| Value::Unknown(by.text())))
    }

    /// Rejects a string that is too long.
    pub(crate) fn check_size(&self, env: &Env<'_>, id: ExprId, size: usize) -> Evaluated<()> {
        let limit = self.settings.limits.string_size;
        if size <= limit {
            return Ok(());
        }
        let message = format!("a string of {size} bytes is larger than the limit of {limit}");
        Err(self.fail(env, id, issues::STRING_SIZE_LIMIT, message))
    }

    /// Evaluates a heredoc with interpolation, whose syntax can only be checked now.
    pub(super) fn heredoc(&mut self, env: &Env<'_>, id: ExprId, syntax: &str, text: ExprId) -> Evaluated {
        let value = self.eval(env, text)?;
        if let Value::String(text) = &value
            && let Some(problem) = marotte_syntax::heredoc_problem(syntax, text)
        {
            let message = format!("Invalid produced text having syntax: '{syntax}'. {problem}");
            return Err(self.fail(env, id, issues::INVALID_HEREDOC_TEXT, message));
        }
        Ok(value)
    }
}
