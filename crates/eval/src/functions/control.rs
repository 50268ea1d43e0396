//! `break`, `next`, `return`: end the block, function or iteration around a call (C43).

use super::{Body, Builtin, Call, Effects, Leaves, Overload, ResultType, Unknowns};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `break`.
pub(super) static BREAK: Builtin = Builtin {
    name: "break",
    doc: "Ends the iteration that calls the enclosing lambda, as if there were no more elements.",
    effects: Effects::ControlFlow,
    result: ResultType::Never(Leaves::Lambda),
    overloads: &[Overload {
        parameters: "",
        block: None,
        returns: None,
        body: Body::Run(|call| Err(Unwind::Break(Box::new(call.place())))),
    }],
    ..Builtin::base()
};

/// `next`.
pub(super) static NEXT: Builtin = Builtin {
    name: "next",
    doc: "Ends the enclosing lambda or function; its value is the argument, or `undef`.",
    effects: Effects::ControlFlow,
    result: ResultType::Never(Leaves::Lambda),
    unknowns: Unknowns::Anything,
    overloads: &[Overload {
        parameters: "Any $value = undef",
        block: None,
        returns: None,
        body: Body::Run(next),
    }],
    ..Builtin::base()
};

fn next(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Err(Unwind::Next(Box::new((call.take(0), call.place()))))
}

/// `return`.
pub(super) static RETURN: Builtin = Builtin {
    name: "return",
    doc: "Ends the enclosing function, class or resource type, also from within lambdas; the value of a function is the argument, \
          or `undef`.",
    effects: Effects::ControlFlow,
    result: ResultType::Never(Leaves::Body),
    unknowns: Unknowns::Anything,
    overloads: &[Overload {
        parameters: "Any $value = undef",
        block: None,
        returns: None,
        body: Body::Run(return_),
    }],
    ..Builtin::base()
};

fn return_(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Err(Unwind::Return(Box::new((call.take(0), call.place()))))
}
