//! The statements at the top of a file: what decides whether the file is the right place for them.

use marotte_text::{Str, TextRange};

use crate::ast::{Expr, ExprKind, Program};

/// A statement at the top of a file, or directly in a class there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopStatement {
    /// The range of the whole statement.
    pub range: TextRange,
    /// The kind of the statement.
    pub kind: TopKind,
}

/// The kind of a statement at the top of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopKind {
    /// A class, defined type, function or plan.
    Definition {
        /// The keyword that starts it, such as `class`.
        keyword: &'static str,
        /// The name.
        name: Str,
        /// The range of the name.
        name_range: TextRange,
        /// The classes and defined types that a class contains directly; empty for others.
        nested: Box<[TopStatement]>,
    },
    /// A type alias, type mapping or type definition.
    Type,
    /// A node.
    Node,
    /// Text with errors.
    Error,
    /// Any other expression or statement.
    Code,
}

/// Returns the statements at the top of a file, in order.
pub fn top_statements(program: &Program) -> Box<[TopStatement]> {
    program.body.iter().map(top_statement).collect()
}

fn top_statement(statement: &Expr) -> TopStatement {
    let definition = |keyword, name: &Str, name_range, nested| TopKind::Definition {
        keyword,
        name: name.clone(),
        name_range,
        nested,
    };
    let none = Box::default;
    let kind = match &statement.kind {
        ExprKind::Class(class) => {
            let is_definition = |it: &&Expr| matches!(it.kind, ExprKind::Class(_) | ExprKind::Define(_));
            // Classes are nested no deeper than the parser's recursion allows.
            let nested = class.body.iter().filter(is_definition).map(top_statement).collect();
            definition("class", &class.name, class.name_range, nested)
        }
        ExprKind::Define(define) => definition("define", &define.name, define.name_range, none()),
        ExprKind::Function(function) => definition("function", &function.name, function.name_range, none()),
        ExprKind::Plan(plan) => definition("plan", &plan.name, plan.name_range, none()),
        ExprKind::TypeAlias(_) | ExprKind::TypeMapping(_) | ExprKind::TypeDefinition(_) => TopKind::Type,
        ExprKind::Node(_) => TopKind::Node,
        ExprKind::Error => TopKind::Error,
        _ => TopKind::Code,
    };
    TopStatement { range: statement.range, kind }
}
