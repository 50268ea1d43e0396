//! Completion in manifests and templates.

mod functions;
mod references;

use std::collections::HashSet;

use marotte_check::semantics::{self, ResourceTypeMeaning};
use marotte_db::{Environment, environment_of, mode, module_file, source_text};
use marotte_eval::functions::ALL;
use marotte_hir::{Item, ItemKind, NameKind, items};
use marotte_pcore::create::TYPE_NAMES;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::globals::global_type;
use marotte_resolve::ruby::RubyKind;
use marotte_resolve::tasks::task_names;
use marotte_ruby::core;
use marotte_ruby::resource_type::{AttributeKind, Values};
use marotte_text::{Str, TextRange, normalized, unrooted};

use self::functions::Call;
pub(super) use self::functions::Proposed;
use super::context::{Context, Owner, Spot, spot};
use super::locals::{Local, Locals, locals};
use super::{CompletionItem, Found, escaped, fact_values, names};
use crate::definition::item_at;
use crate::docs::{documentation, short_documentation};
use crate::hover::{attribute_documentation, described, metaparameter, shown_type, summary};
use crate::symbol::Symbol;
use crate::template_values::given_names;
use crate::token::{Named, slice, tokens};
use crate::{Access, Db, File, FilePosition, SymbolKind, signature};

/// The keys of the hash that `lookup` takes.
const LOOKUP_OPTIONS: [&str; 6] =
    ["name", "value_type", "default_value", "merge", "override", "default_values_hash"];

/// The names of the ways in which `lookup` merges values.
pub(super) const MERGE_STRATEGIES: [&str; 4] = ["first", "unique", "hash", "deep"];

/// What is added to the ranks of the second of two contexts.
const AFTER_FIRST: u8 = 5;

const KEYWORDS: [&str; 11] =
    ["case", "class", "define", "else", "elsif", "function", "if", "inherits", "node", "type", "unless"];

pub(super) fn complete<'db>(db: &'db dyn Db, at: FilePosition, found: &mut Found<'db>) {
    let text = source_text(db, at.file).text();
    let Some(spot) = spot(text, at.offset, mode(db, at.file)) else { return };
    let completer = Completer { db, at, environment: environment_of(db, at.file), spot: &spot };
    completer.complete(found);
}

/// Adds the documentation and the signature of a class or defined type to a proposal.
pub(super) fn document(db: &dyn Db, from: File, proposal: &mut CompletionItem) {
    let kind = match proposal.kind {
        SymbolKind::Class => NameKind::Class,
        SymbolKind::Define | SymbolKind::ResourceType => NameKind::Define,
        _ => return,
    };
    if proposal.documentation.is_some() {
        return;
    }
    let name = proposal.label.trim_matches(['\'', '"']);
    let Some(item) = semantics::definition(db, from, kind, name) else { return };
    proposal.documentation = short_documentation(db, item).map(str::to_owned);
}

struct Completer<'db, 's> {
    db: &'db dyn Db,
    at: FilePosition,
    environment: Environment,
    spot: &'s Spot,
}

impl<'db> Completer<'db, '_> {
    fn complete(&self, found: &mut Found<'db>) {
        self.of(&self.spot.context, found);
    }

    fn of(&self, context: &Context, found: &mut Found<'db>) {
        let written = self.spot.written;
        match context {
            Context::Nothing => {}
            Context::Variable => self.variables(found),
            Context::Interpolation => {
                self.variables(found);
                self.functions(Call::Value, found);
            }
            Context::Fact(path) => {
                let before = found.items.len();
                facts(self.db, self.environment, written, path, "", found);
                self.quote(&mut found.items[before..]);
            }
            Context::Trusted => self.trusted(found),
            Context::Class => self.items(NameKind::Class, found),
            Context::OwnName => {
                if let Some(name) = names::own_name(self.db, self.at.file) {
                    found.add(written, SymbolKind::Class, name);
                }
            }
            Context::Template(extension) => {
                for path in names::module_paths(self.db, self.environment, "templates".into()) {
                    if path.ends_with(extension) || *extension == "erb" && !path.ends_with(".epp") {
                        self.text(found, SymbolKind::File, path);
                    }
                }
            }
            Context::ModuleFile { is_url } => {
                let prefix = if *is_url { "puppet:///modules/" } else { "" };
                for path in names::module_paths(self.db, self.environment, "files".into()) {
                    self.text(found, SymbolKind::File, &format!("{prefix}{path}"));
                }
            }
            Context::Task => {
                for name in task_names(self.db, self.environment) {
                    self.text(found, SymbolKind::File, &name);
                }
            }
            Context::Plan => {
                let before = found.items.len();
                self.items(NameKind::Plan, found);
                self.quote(&mut found.items[before..]);
            }
            Context::RunParameter { is_task, name } => {
                let before = found.items.len();
                for name in names::run_parameters(self.db, self.at.file, *is_task, name) {
                    self.text(found, SymbolKind::Parameter, &name);
                }
                found.items[before..].iter_mut().for_each(|it| it.rank = 0);
            }
            Context::DataKey => {
                for key in names::data_keys(self.db, self.environment) {
                    self.text(found, SymbolKind::DataKey, key);
                }
            }
            Context::Title(type_name) => self.titles(type_name, found),
            Context::Attribute(owner) => self.attributes(owner, found),
            Context::Value(owner, name) => self.values(owner, name, found),
            Context::TemplateParameter(path) => self.template_parameters(path, found),
            Context::Type => self.types(found),
            Context::Method => self.functions(Call::Method, found),
            Context::ResourceType => {
                for name in self.resource_types().iter().map(String::as_str).chain(["class"]) {
                    self.text(found, SymbolKind::ResourceType, name);
                }
            }
            Context::Query(owner) => self.query(owner, found),
            Context::LookupOption => {
                for name in LOOKUP_OPTIONS {
                    self.text(found, SymbolKind::Parameter, name);
                }
            }
            Context::MergeStrategy => {
                for name in MERGE_STRATEGIES {
                    self.value(found, name);
                }
            }
            Context::VariablePath => self.variable_path(found),
            Context::FactPath => self.fact_path("", found),
            Context::Reference => self.references(found),
            Context::FactValue(path) => {
                for value in fact_values::of(path) {
                    self.value(found, value);
                }
            }
            Context::Default => {
                if let Some(it) = found.add(written, SymbolKind::Keyword, "default") {
                    it.rank = 0;
                }
            }
            Context::Either(one, other) => {
                self.of(one, found);
                let before = found.items.len();
                self.of(other, found);
                found.items[before..].iter_mut().for_each(|it| it.rank += AFTER_FIRST);
            }
            Context::Expression { is_statement } => self.expression(*is_statement, found),
        }
    }

    /// The parts of `$trusted`.
    fn trusted(&self, found: &mut Found<'_>) {
        let before = found.items.len();
        trusted(self.db, self.at.file, self.spot.written, "", found);
        self.quote(&mut found.items[before..]);
    }

    /// Puts proposals in quotes, unless the place is inside quotes.
    fn quote(&self, items: &mut [CompletionItem]) {
        for it in items.iter_mut().filter(|_| !self.spot.is_quoted) {
            it.label = format!("'{}'", it.label);
            it.insert.clone_from(&it.label);
        }
    }

    /// Adds a string, in quotes unless the place is inside quotes.
    fn text(&self, found: &mut Found<'_>, kind: SymbolKind, text: &str) {
        let label = if self.spot.is_quoted { text.to_owned() } else { format!("'{text}'") };
        found.add(self.spot.written, kind, label);
    }

    /// The attributes of `File <| … |>`.
    fn query(&self, owner: &Owner, found: &mut Found<'_>) {
        let before = found.items.len();
        self.attributes(owner, found);
        found.add(self.spot.written, SymbolKind::Attribute, "title");
        for it in &mut found.items[before..] {
            it.insert = format!("{} == $0", escaped(&it.label));
            it.is_snippet = true;
        }
    }

    /// `facts.os.family`, or the name of a variable.
    fn variable_path(&self, found: &mut Found<'_>) {
        let text = slice(source_text(self.db, self.at.file).text(), self.spot.written);
        let root = if text.starts_with("::") { "::" } else { "" };
        if text[root.len()..].starts_with("facts.") {
            self.fact_path(&format!("{root}facts."), found);
        } else if self.spot.is_quoted {
            self.variables(found);
            found.add(self.spot.written, SymbolKind::Variable, "facts.");
        }
    }

    /// `os.family` in quotes, after a prefix.
    fn fact_path(&self, prefix: &str, found: &mut Found<'_>) {
        let text = slice(source_text(self.db, self.at.file).text(), self.spot.written);
        let Some(dotted) = text.strip_prefix(prefix).filter(|_| self.spot.is_quoted) else { return };
        let mut path: Vec<Str> = dotted.split('.').map(Str::from).collect();
        path.pop();
        let prefix = path.iter().fold(prefix.to_owned(), |all, it| format!("{all}{it}."));
        facts(self.db, self.environment, self.spot.written, &path, &prefix, found);
    }

    fn variables(&self, found: &mut Found<'_>) {
        let db = self.db;
        let written = slice(source_text(db, self.at.file).text(), self.spot.written);
        let root = if written.starts_with("::") { "::" } else { "" };
        if let Some((scope, _)) = unrooted(written).rsplit_once("::") {
            if let Some(class) = semantics::definition(db, self.at.file, NameKind::Class, scope) {
                for class in [class].into_iter().chain(semantics::parents(db, class)) {
                    for name in scope_variables(db, class) {
                        found.add(self.spot.written, SymbolKind::Variable, format!("{root}{scope}::{name}"));
                    }
                }
            }
            return;
        }
        let text = source_text(db, self.at.file).text();
        // A variable has no value yet where it is assigned.
        let is_assigned_here = |it: &TextRange| {
            let between = text.get(usize::from(it.end())..usize::from(self.spot.written.start()));
            between.is_some_and(is_in_assigned_value)
        };
        let is_before = |it: &TextRange| {
            it.end() <= self.spot.written.start() && !is_assigned_here(it) || it.start() > self.at.offset
        };
        let within = item_at(db, self.at);
        let mut seen = HashSet::new();
        for token in tokens(db, self.at.file).into_iter().filter(|it| is_before(&it.range)) {
            let Named::Variable(item, frame, name) = &token.named else { continue };
            let is_set = token.access != Access::Read;
            // If the enclosing item is unknown, any variable of the file may be meant.
            let is_near = within.is_none() || within == Some(*item);
            // `$::x` is a variable of the top scope.
            if !root.is_empty() && item.kind(db) != ItemKind::Program {
                continue;
            }
            // The variables of lambdas are found by their places.
            if is_set && is_near && *frame == item.body(db).frame {
                let kind = Symbol::Variable(*item, *frame, name.clone()).kind(db);
                if let Some(it) = found.add(self.spot.written, kind, format!("{root}{name}")) {
                    it.rank = 1;
                }
                seen.insert(name.clone());
            }
        }
        let Locals { variables, parent } = locals(text, self.at.offset, mode(db, self.at.file));
        let variables = variables.into_iter().filter(|it| root.is_empty() && !is_assigned_here(&it.range));
        for Local { name, is_parameter, .. } in variables {
            let kind = if is_parameter { SymbolKind::Parameter } else { SymbolKind::Variable };
            if seen.insert(name.clone())
                && let Some(it) = found.add(self.spot.written, kind, &*name)
            {
                it.rank = 1;
            }
        }
        self.scopes(root, unrooted(written), found);
        let Some(item) = within else { return };
        if root.is_empty() {
            for parent in self.parents(item, parent) {
                for name in scope_variables(db, parent) {
                    if let Some(it) = found.add(self.spot.written, SymbolKind::Variable, &*name) {
                        it.rank = 2;
                        it.detail = Some(format!("of `{}`", parent.name(db)));
                    }
                }
            }
        }
        if root.is_empty() {
            for name in given_names(db, self.at.file) {
                if let Some(it) = found.add(self.spot.written, SymbolKind::Parameter, name) {
                    it.rank = 1;
                }
            }
        }
        for it in core::VARIABLES {
            let is_here = it.place != core::Place::Definition
                || root.is_empty() && matches!(item.kind(db), ItemKind::Class | ItemKind::Define);
            if is_here
                && it.place != core::Place::Agent
                && let Some(found) =
                    found.add(self.spot.written, SymbolKind::Variable, format!("{root}{}", it.name))
            {
                found.rank = 3;
                found.detail = Some(it.variable_type.to_owned());
            }
        }
    }

    /// The classes that an item inherits. Code that is being written may belong to no class yet: then `parent` is the name of the
    /// first.
    fn parents(&self, item: Item<'db>, parent: Option<Str>) -> Vec<Item<'db>> {
        let db = self.db;
        if matches!(item.kind(db), ItemKind::Class | ItemKind::Define) {
            return semantics::parents(db, item);
        }
        let first = parent.and_then(|it| semantics::definition(db, self.at.file, NameKind::Class, &it));
        first.into_iter().flat_map(|it| [it].into_iter().chain(semantics::parents(db, it))).collect()
    }

    /// Adds the classes whose names begin with the written text, as the first parts of their variables' names.
    fn scopes(&self, root: &str, written: &str, found: &mut Found<'_>) {
        if written.is_empty() {
            return;
        }
        for item in names::definitions(self.db, self.environment, NameKind::Class) {
            let name = unrooted(item.name(self.db));
            if name.starts_with(written)
                && let Some(it) = found.add(self.spot.written, SymbolKind::Class, format!("{root}{name}::"))
            {
                it.rank = 5;
            }
        }
    }

    fn items(&self, kind: NameKind, found: &mut Found<'_>) {
        let db = self.db;
        let own = module_file(db, self.at.file).map(|it| it.module.clone());
        let written = slice(source_text(db, self.at.file).text(), self.spot.written);
        let root = if written.starts_with("::") { "::" } else { "" };
        for item in names::definitions(db, self.environment, kind) {
            let name = unrooted(item.name(db));
            if kind == NameKind::Class && self.is_own("class", name) {
                continue;
            }
            let symbol_kind = Symbol::Item(item).kind(db);
            if let Some(it) = found.add(self.spot.written, symbol_kind, format!("{root}{name}")) {
                let module = name.split("::").next().map(normalized);
                it.rank = if module == own { 1 } else { 2 };
                if item.privacy(db).is_some() && module != own {
                    it.rank = 8;
                }
            }
        }
    }

    fn owner(&self, owner: &Owner) -> Option<ResourceTypeMeaning<'db>> {
        match &owner.class {
            Some(class) if owner.type_name == "class" => {
                let item = semantics::definition(self.db, self.at.file, NameKind::Class, class)?;
                Some(ResourceTypeMeaning::Define(item))
            }
            _ => semantics::resource_type(self.db, self.at.file, &owner.type_name),
        }
    }

    fn attributes(&self, owner: &Owner, found: &mut Found<'_>) {
        let written = self.spot.written;
        let is_given = |name: &str| owner.given.iter().any(|it| it == name);
        let is_quoted = self.spot.is_quoted;
        let fill = |it: &mut super::CompletionItem| {
            // The name of an attribute may be a key in quotes.
            if is_quoted {
                return;
            }
            it.insert = format!("{} => $0,", escaped(&it.label));
            it.is_snippet = true;
        };
        match self.owner(owner) {
            Some(ResourceTypeMeaning::Define(item)) => {
                let docs = documentation(self.db, item);
                let signature = signature::of_item(self.db, item);
                for parameter in signature.parameters.iter().filter(|it| !is_given(&it.name)) {
                    if let Some(it) = found.add(written, SymbolKind::Parameter, &*parameter.name) {
                        fill(it);
                        it.rank = if parameter.is_optional { 2 } else { 1 };
                        it.detail = Some(parameter.text.clone());
                        it.documentation = docs
                            .as_ref()
                            .and_then(|it| it.parameter(&parameter.name))
                            .map(|it| it.text.clone());
                    }
                }
            }
            Some(_) => {
                let described = described(self.db, self.at.file, &owner.type_name);
                let all = described.into_iter().flat_map(|of| of.attributes.iter().map(move |it| (of, it)));
                let settable = all.filter(|(_, it)| it.kind != AttributeKind::ReadOnly);
                for (described, attribute) in settable.filter(|(_, it)| !is_given(&it.name)) {
                    if let Some(it) = found.add(written, SymbolKind::Attribute, &*attribute.name) {
                        fill(it);
                        it.rank = if attribute.name == "ensure" { 1 } else { 2 };
                        it.detail = Some(summary(attribute));
                        it.documentation = attribute_documentation(described, attribute).map(str::to_owned);
                        it.is_deprecated = attribute.deprecated;
                    }
                }
            }
            None => {}
        }
        for name in semantics::metaparameters().filter(|it| !is_given(it)) {
            // Only classes have a stage.
            if name == "stage" && owner.type_name != "class" {
                continue;
            }
            if let Some(it) = found.add(written, SymbolKind::Attribute, name) {
                fill(it);
                it.rank = 6;
                it.detail = Some(metaparameter(name).to_owned());
                it.documentation = core::metaparameter_documentation(name).map(str::to_owned);
            }
        }
    }

    fn values(&self, owner: &Owner, name: &str, found: &mut Found<'db>) {
        if semantics::is_relationship(name) {
            self.references(found);
            return;
        }
        let before = found.items.len();
        match self.owner(owner) {
            Some(ResourceTypeMeaning::Define(item)) => {
                let index = item.signature(self.db).parameters.iter().position(|it| it.name == name);
                let types = semantics::parameter_types(self.db, item);
                if let Some(it) = index.and_then(|it| types.get(it)).cloned().flatten() {
                    self.values_of_type(&it, found);
                }
            }
            Some(_) => {
                let described = described(self.db, self.at.file, &owner.type_name);
                if let Some(attribute) = described.and_then(|it| it.attribute(name)) {
                    if let Values::Listed { words, .. } = &attribute.values {
                        for word in words.iter().flat_map(|it| [&it.name].into_iter().chain(&it.aliases)) {
                            if let Some(it) = found.add(self.spot.written, SymbolKind::Value, &**word) {
                                it.rank = 1;
                            }
                        }
                    }
                    if owner.type_name == "file" && name == "source" {
                        for path in names::module_paths(self.db, self.environment, "files".into()) {
                            self.text(found, SymbolKind::File, &format!("puppet:///modules/{path}"));
                        }
                    }
                }
            }
            None => {}
        }
        if found.items.len() == before && !self.spot.is_quoted {
            self.expression(false, found);
        }
    }

    /// The values that a type enumerates.
    fn values_of_type(&self, it: &Type, found: &mut Found<'_>) {
        match it.resolved().kind() {
            TypeKind::Enum(it) => it.values().iter().for_each(|it| self.value(found, it)),
            TypeKind::String(it) => it.texts().into_iter().flatten().for_each(|it| self.value(found, it)),
            TypeKind::Boolean(_) if !self.spot.is_quoted => {
                for word in ["true", "false"] {
                    found.add(self.spot.written, SymbolKind::Keyword, word);
                }
            }
            TypeKind::Optional(Some(it)) => self.values_of_type(it, found),
            TypeKind::Variant(all) => all.iter().for_each(|it| self.values_of_type(it, found)),
            _ => {}
        }
    }

    fn value(&self, found: &mut Found<'_>, text: &str) {
        self.text(found, SymbolKind::Value, text);
    }

    fn template_parameters(&self, path: &str, found: &mut Found<'_>) {
        let path = if path.ends_with(".epp") { path.to_owned() } else { format!("{path}.epp") };
        let Some(file) = semantics::module_file_named(self.db, self.at.file, "templates", &path) else {
            return;
        };
        let Some(item) = items(self.db, file).first() else { return };
        for it in &item.signature(self.db).parameters {
            self.text(found, SymbolKind::Parameter, &it.name);
        }
    }

    fn types(&self, found: &mut Found<'_>) {
        let (db, written) = (self.db, self.spot.written);
        for name in TYPE_NAMES {
            if let Some(it) = found.add(written, SymbolKind::DataType, *name) {
                it.rank = 2;
            }
        }
        for item in names::definitions(db, self.environment, NameKind::TypeAlias) {
            if let Some(it) = found.add(written, SymbolKind::DataType, unrooted(item.name(db))) {
                it.rank = 2;
                it.documentation = short_documentation(db, item).map(str::to_owned);
            }
        }
        self.reference_types(found);
    }

    fn resource_types(&self) -> Vec<String> {
        let db = self.db;
        let agent = core::agent_modules().iter().flat_map(|it| &it.types);
        let own = core::resource_types().iter().chain(agent).map(|it| it.name.to_string());
        let ruby = semantics::names_in_ruby(db, self.environment, RubyKind::ResourceType).map(str::to_owned);
        let defines = names::definitions(db, self.environment, NameKind::Define);
        let defines = defines.into_iter().map(|it| unrooted(it.name(db)).to_owned());
        own.chain(ruby).chain(defines).collect()
    }

    /// Adds the variables of the enclosing definition, for a place where no `$` is written yet.
    fn whole_variables(&self, found: &mut Found<'_>) {
        let before = found.items.len();
        self.variables(found);
        let mut added = found.items.split_off(before);
        // The others are many, and rarely meant.
        added.retain(|it| it.rank <= 2 && it.kind != SymbolKind::Class);
        for it in &mut added {
            it.label.insert(0, '$');
            it.insert.clone_from(&it.label);
            it.rank = 2;
        }
        found.items.extend(added);
    }

    fn expression(&self, is_statement: bool, found: &mut Found<'db>) {
        let written = self.spot.written;
        self.functions(if is_statement { Call::Statement } else { Call::Value }, found);
        if !is_statement {
            self.whole_variables(found);
        }
        if is_statement {
            for word in KEYWORDS {
                if let Some(it) = found.add(written, SymbolKind::Keyword, word) {
                    it.rank = 6;
                }
            }
            for name in self.resource_types() {
                if let Some(it) = found.add(written, SymbolKind::ResourceType, name) {
                    it.rank = 3;
                    it.insert = format!("{} {{ '${{1:title}}':\n  $0\n}}", it.label);
                    it.is_snippet = true;
                }
            }
        }
        for word in ["true", "false", "undef"] {
            if let Some(it) = found.add(written, SymbolKind::Keyword, word) {
                it.rank = if is_statement { 6 } else { 3 };
            }
        }
        let text = slice(found.text, written);
        if !text.is_empty() {
            let before = found.items.len();
            self.types(found);
            // Who writes small letters rarely means a data type.
            if text.starts_with(|it: char| it.is_lowercase()) {
                found.items[before..].iter_mut().for_each(|it| it.rank = 7);
            }
        }
    }
}

/// Adds the names of all functions.
pub(super) fn function_names(
    db: &dyn Db,
    environment: Environment,
    written: TextRange,
    found: &mut Found<'_>,
) {
    let builtin = ALL.iter().map(|it| it.name.to_owned());
    let own = names::definitions(db, environment, NameKind::Function).into_iter();
    let ruby = [RubyKind::Function, RubyKind::LegacyFunction].into_iter();
    let ruby = ruby.flat_map(|it| semantics::names_in_ruby(db, environment, it)).map(str::to_owned);
    for name in builtin.chain(own.map(|it| unrooted(it.name(db)).to_owned())).chain(ruby) {
        found.add(written, SymbolKind::Function, name);
    }
}

/// The variables of a class or a defined type.
pub(super) fn scope_variables(db: &dyn Db, class: Item<'_>) -> Vec<Str> {
    let body = class.body(db);
    let mut found: Vec<Str> = body.parameters.iter().map(|it| it.name.clone()).collect();
    found.extend(body.scope_variables());
    found.sort();
    found.dedup();
    found
}

/// Adds facts, or the parts of one, each prefixed with `prefix`.
pub(super) fn facts(
    db: &dyn Db,
    environment: Environment,
    written: TextRange,
    path: &[Str],
    prefix: &str,
    found: &mut Found<'_>,
) {
    let Some((first, rest)) = path.split_first() else {
        for fact in core::facts().iter().filter(|it| it.pattern.is_none()) {
            if let Some(it) = found.add(written, SymbolKind::Fact, format!("{prefix}{}", fact.name)) {
                it.detail = Some(fact.fact_type.to_string());
                it.is_deprecated = fact.legacy;
                it.rank = if fact.legacy { 7 } else { 2 };
            }
        }
        for name in semantics::module_facts(db, environment) {
            found.add(written, SymbolKind::Fact, format!("{prefix}{name}"));
        }
        return;
    };
    let whole = rest
        .iter()
        .fold(semantics::fact_type(db, environment, first), |whole, key| semantics::element(&whole?, key));
    let Some(whole) = whole else { return };
    members(&whole, &mut |name, it| {
        if let Some(found) = found.add(written, SymbolKind::Fact, format!("{prefix}{name}")) {
            found.rank = 1;
            found.detail = shown_type(it);
        }
    });
}

/// Adds the parts of `$trusted`, each prefixed with `prefix`.
pub(super) fn trusted(db: &dyn Db, from: File, written: TextRange, prefix: &str, found: &mut Found<'_>) {
    let Some(whole) = global_type(db, from, environment_of(db, from), "trusted") else { return };
    members(&whole, &mut |name, it| {
        if let Some(found) = found.add(written, SymbolKind::Variable, format!("{prefix}{name}")) {
            found.detail = shown_type(it);
        }
    });
}

fn members(whole: &Type, add: &mut dyn FnMut(&str, &Type)) {
    match whole.resolved().kind() {
        TypeKind::Struct(all) => all.iter().for_each(|it| add(&it.name, &it.value)),
        TypeKind::Optional(Some(it)) => members(it, add),
        TypeKind::Variant(all) => all.iter().for_each(|it| members(it, add)),
        _ => {}
    }
}

/// Whether a place is in the value of an assignment, by the text from the assigned variable to the place.
fn is_in_assigned_value(between: &str) -> bool {
    let Some(value) = between.trim_start().strip_prefix('=') else { return false };
    if value.starts_with(['=', '~', '>']) {
        return false;
    }
    let (mut depth, mut previous, mut is_complete) = (0_usize, ' ', false);
    for (at, letter) in value.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return false,
            ')' | ']' | '}' => depth -= 1,
            // The next statement starts in a line of its own, or is an assignment, too.
            '\n' if depth == 0 && is_complete => return false,
            // The end of a tag of a template.
            '%' if depth == 0 && value[at + 1..].starts_with('>') => return false,
            '=' if depth == 0
                && !"=!<>".contains(previous)
                && !value[at + 1..].starts_with(['=', '~', '>']) =>
            {
                return false;
            }
            _ => {}
        }
        if !letter.is_whitespace() {
            is_complete = !"([{,=+-*/%<>.|?&".contains(letter);
            previous = letter;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_not_offered_in_its_own_value() {
        for inside in [
            " = $",
            " = \"${",
            " = f($",
            " = [1,\n  $",
            " = $a ? {\n  1 => $",
            "= 1 +\n  $",
            " = f() |$a| {\n  $",
        ] {
            assert!(is_in_assigned_value(inside), "{inside}");
        }
        for outside in [
            "",
            " == $",
            " = 1\n$",
            " = f(1)\n  notice($",
            " = 1 }\n$",
            " = 1 -%> <%= $",
            " = 1 $b = $",
            ", $b] = $",
            "=~ $",
        ] {
            assert!(!is_in_assigned_value(outside), "{outside}");
        }
    }
}
