//! Symbols: the resolved meaning of tokens. Tokens with the same meaning have equal symbols.

use marotte_check::semantics::{
    self, FunctionMeaning, ResourceTypeMeaning, TypeMeaning, definition, parents,
};
use marotte_db::{Environment, File, environment_of};
use marotte_hir::body::FrameId;
use marotte_hir::{Item, ItemKind, NameKind, items};
use marotte_resolve::tasks::{TaskName, task};
use marotte_resolve::yaml_plans::yaml_plan;
use marotte_text::{Str, normalized, split_namespace, unrooted};

use crate::token::{Named, Token, renderers, scope_has};
use crate::{Db, SymbolKind, bolt};

/// The resolved meaning of a name. Two symbols are equal if and only if they refer to the same thing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol<'db> {
    /// A definition in Puppet.
    Item(Item<'db>),
    /// A parameter or a variable of an item's scope, or of a frame of its body.
    Variable(Item<'db>, Option<FrameId>, Str),
    /// A variable of the top scope, or of nodes.
    Top(Str),
    /// A variable that every class and resource has, of a class or defined type: `title`, a metaparameter.
    Implicit(Item<'db>, Str),
    /// A fact, or a part of one.
    Fact(Vec<Str>),
    /// A built-in function.
    BuiltinFunction(Str),
    /// A function that a Ruby file defines.
    RubyFunction(File, Str),
    /// A function that Bolt adds, for plans.
    BoltFunction(Str),
    /// A built-in type.
    BuiltinType(Str),
    /// A data type that a Ruby file defines.
    RubyType(File, Str),
    /// A resource type of Puppet itself.
    CoreType(Str),
    /// A resource type that a Ruby file defines.
    RubyResourceType(File, Str),
    /// An attribute of a resource type that isn't written in Puppet.
    Attribute(Str, Str),
    /// A metaparameter, by its name.
    Metaparameter(Str),
    /// A resource, by its type in lower case and its title.
    Resource(Str, Str),
    /// A data key that isn't a class parameter.
    DataKey(Str),
    /// A file of the tree.
    File(File),
}

impl<'db> Symbol<'db> {
    /// Resolves a token, as seen from its file. None if that isn't possible.
    pub(crate) fn of(db: &'db dyn Db, file: File, token: &Token<'db>) -> Option<Symbol<'db>> {
        match &token.named {
            Named::Item(item) => Some(Symbol::Item(*item)),
            Named::Class(name) => {
                let class = || definition(db, file, NameKind::Class, name);
                // `defined` takes the names of resource types, too.
                class().map(Symbol::Item).or_else(|| {
                    let define = definition(db, file, NameKind::Define, name)?;
                    token.within.map(|_| Symbol::Item(define))
                })
            }
            Named::Function(name) => function(db, file, name),
            Named::ResourceType(name) => resource_type(semantics::resource_type(db, file, name)?, name),
            Named::Type(name) => type_name(db, file, name),
            Named::Variable(item, frame, name) => Some(variable(db, *item, *frame, name)),
            Named::Outer(item, name) => Some(outer_variable(db, *item, name)),
            Named::Qualified(scope, name) if scope.is_empty() => {
                Some(top(db, environment_of(db, file), name))
            }
            Named::Qualified(scope, name) => {
                let class = definition(db, file, NameKind::Class, scope)?;
                variable_of_class(db, class, name)
            }
            Named::Attribute { type_name, class, name } => {
                attribute(db, file, type_name, class.as_deref(), name)
            }
            Named::TemplateParameter(template, name) => {
                let item = *items(db, *template).first()?;
                let frame = item.body(db).frame;
                item.signature(db).parameter(name)?;
                Some(Symbol::Variable(item, frame, name.clone()))
            }
            Named::Resource { type_name, title } => Some(Symbol::Resource(type_name.clone(), title.clone())),
            Named::ModuleFile { folder, path } => {
                semantics::module_file_named(db, file, folder, path).map(Symbol::File)
            }
            Named::Plan(name) => {
                let yaml = || yaml_plan(db, environment_of(db, file), name).map(Symbol::File);
                definition(db, file, NameKind::Plan, name).map(Symbol::Item).or_else(yaml)
            }
            Named::Task(name) => match task(db, file, environment_of(db, file), name) {
                TaskName::Found(metadata) => metadata.map(Symbol::File),
                TaskName::Missing | TaskName::Unknown => None,
            },
            Named::DataKey(key) => Some(data_key(db, file, key)),
            Named::Fact(path) => Some(Symbol::Fact(path.clone())),
            Named::Rendered(_) => Symbol::all_of(db, file, token).into_iter().next(),
        }
    }

    /// Resolves a token to all that it may mean: several templates in ERB read variables of each class that renders them.
    pub(crate) fn all_of(db: &'db dyn Db, file: File, token: &Token<'db>) -> Vec<Symbol<'db>> {
        let Named::Rendered(name) = &token.named else {
            return Symbol::of(db, file, token).into_iter().collect();
        };
        let mut found: Vec<Symbol<'db>> = Vec::new();
        for it in renderers(db, file).iter().map(|it| variable(db, *it, None, name)) {
            if !found.contains(&it) {
                found.push(it);
            }
        }
        // Whoever renders the template has the facts.
        if found.is_empty() && semantics::is_fact(db, environment_of(db, file), name) {
            found.push(Symbol::Fact(vec![name.clone()]));
        }
        found
    }

    /// The symbol's name, as written where it is used.
    pub(crate) fn name(&self, db: &'db dyn Db) -> String {
        match self {
            Symbol::Item(item) => unrooted(item.name(db)).to_owned(),
            Symbol::Variable(_, _, name)
            | Symbol::Top(name)
            | Symbol::Implicit(_, name)
            | Symbol::BuiltinFunction(name)
            | Symbol::BoltFunction(name)
            | Symbol::RubyFunction(_, name)
            | Symbol::BuiltinType(name)
            | Symbol::RubyType(_, name)
            | Symbol::CoreType(name)
            | Symbol::RubyResourceType(_, name)
            | Symbol::Attribute(_, name)
            | Symbol::Metaparameter(name)
            | Symbol::DataKey(name) => name.to_string(),
            Symbol::Fact(path) => path.join("."),
            Symbol::Resource(type_name, title) => format!("{}[{title}]", capitalized(type_name)),
            Symbol::File(file) => file.path(db).file_name().unwrap_or_default().to_owned(),
        }
    }

    /// Returns the words that occur in every reference to the symbol.
    pub(crate) fn words(&self, db: &'db dyn Db) -> String {
        let last = |name: &str| split_namespace(name).map_or(name, |(_, last)| last).to_owned();
        match self {
            // Names are never relative.
            Symbol::Item(item) => item.name(db).to_string(),
            Symbol::DataKey(name)
            | Symbol::RubyFunction(_, name)
            | Symbol::RubyType(_, name)
            | Symbol::BuiltinType(name)
            | Symbol::CoreType(name) => name.to_string(),
            // Code that declares a resource names its type; but a class that inherits indirectly names no other class.
            Symbol::Variable(item, None, name) if item.kind(db) == ItemKind::Define => {
                format!("{name} {}", last(item.name(db)))
            }
            Symbol::Fact(path) => path.last().cloned().unwrap_or_default().to_string(),
            Symbol::Resource(type_name, title) => {
                // Computed strings have no words of their own.
                let title = if title.contains('\\') { "" } else { title };
                format!("{} {title}", last(type_name))
            }
            Symbol::File(file) => {
                let name = file.path(db).file_name().unwrap_or_default();
                name.strip_suffix(".epp").unwrap_or(name).to_owned()
            }
            _ => self.name(db),
        }
    }

    /// The kind of the symbol, in editors' terms.
    pub(crate) fn kind(&self, db: &'db dyn Db) -> SymbolKind {
        match self {
            Symbol::Item(item) => match item.kind(db) {
                ItemKind::Class => SymbolKind::Class,
                ItemKind::Define => SymbolKind::Define,
                ItemKind::Function => SymbolKind::Function,
                ItemKind::TypeAlias | ItemKind::TypeMapping => SymbolKind::DataType,
                ItemKind::Plan => SymbolKind::Plan,
                ItemKind::Node(_) => SymbolKind::Node,
                ItemKind::Program | ItemKind::Template => SymbolKind::File,
            },
            Symbol::Variable(item, frame, name) if is_parameter(db, *item, *frame, name) => {
                SymbolKind::Parameter
            }
            Symbol::Variable(..) | Symbol::Top(_) | Symbol::Implicit(..) => SymbolKind::Variable,
            Symbol::Fact(_) => SymbolKind::Fact,
            Symbol::BuiltinFunction(_) | Symbol::BoltFunction(_) | Symbol::RubyFunction(..) => {
                SymbolKind::Function
            }
            Symbol::BuiltinType(_) | Symbol::RubyType(..) => SymbolKind::DataType,
            Symbol::CoreType(_) | Symbol::RubyResourceType(..) => SymbolKind::ResourceType,
            Symbol::Attribute(..) | Symbol::Metaparameter(_) => SymbolKind::Attribute,
            Symbol::Resource(..) => SymbolKind::Resource,
            Symbol::DataKey(_) => SymbolKind::DataKey,
            Symbol::File(_) => SymbolKind::File,
        }
    }
}

/// Whether a variable of an item is one of its parameters, or of one of its lambdas'.
pub(crate) fn is_parameter(db: &dyn Db, item: Item<'_>, frame: Option<FrameId>, name: &str) -> bool {
    let body = item.body(db);
    if frame == body.frame {
        return body.parameters.iter().any(|it| it.name == name);
    }
    let mut lambdas = body.lambdas().map(|it| body.lambda(it));
    lambdas.any(|it| Some(it.frame) == frame && it.parameters.iter().any(|it| it.name == name))
}

fn function<'db>(db: &'db dyn Db, file: File, name: &str) -> Option<Symbol<'db>> {
    let Some(found) = semantics::function(db, file, name) else {
        let bolt = bolt::function(unrooted(name)).filter(|_| bolt::may_run(db, file))?;
        return Some(Symbol::BoltFunction(bolt.name.into()));
    };
    Some(match found {
        FunctionMeaning::Builtin(it) => Symbol::BuiltinFunction(it.name.into()),
        FunctionMeaning::Puppet(it) => Symbol::Item(it),
        FunctionMeaning::Ruby(file) => Symbol::RubyFunction(file, normalized(name)),
    })
}

fn resource_type<'db>(found: ResourceTypeMeaning<'db>, name: &str) -> Option<Symbol<'db>> {
    Some(match found {
        ResourceTypeMeaning::Core(it) => Symbol::CoreType(it.name.clone()),
        ResourceTypeMeaning::Define(it) => Symbol::Item(it),
        ResourceTypeMeaning::Ruby(file, _) => Symbol::RubyResourceType(file, normalized(name)),
    })
}

fn type_name<'db>(db: &'db dyn Db, file: File, name: &str) -> Option<Symbol<'db>> {
    Some(match semantics::type_name(db, file, name)? {
        TypeMeaning::Builtin => Symbol::BuiltinType(name.into()),
        TypeMeaning::Alias(it) => Symbol::Item(it),
        TypeMeaning::Resource(it) => resource_type(it, name)?,
        TypeMeaning::Ruby(file) => Symbol::RubyType(file, normalized(name)),
    })
}

fn variable<'db>(db: &'db dyn Db, item: Item<'db>, frame: Option<FrameId>, name: &Str) -> Symbol<'db> {
    if frame.is_some() {
        return Symbol::Variable(item, frame, name.clone());
    }
    let has_scope = matches!(item.kind(db), ItemKind::Class | ItemKind::Define);
    match has_scope && scope_has(db, item, name) {
        true => Symbol::Variable(item, None, name.clone()),
        false => outer_variable(db, item, name),
    }
}

/// Resolves a variable that isn't in the item's own scope, or not yet.
fn outer_variable<'db>(db: &'db dyn Db, item: Item<'db>, name: &Str) -> Symbol<'db> {
    let environment = environment_of(db, item.file(db));
    match item.kind(db) {
        ItemKind::Class | ItemKind::Define => {
            let mut inherited = parents(db, item).into_iter();
            if let Some(parent) = inherited.find(|it| scope_has(db, *it, name)) {
                return Symbol::Variable(parent, None, name.clone());
            }
            if is_implicit(name) {
                return Symbol::Implicit(item, name.clone());
            }
            top(db, environment, name)
        }
        _ => top(db, environment, name),
    }
}

fn is_implicit(name: &str) -> bool {
    matches!(name, "title" | "name" | "module_name" | "caller_module_name")
        || semantics::metaparameters().any(|it| it == name)
}

/// A variable of the top scope. Facts are variables there, too.
fn top<'db>(db: &'db dyn Db, environment: Environment, name: &str) -> Symbol<'db> {
    if semantics::is_fact(db, environment, name) {
        Symbol::Fact(vec![name.into()])
    } else {
        Symbol::Top(name.into())
    }
}

fn variable_of_class<'db>(db: &'db dyn Db, class: Item<'db>, name: &str) -> Option<Symbol<'db>> {
    let mut classes = [class].into_iter().chain(parents(db, class));
    let found = classes.find(|it| scope_has(db, *it, name));
    found.map(|it| Symbol::Variable(it, None, name.into()))
}

fn attribute<'db>(
    db: &'db dyn Db,
    file: File,
    type_name: &str,
    class: Option<&str>,
    name: &Str,
) -> Option<Symbol<'db>> {
    let of_item = |item: Item<'db>| {
        let declared = item.signature(db).parameter(name).is_some();
        declared.then(|| Symbol::Variable(item, None, name.clone()))
    };
    let of_item = |item: Item<'db>| of_item(item).or_else(|| metaparameter(name));
    if type_name == "class" {
        return of_item(definition(db, file, NameKind::Class, class?)?);
    }
    match semantics::resource_type(db, file, type_name)? {
        ResourceTypeMeaning::Define(item) => of_item(item),
        ResourceTypeMeaning::Core(it) => {
            metaparameter(name).or_else(|| Some(Symbol::Attribute(it.name.clone(), name.clone())))
        }
        ResourceTypeMeaning::Ruby(..) => {
            metaparameter(name).or_else(|| Some(Symbol::Attribute(normalized(type_name), name.clone())))
        }
    }
}

fn metaparameter<'db>(name: &str) -> Option<Symbol<'db>> {
    semantics::metaparameters().any(|it| it == name).then(|| Symbol::Metaparameter(name.into()))
}

/// The symbol of a data key: the class parameter that it sets, if there is one.
fn data_key<'db>(db: &'db dyn Db, file: File, key: &str) -> Symbol<'db> {
    let parameter = || {
        let (class, name) = split_namespace(key)?;
        let item = definition(db, file, NameKind::Class, class)?;
        item.signature(db).parameter(name)?;
        Some(Symbol::Variable(item, None, name.into()))
    };
    parameter().unwrap_or_else(|| Symbol::DataKey(key.into()))
}

/// Capitalizes a name as references do: `foo::bar` becomes `Foo::Bar`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_first = true;
    for letter in name.chars() {
        if is_first {
            out.extend(letter.to_uppercase())
        } else {
            out.push(letter)
        }
        is_first = letter == ':';
    }
    out
}

/// Whether a symbol is a parameter that callers of its item may name.
pub(crate) fn is_parameter_of_item(db: &dyn Db, symbol: &Symbol<'_>) -> bool {
    match symbol {
        Symbol::Variable(item, frame, name) => {
            *frame == item.body(db).frame && item.signature(db).parameter(name).is_some()
        }
        _ => false,
    }
}
