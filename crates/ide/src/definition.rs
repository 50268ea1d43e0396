//! Go to definition, and related requests.

use marotte_db::{File, environment_of, files_below, source_text};
use marotte_hir::body::{Expr, FrameId};
use marotte_hir::{ExprId, Item, ItemKind, ItemPlaces, items, parse, places, titles};
use marotte_syntax::ast;
use marotte_text::{Str, TextRange, TextSize, normalized};

use marotte_resolve::ruby::RubyKind;
use marotte_resolve::ruby::ruby_definition;

use crate::data_entries::{DataEntry, entries_of_key};
use crate::data_paths::data_paths;
use crate::files::code_files;
use crate::references::{references_of, symbol_at};
use crate::symbol::Symbol;
use crate::template_values::given;
use crate::token::{Named, Token, slice, tokens, tokens_at, unquoted};
use crate::words::has_words;
use crate::{Access, Db, FilePosition, FileRange, SymbolKind};

/// A place to which an editor can navigate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavigationTarget {
    /// The range of the whole definition.
    pub full: FileRange,
    /// The range of the name, within `full`.
    pub selection: TextRange,
    /// The name as displayed to the user.
    pub name: String,
    /// The kind of the symbol.
    pub kind: SymbolKind,
}

/// The definition of the symbol at a place: the definition of a class, the parameter that an attribute sets, the assignment of
/// a variable, the file of a template, the resource that a reference refers to, the data entries for a key that is looked up.
///
/// Empty if the place has no symbol, if the symbol cannot be resolved, or if it is part of the language.
pub fn definition(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    let tokens = tokens_at(db, at);
    let mut found = Vec::new();
    for token in &tokens {
        // What a call gives hides a variable of the top scope.
        for place in given(db, at.file, token).into_iter().flatten() {
            let text = source_text(db, place.file).text();
            let name = slice(text, place.range).to_owned();
            let kind = SymbolKind::Parameter;
            found.push(NavigationTarget { full: place, selection: place.range, name, kind });
        }
        if !found.is_empty() {
            break;
        }
        for symbol in Symbol::all_of(db, at.file, token) {
            found.extend(targets(db, at.file, &symbol));
        }
        // A looked-up key also leads to data, even if it is a class parameter.
        if let (Named::DataKey(key), Some(_)) = (&token.named, token.within) {
            found.extend(data_targets(db, at.file, key));
        }
        if !found.is_empty() {
            break;
        }
    }
    if found.is_empty() {
        let paths = data_paths(db, at.file).into_iter().filter(|it| it.range.contains_inclusive(at.offset));
        found.extend(paths.flat_map(|it| it.files).flat_map(|it| targets(db, at.file, &Symbol::File(it))));
    }
    let mut seen = Vec::new();
    found.retain(|it| {
        let is_new = !seen.contains(&it.full);
        seen.push(it.full);
        is_new
    });
    found
}

/// The declaration of the symbol at a place: the same as [`definition`], because the language doesn't distinguish the two.
pub fn declaration(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    definition(db, at)
}

/// The definition of the type of the symbol at a place: the aliases in the type of a parameter, the type of a resource.
pub fn type_definition(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    match symbol_at(db, at) {
        Some(Symbol::Variable(item, frame, name)) => {
            let body = item.body(db);
            let lambdas = body.lambdas().map(|it| body.lambda(it)).filter(|it| Some(it.frame) == frame);
            let of_lambdas = lambdas.flat_map(|it| &it.parameters);
            let own = body.parameters.iter().filter(|_| frame == body.frame);
            let Some(declared) = own.chain(of_lambdas).find(|it| it.name == name).and_then(|it| it.type_expr)
            else {
                return Vec::new();
            };
            let file = item.file(db);
            let Some(within) = places(db, item).map.place(declared).map(|it| it.range) else {
                return Vec::new();
            };
            let types = tokens(db, file).into_iter();
            let types =
                types.filter(|it| matches!(it.named, Named::Type(_)) && within.contains_range(it.range));
            types.filter_map(|it| Symbol::of(db, file, &it)).flat_map(|it| targets(db, file, &it)).collect()
        }
        Some(Symbol::Resource(type_name, _)) => {
            let named = Named::ResourceType(type_name);
            let token = Token { range: TextRange::default(), access: Access::Read, named, within: None };
            Symbol::of(db, at.file, &token).map(|it| targets(db, at.file, &it)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The declarations of the class or resource type at a place: includes, inheriting classes, and resources of the type; for a
/// resource, its declaration.
pub fn implementations(db: &dyn Db, at: FilePosition) -> Vec<NavigationTarget> {
    let Some(symbol) = symbol_at(db, at) else { return Vec::new() };
    let declares = references_of(db, at.file, &symbol).into_iter();
    let declares = declares.filter(|(_, token)| token.access == Access::Declaration);
    declares
        .map(|(place, _)| NavigationTarget {
            full: place,
            selection: place.range,
            name: symbol.name(db),
            kind: symbol.kind(db),
        })
        .collect()
}

/// The definitions of a symbol, as seen from a file.
pub(crate) fn targets<'db>(db: &'db dyn Db, from: File, symbol: &Symbol<'db>) -> Vec<NavigationTarget> {
    let target = |file: File, full: TextRange, selection: TextRange| NavigationTarget {
        full: FileRange { file, range: full.cover(selection) },
        selection,
        name: symbol.name(db),
        kind: symbol.kind(db),
    };
    match symbol {
        Symbol::Item(item) => item_target(db, *item).into_iter().collect(),
        Symbol::Variable(item, frame, name) => {
            let file = item.file(db);
            let places = variable_places(db, *item, *frame, name);
            places.into_iter().take(1).map(|(full, range)| target(file, full, range)).collect()
        }
        Symbol::Top(name) => {
            let sets = |file: File| has_words(db, file, name) && sets_top(db, file, name);
            let found = named_in(db, from, symbol, sets, Access::Write);
            found.map(|it| target(it.file, it.range, it.range)).collect()
        }
        Symbol::Resource(type_name, title) => {
            let declares = |file: File| titles(db, file).of_type(type_name).any(|it| it == title);
            let found = named_in(db, from, symbol, declares, Access::Declaration);
            found.map(|it| target(it.file, it.range, it.range)).collect()
        }
        Symbol::RubyFunction(file, name) | Symbol::RubyType(file, name) => {
            let range = quoted_in(db, *file, name, &["create_function", "newfunction", "create_type"]);
            vec![target(*file, range, range)]
        }
        Symbol::RubyResourceType(file, name) => {
            let range = quoted_in(db, *file, name, &["newtype", "name:"]);
            vec![target(*file, range, range)]
        }
        Symbol::Attribute(type_name, name) => {
            let environment = environment_of(db, from);
            let Some(found) = ruby_definition(db, environment, RubyKind::ResourceType, type_name.clone())
            else {
                return Vec::new();
            };
            let range = quoted_in(db, found.file, name, &["newparam", "newproperty", "ensurable", ""]);
            vec![target(found.file, range, range)]
        }
        Symbol::Fact(path) => {
            fact_files(db, from, path).into_iter().map(|(file, range)| target(file, range, range)).collect()
        }
        Symbol::DataKey(key) => data_targets(db, from, key),
        Symbol::File(file) => vec![target(*file, TextRange::default(), TextRange::default())],
        Symbol::Implicit(..)
        | Symbol::BuiltinFunction(_)
        | Symbol::BoltFunction(_)
        | Symbol::BuiltinType(_)
        | Symbol::CoreType(_)
        | Symbol::Metaparameter(_) => Vec::new(),
    }
}

/// The places where a symbol is declared or set, in the given file and in those that certainly do so.
fn named_in<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    may_have: impl Fn(File) -> bool,
    access: Access,
) -> impl Iterator<Item = FileRange> {
    let mut files = vec![from];
    let all = code_files(db, environment_of(db, from)).iter().copied();
    files.extend(all.filter(|it| *it != from && may_have(*it)));
    let named = files.into_iter().flat_map(move |file| {
        let all = tokens(db, file).into_iter().filter(move |it| it.access == access);
        all.map(move |it| (file, it))
    });
    let is_it = |(file, token): &(File, Token<'db>)| Symbol::of(db, *file, token).as_ref() == Some(symbol);
    let found: Vec<FileRange> =
        named.filter(is_it).map(|(file, it)| FileRange { file, range: it.range }).collect();
    found.into_iter()
}

/// Whether the top-level code of a file, or a node in it, sets a variable.
fn sets_top(db: &dyn Db, file: File, name: &Str) -> bool {
    let programs =
        items(db, file).iter().filter(|it| matches!(it.kind(db), ItemKind::Program | ItemKind::Node(_)));
    programs.copied().any(|it| it.body(db).scope_variables().contains(name))
}

/// The definition of an item. None for items without a name.
pub(crate) fn item_target(db: &dyn Db, item: Item<'_>) -> Option<NavigationTarget> {
    let file = item.file(db);
    let range = places(db, item).name.unwrap_or_default();
    let symbol = Symbol::Item(item);
    let full = full_range(db, item).unwrap_or(range).cover(range);
    let (selection, name) = match item.kind(db) {
        ItemKind::Node(_) => {
            let names = node_names(db, item)?;
            (names, slice(source_text(db, file).text(), names).to_owned())
        }
        _ => (range, symbol.name(db)),
    };
    Some(NavigationTarget { full: FileRange { file, range: full }, selection, name, kind: symbol.kind(db) })
}

/// The range of the names in a definition of nodes.
fn node_names(db: &dyn Db, item: Item<'_>) -> Option<TextRange> {
    let range = places(db, item).name?;
    let tree = parse(db, item.file(db)).program();
    match &tree.body.iter().find(|it| it.range == range)?.kind {
        ast::ExprKind::Node(node) => node.matches_range(),
        _ => None,
    }
}

/// The range of the whole definition.
pub(crate) fn full_range(db: &dyn Db, item: Item<'_>) -> Option<TextRange> {
    let file = item.file(db);
    let name = places(db, item).name?;
    let tree = parse(db, file).program();
    let mut open: Vec<&ast::Expr> = tree.body.iter().collect();
    while let Some(expr) = open.pop() {
        let (name_range, inner): (TextRange, &[ast::Expr]) = match &expr.kind {
            ast::ExprKind::Class(it) => (it.name_range, &it.body),
            ast::ExprKind::Define(it) => (it.name_range, &[]),
            ast::ExprKind::Function(it) => (it.name_range, &[]),
            ast::ExprKind::Plan(it) => (it.name_range, &[]),
            ast::ExprKind::TypeAlias(it) => (it.name_range, &[]),
            ast::ExprKind::Node(it) => (expr.range, &it.body),
            _ => continue,
        };
        if name_range == name {
            return Some(expr.range);
        }
        open.extend(inner);
    }
    None
}

/// The places where a variable of an item is set, the first one first: the range of the assignment or parameter, and that of
/// the name.
pub(crate) fn variable_places(
    db: &dyn Db,
    item: Item<'_>,
    frame: Option<FrameId>,
    name: &Str,
) -> Vec<(TextRange, TextRange)> {
    let file = item.file(db);
    let ItemPlaces { map, .. } = places(db, item);
    let all = tokens(db, file).into_iter().filter(|it| it.within == Some(item));
    let set = all.filter(|it| match &it.named {
        Named::Variable(of, at, it_name) => {
            (*of, *at, it_name) == (item, frame, name) && it.access != Access::Read
        }
        _ => false,
    });
    let body = item.body(db);
    let range = |id: ExprId| map.place(id).map(|it| it.range);
    let mut found: Vec<(Access, TextRange, TextRange)> = set
        .map(|it| {
            let assignment = body.exprs().find_map(|(id, expr)| match expr {
                Expr::Assign { target, .. } => {
                    let whole = range(id)?;
                    range(target.at)?.contains_range(it.range).then_some(whole)
                }
                _ => None,
            });
            (it.access, assignment.unwrap_or(it.range), it.range)
        })
        .collect();
    found.sort_by_key(|(access, _, range)| (*access, range.start()));
    found.into_iter().map(|(_, full, range)| (full, range)).collect()
}

/// The data entries for a key.
fn data_targets(db: &dyn Db, from: File, key: &str) -> Vec<NavigationTarget> {
    let entries = entries_of_key(db, environment_of(db, from), key).into_iter();
    let target = |it: DataEntry| {
        let selection = unquoted(source_text(db, it.file).text(), it.key);
        let full = FileRange { file: it.file, range: it.key };
        NavigationTarget { full, selection, name: key.to_owned(), kind: SymbolKind::DataKey }
    };
    entries.map(target).collect()
}

/// The places where modules add a fact.
fn fact_files(db: &dyn Db, from: File, path: &[Str]) -> Vec<(File, TextRange)> {
    let Some(name) = path.first() else { return Vec::new() };
    let environment = environment_of(db, from);
    let mut found = Vec::new();
    for (_, folder) in environment.modules(db).iter() {
        for path in files_below(db, &folder.join("lib/facter"), "rb") {
            let file = db.files().file(db, &path);
            if has_words(db, file, name) {
                let range = quoted_in(db, file, name, &["Facter.add"]);
                if !range.is_empty() {
                    found.push((file, range));
                }
            }
        }
    }
    found
}

/// The place of a name in a Ruby file, as a symbol or a string that follows one of some words on its line; an empty range at
/// the start of the file if there is none. An empty word matches anything.
fn quoted_in(db: &dyn Db, file: File, name: &str, behind: &[&str]) -> TextRange {
    let text = source_text(db, file).text();
    let lower = normalized(text);
    // Other letters may change their length in lower case; names don't contain any.
    if lower.len() != text.len() {
        return TextRange::default();
    }
    let name = name.to_ascii_lowercase();
    for word in behind {
        for (at, _) in lower.match_indices(&*name) {
            let before = &text[..at];
            let is_name = before.ends_with([':', '\'', '"'])
                && !text[at + name.len()..].starts_with(|it: char| it.is_alphanumeric() || it == '_');
            let line = before.rsplit('\n').next().unwrap_or_default();
            if is_name && line.contains(word) {
                let start = TextSize::try_from(at).unwrap_or_default();
                return TextRange::at(start, TextSize::try_from(name.len()).unwrap_or_default());
            }
        }
    }
    TextRange::default()
}

/// The item whose text contains a place: the innermost definition, or the file's top-level code.
pub(crate) fn item_at(db: &dyn Db, at: FilePosition) -> Option<Item<'_>> {
    let all = items(db, at.file);
    let mut around: Vec<(TextSize, Item<'_>)> = Vec::new();
    for item in all.iter().skip(1) {
        if let Some(range) = full_range(db, *item).filter(|it| it.contains_inclusive(at.offset)) {
            around.push((range.len(), *item));
        }
    }
    around.sort();
    around.first().map(|(_, item)| *item).or_else(|| all.first().copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// The carets mark the names of all targets.
    #[track_caller]
    fn check(tree: &str, answer: fn(&dyn Db, FilePosition) -> Vec<NavigationTarget>) {
        let fixture = Fixture::new(tree);
        let found = answer(fixture.db(), fixture.cursor());
        let place = |it: &NavigationTarget| FileRange { file: it.full.file, range: it.selection };
        let mut found: Vec<_> = found.iter().map(|it| fixture.mark(place(it), &it.name)).collect();
        found.sort();
        assert_eq!(found, fixture.marks());
    }

    #[test]
    fn classes_that_a_text_names() {
        check(
            "
            //- /manifests/site.pp
            include 'ntp::ser$0ver'
            //- /modules/ntp/manifests/server.pp
            class ntp::server {}
                  ^^^^^^^^^^^ ntp::server
            ",
            definition,
        );
    }

    #[test]
    fn attributes_are_parameters() {
        check(
            "
            //- /manifests/site.pp
            ntp::key { 'a': po$0rt => 1 }
            //- /modules/ntp/manifests/key.pp
            define ntp::key(Integer $port) {}
                                     ^^^^ port
            ",
            definition,
        );
    }

    #[test]
    fn a_definition_in_a_file_that_is_being_written() {
        check(
            "
            //- /manifests/site.pp
            include nt$0p
            //- /modules/ntp/manifests/init.pp
            class ntp {
                  ^^^ ntp
              file { '/x':
            }
            ",
            definition,
        );
    }

    #[test]
    fn variables_of_parents_and_of_other_classes() {
        check(
            "
            //- /modules/a/manifests/init.pp
            class a inherits a::params { notice($po$0rt) }
            //- /modules/a/manifests/params.pp
            class a::params { $port = 1 }
                               ^^^^ port
            ",
            definition,
        );
        check(
            r#"
            //- /manifests/site.pp
            notice("${a::params::po$0rt}")
            //- /modules/a/manifests/params.pp
            class a::params { $port = 1 }
                               ^^^^ port
            "#,
            definition,
        );
    }

    #[test]
    fn variables_in_erb() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port) { $x = template('ntp/a.erb') }
                       ^^^^ port
            //- /modules/ntp/manifests/key.pp
            define ntp::key($port) { $x = template('ntp/a.erb', 'ntp/b.erb') }
                             ^^^^ port
            //- /modules/ntp/templates/a.erb
            <%= @po$0rt %>
            ",
            definition,
        );
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port) { }
                       ^^^^ port
            //- /modules/ntp/templates/a.erb
            <%= scope['::ntp::po$0rt'] %>
            ",
            definition,
        );
    }

    #[test]
    fn files_and_functions_in_ruby() {
        check(
            "
            //- /manifests/site.pp
            $x = m$0::f(1)
            //- /modules/m/lib/puppet/functions/m/f.rb
            Puppet::Functions.create_function(:'m::f') do
                                                ^^^^ m::f
            end
            ",
            definition,
        );
        check(
            "
            //- /manifests/site.pp
            vhost { 'a': po$0rt => 1 }
            //- /modules/m/lib/puppet/type/vhost.rb
            Puppet::Type.newtype(:vhost) do
              newparam(:port)
                        ^^^^ port
            end
            ",
            definition,
        );
    }

    #[test]
    fn keys_that_are_looked_up() {
        check(
            "
            //- /manifests/site.pp
            $x = lookup('serv$0ers')
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, paths: [a.yaml, b.yaml]}]
            //- /data/a.yaml
            servers: [a]
            ^^^^^^^ servers
            //- /data/b.yaml
            servers: [b]
            ^^^^^^^ servers
            ",
            definition,
        );
    }

    #[test]
    fn keys_of_data_mean_parameters() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port = 1) {}
                       ^^^^ port
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            ntp::po$0rt: 3
            ",
            definition,
        );
    }

    #[test]
    fn files_of_a_level() {
        let fixture = Fixture::new(
            "
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, paths: ['os/%{facts.os.family}.ya$0ml', b.yaml]}]
            //- /data/os/Debian.yaml
            a: 1
            //- /data/os/RedHat.yaml
            a: 1
            //- /data/b.yaml
            a: 1
            ",
        );
        let found = definition(fixture.db(), fixture.cursor()).into_iter();
        assert_eq!(found.map(|it| it.name).collect::<Vec<_>>(), ["Debian.yaml", "RedHat.yaml"]);
    }

    #[test]
    fn types_of_parameters() {
        check(
            "
            //- /modules/m/manifests/init.pp
            class m(Array[M::Port] $ports$0) {}
            //- /modules/m/types/port.pp
            type M::Port = Integer
                 ^^^^^^^ M::Port
            ",
            type_definition,
        );
    }

    #[test]
    fn who_declares_a_class() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class nt$0p {}
            //- /manifests/site.pp
            include ntp
                    ^^^ ntp
            Class['ntp'] -> Notify['a']
            ",
            implementations,
        );
    }
}
