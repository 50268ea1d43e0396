//! The ranges in a tree.

use marotte_syntax::ast::{Attribute, Expr, ExprKind, Lambda, Parameter, Program};
use marotte_text::TextRange;

use crate::Text;

/// Every range in the tree is a piece of the text, and every node lies in the one around it.
///
/// The latter does not hold for templates with heredocs: as in the reference, the text after the tag with the header can
/// be text and, in the next tag, code as well.
pub(crate) fn check(text: Text<'_>, program: &Program) {
    text.holds(program.range, "the program");
    for parameter in program.template.iter().flat_map(|template| template.parameters.iter().flatten()) {
        self::parameter(text, parameter);
    }
    let nested = program.template.is_none() || !text.0.contains("@(");
    program.for_each_child(&mut |child| expr(text, child, nested.then_some(program.range)));
}

/// `outer` is the range that the node must not leave, if there is one.
fn expr(text: Text<'_>, node: &Expr, outer: Option<TextRange>) {
    text.holds(node.range, node.label());
    assert!(
        outer.is_none_or(|outer| outer.contains_range(node.range)),
        "{} sticks out of {outer:?} at {:?}",
        node.label(),
        node.range
    );
    text.holds(TextRange::empty(node.anchor()), "an anchor");
    own_ranges(text, &node.kind);
    // The text of a heredoc is below the expression that its header is part of.
    let inner = if matches!(node.kind, ExprKind::Heredoc(_)) { text.all() } else { node.range };
    node.for_each_child(&mut |child| expr(text, child, outer.map(|_| inner)));
}

/// The ranges that a node has beside its own.
fn own_ranges(text: Text<'_>, kind: &ExprKind) {
    match kind {
        ExprKind::Hash(it) => it.entries.iter().for_each(|entry| text.holds(entry.arrow, "an arrow")),
        ExprKind::Binary(it) => text.holds(it.op_range, "an operator"),
        ExprKind::Assignment(it) => text.holds(it.op_range, "an operator"),
        ExprKind::Relationship(it) => text.holds(it.op_range, "an operator"),
        ExprKind::Call(it) => lambda(text, it.lambda.as_deref()),
        ExprKind::MethodCall(it) => {
            text.holds(it.name_range, "a method's name");
            lambda(text, it.lambda.as_deref());
        }
        ExprKind::Resource(it) => {
            for body in &it.bodies {
                text.holds(body.range, "a resource body");
                attributes(text, &body.attributes);
            }
        }
        ExprKind::ResourceDefaults(it) => attributes(text, &it.attributes),
        ExprKind::ResourceOverride(it) => attributes(text, &it.attributes),
        ExprKind::Collector(it) => {
            text.holds(it.query.range, "a query");
            attributes(text, &it.attributes);
        }
        ExprKind::If(it) => it.arms.iter().for_each(|arm| text.holds(arm.range, "an arm")),
        ExprKind::Case(it) => it.options.iter().for_each(|option| text.holds(option.range, "an option")),
        ExprKind::Class(it) => {
            definition(text, it.name_range, &it.parameters);
            it.parent.iter().for_each(|(_, range)| text.holds(*range, "a parent"));
        }
        ExprKind::Define(it) => definition(text, it.name_range, &it.parameters),
        ExprKind::Function(it) => definition(text, it.name_range, &it.parameters),
        ExprKind::Plan(it) => definition(text, it.name_range, &it.parameters),
        ExprKind::TypeAlias(it) => text.holds(it.name_range, "a type's name"),
        ExprKind::TypeDefinition(it) => text.holds(it.name_range, "a type's name"),
        _ => {}
    }
}

fn definition(text: Text<'_>, name: TextRange, parameters: &[Parameter]) {
    text.holds(name, "a definition's name");
    parameters.iter().for_each(|it| parameter(text, it));
}

fn parameter(text: Text<'_>, parameter: &Parameter) {
    text.holds(parameter.range, "a parameter");
    text.holds(parameter.name_range, "a parameter's name");
}

fn lambda(text: Text<'_>, lambda: Option<&Lambda>) {
    if let Some(lambda) = lambda {
        text.holds(lambda.range, "a lambda");
        lambda.parameters.iter().for_each(|it| parameter(text, it));
    }
}

fn attributes(text: Text<'_>, attributes: &[Attribute]) {
    for attribute in attributes {
        text.holds(attribute.range, "an attribute");
        text.holds(attribute.name_range, "an attribute's name");
    }
}
