//! The body of `create_function`.

use std::ops::Range;

use marotte_text::Str;

use super::dispatch;
use super::model::{Count, Dispatch, Function, Parameter};
use crate::evaluate::{Scope, Visit};
use crate::syntax::{Call, Expr, ExprKind, Method, ParameterKind};

/// A statement that changes a function's signatures has to mention one of these words.
const TRIGGERS: &[&str] =
    &["dispatch", "argument_mismatch", "local_types", "eval", "send", "define_", "self"];

/// Calls without a receiver that do not affect what is known about a function.
const HARMLESS: &[&str] = &[
    "require",
    "require_relative",
    "include",
    "private",
    "public",
    "protected",
    "private_class_method",
    "private_constant",
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "alias_method",
    "raise",
];

/// The data read from a function's declaration.
pub(super) struct Created {
    pub(super) function: Function,
    /// The positions of the heads of its signatures, in bytes and in the order of the signatures: `dispatch :name`, or
    /// the whole `def` if there is none.
    pub(super) places: Vec<Range<usize>>,
}

/// The function that a call creates. `None` if its name is unknown.
pub(super) fn created(scope: &mut Scope<'_>, expr: &Expr, call: &Call) -> Option<Created> {
    let name = scope.value(call.arguments.first()?).text()?.clone();
    let function = Function {
        name,
        doc: scope.source.comment_above(expr).map(Str::from),
        dispatches: Vec::new(),
        local_types: Vec::new(),
        complete: call.arguments.get(1).is_none_or(is_plain_base) && call.arguments.len() <= 2,
    };
    let mut reader = Body { function, methods: Vec::new(), places: Vec::new() };
    if let Some(block) = &call.block {
        scope.walk(&block.body, &mut reader);
    }
    Some(reader.finish())
}

/// Whether a class that functions are based on has no signatures of its own.
fn is_plain_base(base: &Expr) -> bool {
    matches!(&base.kind, ExprKind::Constant(path)
        if matches!(path.as_str(), "Puppet::Functions::Function" | "Puppet::Functions::InternalFunction"))
}

struct Body {
    function: Function,
    places: Vec<Range<usize>>,
    methods: Vec<Defined>,
}

/// A method with its parameters.
struct Defined {
    name: Str,
    /// The parameters of the method, if they are possible for a signature.
    parameters: Option<Vec<Parameter>>,
    place: Range<usize>,
}

impl Visit for Body {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(call) if call.receiver.is_none() => self.call(scope, expr, call),
            ExprKind::Name(name) if HARMLESS.contains(&name.as_str()) => {}
            ExprKind::Name(_) => self.function.complete = false,
            ExprKind::Method(method) => self.method(expr, method),
            ExprKind::Module(_) | ExprKind::String(_) | ExprKind::Symbol(_) | ExprKind::Nil => {}
            _ => {
                scope.forget(expr);
                self.function.complete &= !scope.source.mentions(expr, TRIGGERS);
            }
        }
    }
}

impl Body {
    /// Without any dispatch, the method with the function's own name provides the signature.
    fn finish(mut self) -> Created {
        if self.function.dispatches.is_empty() && self.function.complete {
            let name = self.function.name.rsplit("::").next().unwrap_or_default();
            match self.methods.into_iter().rfind(|it| it.name == name) {
                Some(Defined { name: method, parameters: Some(parameters), place }) => {
                    self.places.push(place);
                    self.function.dispatches.push(Dispatch {
                        method,
                        parameters,
                        block: None,
                        return_type: None,
                        mismatch: false,
                        injected: Vec::new(),
                    });
                }
                _ => self.function.complete = false,
            }
        }
        Created { function: self.function, places: self.places }
    }

    fn call(&mut self, scope: &mut Scope<'_>, expr: &Expr, call: &Call) {
        match call.method.as_str() {
            "dispatch" => self.dispatch(scope, expr, call, false),
            "argument_mismatch" => self.dispatch(scope, expr, call, true),
            "local_types" => {
                let mut types = LocalTypes { types: Vec::new(), complete: true };
                if let Some(block) = &call.block {
                    scope.walk(&block.body, &mut types);
                }
                self.function.complete &= types.complete;
                self.function.local_types.extend(types.types);
            }
            method if HARMLESS.contains(&method) => {}
            _ => {
                scope.forget(expr);
                self.function.complete = false;
            }
        }
    }

    fn dispatch(&mut self, scope: &mut Scope<'_>, expr: &Expr, call: &Call, mismatch: bool) {
        match dispatch::declared(scope, call, mismatch) {
            Some(read) => {
                let end = call.arguments.last().map_or(expr.range.end, |it| it.range.end);
                self.places.push(expr.range.start..end);
                self.function.complete &= read.complete;
                self.function.dispatches.push(read.dispatch);
            }
            None => self.function.complete = false,
        }
    }

    fn method(&mut self, expr: &Expr, method: &Method) {
        if method.on_self {
            self.function.complete &=
                !matches!(method.name.as_str(), "dispatch" | "argument_mismatch" | "dispatcher" | "builder");
        } else {
            // It replaces the method that selects among the dispatches.
            self.function.complete &= method.name != "call";
            self.methods.push(Defined {
                name: method.name.clone(),
                parameters: any_parameters(method),
                place: expr.range.clone(),
            });
        }
    }
}

/// A method's parameters, each accepting anything; required ones first. `None` if the reference cannot derive a
/// signature from them.
fn any_parameters(method: &Method) -> Option<Vec<Parameter>> {
    let parameter = |it: &crate::syntax::Parameter| {
        let count = match it.kind {
            ParameterKind::Required => Count::Required,
            ParameterKind::Optional => Count::Optional,
            ParameterKind::Rest => Count::Repeated,
            ParameterKind::Block | ParameterKind::Other => return None,
        };
        Some(Parameter { name: it.name.clone(), parameter_type: Some("Any".into()), count })
    };
    let mut parameters: Vec<Parameter> = method.parameters.iter().map(parameter).collect::<Option<_>>()?;
    parameters.sort_by_key(|it| it.count != Count::Required);
    Some(parameters)
}

struct LocalTypes {
    types: Vec<Str>,
    complete: bool,
}

impl Visit for LocalTypes {
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr) {
        if let ExprKind::Call(call) = &expr.kind
            && call.receiver.is_none()
            && call.method == "type"
            && let [text] = &call.arguments[..]
            && let Some(text) = scope.value(text).text()
        {
            return self.types.push(text.clone());
        }
        self.complete = false;
    }
}
