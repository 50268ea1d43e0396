use crate::Body;
use crate::body::{Callee, Expr};
use marotte_text::unrooted;

/// How a definition says that it is its module's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Privacy {
    /// It calls `assert_private()`, and fails elsewhere.
    Asserted,
    /// The comment above says `@api private`.
    Documented,
}

impl Privacy {
    /// What a body, and the comment above the name of what is defined, say.
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
