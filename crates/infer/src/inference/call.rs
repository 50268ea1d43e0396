//! Calls: of built-in functions, of functions written in Puppet, of lambdas.

use marotte_db::module_file;
use marotte_eval::functions::{Leaves, Names, ResultType};
use marotte_hir::ExprId;
use marotte_hir::body::{Call, Callee, Expr, LambdaId, MethodCall};
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::dialect;
use marotte_text::unrooted;

use super::builder::InferenceBuilder;
use super::builtin::{constructed, lambda_arguments, result};
use super::dependencies::{Called, called};
use super::known::{Known, parameter_type, union};
use crate::declared::type_in;
use crate::flow::leaving_call;
use crate::signatures::{Overload, ruby_overloads};
use crate::sorts::{is_number, is_text};

/// The known types of a call's arguments.
pub(super) struct Arguments {
    /// The types in order, up to the first splat.
    pub(super) types: Vec<Known>,
}

impl InferenceBuilder<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Known {
        let arguments: Vec<ExprId> = call.arguments.to_vec();
        match &call.callee {
            Callee::Function(name) => self.function(name, &arguments, call.lambda),
            Callee::Type(callee) => {
                let made = self.expr(*callee);
                arguments.iter().for_each(|it| drop(self.expr(*it)));
                match call.lambda {
                    Some(lambda) => self.lambda(lambda, &[]),
                    None => constructed(made.as_ref()?),
                }
            }
            Callee::Other(callee) => {
                self.expr(*callee);
                arguments.iter().for_each(|it| drop(self.expr(*it)));
                None
            }
        }
    }

    pub(super) fn method_call(&mut self, call: &MethodCall) -> Known {
        let mut arguments = vec![call.receiver];
        arguments.extend(call.arguments.iter().copied());
        // A value's own attributes and functions take precedence over functions of that name.
        let is_object = !matches!(self.body.expr(call.receiver), Expr::Reference(_) | Expr::Access { .. });
        if call.name == "new" && !is_object {
            let made = self.expr(call.receiver);
            arguments[1..].iter().for_each(|it| drop(self.expr(*it)));
            return match call.lambda {
                Some(lambda) => self.lambda(lambda, &[]),
                None => constructed(made.as_ref()?),
            };
        }
        let known = self.function(&call.name, &arguments, call.lambda);
        // An object may have a function of this name.
        let receiver = self.types[call.receiver.index()].as_ref()?;
        if may_be_object(receiver) { None } else { known }
    }

    fn function(&mut self, name: &str, arguments: &[ExprId], lambda: Option<LambdaId>) -> Known {
        let name = unrooted(name);
        let asked = arguments;
        let mut types = Vec::new();
        let mut is_splat = false;
        for id in asked {
            let known = self.expr(*id);
            is_splat |= matches!(self.body.expr(*id), Expr::Splat(_));
            if !is_splat {
                types.push(known);
            }
        }
        if !self.reachable {
            return None;
        }
        let arguments = Arguments { types };
        let file = self.item.file(self.db);
        let called = called(self.db, file, name);
        if let Called::Builtin(builtin) = called {
            let block = lambda.map(|lambda| {
                let count = self.body.lambda(lambda).parameters.len();
                self.lambda(lambda, &lambda_arguments(builtin, &arguments.types, count))
            });
            if let ResultType::Never(leaves) = builtin.result {
                if leaves == Leaves::Body {
                    self.returned.push(arguments.types.first().cloned().unwrap_or(Some(Type::undef())));
                }
                self.reachable = false;
                return None;
            }
            if builtin.names == Some(Names::Definitions) && asked.iter().any(|it| self.is_there(*it)) {
                return Some(TypeKind::Boolean(Some(true)).into());
            }
            return result(builtin, &arguments, block);
        }
        if let Some(lambda) = lambda {
            self.lambda(lambda, &[]);
        }
        if let ("fact", [path]) = (name, asked)
            && self.is_of_stdlib(&called)
        {
            return self.fact_at(*path);
        }
        match called {
            Called::Puppet(item) => self.outline(item)?.result.clone(),
            Called::Ruby(file) => {
                of_overloads(ruby_overloads(self.db, file, name.into()), &arguments, is_splat)
            }
            Called::Builtin(_) | Called::Unknown => None,
        }
    }

    /// Whether a function that is called is one of stdlib, or one of a module that is not here.
    fn is_of_stdlib(&self, called: &Called<'_>) -> bool {
        match called {
            Called::Ruby(file) => module_file(self.db, *file).is_some_and(|it| it.module == "stdlib"),
            Called::Unknown => true,
            Called::Puppet(_) | Called::Builtin(_) => false,
        }
    }

    /// Whether the argument of `defined` is a variable that is set, `'$name'`: its value is irrelevant.
    pub(super) fn is_there(&self, asked: ExprId) -> bool {
        let Expr::String(text) = self.body.expr(asked) else { return false };
        text.strip_prefix('$').is_some_and(|it| self.scopes.is_set(it))
    }

    /// Walks a lambda, whose parameters have these types as far as they are known. Returns the type of its result.
    pub(super) fn lambda(&mut self, id: LambdaId, given: &[Known]) -> Known {
        let lambda = self.body.lambda(id);
        self.scopes.enter();
        let mark = self.scopes.mark();
        let outer_returned = std::mem::take(&mut self.returned);
        for (index, parameter) in lambda.parameters.iter().enumerate() {
            if let Some(default) = parameter.default {
                self.expr(default);
            }
            let file = self.item.file(self.db);
            let declared = match parameter.type_expr {
                Some(expr) => {
                    self.expr(expr);
                    let declared = type_in(self.db, file, self.item.body(self.db), expr);
                    // A declared hash may have further keys than those that are passed here.
                    let is_precise = |it: &Type| !parameter.captures_rest && (is_text(it) || is_number(it));
                    match (declared, given.get(index).cloned().flatten().filter(is_precise)) {
                        (Some(declared), Some(given)) if assignable(dialect(), &declared, &given) => {
                            Some(given)
                        }
                        (declared, _) => declared,
                    }
                }
                None if parameter.captures_rest || parameter.default.is_some() => None,
                None => given.get(index).cloned().flatten(),
            };
            let known = parameter_type(parameter, declared);
            self.types[parameter.at.index()] = known.clone();
            self.scopes.set(&parameter.name, known);
        }
        if let Some(expr) = lambda.return_type {
            self.expr(expr);
        }
        let last = self.block(&lambda.statements);
        // `next` also returns a result, whose type isn't tracked.
        let came_back = std::mem::replace(&mut self.reachable, true);
        // The value of a `return` in a lambda is the result of the enclosing function.
        let mut returned = outer_returned;
        returned.append(&mut self.returned);
        self.returned = returned;
        self.scopes.cut(mark);
        self.scopes.leave();
        if !came_back || self.may_leave_early() {
            return None;
        }
        match lambda.return_type {
            Some(expr) => type_in(self.db, self.item.file(self.db), self.item.body(self.db), expr),
            None => last,
        }
    }

    /// Whether lambdas may end before their last statement: something in the body calls `next` or `break`.
    fn may_leave_early(&self) -> bool {
        let leaves = |expr: &Expr| leaving_call(expr).is_some_and(|it| it.1 == Leaves::Lambda);
        *self.may_leave_early.get_or_init(|| self.body.calls().any(|(_, expr)| leaves(expr)))
    }
}

/// The result of a function if exactly one overload accepts these arguments; a splat may stand for further arguments.
fn of_overloads(overloads: &[Overload], arguments: &Arguments, is_splat: bool) -> Known {
    let types = || arguments.types.iter().map(Option::as_ref);
    let takes = |it: &&Overload| (is_splat || it.takes(types().len())) && it.refused(types()).is_none();
    union(overloads.iter().filter(takes).map(|it| it.callable.returns.clone())).filter(is_telling)
}

/// Whether a value of a type may have functions of its own.
fn may_be_object(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Variant(types) => types.iter().any(may_be_object),
        TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => may_be_object(it),
        TypeKind::Any
        | TypeKind::Object(_)
        | TypeKind::ObjectExtension(..)
        | TypeKind::Runtime { .. }
        | TypeKind::Init { .. }
        | TypeKind::Alias(_)
        | TypeKind::Reference(_) => true,
        _ => false,
    }
}

/// The element type when iterating over a type.
pub(super) fn elements(it: &Type) -> Known {
    match it.resolved().kind() {
        // `undef` cannot be iterated over.
        TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => elements(it),
        TypeKind::Array(element, _) => Some(element.clone()),
        TypeKind::Tuple(it) => union(it.types.iter().cloned().map(Some)),
        TypeKind::Struct(_) | TypeKind::Hash(..) => {
            let (key, value) = entries(it)?;
            Some(Type::tuple([key, value]))
        }
        TypeKind::Variant(types) if types.iter().all(is_list) => union(types.iter().map(elements)),
        TypeKind::Integer(_) => Some(Type::integer()),
        TypeKind::String(_) => Some(Type::string()),
        _ => None,
    }
    .filter(is_telling)
}

/// Whether a type is one of arrays.
pub(super) fn is_list(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Array(..) | TypeKind::Tuple(_))
}

/// The types of the keys and values of a hash.
pub(super) fn entries(it: &Type) -> Option<(Type, Type)> {
    match it.resolved().kind() {
        TypeKind::Hash(key, value, _) => Some((key.clone(), value.clone())),
        TypeKind::Struct(elements) => {
            let keys = union(elements.iter().map(|it| Some(Type::literal(it.name.clone()))));
            let values = union(elements.iter().map(|it| Some(it.value.clone())));
            Some((keys.unwrap_or_else(Type::string), values.unwrap_or_else(Type::any)))
        }
        _ => None,
    }
}

/// Whether a type carries information.
pub(super) fn is_telling(it: &Type) -> bool {
    !matches!(it.kind(), TypeKind::Any | TypeKind::Unit)
}
