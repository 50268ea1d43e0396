//! Classes that do nothing in an environment: their code runs for each entry of a parameter, and nothing sets it.

use std::collections::BTreeSet;

use marotte_check::semantics;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{Item, ItemKind, items};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, TextSize, normalized, unrooted};

use super::elsewhere::{comments, data_outside, is_line_comment, is_of_tests, whole_names};
use crate::Db;
use crate::files::{code_files, hiera_files, naming_files, ruby_files};
use crate::references::references_of;
use crate::symbol::Symbol;
use crate::words::has_words;

/// Whether a class consists of loops over parameters that are empty unless something sets them, and nothing does: `stdlib::manage`.
pub(super) fn is_idle(db: &dyn Db, item: Item<'_>) -> bool {
    if item.kind(db) != ItemKind::Class {
        return false;
    }
    let body = item.body(db);
    let looped = |expr: &Expr| {
        let call = NamedCall::of(expr).filter(|it| it.plain_name() == "each" && it.lambda.is_some())?;
        let Expr::Variable(variable) = body.expr(call.arguments().next()?) else { return None };
        let Variable::Local { name, .. } = &**variable else { return None };
        let parameter = body.parameters.iter().find(|it| it.name == *name)?;
        let is_empty = match body.expr(parameter.default?) {
            Expr::Hash(entries) => entries.is_empty(),
            Expr::Array(elements) => elements.is_empty(),
            _ => false,
        };
        is_empty.then(|| name.clone())
    };
    let over: Option<Vec<Str>> = body.statements.iter().map(|it| looped(body.expr(*it))).collect();
    let environment = environment_of(db, item.file(db));
    over.is_some_and(|all| all.iter().all(|it| !may_be_set(db, environment, item, it)))
}

/// Whether data or a declaration may set a parameter of a class.
fn may_be_set(db: &dyn Db, environment: Environment, class: Item<'_>, parameter: &Str) -> bool {
    let own = class.file(db);
    let name = normalized(class.name(db));
    let key = format!("{name}::{parameter}");
    let symbol = Symbol::Variable(class, None, parameter.clone());
    if references_of(db, own, &symbol).iter().any(|(at, _)| at.file != own)
        || data_outside(db, environment, &key).is_err()
        || !naming_files(db, environment).is_complete
    {
        return true;
    }
    let last = unrooted(&name).rsplit("::").next().unwrap_or_default();
    let declares = |item: &Item<'_>| {
        semantics::computed_attributes(db, *item, "class", &name, parameter).is_some_and(|it| !it.of_any_type)
    };
    let mut declaring = code_files(db, environment).iter().filter(|it| has_words(db, **it, last));
    declaring.any(|it| *it != own && items(db, *it).iter().any(declares))
        || is_written(db, environment, own, &key)
}

/// Whether a file other than that of a class, and other than tests, contains the key of one of its parameters.
fn is_written(db: &dyn Db, environment: Environment, own: File, key: &str) -> bool {
    let known = [hiera_files(db, environment), ruby_files(db, environment), code_files(db, environment)];
    let all = known.into_iter().flatten().chain(&naming_files(db, environment).files).copied();
    let files: BTreeSet<File> = all.filter(|it| *it != own && has_words(db, *it, key)).collect();
    files.into_iter().filter(|it| !is_of_tests(db, environment, *it)).any(|file| {
        let text = source_text(db, file).text();
        let comments = comments(db, file);
        whole_names(text, key).into_iter().any(|at| {
            let offset = TextSize::try_from(at).unwrap_or_default();
            !comments.iter().any(|it| it.contains(offset)) && !is_line_comment(file, db, text, at)
        })
    })
}
