//! Variables and assignment targets.

use marotte_text::{TextRange, is_qualified};

use super::Checker;
use crate::SyntaxErrorKind;
use crate::ast::{Assignment, AssignmentOp, Expr, ExprKind};

impl Checker<'_> {
    pub(super) fn assignment(&mut self, assignment: &Assignment) {
        let Assignment { op, op_range, left, right } = assignment;
        let in_default = std::mem::take(&mut self.in_default);
        if in_default {
            self.report(left.range.cover(right.range), SyntaxErrorKind::AssignmentInDefault);
        }
        self.inner(left);
        if *op == AssignmentOp::Assign {
            self.target(left);
            self.value(right);
        } else {
            self.report(*op_range, SyntaxErrorKind::AppendsDeletes(op.text()));
            self.inner(right);
        }
        self.in_default = in_default;
    }

    fn target(&mut self, left: &Expr) {
        match &left.kind {
            ExprKind::Variable(name) => {
                if is_match_variable(name) {
                    self.report(left.range, SyntaxErrorKind::NumericAssignment(name.clone()));
                }
                if is_qualified(name) {
                    self.report(left.range, SyntaxErrorKind::CrossScopeAssignment(name.clone()));
                }
            }
            ExprKind::Access(_) => self.report(left.range, SyntaxErrorKind::IndexedAssignment),
            ExprKind::Array(elements) => elements.iter().for_each(|element| self.target(element)),
            ExprKind::Error => {}
            _ => self.report(left.range, SyntaxErrorKind::IllegalAssignment(left.label())),
        }
    }

    /// Checks a variable name: `0`, a decimal number, or a name of which only the last segment may start with an
    /// underscore.
    pub(super) fn variable(&mut self, name: &str, range: TextRange) {
        // Recovery inserts variables with an empty name and an empty range; a lone `$` has a range.
        if is_variable_name(name) || (name.is_empty() && range.is_empty()) {
            return;
        }
        if !name.starts_with(|first: char| first.is_ascii_digit()) {
            self.report(range, SyntaxErrorKind::IllegalVariableName(name.into()));
        } else if !is_match_variable(name) {
            self.report(range, SyntaxErrorKind::IllegalNumericVariableName(name.into()));
        }
    }
}

/// `NUMERIC_VAR_NAME`: `$0` and the captures of a regular expression.
fn is_match_variable(name: &str) -> bool {
    name == "0"
        || (!name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `VAR_NAME`.
fn is_variable_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name).as_bytes();
    let mut segment_start = 0;
    let mut at = 0;
    while at < name.len() {
        match name[at] {
            b'a'..=b'z' => {}
            b'_' | b'A'..=b'Z' | b'0'..=b'9' if at > segment_start => {}
            b'_' => {
                return name[at..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            }
            b':' if at > segment_start && name.get(at + 1) == Some(&b':') => {
                at += 1;
                segment_start = at + 1;
            }
            _ => return false,
        }
        at += 1;
    }
    at > segment_start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_names() {
        for name in ["a", "_a", "_", "aB0_", "::a", "a::b", "::a::_b", "a::b_::c0"] {
            assert!(is_variable_name(name), "{name}");
        }
        for name in ["", "::", "A", "0a", "a::", "_a::b", "a::B", "a:b", "a::::b", "é", "aé", "a-b"] {
            assert!(!is_variable_name(name), "{name}");
        }
    }
}
