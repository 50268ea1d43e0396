//! `absolute-class-name`: a class name starts with `::`, which has no effect since Puppet 4.

use marotte_diagnostics::{Edit, Fix, rules};
use marotte_eval::functions::Names;
use marotte_resolve::call::names_of_arguments;
use marotte_syntax::ast::{Access, Call, Expr, ExprKind, Resource, ResourceBody};
use marotte_text::{TextRange, TextSize};

use super::{Definition, Style, literal, type_name};

/// `include ::a`.
pub(super) fn check_call(style: &mut Style<'_>, call: &Call) {
    let is_inclusion =
        matches!(&call.callee.kind, ExprKind::Name(name) if names_of_arguments(name) == Some(Names::Classes));
    if is_inclusion {
        call.arguments.iter().for_each(|it| names(style, it));
    }
}

/// `class { '::a': }`.
pub(super) fn check_declaration(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) == Some("class") {
        names(style, &body.title);
    }
}

/// `Class['::a']`.
pub(super) fn check_reference(style: &mut Style<'_>, access: &Access) {
    if matches!(&access.target.kind, ExprKind::Reference(name) if name == "Class") {
        access.keys.iter().for_each(|it| names(style, it));
    }
}

/// `inherits ::a`.
pub(super) fn check_parent(style: &mut Style<'_>, definition: &Definition<'_>) {
    if let Some((name, range)) = definition.parent
        && name.starts_with("::")
    {
        report(style, range, range.start());
    }
}

/// A name, or a list of them.
fn names(style: &mut Style<'_>, expr: &Expr) {
    match &expr.kind {
        ExprKind::Array(elements) => elements.iter().for_each(|it| names(style, it)),
        _ if literal(expr).is_some_and(|it| it.starts_with("::")) => {
            let quote = style.source(expr.range).starts_with(['\'', '"']);
            report(style, expr.range, expr.range.start() + TextSize::from(u32::from(quote)));
        }
        _ => {}
    }
}

fn report(style: &mut Style<'_>, range: TextRange, colons: TextSize) {
    let colons = TextRange::at(colons, TextSize::of("::"));
    let is_written = style.source(colons) == "::";
    let finding = style.report(rules::ABSOLUTE_CLASS_NAME, range, "a class is named with `::` in front");
    finding.label = Some("means the same without it".to_owned());
    finding.fix = is_written.then(|| Fix {
        title: "remove `::`".to_owned(),
        safe: true,
        edits: vec![Edit { range: colons, text: String::new() }],
    });
}
