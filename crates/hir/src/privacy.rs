use crate::Body;
use crate::body::{Callee, Expr};
use marotte_text::unrooted;

/// The way in which a definition is marked as private to its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Privacy {
    /// The definition calls `assert_private()`, which fails if the caller is in another module.
    Asserted,
    /// The comment above it has `@api private`.
    Documented,
}

impl Privacy {
    /// Reads the privacy from a body and from the comment above the name of the definition.
    pub(crate) fn of(body: &Body, before_name: &str) -> Option<Privacy> {
        if body.statements.iter().any(|it| asserts(body.expr(*it))) {
            return Some(Privacy::Asserted);
        }
        let mut comment = before_name.lines().rev().skip(1).take_while(|it| it.trim_start().starts_with('#'));
        comment.any(is_tag).then_some(Privacy::Documented)
    }
}

fn asserts(expr: &Expr) -> bool {
    let name = match expr {
        Expr::Call(call) => match &call.callee {
            Callee::Function(name) => name,
            Callee::Type(_) | Callee::Other(_) => return false,
        },
        Expr::MethodCall(call) => &call.name,
        _ => return false,
    };
    unrooted(name) == "assert_private"
}

fn is_tag(line: &str) -> bool {
    let mut words = line.trim_start_matches([' ', '\t', '#']).split_whitespace();
    words.next() == Some("@api") && words.next() == Some("private")
}
