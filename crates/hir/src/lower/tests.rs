use marotte_syntax::{Mode, parse};

use super::{DefinitionKind, lower};
use crate::Body;
use crate::body::{Expr, Variable};

/// The slots in which each local variable of a body may be, in the order of the text: `name(up.slot …)`.
fn variables(body: &Body) -> String {
    let variables = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Variable(it) => match &**it {
            Variable::Local { name, candidates } => {
                let slots: Vec<_> = candidates.iter().map(|it| format!("{}.{}", it.up, it.slot)).collect();
                Some(format!("{name}({})", slots.join(" ")))
            }
            other => Some(format!("{other:?}")),
        },
        _ => None,
    });
    variables.collect::<Vec<_>>().join(", ")
}

fn lowered(source: &str) -> super::Lowered {
    lower(&parse(source, Mode::default()).program)
}

#[test]
fn variables_of_the_top_scope_have_no_slots() {
    assert_eq!(variables(&lowered("$x = 1\nnotice($x)").main), "x(), x()");
}

#[test]
fn lambdas_have_slots_for_parameters_and_for_what_they_assign() {
    let body = lowered("$x = 1\nwith(2) |$y| { $z = $x + $y; with(3) |$y| { $y + $z } }").main;
    // Targets and parameters are expressions, too: x, y, z, x, y, y, y, z.
    assert_eq!(variables(&body), "x(), y(0.0), z(0.1), x(), y(0.0), y(0.0 1.0), y(0.0 1.0), z(1.1)");
}

#[test]
fn what_is_assigned_in_a_condition_belongs_to_the_function() {
    let file = lowered("function f($a) { if $a { $b = 1 } $b }");
    assert_eq!(variables(&file.definitions[0].body), "a(0.0), a(0.0), b(0.1), b(0.1)");
}

#[test]
fn names_with_namespaces_and_numbers_are_no_local_variables() {
    let body = lowered("[$::x, $a::b::c, $::a::b, $1]").main;
    let qualified = |scope: &str, name: &str, absolute: bool| {
        format!("Qualified {{ scope: {scope:?}, name: {name:?}, absolute: {absolute} }}")
    };
    let names = [
        r#"Top("x")"#.to_owned(),
        qualified("a::b", "c", false),
        qualified("a", "b", true),
        "Group(1)".to_owned(),
    ];
    assert_eq!(variables(&body), names.join(", "));
}

#[test]
fn definitions_in_classes_are_found() {
    let file = lowered("class a { define b { } class c { } }\nfunction f() { }\ntype T = Integer");
    let found: Vec<_> = file.definitions.iter().map(|it| (&*it.name, &it.kind)).collect();
    let class = DefinitionKind::Class(None);
    let expected = [
        ("a", &class),
        ("a::b", &DefinitionKind::Define),
        ("a::c", &class),
        ("f", &DefinitionKind::Function),
        ("T", &DefinitionKind::TypeAlias),
    ];
    assert_eq!(found, expected);
}

#[test]
fn bodies_are_equal_after_lines_have_moved() {
    let (before, after) = (lowered("$x = [1, 2]"), lowered("# comment\n\n$x  =  [1,\n2]"));
    assert_eq!(before.main, after.main);
    assert_ne!(before.main_map, after.main_map);
}
