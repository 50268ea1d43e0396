//! Renaming of symbols.

mod attributes;
mod context;
mod elsewhere;
mod new_name;
mod of_file;
mod plan;
mod templates;

pub use of_file::rename_file;

use std::fmt;

use camino::Utf8PathBuf;
use marotte_db::source_text;
use marotte_text::{TextRange, normalized, split_namespace, unrooted};

use crate::symbol::Symbol;
use crate::token::{slice, tokens_at};
use crate::{Db, FilePosition, FileRange};

/// The changes of a rename.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// The replacements, by file and place. They don't overlap.
    pub edits: Vec<TextEdit>,
    /// The files whose paths follow from their definitions. Edits of a file refer to its old path.
    pub moves: Vec<FileMove>,
    /// Possible uses that cannot be decided, for the user to check.
    pub notes: Vec<String>,
}

/// The replacement of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The range to replace.
    pub place: FileRange,
    /// The text that replaces the range.
    pub text: String,
}

/// A file that is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// The path before the move.
    pub from: Utf8PathBuf,
    /// The new path, at which nothing exists yet.
    pub to: Utf8PathBuf,
}

/// The reason why a symbol cannot be renamed: a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRename(pub String);

impl fmt::Display for RefusedRename {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RefusedRename {}

/// The symbol that can be renamed at a place: the range of its name, and the initial name, which for `ser$0ver` in `include
/// ntp::server` is all of `ntp::server`.
///
/// # Errors
/// If the place has no symbol, or if the symbol cannot be renamed.
pub fn prepare_rename(db: &dyn Db, at: FilePosition) -> Result<(TextRange, String), RefusedRename> {
    let (range, symbol) = target(db, at)?;
    plan::check(db, at.file, &symbol)?;
    Ok((range, slice(source_text(db, at.file).text(), range).to_owned()))
}

/// Renames the symbol at a place everywhere: in manifests, templates and data, and moves the file to where the autoloader looks
/// for it. Renaming a class also renames the keys of its parameters in data.
///
/// A class, resource type, function or alias gets its full name: `ntp::client`, `Ntp::Port`. Parameters and variables get
/// theirs without `$`.
///
/// # Errors
/// If the name is invalid or taken; if the autoloader would not find it; if the old name may be used in a place that cannot be
/// changed: code in Ruby, a computed string, computed attributes.
pub fn rename(db: &dyn Db, at: FilePosition, new_name: &str) -> Result<Rename, RefusedRename> {
    let (range, symbol) = target(db, at)?;
    plan::check(db, at.file, &symbol)?;
    let written = slice(source_text(db, at.file).text(), range);
    let new_name = full_name(db, &symbol, written, new_name.trim_start_matches('$'));
    plan::rename(db, at.file, &symbol, &new_name)
}

/// The full new name of a symbol, however the old one is written at the place: `port` for the key `ntp::port`, the whole name
/// for `server` in the class `ntp`.
fn full_name(db: &dyn Db, symbol: &Symbol<'_>, written: &str, new_name: &str) -> String {
    let new_name = unrooted(new_name);
    match symbol {
        Symbol::Variable(item, _, _) => {
            let prefix = format!("{}::", normalized(unrooted(item.name(db))));
            new_name.strip_prefix(&prefix).unwrap_or(new_name).to_owned()
        }
        Symbol::Item(item) => match split_namespace(unrooted(item.name(db))) {
            Some((outer, last)) if written == last && !new_name.contains("::") => {
                format!("{outer}::{new_name}")
            }
            _ => new_name.to_owned(),
        },
        _ => new_name.to_owned(),
    }
}

fn target(db: &dyn Db, at: FilePosition) -> Result<(TextRange, Symbol<'_>), RefusedRename> {
    let tokens = tokens_at(db, at);
    let found = tokens.iter().find_map(|it| Some((it.range, Symbol::of(db, at.file, it)?)));
    found.ok_or_else(|| match tokens.is_empty() {
        true => RefusedRename("there is no name here".to_owned()),
        false => RefusedRename("the meaning of this name is not known".to_owned()),
    })
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RefusedRename> {
    Err(RefusedRename(reason.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};

    /// Returns all changed files, with their new contents.
    fn renamed(tree: &str, new_name: &str) -> Result<String, RefusedRename> {
        let fixture = Fixture::new(tree);
        let found = rename(fixture.db(), fixture.cursor(), new_name)?;
        Ok(fixture.applied(&found.edits, &found.moves))
    }

    #[track_caller]
    fn check(tree: &str, new_name: &str, expected: &str) {
        assert_text(&renamed(tree, new_name).expect("a new name"), expected);
    }

    #[track_caller]
    fn refused(tree: &str, new_name: &str, reason: &str) {
        assert_eq!(renamed(tree, new_name).expect_err("no new name").0, reason);
    }

    #[test]
    fn classes_take_their_files_and_data_with_them() {
        check(
            r#"
            //- /manifests/site.pp
            include ntp::ser$0ver
            Class['Ntp::Server'] -> notify { "${::ntp::server::port}": }
            //- /modules/ntp/manifests/server.pp
            class ntp::server($port = 1) { }
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            lookup_options:
              ntp::server::port: {merge: first}
            ntp::server::port: 3
            x: "%{lookup('ntp::server::port')}"
            "#,
            "ntp::deep::daemon",
            r#"
            //- /data/a.yaml
            lookup_options:
              ntp::deep::daemon::port: {merge: first}
            ntp::deep::daemon::port: 3
            x: "%{lookup('ntp::deep::daemon::port')}"
            //- /manifests/site.pp
            include ntp::deep::daemon
            Class['Ntp::Deep::Daemon'] -> notify { "${::ntp::deep::daemon::port}": }
            //- /modules/ntp/manifests/server.pp => /modules/ntp/manifests/deep/daemon.pp
            class ntp::deep::daemon($port = 1) { }
            "#,
        );
    }

    #[test]
    fn parameters_take_keys_and_attributes_with_them() {
        check(
            r#"
            //- /manifests/site.pp
            class { 'ntp': port => 1 }
            //- /modules/ntp/manifests/init.pp
            # @param port Where
            class ntp($po$0rt = 1) { notice("${port} $port") }
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            "ntp::port": 3
            "#,
            "listen",
            r#"
            //- /data/a.yaml
            "ntp::listen": 3
            //- /manifests/site.pp
            class { 'ntp': listen => 1 }
            //- /modules/ntp/manifests/init.pp
            # @param listen Where
            class ntp($listen = 1) { notice("${listen} $listen") }
            "#,
        );
    }

    #[test]
    fn keys_are_renamed_as_parameters() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($port = 1) { }
            //- /modules/ntp/manifests/deep.pp
            class ntp::deep { include ntp::deep::er }
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            ntp::po$0rt: 3
            ",
            "ntp::listen",
            "
            //- /data/a.yaml
            ntp::listen: 3
            //- /modules/ntp/manifests/init.pp
            class ntp($listen = 1) { }
            ",
        );
    }

    #[test]
    fn longer_names_are_others() {
        check(
            "
            //- /modules/ntp/manifests/deep.pp
            class ntp::de$0ep { include ntp::deep::er }
            //- /modules/ntp/manifests/deep/er.pp
            class ntp::deep::er { }
            //- /modules/ntp/lib/puppet/functions/f.rb
            call_function('include', 'ntp::deep::er')
            ",
            "ntp::low",
            "
            //- /modules/ntp/manifests/deep.pp => /modules/ntp/manifests/low.pp
            class ntp::low { include ntp::deep::er }
            ",
        );
    }

    #[test]
    fn aliases_and_functions() {
        check(
            "
            //- /modules/m/manifests/init.pp
            class m(M::Po$0rt $p) { }
            //- /modules/m/types/port.pp
            type M::Port = Integer
            ",
            "M::Number",
            "
            //- /modules/m/manifests/init.pp
            class m(M::Number $p) { }
            //- /modules/m/types/port.pp => /modules/m/types/number.pp
            type M::Number = Integer
            ",
        );
        check(
            "
            //- /manifests/site.pp
            $x = 1.m::f
            //- /modules/m/functions/f.pp
            function m::f$0($a) { $a }
            ",
            "m::g",
            "
            //- /manifests/site.pp
            $x = 1.m::g
            //- /modules/m/functions/f.pp => /modules/m/functions/g.pp
            function m::g($a) { $a }
            ",
        );
    }

    #[test]
    fn what_nobody_would_find_keeps_its_name() {
        let tree = "
            //- /modules/ntp/manifests/init.pp
            class nt$0p { }
            //- /modules/ntp/manifests/other.pp
            class ntp::other { }
            ";
        refused(tree, "chrony", "there is no module `chrony`");
        refused(tree, "ntp::other", "there is a class `ntp::other` already");
        refused(tree, "Ntp", "`Ntp` is not a name for a class: lower-case words with `::` between them are");
    }

    #[test]
    fn what_ruby_may_use_keeps_its_name() {
        let tree = "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
            //- /modules/ntp/templates/a.erb
            <%= scope.to_hash['port'] %>
            ";
        refused(tree, "listen", "the template `modules/ntp/templates/a.erb` reads `@port`");
    }

    #[test]
    fn templates_in_erb_follow() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
            //- /modules/ntp/templates/a.erb
            port <% if @port %><%= scope['ntp::port'] %> <% x.each do |port| %><%= port %><% end %>
            ",
            "listen",
            "
            //- /modules/ntp/manifests/init.pp
            class ntp($listen = 1) { $x = template('ntp/a.erb') }
            //- /modules/ntp/templates/a.erb
            port <% if @listen %><%= scope['ntp::listen'] %> <% x.each do |port| %><%= port %><% end %>
            ",
        );
    }

    #[test]
    fn templates_in_erb_read_other_variables() {
        let tree = "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) { $x = template('ntp/a.erb') }
            //- /modules/ntp/templates/a.erb
            <%= @hostname %>
            ";
        refused(tree, "hostname", "the template `modules/ntp/templates/a.erb` reads `@hostname` already");
    }

    #[test]
    fn templates_of_several_classes_keep_their_variables() {
        let tree = |other: &str| {
            format!(
                "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) {{ $x = template('ntp/a.erb') }}
            //- /modules/ntp/manifests/key.pp
            {other}
            //- /modules/ntp/templates/a.erb
            <%= @port %>
            "
            )
        };
        refused(
            &tree("define ntp::key($port) { $x = template('ntp/a.erb') }"),
            "listen",
            "several classes render the template `modules/ntp/templates/a.erb`, which reads `@port`",
        );
        refused(
            &tree("define ntp::key($port) { $x = template(\"ntp/${title}\") }"),
            "listen",
            "`ntp::key` may render the template `modules/ntp/templates/a.erb`, which reads `@port`",
        );
        assert!(
            renamed(&tree("define ntp::key($host) { $x = template(\"ntp/${title}\") }"), "listen").is_ok()
        );
    }

    #[test]
    fn what_is_computed_keeps_its_name() {
        let tree = "
            //- /modules/ntp/manifests/key.pp
            define ntp::key($po$0rt = 1) { }
            //- /manifests/site.pp
            ntp::key { 'a': * => $facts['x'] }
            ";
        refused(tree, "listen", "attributes are computed at manifests/site.pp:1");
        let tree = "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) { }
            //- /manifests/site.pp
            class { $facts['x']: port => 1 }
            ";
        refused(tree, "listen", "attributes are computed at manifests/site.pp:1");
    }

    #[test]
    fn a_computed_type_sets_only_attributes_that_are_named_somewhere() {
        let tree = |data: &str| {
            format!(
                "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) {{ notice($port) }}
            //- /modules/other/manifests/init.pp
            class other($all, $type) {{ create_resources($type, $all) }}
            //- /hiera.yaml
            version: 5
            hierarchy: [{{name: a, path: a.yaml}}]
            //- /data/a.yaml
            ntp::port: 3
            other::all:
              ntp:
                {data}: 3
            "
            )
        };
        refused(
            &tree("port"),
            "listen",
            "`port` at data/a.yaml:4 may be an attribute that modules/other/manifests/init.pp:1 sets",
        );
        assert!(renamed(&tree("server"), "listen").is_ok());
    }

    #[test]
    fn mentions_that_are_not_uses() {
        let tree = "
            //- /modules/a/manifests/web.pp
            class a::w$0eb { notice(inline_template(\"<%= scope['a::web::params::u'] %>\")) }
            //- /modules/a/manifests/web/params.pp
            class a::web::params { $u = 1 }
            //- /modules/a/templates/x.erb
            <%= scope['a::web::params::u'] %>
            //- /manifests/site.pp
            fail('use a::web, please')
            ";
        assert!(renamed(tree, "a::site").is_ok(), "{:?}", renamed(tree, "a::site"));
    }

    #[test]
    fn literal_templates_read_what_they_name() {
        let tree = |call: &str| format!("class c {{ $lo$0cal = 1\n notice($local, {call}) }}");
        assert!(renamed(&tree("inline_epp('<%= $x %>', {'x' => 1})"), "other").is_ok());
        for call in [
            "inline_epp('<%= $local %>', {'x' => 1})",
            r#"inline_epp('<%= "x ${local} y" %>')"#,
            "inline_template('<%= scope.lookupvar(%q(local)) %>')",
            "'<%= $local %>'.inline_epp",
            "inline_template('a', '<%= @local %>')",
            "inline_epp(file('m/x.epp'))",
        ] {
            refused(&tree(call), "other", "the template at manifests/site.pp:2 may read `$local`");
        }
    }

    #[test]
    fn templates_read_names_in_any_notation() {
        let tree = |text: &str| {
            format!(
                "
            //- /modules/ntp/manifests/init.pp
            class ntp($po$0rt = 1) {{ $x = template('ntp/a.erb') }}
            //- /modules/ntp/templates/a.erb
            {text}
            "
            )
        };
        assert!(renamed(&tree("the port <%# port %> (port) <%= @x.port %>"), "listen").is_ok());
        assert!(renamed(&tree("<% if has_variable?('port') %><%= @port %><% end %>"), "listen").is_ok());
        for text in
            ["<%= scope.lookupvar(%q(port)) %>", "<%= vars['port'] %>", "<%= \"#{@a.port} #{x}port\" %>"]
        {
            refused(&tree(text), "listen", "the template `modules/ntp/templates/a.erb` reads `@port`");
        }
    }

    /// A class with a parameter, in addition to other files.
    fn web(other: &str) -> String {
        format!(
            "//- /modules/a/manifests/web.pp\nclass a::w$0eb($port = 80) {{ notice($port) }}\n\
             //- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n{other}"
        )
    }

    #[test]
    fn strings_that_code_evaluates_are_uses() {
        for code in [
            r#"notice("hello ${b::f('a::web')} there")"#,
            "$l = 'a::web other'.split(' ')",
            "$x = 'see a::web'",
            r#"notice(inline_template("<%= scope['a::web::port'] %> and"))"#,
            "notice(inline_epp('<%= $a::web::port %> and'))",
        ] {
            refused(
                &web(&format!("//- /manifests/site.pp\n{code}\n")),
                "a::site",
                "`a::web` appears at manifests/site.pp:1, in what may use it and cannot be changed",
            );
        }
        for code in [
            "fail('use a::web, please')",
            r#"warning "no ${x} in a::web""#,
            "notify { 'x': message => 'a::web is here' }",
        ] {
            let found = renamed(&web(&format!("//- /manifests/site.pp\n{code}\n")), "a::site");
            assert!(found.is_ok(), "{code}: {found:?}");
        }
    }

    #[test]
    fn data_that_nothing_is_known_to_read_may_name_a_class() {
        let data = "//- /hieradata/node.yaml\na::web::port: 3\n";
        refused(
            &web(data),
            "a::site",
            "`a::web` appears at hieradata/node.yaml:1, in what may use it and cannot be changed",
        );
        let config = "
            //- /modules/a/manifests/web.pp
            class a::w$0eb($port = 80) { notice($port) }
            //- /hiera.yaml
            version: 5
            defaults: {datadir: '/etc/code/%{environment}/hieradata', data_hash: yaml_data}
            hierarchy: [{name: a, path: a.yaml}]
            ";
        refused(
            config,
            "a::site",
            "`hiera.yaml` reads data in `/etc/code`, outside of the environment, which may name it",
        );
    }

    #[test]
    fn tests_are_named_in_a_note() {
        let fixture =
            Fixture::new(&web("//- /modules/a/spec/classes/web_spec.rb\ndescribe 'a::web' do\nend\n"));
        let found = rename(fixture.db(), fixture.cursor(), "a::site").expect("a new name");
        let note = "a test names `a::web` at modules/a/spec/classes/web_spec.rb:1";
        assert!(found.notes.iter().any(|it| it == note), "{:?}", found.notes);
    }

    #[test]
    fn attributes_of_references_are_renamed() {
        check(
            "
            //- /manifests/site.pp
            $r = Class['a::web']
            notice(Class['a::web']['port'], getparam(Class['a::web'], 'port'), $r['port'], $x['port'])
            //- /modules/a/manifests/web.pp
            class a::web($po$0rt = 80) { }
            ",
            "listen",
            "
            //- /manifests/site.pp
            $r = Class['a::web']
            notice(Class['a::web']['listen'], getparam(Class['a::web'], 'listen'), $r['listen'], $x['port'])
            //- /modules/a/manifests/web.pp
            class a::web($listen = 80) { }
            ",
        );
        check(
            "
            //- /manifests/site.pp
            notice(M::D['x']['a'])
            //- /modules/m/manifests/d.pp
            define m::d($$0a) { }
            ",
            "b",
            "
            //- /manifests/site.pp
            notice(M::D['x']['b'])
            //- /modules/m/manifests/d.pp
            define m::d($b) { }
            ",
        );
    }

    #[test]
    fn hashes_of_a_computed_declaration_are_searched_everywhere() {
        let tree = |hash: &str, other: &str| {
            format!(
                "
            //- /modules/m/manifests/d.pp
            define m::d($$0alpha) {{ notice($alpha) }}
            //- /hiera.yaml
            version: 5
            hierarchy: [{{name: a, path: a.yaml}}, {{name: b, path: b.json, data_hash: json_data}}]
            //- /manifests/site.pp
            create_resources($facts['k'], {hash})
            {other}"
            )
        };
        let lookup = "lookup('all')";
        for (hash, other, reason) in [
            (lookup, "//- /data/a.yaml\n            all: {x: {alpha : 5}}", "`alpha` at data/a.yaml:1"),
            (
                lookup,
                "//- /data/b.json\n            {\"all\": {\"x\": {\"alpha\" : 5}}}",
                "`alpha` at data/b.json:1",
            ),
            (
                lookup,
                "//- /modules/m/files/x.json\n            {\"alpha\": 1}",
                "`alpha` at modules/m/files/x.json:1",
            ),
            (
                lookup,
                "//- /modules/m/lib/puppet/functions/m/h.rb\n            x = { 'alpha' => 1 }",
                "`alpha` at modules/m/lib/puppet/functions/m/h.rb:1",
            ),
            ("parseyaml(@(X))", "  alpha: 1\n              | X", "`alpha` at manifests/site.pp:2"),
            ("parsejson($x)", "", "the function `parsejson` may return `alpha`"),
        ] {
            let error = renamed(&tree(hash, other), "beta").expect_err(reason).0;
            assert!(error.starts_with(reason), "{error}");
        }
        assert!(renamed(&tree(lookup, "//- /data/a.yaml\n            all: {x: {gamma: 5}}"), "beta").is_ok());
    }

    #[test]
    fn what_is_there_already() {
        let tree = "
            //- /manifests/site.pp
            function f($a) { $b = 1; $a$0 + $b }
            ";
        refused(tree, "b", "there is a variable `$b` already");
        refused(
            tree,
            "B",
            "`B` is not a name for a variable: a lower-case letter or `_`, then letters, digits and `_` are",
        );
    }

    #[test]
    fn the_language_keeps_its_names() {
        refused("notice$0('a')", "x", "the function `notice` belongs to the language");
        refused("file$0 { '/a': }", "x", "the resource type `file` is not written in Puppet");
    }
}
