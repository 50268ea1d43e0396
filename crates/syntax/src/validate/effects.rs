//! Expressions whose value is computed but not used.

use std::ops::Range;

use marotte_text::TextRange;

use super::Checker;
use crate::ast::{Binary, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::{Label, SyntaxErrorKind};

impl Checker<'_> {
    /// Checks a block of several statements: all but the last must have an effect. Only the first without one is
    /// reported.
    pub(super) fn effects(&mut self, statements: &[Expr]) {
        if self.is_without_title(statements) {
            if let [name, hash] = statements {
                let ExprKind::Name(type_name) = &name.kind else { return };
                let kind = SyntaxErrorKind::ResourceWithoutTitle(type_name.clone());
                self.report(name.range.cover(hash.range), kind);
            }
            return;
        }
        let last = statements.len().saturating_sub(1);
        let idle = statements.iter().take(last).position(has_no_effect);
        if let Some(index) = idle {
            let Some(statement) = statements.get(index) else { return };
            if !is_untitled(statement) && !self.is_in_doubt(statements, index) {
                self.report(statement.range, SyntaxErrorKind::NoEffect(statement.label()));
            }
        }
    }

    /// Checks that a class, define or node ends with a statement with an effect, since it has no value.
    pub(super) fn effect_last(&mut self, body: &[Expr], container: Label) {
        let Some(last) = body.last() else { return };
        if has_no_effect(last)
            && !is_untitled(last)
            && !self.is_without_title(body)
            && !self.is_in_doubt(body, body.len() - 1)
            && !self.follows_word(body)
        {
            let kind = SyntaxErrorKind::NoEffectLast { expression: last.label(), container };
            self.report(last.range, kind);
        }
    }

    /// Whether the last statement follows a word on the same line, as the argument of a function would: `inclde ntp`.
    /// That the word has no effect is already reported.
    fn follows_word(&self, body: &[Expr]) -> bool {
        let [.., word, last] = body else { return false };
        let between = TextRange::new(word.range.end(), last.range.start().max(word.range.end()));
        let is_same_line =
            || self.source.get(Range::<usize>::from(between)).is_some_and(|it| !it.contains('\n'));
        matches!(word.kind, ExprKind::Name(_)) && is_same_line()
    }

    /// Whether the statements are `file; { … }`: a resource type and a hash, and nothing else.
    fn is_without_title(&self, statements: &[Expr]) -> bool {
        !self.mode.tasks
            && matches!(
                statements,
                [Expr { kind: ExprKind::Name(_), .. }, Expr { kind: ExprKind::Hash(_), .. }]
            )
    }

    /// Whether a statement or an adjacent one could not be parsed: then this one may only be a fragment.
    fn is_in_doubt(&self, statements: &[Expr], index: usize) -> bool {
        let around = &statements[index.saturating_sub(1)..statements.len().min(index + 2)];
        let (Some(first), Some(last)) = (around.first(), around.last()) else { return true };
        let before = self.source.get(..statements[index].range.start().into());
        // `$$x` is two variables, the first of which is reported to have no name.
        around.iter().any(contains_error)
            || before.is_some_and(|it| it.ends_with('$'))
            || !self.known.is_empty()
                && (self.known.torn
                    || self.known.touches(self.with_neighbours(first.range.cover(last.range))))
    }
}

/// Whether a statement is `file { … }` without a title, which has its own report.
fn is_untitled(statement: &Expr) -> bool {
    matches!(statement.kind, ExprKind::UntitledResource(_))
}

fn contains_error(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Error);
    if !found {
        expr.for_each_child(&mut |child| found = found || contains_error(child));
    }
    found
}

/// Whether evaluating an expression changes nothing. Calls may do anything, matches set `$0` and so on.
fn has_no_effect(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Undef
        | ExprKind::Default
        | ExprKind::Boolean(_)
        | ExprKind::Integer { .. }
        | ExprKind::LargeInteger { .. }
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Regex(_)
        | ExprKind::Name(_)
        | ExprKind::Reference(_)
        | ExprKind::Variable(_)
        | ExprKind::Reserved(_)
        | ExprKind::Interpolated(_)
        | ExprKind::Heredoc(_)
        | ExprKind::Array(_)
        | ExprKind::Hash(_)
        | ExprKind::Access(_)
        | ExprKind::Selector(_)
        | ExprKind::UntitledResource(_) => true,
        ExprKind::Unary(unary) => matches!(unary.op, UnaryOp::Not | UnaryOp::Minus | UnaryOp::Unfold),
        ExprKind::Binary(binary) => {
            !matches!(**binary, Binary { op: BinaryOp::Match | BinaryOp::NoMatch, .. })
        }
        ExprKind::Parenthesized(inner) => has_no_effect(inner),
        ExprKind::If(it) => {
            it.arms.iter().all(|arm| has_no_effect(&arm.test) && have_no_effect(&arm.body))
                && it.otherwise.as_deref().is_none_or(have_no_effect)
        }
        ExprKind::Unless(unless) => {
            has_no_effect(&unless.test)
                && have_no_effect(&unless.body)
                && unless.otherwise.as_deref().is_none_or(have_no_effect)
        }
        ExprKind::Case(case) => {
            has_no_effect(&case.test)
                && case
                    .options
                    .iter()
                    .all(|option| have_no_effect(&option.values) && have_no_effect(&option.body))
        }
        ExprKind::Assignment(_)
        | ExprKind::Relationship(_)
        | ExprKind::Call(_)
        | ExprKind::MethodCall(_)
        | ExprKind::Resource(_)
        | ExprKind::ResourceDefaults(_)
        | ExprKind::ResourceOverride(_)
        | ExprKind::Collector(_)
        | ExprKind::Class(_)
        | ExprKind::Define(_)
        | ExprKind::Node(_)
        | ExprKind::Function(_)
        | ExprKind::Plan(_)
        | ExprKind::Apply(_)
        | ExprKind::TypeAlias(_)
        | ExprKind::TypeMapping(_)
        | ExprKind::TypeDefinition(_)
        | ExprKind::RenderText(_)
        | ExprKind::Render(_)
        | ExprKind::Error => false,
    }
}

fn have_no_effect(exprs: &[Expr]) -> bool {
    exprs.iter().all(has_no_effect)
}
