//! The meaning of places in a file, for editors. The results are the same as those of the rules.

mod computed_variables;
mod referenced;

use std::borrow::Cow;

use marotte_db::{Environment, File, environment_of};
use marotte_eval::functions::{Builtin, Names};
use marotte_hir::body::{AttributeName, Body, Expr, Segment};
use marotte_hir::{ExprId, Item, NameKind, resolve};
use marotte_pcore::types::{CallableType, Type};
use marotte_pcore::value::Value;
use marotte_ruby::core;
use marotte_ruby::resource_type::ResourceType;
use marotte_text::{Str, TextRange, normalized};

use marotte_db::Db;
use marotte_infer::declarations::{alteration, queried, value_of};
use marotte_infer::inference as infer;
use marotte_infer::known_values::{text_of, values_of};
use marotte_infer::literal::{self, class_names};
use marotte_infer::{declared, signatures};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::{self, Function};
use marotte_resolve::module_files::{self, ModulePath};
use marotte_resolve::names::{ancestors, known};
use marotte_resolve::resource_types::{self, ResourceTypeName};
use marotte_resolve::ruby::{RubyKind, ruby_names, ruby_resource_types};
use marotte_resolve::types::{self, TypeName};
use marotte_resolve::{custom_facts, globals};

use crate::analysis::names::classes::named_classes;
use crate::analysis::names::fact_paths;
use crate::analysis::names::uses::{Used, uses};
use crate::analysis::resources::parameters::passed_by_call;
use crate::analysis::resources::relationships::METAPARAMETERS;
use crate::analysis::templates::rendered::{rendered_templates as rendered_files, template_arguments};
use crate::context::{At, Context};
use crate::data;
use crate::findings::Findings;
use crate::incremental::overview::{class_keys, key_reads};
use crate::lookups::LookupCall;
pub use computed_variables::{ComputedVariable, PossibleNames, computed_variables};
use referenced::Referenced;

/// The result of resolving a function name.
#[derive(Clone, Copy)]
pub enum FunctionMeaning<'db> {
    /// A built-in function.
    Builtin(&'static Builtin),
    /// A function written in Puppet.
    Puppet(Item<'db>),
    /// A function that a Ruby file defines.
    Ruby(File),
}

/// The result of resolving a resource type name.
#[derive(Clone, Copy, Debug)]
pub enum ResourceTypeMeaning<'db> {
    /// A type of Puppet itself, or of its agent package.
    Core(&'static ResourceType),
    /// A defined type, written in Puppet.
    Define(Item<'db>),
    /// A type that a Ruby file defines, with its description, if it is known.
    Ruby(File, Option<&'db ResourceType>),
}

/// The result of resolving a type name.
#[derive(Clone, Copy, Debug)]
pub enum TypeMeaning<'db> {
    /// A built-in type.
    Builtin,
    /// An alias, written in Puppet.
    Alias(Item<'db>),
    /// The resource references of a resource type.
    Resource(ResourceTypeMeaning<'db>),
    /// A type that a Ruby file defines.
    Ruby(File),
}

/// Resolves a function name in a file, if it is known.
pub fn function<'db>(db: &'db dyn Db, from: File, name: &str) -> Option<FunctionMeaning<'db>> {
    match functions::function(db, from, environment_of(db, from), name) {
        Function::Builtin(it) => Some(FunctionMeaning::Builtin(it)),
        Function::Puppet(it) => Some(FunctionMeaning::Puppet(it)),
        Function::Ruby(it) => Some(FunctionMeaning::Ruby(it.file)),
        Function::Missing => None,
        Function::Unknown => definition(db, from, NameKind::Function, name).map(FunctionMeaning::Puppet),
    }
}

/// Whether a function name may be defined, possibly in a place that isn't available.
pub fn may_be_function(db: &dyn Db, from: File, name: &str) -> bool {
    !matches!(functions::function(db, from, environment_of(db, from), name), Function::Missing)
}

/// Resolves a resource type name in a file, if it is known.
pub fn resource_type<'db>(db: &'db dyn Db, from: File, name: &str) -> Option<ResourceTypeMeaning<'db>> {
    let found = resource_types::resource_type(db, from, environment_of(db, from), name);
    resource_meaning(db, from, name, found)
}

fn resource_meaning<'db>(
    db: &'db dyn Db,
    from: File,
    name: &str,
    found: ResourceTypeName<'db>,
) -> Option<ResourceTypeMeaning<'db>> {
    match found {
        ResourceTypeName::Core(it) | ResourceTypeName::Agent(it) => Some(ResourceTypeMeaning::Core(it)),
        ResourceTypeName::Define(it) => Some(ResourceTypeMeaning::Define(it)),
        ResourceTypeName::Plugin(it) => {
            let name = normalized(name);
            let described = ruby_resource_types(db, it.file).types.iter().find(|it| it.name == name);
            Some(ResourceTypeMeaning::Ruby(it.file, described))
        }
        ResourceTypeName::Opaque | ResourceTypeName::Missing => None,
        ResourceTypeName::Unknown => {
            definition(db, from, NameKind::Define, name).map(ResourceTypeMeaning::Define)
        }
    }
}

/// Resolves a type name in a file, if it is known.
pub fn type_name<'db>(db: &'db dyn Db, from: File, name: &str) -> Option<TypeMeaning<'db>> {
    match types::type_name(db, from, environment_of(db, from), name) {
        TypeName::Builtin => Some(TypeMeaning::Builtin),
        TypeName::Alias(it) => Some(TypeMeaning::Alias(it)),
        TypeName::Resource(it) => resource_meaning(db, from, name, it).map(TypeMeaning::Resource),
        TypeName::Ruby(it) => Some(TypeMeaning::Ruby(it.file)),
        TypeName::Missing => None,
        TypeName::Unknown => {
            definition(db, from, NameKind::TypeAlias, name).map(TypeMeaning::Alias).or_else(|| {
                let define = definition(db, from, NameKind::Define, name)?;
                Some(TypeMeaning::Resource(ResourceTypeMeaning::Define(define)))
            })
        }
    }
}

/// Resolves the name of a definition in a file: either with certainty, as for the rules, or to a definition in a file that
/// cannot be fully parsed, because it is being edited.
pub fn definition<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Item<'db>> {
    known(db, from, kind, name).or_else(|| resolve(db, from, kind, name).map(|it| it.item))
}

/// The classes that a class inherits from, the parent first.
pub fn parents<'db>(db: &'db dyn Db, class: Item<'db>) -> Vec<Item<'db>> {
    ancestors(db, class).classes
}

/// The type of all values of an expression of an item, if it is known.
pub fn type_of<'db>(db: &'db dyn Db, item: Item<'db>, id: ExprId) -> Option<&'db Type> {
    infer::infer(db, item).type_of(id)
}

/// The declared types of an item's parameters: `Any` for an untyped parameter, None if the type isn't known.
pub fn parameter_types<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db [Option<Type>] {
    &declared::declared(db, item).parameters
}

/// Returns the target of an alias, with the aliases in it resolved.
pub fn aliased_type<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Type> {
    declared::type_in(db, item.file(db), item.body(db), *item.body(db).statements.first()?)
}

/// The type of a fact, `undef` included.
pub fn fact_type(db: &dyn Db, environment: Environment, name: &str) -> Option<Type> {
    globals::fact_type(db, environment, name)
}

/// The names of facts that modules add.
pub fn module_facts(db: &dyn Db, environment: Environment) -> impl Iterator<Item = &Str> {
    custom_facts::custom_facts(db, environment).iter()
}

/// Whether a variable of this name exists in the top scope on some machine.
pub fn is_global(db: &dyn Db, from: File, name: &str) -> bool {
    globals::is_global(db, from, environment_of(db, from), name)
}

/// Whether the name of a top-scope variable may be that of a fact.
pub fn is_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    globals::is_core_fact(name) || custom_facts::is_custom_fact(db, environment, name.into())
}

/// The file that `module/path` refers to in a folder of the module.
pub fn module_file_named(db: &dyn Db, from: File, folder: &str, name: &str) -> Option<File> {
    match module_files::module_path(db, from, environment_of(db, from), folder, name) {
        ModulePath::Found(file) => Some(file),
        _ => None,
    }
}

/// The names in lower case that Ruby files define.
pub fn names_in_ruby(db: &dyn Db, environment: Environment, kind: RubyKind) -> impl Iterator<Item = &str> {
    ruby_names(db, environment, kind)
}

/// The signatures of a function that isn't written in Puppet, as far as they are known.
pub fn signatures(db: &dyn Db, from: File, name: &str) -> Vec<CallableType> {
    let function = functions::function(db, from, environment_of(db, from), name);
    let overloads: Cow<'_, _> = signatures::overloads(db, function, marotte_text::unrooted(name));
    overloads.iter().map(|it| it.callable.clone()).collect()
}

/// Whether a data key may be read under a computed name.
pub fn may_compute_key(db: &dyn Db, environment: Environment, key: &str) -> bool {
    key_reads(db, environment).may_compute(key)
}

/// Whether code declares the classes that the value of a data key names: `include lookup('roles')`.
pub fn is_class_key(db: &dyn Db, environment: Environment, key: &str) -> bool {
    class_keys(db, environment).contains(key)
}

/// A name in an item, with its place: everything that an editor can ask about except variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The place of the name.
    pub place: Part,
    /// The thing that is named.
    pub what: Mentioned,
}

/// A part of an item that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The whole of an expression.
    Expr(ExprId),
    /// The name of the function that a call calls.
    Callee(ExprId),
    /// The class that a class inherits from.
    Parent,
}

/// The thing that a place names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mentioned {
    /// A class that is declared, inherited from or referred to.
    Class {
        /// The name of the class.
        name: Str,
        /// Whether the place declares the class or inherits from it.
        declared: bool,
    },
    /// A function, by its name.
    Function(Str),
    /// A resource type, by its name in lower case.
    ResourceType(Str),
    /// A type, or the resource references of one.
    Type(Str),
    /// An attribute of a resource type. For the type `class`: a parameter of the class.
    Attribute {
        /// The resource type, in lower case.
        type_name: Str,
        /// The class, if the type is `class`.
        class: Option<Str>,
        /// The name of the attribute.
        name: Str,
    },
    /// A parameter of a template.
    TemplateParameter {
        /// The template's file.
        template: File,
        /// The name of the parameter.
        name: Str,
    },
    /// A resource, by its type in lower case and its title.
    Resource {
        /// The type of the resource, in lower case.
        type_name: Str,
        /// The title of the resource.
        title: Str,
        /// Whether the place declares the resource.
        declared: bool,
    },
    /// A file in a folder of a module.
    ModuleFile {
        /// `templates` or `files`.
        folder: &'static str,
        /// `module/path`.
        path: Str,
    },
    /// A data key that is looked up.
    DataKey(Str),
    /// A fact, or a part of one.
    Fact(Vec<Str>),
    /// A variable, by its name in a string.
    Variable(Str),
}

/// Returns all names in an item.
pub fn mentions<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Mention> {
    let mut unsaid = Findings::default();
    let context = Context::new(db, item, &mut unsaid);
    let mut found = Vec::new();
    for (at, name) in named_classes(&context) {
        let place = match at {
            At::Expr(id) => Part::Expr(id),
            _ => Part::Parent,
        };
        found.push(Mention { place, what: Mentioned::Class { name, declared: true } });
    }
    declared_resources(&context, &mut found);
    let body = context.body;
    for (id, expr) in body.exprs() {
        of_expr(&context, id, expr, &mut found);
    }
    found
}

fn declared_resources(context: &Context<'_, '_>, found: &mut Vec<Mention>) {
    let body = context.body;
    for declaration in context.declarations().iter() {
        let type_name = &declaration.type_name;
        let is_class = type_name == "class";
        for part in &declaration.parts {
            let titles = match part.title {
                Some(title) => literal::strings(body, title).0,
                None => Vec::new(),
            };
            let classes: Vec<Option<Str>> = match is_class && !titles.is_empty() {
                true => titles.iter().map(|(_, name)| Some(Str::from(*name))).collect(),
                false => vec![None],
            };
            for (at, title) in &titles {
                if !is_class {
                    let (type_name, title) = (type_name.clone(), Str::from(*title));
                    let what = Mentioned::Resource { type_name, title, declared: true };
                    found.push(Mention { place: Part::Expr(*at), what });
                }
            }
            for attribute in &part.attributes {
                let AttributeName::Name(name) = &attribute.name else { continue };
                found.extend(classes.iter().map(|class| {
                    let (name, type_name, class) = (name.clone(), type_name.clone(), class.clone());
                    let what = Mentioned::Attribute { type_name, class, name };
                    Mention { place: Part::Expr(attribute.at), what }
                }));
                attribute_value(context, &declaration.type_name, attribute, found);
            }
        }
    }
}

/// Collects the names in the value of an attribute: a file of a module, or resources.
fn attribute_value(
    context: &Context<'_, '_>,
    type_name: &str,
    attribute: &marotte_hir::body::Attribute,
    found: &mut Vec<Mention>,
) {
    let body = context.body;
    let AttributeName::Name(name) = &attribute.name else { return };
    if type_name == "file" && name == "source" {
        for id in context.choices(attribute.value) {
            let names = match body.expr(id) {
                Expr::Array(elements) => elements.to_vec(),
                _ => vec![id],
            };
            for id in names {
                let Some(text) = text_of(context.typed(), id) else { continue };
                if let Some(path) = of_url(&text) {
                    let what = Mentioned::ModuleFile { folder: "files", path: path.into() };
                    found.push(Mention { place: Part::Expr(id), what });
                }
            }
        }
    }
}

fn of_url(url: &str) -> Option<&str> {
    url.strip_prefix("puppet://")?.split_once('/')?.1.strip_prefix("modules/")
}

fn of_expr(context: &Context<'_, '_>, id: ExprId, expr: &Expr, found: &mut Vec<Mention>) {
    let body = context.body;
    let mut add = |place, what| found.push(Mention { place, what });
    match expr {
        Expr::Resource(it) => {
            if let Some(name) = literal::type_name(body, it).filter(|it| it != "class") {
                add(Part::Expr(it.type_name), Mentioned::ResourceType(name));
            }
        }
        Expr::Reference(name) => add(Part::Expr(id), Mentioned::Type(name.clone())),
        Expr::Access { target, keys } if is_resource(body, *target) => {
            for key in keys {
                attribute_of(body, *target, *key).into_iter().for_each(|it| add(Part::Expr(*key), it));
            }
        }
        Expr::Access { target, .. } => {
            let is_class = matches!(body.expr(*target), Expr::Reference(it) if normalized(it) == "class");
            if is_class {
                for (at, name) in class_names(body, id).0 {
                    add(Part::Expr(at), Mentioned::Class { name: name.into(), declared: false });
                }
            } else if matches!(body.expr(*target), Expr::Reference(it) if !takes_types(it)) {
                for (at, it) in literal::references(body, id).0 {
                    let (type_name, title) = (it.type_name, it.title);
                    add(Part::Expr(at), Mentioned::Resource { type_name, title, declared: false });
                }
            } else if let Some((at, path)) = fact_parts(body, expr) {
                add(Part::Expr(at), Mentioned::Fact(path));
            }
        }
        _ => {}
    }
    if let Some(altered) = Referenced::altered_by(body, expr) {
        let set = alteration(body, expr).map(|it| it.1).into_iter();
        for attribute in set.chain(queried(body, expr).map(|it| it.1)).flatten() {
            let AttributeName::Name(name) = attribute.name else { continue };
            for class in altered.owners(body) {
                let (type_name, name) = (altered.type_name.clone(), name.clone());
                add(Part::Expr(attribute.at), Mentioned::Attribute { type_name, class, name });
            }
        }
    }
    if let Some(call) = NamedCall::of(expr) {
        of_call(context, id, &call, found);
    }
}

/// Whether an expression is a reference to a resource or a class, `File['/etc/motd']`, or a variable that is set once, to such
/// a reference.
fn is_resource(body: &Body, id: ExprId) -> bool {
    Referenced::of(body, reference_of(body, id))
        .is_some_and(|it| it.has_titles() && (it.type_name == "class" || !takes_types(&it.type_name)))
}

/// The value of a variable that is set once; any other expression itself.
fn reference_of(body: &Body, id: ExprId) -> ExprId {
    let Expr::Variable(variable) = body.expr(id) else { return id };
    match &**variable {
        marotte_hir::body::Variable::Local { name, .. } => body.set_once(name).unwrap_or(id),
        _ => id,
    }
}

/// The attributes that a key names in `File['/etc/motd']['mode']`, or in `getparam(File['/etc/motd'], 'mode')`: one for each class.
fn attribute_of(body: &Body, resource: ExprId, key: ExprId) -> Vec<Mentioned> {
    let Expr::String(name) = body.expr(key) else { return Vec::new() };
    let Some(referenced) = Referenced::of(body, reference_of(body, resource)) else { return Vec::new() };
    let owners = referenced.owners(body).into_iter();
    let attribute =
        |class| Mentioned::Attribute { type_name: referenced.type_name.clone(), class, name: name.clone() };
    owners.map(attribute).collect()
}

/// Whether a type is one of data, whose parameters aren't titles of resources.
fn takes_types(name: &str) -> bool {
    !name.eq_ignore_ascii_case("resource")
        && marotte_pcore::create::named(marotte_pcore::dialect::Dialect::puppet8(), name).is_some()
}

/// `$facts['os']['family']`: the last key, and the whole path.
fn fact_parts(body: &Body, expr: &Expr) -> Option<(ExprId, Vec<Str>)> {
    let mut path = Vec::new();
    let mut expr = expr;
    let mut last = None;
    loop {
        let Expr::Access { target, keys } = expr else { return None };
        let [key] = keys[..] else { return None };
        let Expr::String(name) = body.expr(key) else { return None };
        path.push(name.clone());
        last.get_or_insert(key);
        if globals::is_facts(body, *target) {
            path.reverse();
            return Some((last?, path));
        }
        expr = body.expr(*target);
    }
}

fn of_call(context: &Context<'_, '_>, id: ExprId, call: &NamedCall<'_>, found: &mut Vec<Mention>) {
    let body = context.body;
    found.push(Mention { place: Part::Callee(id), what: Mentioned::Function(call.name.into()) });
    let mut add = |at: ExprId, what| found.push(Mention { place: Part::Expr(at), what });
    let arguments: Vec<ExprId> = call.arguments().collect();
    let text = |id: &ExprId| match body.expr(*id) {
        Expr::String(text) => Some(text.clone()),
        _ => None,
    };
    match call.names() {
        Some(Names::EppTemplate) => {
            for (at, mut path) in
                arguments.iter().take(1).filter_map(|it| Some((*it, text_of(context.typed(), *it)?)))
            {
                if !path.ends_with(".epp") {
                    path.push_str(".epp");
                }
                add(at, Mentioned::ModuleFile { folder: "templates", path: path.into() });
            }
            if let Some(passed) = passed_by_call(context, call) {
                let template = passed.item.file(context.db);
                for given in passed.given {
                    add(given.at, Mentioned::TemplateParameter { template, name: given.name.clone() });
                }
            }
        }
        Some(Names::ErbTemplates | Names::Templates) => {
            for (at, path) in arguments.iter().filter_map(|it| Some((*it, text_of(context.typed(), *it)?))) {
                add(at, Mentioned::ModuleFile { folder: "templates", path: path.into() });
            }
        }
        Some(Names::Files) => {
            for (at, path) in arguments.iter().filter_map(|it| Some((*it, text_of(context.typed(), *it)?))) {
                add(at, Mentioned::ModuleFile { folder: "files", path: path.into() });
            }
        }
        Some(Names::DataKey) if call.plain_name() == "lookup" => {
            if let Some(name) = LookupCall::of(body, call).and_then(|it| it.name) {
                for (at, key) in literal::strings(body, name).0 {
                    add(at, Mentioned::DataKey(key.into()));
                }
            }
        }
        Some(Names::DataKey) => {
            for (at, key) in arguments.iter().take(1).filter_map(|it| Some((*it, text(it)?))) {
                add(at, Mentioned::DataKey(key));
            }
        }
        Some(Names::Variable) => {
            for (at, name) in arguments.iter().take(1).filter_map(|it| Some((*it, text(it)?))) {
                if !name.starts_with("facts.") {
                    add(at, Mentioned::Variable(name));
                }
            }
        }
        Some(Names::Definitions) => {
            for (at, name) in arguments.iter().filter_map(|it| Some((*it, text(it)?))) {
                match name.strip_prefix('$') {
                    Some(name) => add(at, Mentioned::Variable(name.into())),
                    None => add(at, Mentioned::Class { name, declared: false }),
                }
            }
        }
        None if call.plain_name() == "getparam" => {
            if let [resource, key, ..] = arguments[..]
                && is_resource(body, resource)
            {
                attribute_of(body, resource, key).into_iter().for_each(|it| add(key, it));
            }
        }
        Some(Names::ResourceType) => {
            for (at, name) in arguments.iter().take(1).filter_map(|it| Some((*it, text(it)?))) {
                let name = normalized(name.trim_start_matches('@'));
                if name != "class" {
                    add(at, Mentioned::ResourceType(name));
                }
            }
        }
        _ => {}
    }
    let path = fact_paths::fact_path(body, call);
    for (index, (at, _)) in path.iter().enumerate() {
        let is_last = path.get(index + 1).is_none_or(|(next, _)| next != at);
        if is_last {
            let parts = path[..=index].iter().map(|(_, it)| Str::from(*it)).collect();
            add(*at, Mentioned::Fact(parts));
        }
    }
}

/// The places where an item uses a known definition, as the rules see it, each with the file of the definition and, if it is in
/// Puppet, its item.
pub fn known_uses<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<(TextRange, File, Option<Item<'db>>)> {
    let mut unsaid = Findings::default();
    let context = Context::new(db, item, &mut unsaid);
    let found = uses(&context);
    let place = |it: &crate::analysis::names::uses::Use<'db>| match it.of {
        Used::Item(of) => (context.range(it.at), of.file(db), Some(of)),
        Used::Ruby(file) => (context.range(it.at), file, None),
    };
    found.iter().map(place).collect()
}

/// The templates in ERB that an item renders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedTemplates {
    /// The files of the templates.
    pub files: Vec<File>,
    /// Whether these are all: no name of a template is computed in a way that isn't known.
    pub is_complete: bool,
}

/// Returns the templates in ERB that a class or a defined type renders with `template`.
pub fn rendered_templates<'db>(db: &'db dyn Db, item: Item<'db>) -> RenderedTemplates {
    let mut unsaid = Findings::default();
    let context = Context::new(db, item, &mut unsaid);
    let rendered = rendered_files(&context);
    RenderedTemplates {
        is_complete: template_arguments(&context).iter().all(|it| values_of(context.typed(), *it).is_some()),
        files: rendered.into_iter().map(|(_, file)| file).collect(),
    }
}

/// Returns the names of the metaparameters.
pub fn metaparameters() -> impl Iterator<Item = &'static str> {
    core::metaparameters().iter().map(|it| it.name.as_str())
}

fn is_named(attribute: &marotte_hir::body::Attribute, name: &str) -> bool {
    matches!(&attribute.name, AttributeName::Name(it) if it == name)
}

/// Whether data may convert the values of a key to `Sensitive`, or parts of them, on some node. None if that is unknown.
pub fn becomes_sensitive(db: &dyn Db, environment: Environment, key: &str) -> Option<bool> {
    let treatments = data::options::treatments(db, environment, key)?;
    Some(treatments.iter().any(data::options::Treatment::may_hide))
}

/// The type of an element, by its key.
pub fn element(whole: &Type, key: &str) -> Option<Type> {
    infer::element(whole, &Type::literal(key))
}

/// A declaration whose attributes aren't all written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The place of the declaration or of the attribute.
    pub at: ExprId,
    /// Whether the type of the resources is computed, too.
    pub of_any_type: bool,
    /// The expression of the hash that has the attributes, if there is one.
    pub value: Option<ExprId>,
}

/// The place where an item sets computed attributes on resources of a type, or on a class (its name in lower case); where it
/// declares resources of unknown type or with unknown attributes; or where it sets an attribute on a resource that may be of the
/// type, or on the class.
pub fn computed_attributes<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    type_name: &str,
    class: &str,
    attribute: &str,
) -> Option<Computed> {
    let mut unsaid = Findings::default();
    let context = Context::new(db, item, &mut unsaid);
    let body = context.body;
    let unfolded = |attributes: &[marotte_hir::body::Attribute]| {
        attributes.iter().find(|it| it.name == AttributeName::Unfold).map(|it| it.at)
    };
    let of_it = |at: ExprId| Computed { at, of_any_type: false, value: None };
    for declaration in context.declarations().iter().filter(|it| it.type_name == type_name) {
        let defaults = unfolded(declaration.defaults());
        let is_function = !matches!(body.expr(declaration.by), Expr::Resource(_));
        // Defaults alone say nothing of the resources.
        if declaration.parts.iter().all(|it| it.title.is_none()) && is_function {
            return Some(of_it(declaration.by));
        }
        for part in &declaration.parts {
            let (titles, all) = part.title.map_or((Vec::new(), true), |it| class_names(body, it));
            let is_about =
                type_name != "class" || !all || titles.iter().any(|(_, it)| normalized(it) == class);
            if let Some(at) = unfolded(&part.attributes).or(defaults).filter(|_| is_about) {
                return Some(of_it(at));
            }
            if type_name == "class" && !all {
                let mut named = part.attributes.iter().filter(|it| is_named(it, attribute));
                if let Some(it) = named.next() {
                    return Some(of_it(it.at));
                }
            }
        }
    }
    body.exprs().find_map(|(id, expr)| {
        let searched = queried(body, expr).map(|it| it.1).unwrap_or_default();
        let altered = alteration(body, expr).map(|it| it.1);
        if altered.is_some() || !searched.is_empty() {
            let attributes = altered.unwrap_or_default();
            let of = Referenced::altered_by(body, expr);
            let is_about = of.as_ref().is_none_or(|it| it.may_be(body, type_name, class));
            let is_known = of.is_some_and(|it| it.is_known(body));
            let mut named =
                attributes.iter().chain(&searched).filter(|it| !is_known && is_named(it, attribute));
            let at = unfolded(&attributes).or(named.next().map(|it| it.at));
            return at.filter(|_| is_about).map(of_it);
        }
        if let Expr::Resource(it) = expr
            && literal::type_name(body, it).is_none()
        {
            let attributes = || it.bodies.iter().flat_map(|it| &*it.attributes);
            let named = attributes().find(|it| is_named(it, attribute)).map(|it| of_it(it.at));
            let unfolded = attributes().find(|it| it.name == AttributeName::Unfold);
            return named.or(unfolded.map(|it| Computed {
                at: it.at,
                of_any_type: true,
                value: Some(it.value),
            }));
        }
        // A computed type may be any.
        let call = NamedCall::of(expr)?;
        let first = call.arguments().next().filter(|_| call.names() == Some(Names::ResourceType))?;
        // `ensure_resource(type, title, attributes)`
        let value = call.arguments().nth(if call.plain_name() == "ensure_resource" { 2 } else { 1 });
        let is_written = matches!(body.expr(first), Expr::String(_) | Expr::Reference(_));
        (!is_written && may_be_type(&context, first, type_name)).then_some(Computed {
            at: id,
            of_any_type: true,
            value,
        })
    })
}

/// Whether a metaparameter takes references to resources: `before`, `notify`, `require`, `subscribe`.
pub fn is_relationship(name: &str) -> bool {
    METAPARAMETERS.contains(&name)
}

/// Whether a computed name may be that of a type: one of its values is, if they are known, or it begins and ends like it.
fn may_be_type(context: &Context<'_, '_>, name: ExprId, type_name: &str) -> bool {
    // Virtual and exported resources are marked in the name.
    let bare = |it: &str| normalized(it.trim_start_matches('@'));
    if let Some(values) = values_of(context.typed(), name) {
        let is_it = |it: &Value| it.as_str().is_none_or(|it| bare(it) == type_name);
        return values.iter().any(is_it);
    }
    let Expr::Interpolated(segments) = context.body.expr(value_of(context.body, name)) else { return true };
    let begins = match segments.first() {
        Some(Segment::Text(text)) => type_name.starts_with(&*bare(text)),
        _ => true,
    };
    let ends = match segments.last() {
        Some(Segment::Text(text)) => type_name.ends_with(&*text.to_ascii_lowercase()),
        _ => true,
    };
    begins && ends
}
