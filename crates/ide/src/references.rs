//! References to a symbol.

use std::collections::BTreeSet;

use marotte_db::{Environment, File, environment_of};
use marotte_hir::ItemKind;
use marotte_text::split_namespace;

use crate::files::{code_files, hiera_files, ruby_files};
use crate::symbol::Symbol;
use crate::token::{Named, Token, is_erb, tokens, tokens_at};
use crate::words::has_words;
use crate::{Access, Db, FilePosition, FileRange};

/// A reference to a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The place of the name: without quotes, and without the `$` of variables.
    pub place: FileRange,
    /// The kind of access.
    pub access: Access,
}

/// Returns all places of an environment that refer to the symbol at a place, with its definition, by file and place. None if the
/// place has no symbol, or if the symbol cannot be resolved.
///
/// For `port` in `ntp::port: 123`, these are the parameter `$port` of the class `ntp`, its uses in the class, the places where
/// other code sets it or reads `$ntp::port`, and data keys.
pub fn references(db: &dyn Db, at: FilePosition) -> Option<Vec<Reference>> {
    let symbols: Vec<Symbol<'_>> =
        tokens_at(db, at).iter().map(|it| Symbol::all_of(db, at.file, it)).find(|it| !it.is_empty())?;
    let all = symbols.iter().flat_map(|it| references_of(db, at.file, it));
    let mut found: Vec<Reference> =
        all.map(|(place, token)| Reference { place, access: token.access }).collect();
    let key = |it: &Reference| (it.place.file.path(db), it.place.range.start(), it.place.range.end());
    if symbols.len() > 1 {
        found.sort_by(|one, other| key(one).cmp(&key(other)));
        found.dedup_by_key(|it| it.place);
    }
    Some(found)
}

/// The symbol at a place.
pub(crate) fn symbol_at(db: &dyn Db, at: FilePosition) -> Option<Symbol<'_>> {
    tokens_at(db, at).iter().find_map(|it| Symbol::of(db, at.file, it))
}

/// The places that refer to a symbol, as seen from a file.
pub(crate) fn references_of<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
) -> Vec<(FileRange, Token<'db>)> {
    let mut found = Vec::new();
    let words = symbol.words(db);
    let name = symbol.name(db);
    let own = match symbol {
        Symbol::Item(item) | Symbol::Variable(item, ..) | Symbol::Implicit(item, _) => Some(item.file(db)),
        _ => None,
    };
    for file in files_of(db, from, symbol) {
        db.unwind_if_revision_cancelled();
        // A class in a class is written without the name of the outer one.
        // A template names the variables of a defined type without it.
        let words = if is_erb(db, file) { &name } else { &words };
        if file != from && own != Some(file) && !has_words(db, file, words) {
            continue;
        }
        for token in tokens(db, file) {
            if may_mean(db, &token, symbol, &name) && Symbol::all_of(db, file, &token).contains(symbol) {
                found.push((FileRange { file, range: token.range }, token));
            }
        }
    }
    found.dedup_by_key(|(place, _)| *place);
    found
}

/// A cheap check, before names are resolved.
fn may_mean(db: &dyn Db, token: &Token<'_>, symbol: &Symbol<'_>, name: &str) -> bool {
    match (symbol, &token.named) {
        (Symbol::Variable(_, frame, name), Named::Variable(_, other_frame, other)) => {
            name == other && frame == other_frame
        }
        (
            Symbol::Variable(_, None, name) | Symbol::Top(name),
            Named::Outer(_, other) | Named::Rendered(other),
        ) => name == other,
        (Symbol::Variable(_, _, name), Named::Qualified(_, other))
        | (Symbol::Variable(_, _, name), Named::TemplateParameter(_, other))
        | (Symbol::Variable(_, _, name), Named::Attribute { name: other, .. }) => name == other,
        (Symbol::Variable(_, _, name), Named::DataKey(key)) => key.ends_with(name.as_str()),
        (Symbol::Variable(..), _) => false,
        (_, Named::Variable(_, Some(_), _)) => false,
        (Symbol::Top(name), Named::Variable(_, None, other) | Named::Qualified(_, other)) => name == other,
        (Symbol::Top(_), _) => false,
        (Symbol::DataKey(key), Named::DataKey(other)) => key == other,
        (Symbol::DataKey(_), _) => false,
        (Symbol::Item(item), Named::Item(other)) => item == other,
        (
            Symbol::Item(_)
            | Symbol::BuiltinFunction(_)
            | Symbol::BoltFunction(_)
            | Symbol::RubyFunction(..)
            | Symbol::BuiltinType(_)
            | Symbol::RubyType(..)
            | Symbol::CoreType(_)
            | Symbol::RubyResourceType(..),
            Named::Class(other)
            | Named::Function(other)
            | Named::ResourceType(other)
            | Named::Type(other)
            | Named::Plan(other),
        ) => last(other).eq_ignore_ascii_case(last(name)),
        (Symbol::Fact(path), Named::Fact(other)) => path == other,
        (
            Symbol::Fact(path),
            Named::Variable(_, None, other)
            | Named::Qualified(_, other)
            | Named::Outer(_, other)
            | Named::Rendered(other),
        ) => path.first() == Some(other) && path.len() == 1,
        (Symbol::Implicit(item, name), Named::Variable(of, None, other) | Named::Outer(of, other)) => {
            item == of && name == other
        }
        (Symbol::Implicit(_, name), Named::Rendered(other)) => name == other,
        (Symbol::Attribute(_, name) | Symbol::Metaparameter(name), Named::Attribute { name: other, .. }) => {
            name == other
        }
        (Symbol::Resource(type_name, title), Named::Resource { type_name: of, title: other }) => {
            type_name == of && title == other
        }
        (Symbol::File(file), Named::ModuleFile { path, .. }) => {
            let file = file.path(db).file_name().unwrap_or_default();
            path.ends_with(file)
        }
        _ => false,
    }
}

fn last(name: &str) -> &str {
    split_namespace(name).map_or(name, |(_, last)| last)
}

/// The files in which a symbol may occur.
fn files_of<'db>(db: &'db dyn Db, from: File, symbol: &Symbol<'db>) -> Vec<File> {
    let environment: Environment = match symbol {
        Symbol::Item(item) | Symbol::Variable(item, ..) | Symbol::Implicit(item, _) => {
            environment_of(db, item.file(db))
        }
        _ => environment_of(db, from),
    };
    if let Symbol::Implicit(item, _) = symbol {
        let templates = ruby_files(db, environment).iter().filter(|it| is_erb(db, **it));
        return templates.copied().chain([item.file(db)]).collect();
    }
    if let Symbol::Variable(item, frame, _) = symbol {
        let is_template = item.kind(db) == ItemKind::Template;
        // The variables of a frame are local to it; but code that renders a template names the template's parameters.
        if frame.is_some() && !is_template {
            return vec![item.file(db)];
        }
    }
    let mut files: BTreeSet<File> = code_files(db, environment).iter().copied().collect();
    files.extend(hiera_files(db, environment));
    files.extend(ruby_files(db, environment).iter().filter(|it| is_erb(db, **it)));
    files.insert(from);
    if let Symbol::Item(item) | Symbol::Variable(item, ..) = symbol {
        files.insert(item.file(db));
    }
    let mut files: Vec<File> = files.into_iter().collect();
    files.sort_by(|one, other| one.path(db).cmp(other.path(db)));
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// The carets mark all references.
    #[track_caller]
    fn check(tree: &str) {
        let fixture = Fixture::new(tree);
        let found = references(fixture.db(), fixture.cursor()).expect("something is named");
        let word = |access| match access {
            Access::Definition => "definition",
            Access::Declaration => "declares",
            Access::Write => "write",
            Access::Read => "",
        };
        let mut found: Vec<_> = found.iter().map(|it| fixture.mark(it.place, word(it.access))).collect();
        found.sort();
        assert_eq!(found, fixture.marks());
    }

    #[test]
    fn templates_in_erb_read_variables() {
        check(
            "
            //- /modules/ntp/manifests/params.pp
            class ntp::params { $po$0rt = 1 }
                                 ^^^^ write
            //- /modules/ntp/manifests/init.pp
            class ntp inherits ntp::params { $x = template('ntp/a.erb') }
            //- /modules/ntp/manifests/other.pp
            class ntp::other($port) { $x = template('ntp/b.erb') }
            //- /modules/ntp/templates/a.erb
            <% if @port %><%= scope['port'] + scope['ntp::params::port'] %><% end %> port
                   ^^^^
                                     ^^^^
                                                                  ^^^^
            //- /modules/ntp/templates/b.erb
            <%= @port %>
            ",
        );
    }

    #[test]
    fn templates_of_several_classes_read_the_variables_of_each() {
        let tree = |class: &str, template: &str, marks: [&str; 3]| {
            let [one, two, template_mark] = marks;
            format!(
                "
                //- /modules/a/manifests/one.pp
                {class}
                {one}
                //- /modules/a/manifests/two.pp
                class a::two {{ $v = 2 $x = template('a/t.erb') }}
                {two}
                //- /modules/a/manifests/other.pp
                class a::other {{ $v = 3 }}
                //- /modules/a/templates/t.erb
                {template}
                {template_mark}
                "
            )
        };
        let plain = "class a::one { $v = 1 $x = template('a/t.erb') }";
        let marks = ["                ^ write", "                ^ write", "     ^"];
        check(&tree(plain, "<%= @v$0 %>", marks));
        let marked = "class a::one { $v$0 = 1 $x = template('a/t.erb') }";
        check(&tree(marked, "<%= @v %>", [marks[0], "", marks[2]]));
    }

    #[test]
    fn names_of_resources_belong_to_a_defined_type() {
        let tree = |define: &str, template: &str| {
            format!(
                "
                //- /modules/a/manifests/d.pp
                {define}
                                                        ^^^^
                //- /modules/a/manifests/e.pp
                define a::e {{ notice($name) }}
                //- /modules/a/templates/t.erb
                {template}
                     ^^^^
                "
            )
        };
        check(&tree("define a::d { $x = template('a/t.erb', $na$0me) }", "<%= @name %>"));
        check(&tree("define a::d { $x = template('a/t.erb', $name) }", "<%= @na$0me %>"));
    }

    #[test]
    fn classes_are_named_in_many_ways() {
        check(
            r#"
            //- /manifests/site.pp
            include ntp::server
                    ^^^^^^^^^^^ declares
            class { '::ntp::server': }
                     ^^^^^^^^^^^^^ declares
            Class['ntp::server'] -> Notify['x']
                   ^^^^^^^^^^^
            notify { 'x': require => Class[ntp::server], message => $ntp::server::port }
                                           ^^^^^^^^^^^
                                                                     ^^^^^^^^^^^
            //- /modules/ntp/manifests/server.pp
            class ntp::ser$0ver($port = 1) { }
                  ^^^^^^^^^^^ definition
            //- /modules/ntp/manifests/other.pp
            class ntp::other inherits ntp::server { }
                                      ^^^^^^^^^^^ declares
            //- /modules/other/manifests/init.pp
            class other {
              $c = 'ntp::server'
                    ^^^^^^^^^^^ declares
              include $c
            }
            //- /modules/other/manifests/server.pp
            class other::server { if defined('ntp::server') { } }
                                              ^^^^^^^^^^^
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            classes: [ntp::server]
                      ^^^^^^^^^^^
            x: "%{ntp::server::port}"
                  ^^^^^^^^^^^
            "#,
        );
    }

    #[test]
    fn parameters_are_named_by_data_and_by_attributes() {
        check(
            r#"
            //- /manifests/site.pp
            class { 'ntp': port => 1 }
                           ^^^^
            notify { "${ntp::port}": message => lookup('ntp::port') }
                             ^^^^
                                                        ^^^^^^^^^
            //- /modules/ntp/manifests/init.pp
            class ntp($port = 1, $dir = "/x/${port}") {
                       ^^^^ definition
                                              ^^^^
              $x = $po$0rt
                    ^^^^
              [1].each |$port| { notice($port) }
            }
            //- /modules/ntp/manifests/other.pp
            class ntp::other inherits ntp { notice($port) }
                                                    ^^^^
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            ntp::port: 3
            ^^^^^^^^^ definition
            'b::port': "%{lookup('ntp::port')}"
                                  ^^^^^^^^^
            "#,
        );
    }

    #[test]
    fn parameters_are_named_by_references_to_classes() {
        check(
            "
            //- /modules/a/manifests/other.pp
            class a::other($le$0vel = 1) { }
                            ^^^^^ definition
            //- /modules/a/manifests/init.pp
            class a inherits a::other {
              Class['a::other'] { level => 3 }
                                  ^^^^^
              notice(Resource['class', 'a::other']['level'])
                                                    ^^^^^
              Class['a::web'] { level => 3 }
            }
            ",
        );
    }

    #[test]
    fn variables_of_lambdas_are_their_own() {
        check(
            "
            //- /manifests/site.pp
            $x = 1
            [1].each |$x| {
                       ^ definition
              notice($x$0)
                      ^
              $y = $x + 1
                    ^
            }
            notice($x)
            ",
        );
    }

    #[test]
    fn what_a_class_inherits_until_it_sets_its_own() {
        check(
            "
            //- /modules/a/manifests/init.pp
            class a inherits a::params {
              case $b {
                1: { $x = pick($x, 1) }
                                ^
                default: { $x = pick($x, 2) }
                                      ^
              }
              notice($x)
            }
            //- /modules/a/manifests/params.pp
            class a::params { $x$0 = 2 }
                               ^ write
            ",
        );
    }

    #[test]
    fn resources_by_type_and_title() {
        check(
            "
            //- /manifests/site.pp
            file { '/etc/motd': ensure => file }
                    ^^^^^^^^^ declares
            service { 'x': require => File['/etc/mo$0td'] }
                                            ^^^^^^^^^
            notify { '/etc/motd': }
            ",
        );
    }

    #[test]
    fn templates_and_their_parameters() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp { $x = epp('ntp/a.epp', { 'port' => 1 }) }
                                                 ^^^^
            //- /modules/ntp/templates/a.epp
            <%- | $port | -%>
                   ^^^^ definition
            port <%= $po$0rt %>
                      ^^^^
            ",
        );
    }
}
