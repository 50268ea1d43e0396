//! Parameters passed by name: to classes and defined types by resource expressions, to templates by calls.

use marotte_db::{Db, Environment, File, Topic, module_file};
use marotte_hiera::Layer;
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, Item, ItemKind, NameKind, Signature, is_readable, items};
use marotte_infer::declarations::{Declaration, hash};
use marotte_infer::disjoint::refused;
use marotte_infer::known_values::text_of;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::data_files::{data_files, layer_keys};
use marotte_resolve::module_files::{ModulePath, module_path};
use marotte_resolve::names::{known, module_of};
use marotte_resolve::resource_types::{ResourceTypeName, is_universal};
use marotte_resolve::spelling::nearest;
use marotte_text::{Str, normalized, unrooted};

use crate::context::Context;
use crate::data::found::{is_layer_readable, values_of_key};
use crate::data::near::is_meant;

/// Whether a parameter of this type must be given: `undef`, which a missing one is, is not of the type.
pub(crate) fn needs_value(expected: &Type) -> bool {
    refused(&Type::undef(), expected) && !matches!(expected.kind(), TypeKind::Any)
}

/// A class or defined type that a part of a declaration declares, with its attributes.
pub(crate) struct Given<'db, 'b> {
    /// The class or the defined type.
    pub(crate) item: Item<'db>,
    /// The title, or one of a list of titles. None for the defaults of all parts.
    pub(crate) title: Option<ExprId>,
    /// The attributes of this part.
    pub(crate) attributes: &'b [Attribute],
    /// The default attributes of all parts.
    pub(crate) defaults: &'b [Attribute],
}

impl Given<'_, '_> {
    /// The names of all attributes. None if some are in a hash.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        let names = self.attributes.iter().chain(self.defaults).map(|it| match &it.name {
            AttributeName::Name(name) => Some(name.as_str()),
            AttributeName::Unfold => None,
        });
        names.collect()
    }
}

/// The classes and defined types that are declared, as far as they are literal.
pub(crate) fn given<'db, 'b>(context: &Context<'db, '_>, declared: &'b Declaration) -> Vec<Given<'db, 'b>> {
    let body = context.body;
    let db = context.db;
    let defaults = declared.defaults();
    let mut found = Vec::new();
    if declared.type_name == "class" {
        for part in &declared.parts {
            // Several titles have the same attributes; one is enough to report errors in these.
            let title = match part.title.map(|it| (it, body.expr(it))) {
                Some((_, Expr::Array(titles))) => titles.first().copied(),
                _ => part.title,
            };
            let Some(title) = title else { continue };
            if let Expr::String(class) = body.expr(title)
                && let Some(item) = known(db, context.file, NameKind::Class, class)
            {
                found.push(Given { item, title: Some(title), attributes: &part.attributes, defaults });
            }
        }
    } else if let ResourceTypeName::Define(item) = context.resource_type(&declared.type_name) {
        for part in &declared.parts {
            found.push(Given { item, title: part.title, attributes: &part.attributes, defaults });
        }
    }
    found
}

/// The required parameter that is probably passed by another name: the only one that isn't passed, where exactly one of the given
/// names is that of no parameter, nor similar to one. Both are the same slip, which `unknown-parameter` reports.
pub(crate) fn renamed<'s, 'g>(signature: &'s Signature, given: &[&'g str]) -> Option<(&'g str, &'s str)> {
    let mut lacking = signature.parameters.iter().filter(|it| !it.is_optional && !given.contains(&&*it.name));
    let mut unknown = given.iter().filter(|it| signature.parameter(it).is_none() && !is_universal(it));
    let (Some(required), None, Some(name), None) =
        (lacking.next(), lacking.next(), unknown.next(), unknown.next())
    else {
        return None;
    };
    let names = signature.parameters.iter().map(|it| it.name.as_str());
    nearest(name, names).is_none().then_some((*name, &*required.name))
}

/// The function of `stdlib` that renders a template on the agent if a parameter is deferred.
pub(crate) const DEFERRABLE: &str = "stdlib::deferrable_epp";

/// A call that passes parameters by name in a hash, which may also be the value of a variable, or a sum of hashes:
/// `epp('module/path', { name => value })` to a template, `run_plan('module::plan', name => value)` to a plan.
pub(crate) struct PassedByCall<'db> {
    /// The template or the plan.
    pub(crate) item: Item<'db>,
    /// The passed parameters, as far as their names are literal.
    pub(crate) given: Vec<Passed>,
    /// Whether the list of parameters is complete.
    pub(crate) is_complete: bool,
    /// Whether values may be deferred: only the agent knows what they are then.
    pub(crate) is_deferrable: bool,
}

/// A parameter that is passed by its name.
pub(crate) struct Passed {
    pub(crate) name: Str,
    /// The expression of the name.
    pub(crate) at: ExprId,
    pub(crate) value: ExprId,
}

/// Interprets a call as one that passes parameters by name, as far as it is literal.
pub(crate) fn passed_by_call<'db>(
    context: &Context<'db, '_>,
    call: &NamedCall<'_>,
) -> Option<PassedByCall<'db>> {
    let is_plan = match call.plain_name() {
        "epp" | DEFERRABLE => false,
        "run_plan" if context.item.kind(context.db) == ItemKind::Plan => true,
        _ => return None,
    };
    call.count(context.body)?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let (name, rest) = arguments.split_first()?;
    let item = if is_plan { plan(context, *name)? } else { template(context, *name)? };
    let is_deferrable = call.plain_name() == DEFERRABLE;
    let mut passed = PassedByCall { item, given: Vec::new(), is_complete: true, is_deferrable };
    for it in rest.last().map(|it| hash(context.body, *it)).into_iter().flatten() {
        match it.name {
            // Those with an underscore are options of `run_plan` itself.
            AttributeName::Name(name) if is_plan && name.starts_with('_') => {}
            AttributeName::Name(name) => passed.given.push(Passed { name, at: it.at, value: it.value }),
            AttributeName::Unfold => passed.is_complete = false,
        }
    }
    // Targets that come before the hash are the parameter of that name.
    let targets =
        ["targets", "nodes"].into_iter().find(|it| item.signature(context.db).parameter(it).is_some());
    if let ([targets_at, _], Some(name), true) = (rest, targets, is_plan) {
        passed.given.push(Passed { name: name.into(), at: *targets_at, value: *targets_at });
    }
    Some(passed)
}

/// The template that `epp` renders.
fn template<'db>(context: &Context<'db, '_>, path: ExprId) -> Option<Item<'db>> {
    template_with_parameters(context.db, template_file(context, path)?)
}

/// The file of the template that `epp` renders.
fn template_file(context: &Context<'_, '_>, path: ExprId) -> Option<File> {
    let path = text_of(context.typed(), path)?;
    let path = if path.ends_with(".epp") { path } else { format!("{path}.epp") };
    let found = module_path(context.db, context.file, context.environment, "templates", &path);
    match found {
        ModulePath::Found(file) => Some(file),
        _ => None,
    }
}

/// The path, the template without parameters, and the names of the values that a call of `epp` gives it. None if they are not known.
pub(crate) fn passed_freely<'db>(
    context: &Context<'db, '_>,
    call: &NamedCall<'_>,
) -> Option<(ExprId, Item<'db>, Vec<Str>)> {
    call.count(context.body)?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let (path, rest) = arguments.split_first()?;
    let file = template_file(context, *path).filter(|it| is_readable(context.db, *it))?;
    let item = *items(context.db, file).first()?;
    if item.kind(context.db) != ItemKind::Template || !item.signature(context.db).parameters.is_empty() {
        return None;
    }
    let name = |it: Attribute| match it.name {
        AttributeName::Name(name) => Some(name),
        AttributeName::Unfold => None,
    };
    let given = match rest {
        [] => Vec::new(),
        [given] => hash(context.body, *given).into_iter().map(name).collect::<Option<_>>()?,
        _ => return None,
    };
    Some((*path, item, given))
}

/// The plan that `run_plan` runs.
fn plan<'db>(context: &Context<'db, '_>, name: ExprId) -> Option<Item<'db>> {
    let Expr::String(name) = context.body.expr(name) else { return None };
    known(context.db, context.file, NameKind::Plan, name)
}

/// The words for the recipient of parameters in messages.
pub(crate) fn recipient(db: &dyn Db, item: Item<'_>) -> String {
    match item.kind(db) {
        ItemKind::Template => "the template".to_owned(),
        kind => format!("{} `{}`", kind.noun(), unrooted(item.name(db))),
    }
}

/// The template in a file, if it can be parsed and declares its parameters. A template without a declaration accepts any.
fn template_with_parameters(db: &dyn Db, file: File) -> Option<Item<'_>> {
    if !is_readable(db, file) {
        return None;
    }
    let item = *items(db, file).first()?;
    let is_it = item.kind(db) == ItemKind::Template && !item.signature(db).parameters.is_empty();
    is_it.then_some(item)
}

/// Whether data may set a class parameter (F12): in the environment's or in the class's module's data, or in unavailable data.
/// The check of the file `from` asks.
pub(crate) fn may_have_data(
    db: &dyn Db,
    from: File,
    environment: Environment,
    class: Item<'_>,
    parameter: &str,
) -> bool {
    db.files().note_asked(Topic::DataOfClass, from.path(db).as_str());
    class_may_have_data(db, environment, class, parameter.into())
}

/// [`may_have_data`], without the asking file: a separate query, so that an edit of data that doesn't change the answer checks no
/// other file.
#[salsa::tracked(returns(copy))]
fn class_may_have_data<'db>(
    db: &'db dyn Db,
    environment: Environment,
    class: Item<'db>,
    parameter: Str,
) -> bool {
    if !environment.is_complete(db) {
        return true;
    }
    let data = |layer: Layer| data_files(db, environment, layer);
    let module = module_file(db, class.file(db)).map(|it| Layer::Module(it.module.clone()));
    // An environment's data may be kept apart from its code; a module's data is part of it, or not written yet.
    let is_readable = |layer: Layer| is_layer_readable(db, environment, layer);
    let is_apart = !data(Layer::Environment).has_all
        || !is_readable(Layer::Environment)
        || module.is_some_and(|it| {
            data(it.clone()).files.is_empty() && !data(it.clone()).has_all || !is_readable(it)
        });
    let key = format!("{}::{parameter}", normalized(class.name(db)));
    is_apart
        || values_of_key(db, environment, &key).is_none_or(|it| !it.is_empty())
        || is_meant_by_key(db, environment, class, &key)
}

/// Whether data has a key that is similar to this one and doesn't name a parameter: another rule reports that.
fn is_meant_by_key(db: &dyn Db, environment: Environment, class: Item<'_>, key: &str) -> bool {
    let is_parameter = |it: &str| {
        let (of, name) = it.rsplit_once("::").unwrap_or_default();
        known(db, class.file(db), NameKind::Class, of)
            .is_some_and(|it| it.signature(db).parameter(name).is_some())
    };
    [Layer::Environment, Layer::Module(module_of(key).into())].into_iter().any(|layer| {
        layer_keys(db, environment, layer).iter().any(|it| is_meant(it, key) && !is_parameter(it))
    })
}
