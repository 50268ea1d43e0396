//! `break`, `next`, `return`: end the block, function or iteration around a call (C43).

use std::sync::OnceLock;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `break`.
pub(super) static BREAK: Builtin = Builtin {
    name: "break",
    doc: "Ends the iteration that calls the enclosing lambda, as if there were no more elements.",
    reach: Reach::ControlFlow,
    types: "",
    overloads: &[Overload {
        parameters: "",
        block: None,
        returns: None,
        body: Body::Run(|call| Err(Unwind::Break(Box::new(call.place())))),
    }],
    compiled: OnceLock::new(),
};

/// `next`.
pub(super) static NEXT: Builtin = Builtin {
    name: "next",
    doc: "Ends the enclosing lambda or function; its value is the argument, or `undef`.",
    reach: Reach::ControlFlow,
    types: "",
    overloads: &[Overload {
        parameters: "Any $value = undef",
        block: None,
        returns: None,
        body: Body::Run(next),
    }],
    compiled: OnceLock::new(),
};

fn next(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Err(Unwind::Next(Box::new((call.take(0), call.place()))))
}

/// `return`.
pub(super) static RETURN: Builtin = Builtin {
    name: "return",
    doc: "Ends the enclosing function, class or resource type, also from within lambdas; the value of a function is the argument, \
          or `undef`.",
    reach: Reach::ControlFlow,
    types: "",
    overloads: &[Overload {
        parameters: "Any $value = undef",
        block: None,
        returns: None,
        body: Body::Run(return_),
    }],
    compiled: OnceLock::new(),
};

fn return_(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Err(Unwind::Return(Box::new((call.take(0), call.place()))))
}
