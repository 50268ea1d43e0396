//! Signatures of functions that aren't written in Puppet: their parameters and results.

use std::borrow::Cow;

use marotte_db::Db;
use marotte_db::{File, source_text};
use marotte_diagnostics::Related;
use marotte_hir::body::LambdaId;
use marotte_hir::{Body, Item};
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{CallableType, Size, TupleType, Type, TypeKind};
use marotte_resolve::dialect;
use marotte_resolve::functions::Function;
use marotte_resolve::ruby::ruby_functions;
use marotte_ruby::function::{Dispatch, dispatch_places};
use marotte_text::{Str, TextRange, TextSize};

use crate::aliases::stand_for_the_same;
use crate::declared::{LocalTypes, type_in, type_of_text};
use crate::disjoint::disjoint;

/// One overload of a function. Its unknown parts accept anything.
#[derive(Clone, Debug)]
pub struct Overload {
    /// Parameters, lambda and result; the result type is None if it is unknown.
    pub callable: CallableType,
    /// The index of the dispatch in a Ruby function.
    pub dispatch: usize,
}

impl PartialEq for Overload {
    fn eq(&self, other: &Overload) -> bool {
        self.dispatch == other.dispatch
            && self.callable == other.callable
            && stand_for_the_same(self.types(), other.types())
    }
}

impl Overload {
    fn types(&self) -> impl Iterator<Item = &Type> {
        let CallableType { parameters, block, returns } = &self.callable;
        parameters.iter().flat_map(|it| it.types.iter()).chain(block).chain(returns)
    }

    /// Whether the overload accepts this number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        self.callable.parameters.as_ref().is_none_or(|it| it.size_range().contains(count))
    }

    /// The required type of an argument.
    pub fn parameter(&self, index: usize) -> Option<&Type> {
        self.callable.parameters.as_ref()?.type_at(index)
    }

    /// The index of the first argument of a known type that the overload never accepts.
    pub fn refused<'t>(&self, arguments: impl IntoIterator<Item = Option<&'t Type>>) -> Option<usize> {
        self.refuses(disjoint, arguments)
    }

    /// The index of the first argument of a known type for which `apart` holds with the parameter's type.
    pub fn refuses<'t>(
        &self,
        apart: impl Fn(&Type, &Type) -> bool,
        arguments: impl IntoIterator<Item = Option<&'t Type>>,
    ) -> Option<usize> {
        arguments.into_iter().enumerate().position(|(index, given)| {
            let expected = self.parameter(index);
            matches!((expected, given), (Some(expected), Some(given)) if apart(given, expected))
        })
    }

    /// Whether the overload accepts a lambda, or the lack of one, irrespective of types.
    pub fn takes_lambda(&self, is_given: bool) -> bool {
        match (&self.callable.block, is_given) {
            (block, true) => block.is_some(),
            (None, false) => true,
            (Some(block), false) => matches!(block.kind(), TypeKind::Optional(_)),
        }
    }

    /// The required type of the lambda, if the overload rejects one of this type.
    pub fn refused_lambda(&self, given: &Type) -> Option<&Type> {
        let wanted = self.callable.block.as_ref()?;
        (!assignable(dialect(), wanted, given)).then_some(wanted)
    }
}

/// The overloads of a function that isn't written in Puppet. Empty if they aren't known.
pub fn overloads<'db>(db: &'db dyn Db, function: Function<'db>, name: &str) -> Cow<'db, [Overload]> {
    match function {
        Function::Builtin(builtin) => {
            let callables = builtin.callables().enumerate();
            callables.map(|(dispatch, callable)| Overload { callable, dispatch }).collect()
        }
        Function::Ruby(it) if it.is_only => ruby_overloads(db, it.file, name.into()).into(),
        _ => Cow::default(),
    }
}

/// The overloads that a Ruby file declares for a function, without those that only produce an error message. Empty if part of
/// the declaration isn't understood.
#[salsa::tracked(returns(deref))]
pub fn ruby_overloads(db: &dyn Db, file: File, name: Str) -> Box<[Overload]> {
    let functions = &ruby_functions(db, file).functions;
    let Some(function) = functions.iter().find(|it| it.name == name && it.complete) else {
        return Box::default();
    };
    let local = LocalTypes::read(&function.local_types);
    let typed = |text: &Option<Str>| type_of_text(db, file, text.as_ref()?, &local);
    let dispatches = function.dispatches.iter().enumerate().filter(|(_, it)| !it.mismatch);
    dispatches.map(|(dispatch, it)| Overload { callable: callable(it, &typed), dispatch }).collect()
}

fn callable(dispatch: &Dispatch, typed: &impl Fn(&Option<Str>) -> Option<Type>) -> CallableType {
    let types = dispatch.parameters.iter().map(|it| typed(&it.parameter_type).unwrap_or_else(Type::any));
    let (min, max) = dispatch.arguments();
    let block = dispatch.block.as_ref().map(|it| {
        let wanted =
            typed(&it.block_type).unwrap_or_else(|| TypeKind::Callable(CallableType::default()).into());
        if it.optional { Type::optional(wanted) } else { wanted }
    });
    CallableType {
        parameters: Some(TupleType { types: types.collect(), size: Some(Size { min, max }) }),
        block,
        returns: typed(&dispatch.return_type),
    }
}

/// The place where a Ruby file declares an overload.
pub fn declared_at(db: &dyn Db, file: File, name: &str, dispatch: usize) -> Option<Related> {
    let place = dispatch_places(source_text(db, file).text(), name).into_iter().nth(dispatch)?;
    let size = |it: usize| TextSize::try_from(it).ok();
    let range = TextRange::new(size(place.start)?, size(place.end)?);
    Some(Related { file: file.id(db), range, message: "its signature is declared here".to_owned() })
}

/// The type of a lambda. A parameter of an unknown type accepts anything; None if the type of the result is unknown.
pub fn lambda_type(db: &dyn Db, item: Item<'_>, body: &Body, id: LambdaId) -> Option<Type> {
    let declared = |expr| type_in(db, item.file(db), item.body(db), expr);
    let lambda = body.lambda(id);
    let mut types = Vec::with_capacity(lambda.parameters.len());
    let mut size = Size::ZERO;
    for parameter in &lambda.parameters {
        let it = parameter.type_expr.and_then(declared).unwrap_or_else(Type::any);
        let (it, count) = match it.kind() {
            TypeKind::Array(element, size) if parameter.captures_rest => {
                (element.clone(), size.unwrap_or(Size::ANY))
            }
            _ if parameter.captures_rest => (it, Size::ANY),
            _ if parameter.default.is_some() => (it, Size { min: 0, max: Some(1) }),
            _ => (it, Size::exactly(1)),
        };
        types.push(it);
        size.min = size.min.saturating_add(count.min);
        size.max = size.max.and_then(|max| max.checked_add(count.max?));
    }
    let returns = match lambda.return_type {
        Some(expr) => Some(declared(expr)?),
        None => None,
    };
    let parameters = Some(TupleType { types: types.into(), size: Some(size) });
    Some(TypeKind::Callable(CallableType { parameters, block: None, returns }).into())
}

/// The parameters of a callable type.
pub fn parameters_of(callable: &Type) -> Option<&TupleType> {
    match callable.resolved().kind() {
        TypeKind::Callable(it) => it.parameters.as_ref(),
        TypeKind::Optional(Some(it)) => parameters_of(it),
        _ => None,
    }
}
