//! Resource type metadata that `puppet generate types` writes into an environment (F54): `.resource_types/NAME.pp` contains a
//! single expression, which creates the type.

use marotte_catalog::{NativeType, TitlePattern};
use marotte_db::{Db, File};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_pcore::effort;
use marotte_pcore::regexp::Regexp;
use marotte_text::Str;

/// The generated metadata of a resource type. Whatever cannot be interpreted is unknown.
pub(crate) fn replica(db: &dyn Db, file: File, name: &str) -> NativeType {
    let body = &marotte_hir::lowered(db, file).main;
    read(body, name).unwrap_or_else(|| NativeType::unknown(name))
}

/// `Puppet::Resource::ResourceType3.new(name, properties, parameters, patterns of titles, isomorphic, …)`.
fn read(body: &Body, name: &str) -> Option<NativeType> {
    let [only] = &*body.statements else { return None };
    let Expr::MethodCall(call) = body.expr(*only) else { return None };
    let arguments = &call.arguments;
    let lists = arguments.get(1..3)?.iter().map(|it| list(body, *it));
    let parameters = lists.collect::<Option<Vec<_>>>()?.concat();
    let parameters = parameters.into_iter().map(|it| parameter(body, it)).collect::<Option<Vec<_>>>()?;
    let named = parameters.iter().filter(|(_, names)| *names).map(|(name, _)| name.clone());
    let mut namevars: Vec<Str> = named.collect();
    namevars.sort();
    let isomorphic = match arguments.get(4) {
        None => true,
        Some(it) => matches!(body.expr(*it), Expr::Boolean(true)),
    };
    Some(NativeType {
        name: name.into(),
        attributes: Some(parameters.into_iter().map(|(name, _)| name).collect()),
        namevar: match &namevars[..] {
            [only] => only.clone(),
            _ => "name".into(),
        },
        title_patterns: arguments.get(3).map(|it| patterns(body, *it)).unwrap_or_default(),
        namevars: Some(namevars).filter(|it| isomorphic && !it.is_empty()),
        unread_title: Vec::new(),
        titles_are_known: true,
    })
}

fn list(body: &Body, id: ExprId) -> Option<Vec<ExprId>> {
    match body.expr(id) {
        Expr::Array(elements) => Some(elements.to_vec()),
        _ => None,
    }
}

/// `Puppet::Resource::Param(type, name, whether it names the resource)`.
fn parameter(body: &Body, id: ExprId) -> Option<(Str, bool)> {
    let Expr::Call(call) = body.expr(id) else { return None };
    let Expr::String(name) = body.expr(*call.arguments.get(1)?) else { return None };
    let names = call.arguments.get(2).is_some_and(|it| matches!(body.expr(*it), Expr::Boolean(true)));
    Some((name.clone(), names))
}

/// `{ /pattern/ => [attributes] }`. A pattern that cannot be compiled makes all of them unknown.
fn patterns(body: &Body, id: ExprId) -> Vec<TitlePattern> {
    let Expr::Hash(entries) = body.expr(id) else { return Vec::new() };
    let pattern = |(key, value): &(ExprId, ExprId)| {
        let Expr::Regexp(source) = body.expr(*key) else { return None };
        let attributes = list(body, *value)?.into_iter().map(|it| match body.expr(it) {
            Expr::String(name) => Some(name.clone()),
            _ => None,
        });
        Some(TitlePattern {
            regexp: Regexp::new(source).ok()?,
            attributes: attributes.collect::<Option<_>>()?,
        })
    };
    let compiled = effort::within(effort::FOR_REGEXPS, || entries.iter().map(pattern).collect::<Option<_>>());
    compiled.ok().flatten().unwrap_or_default()
}
