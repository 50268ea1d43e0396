//! Accounting of evaluation against its budget.

use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_pcore::budget::{Budget, Spent};
use marotte_pcore::effort;
use marotte_pcore::ops::BinaryOperator;
use marotte_pcore::value::Value;

use super::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Unwind};

/// The number of steps between two checks for interruption.
const ASK: u32 = 4096;

impl Interpreter<'_> {
    /// The remaining budget, which is shared with other evaluators such as that of Ruby code.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Resets the budget, for the next line of a dialog.
    pub fn renew_budget(&mut self) {
        self.budget.renew();
        self.iterations = 0;
        self.copies = 0;
    }

    /// Spends steps, including those taken since the last call by operations on values.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Evaluated<()> {
        self.until_asked -= 1;
        if self.until_asked == 0 {
            self.until_asked = ASK;
            self.requests.interrupted();
        }
        let taken = effort::taken();
        // Steps of walks are shorter.
        let walked = taken.saturating_sub(self.walked) / 2;
        self.walked = taken;
        self.budget.spend(steps.saturating_add(walked)).map_err(spent)
    }

    /// Spends the step for an expression.
    #[inline]
    pub(super) fn step(&mut self, env: &Env<'_>, id: ExprId) -> Evaluated<()> {
        self.spend(1).map_err(|unwind| match unwind {
            Unwind::Error(error) => error.at(env.place(id)).into(),
            other => other,
        })
    }

    /// Spends the steps for walking over a whole value several times.
    pub(crate) fn spend_walk(&mut self, value: &Value, times: u64) -> Evaluated<()> {
        /// The number of bytes of text processed in one step.
        const TEXT: usize = 4;
        /// Smaller values are covered by the step that uses them.
        const SMALL: usize = 240;
        if value.extent().size() <= SMALL {
            return Ok(());
        }
        let steps = match value {
            Value::String(text) => (text.len() / TEXT) as u64,
            value => effort::size(value.extent()),
        };
        self.spend(steps.saturating_mul(times))
    }

    /// Spends the steps of an operator that walks over its operands.
    pub(super) fn spend_operation(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        operator: BinaryOperator,
        operands: [&Value; 2],
    ) -> Evaluated<()> {
        use BinaryOperator as Op;
        /// The relative cost of a match with backtracking.
        const BACKTRACKING: u64 = 64;
        let [left, right] = operands;
        let walked = match operator {
            // The comparison stops at the end of the smaller one.
            Op::Equal | Op::NotEqual => {
                let smaller = if left.extent().size() < right.extent().size() { left } else { right };
                self.spend_walk(smaller, 1)
            }
            Op::In if matches!(right, Value::Hash(_)) => self.spend_walk(left, 1),
            Op::In => self.spend_walk(right, 1),
            Op::Match | Op::NotMatch => {
                let backtracks = matches!(right, Value::Regexp(it) if it.backtracks());
                self.spend_walk(left, if backtracks { BACKTRACKING } else { 1 })
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => self.spend_walk(left, 1),
            Op::Subtract => self.spend_walk(left, 1).and_then(|()| self.spend_walk(right, 1)),
            // Allocate before copying what may be the largest value that fits.
            Op::Add => {
                let size = |it: &Value| match it {
                    Value::Array(elements) => elements.len() * size_of::<Value>(),
                    _ => 0,
                };
                self.allocate(size(left) + size(right))
            }
            _ => Ok(()),
        };
        walked.map_err(|unwind| match unwind {
            Unwind::Error(error) => error.at(env.place(id)).into(),
            other => other,
        })
    }

    /// Allocates bytes that may stay in use.
    pub(crate) fn allocate(&self, bytes: usize) -> Evaluated<()> {
        self.budget.allocate(bytes as u64).map_err(spent)
    }
}

/// Creates the error for an exhausted budget.
pub(crate) fn spent(spent: Spent) -> Unwind {
    let issue = match spent {
        Spent::Steps(_) => issues::STEP_LIMIT,
        Spent::Memory(_) => issues::MEMORY_LIMIT,
        Spent::Time(_) => issues::TIME_LIMIT,
    };
    EvaluationError::new(issue, spent.to_string()).into()
}
