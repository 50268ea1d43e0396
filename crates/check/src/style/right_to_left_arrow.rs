//! `right-to-left-arrow`: a chain has to be read from right to left.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Relationship, RelationshipOp};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, relationship: &Relationship) {
    let other = match relationship.op {
        RelationshipOp::After => "->",
        RelationshipOp::Subscribe => "~>",
        RelationshipOp::Before | RelationshipOp::Notify => return,
    };
    let finding = style.report(
        rules::RIGHT_TO_LEFT_ARROW,
        relationship.op_range,
        "a relationship is read from the right",
    );
    finding.label = Some(format!("exchange the sides, and use `{other}`"));
}
