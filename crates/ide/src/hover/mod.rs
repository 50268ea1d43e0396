//! The texts that editors show while the pointer is over a symbol.

mod data_path;
mod escape;
mod expression;
mod puppetfile;
mod resource;
mod samples;
mod task;
mod variable;

pub(crate) use resource::{attribute_documentation, described, metaparameter, summary};
pub use samples::fact_samples;
pub(crate) use variable::shown_type;

use marotte_check::semantics;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_eval::functions::builtin;
use marotte_hir::{Item, ItemKind, places};
use marotte_pcore::print;
use marotte_resolve::ruby::ruby_functions;
use marotte_ruby::core;
use marotte_text::{Str, TextRange, normalized, unrooted};

use crate::data_entries::{entries_of_key, is_secret, shown_value};
use crate::docs::documentation;
use crate::references::references_of;
use crate::signature;
use crate::symbol::Symbol;
use crate::template_values::given;
use crate::token::{Named, slice, tokens_at};
use crate::{Access, Db, FilePosition, bolt};

/// The hover text for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range that the text is about.
    pub range: TextRange,
    /// The text, in Markdown.
    pub markdown: String,
    /// The path of the fact that the text is about, for [`fact_samples`].
    pub fact: Option<Vec<Str>>,
}

/// The hover text of the symbol at a place: the signature and the documentation of a class, resource type, function or alias;
/// the type of a variable or of a fact; the values that an attribute accepts; the values of a key in data, level by level.
///
/// In a string, the character that an escape sequence denotes; in a `hiera.yaml`, the files of a path; in a `Puppetfile`, the
/// purpose of an option. None if the place has no symbol, or if the symbol cannot be
/// resolved. Values that data keeps secret aren't shown.
///
/// For `$port` in a class, the text has its declaration, its documentation from the comment above the class, and its values in
/// data.
pub fn hover(db: &dyn Db, at: FilePosition) -> Option<Hover> {
    let tokens = tokens_at(db, at);
    for token in &tokens {
        let Some(symbol) = Symbol::of(db, at.file, token) else { continue };
        let mut parts = match given(db, at.file, token) {
            Some(places) => variable::of_template(db, at.file, &symbol, &places),
            None => of_symbol(db, at.file, &symbol),
        };
        if let Named::DataKey(key) = &token.named
            && !matches!(symbol, Symbol::DataKey(_) | Symbol::Variable(..))
        {
            parts.extend(of_key(db, environment_of(db, at.file), key));
        }
        if let Symbol::Variable(..) | Symbol::Top(_) = symbol
            && let Some(inferred) = variable::inferred_at(db, token)
        {
            parts.insert(1.min(parts.len()), inferred);
        }
        if let Named::Task(name) = &token.named {
            parts = task::of_task(db, at.file, name);
        }
        if let Named::Rendered(_) = &token.named {
            parts.extend(other_renderers(db, at.file, &symbol, token));
        }
        if !parts.is_empty() {
            let fact = match symbol {
                Symbol::Fact(path) => Some(path),
                _ => None,
            };
            return Some(Hover { range: token.range, markdown: parts.join("\n\n"), fact });
        }
    }
    expression::hover(db, at)
        .or_else(|| escape::hover(db, at))
        .or_else(|| data_path::hover(db, at))
        .or_else(|| puppetfile::hover(db, at))
}

/// The other meanings of a variable in a template that several classes render.
fn other_renderers<'db>(
    db: &'db dyn Db,
    template: File,
    first: &Symbol<'db>,
    token: &crate::token::Token<'db>,
) -> Option<String> {
    let others = Symbol::all_of(db, template, token).into_iter().filter(|it| it != first);
    let others: Vec<String> = others
        .filter_map(|it| match it {
            Symbol::Variable(item, ..) => Some(format!("`{}`", unrooted(item.name(db)))),
            _ => None,
        })
        .collect();
    (!others.is_empty())
        .then(|| format!("Or the variable of {}, which also renders this template.", others.join(", ")))
}

/// The parts of the hover text of a symbol, as seen from a file.
pub(crate) fn of_symbol<'db>(db: &'db dyn Db, from: File, symbol: &Symbol<'db>) -> Vec<String> {
    let environment = environment_of(db, from);
    match symbol {
        Symbol::Item(item) => of_item(db, *item),
        Symbol::Variable(item, frame, name) => variable::of_variable(db, *item, *frame, name),
        Symbol::Top(name) => variable::of_top(db, from, name, symbol),
        Symbol::Implicit(_, name) => vec![code(&format!("${name}")), variable::implicit(name).to_owned()],
        Symbol::Fact(path) => vec![variable::of_fact(db, environment, path)],
        Symbol::BuiltinFunction(name) => {
            let mut parts = vec![signatures(db, from, name, symbol)];
            parts.extend(builtin(name).map(|it| it.doc.to_owned()));
            parts
        }
        Symbol::BoltFunction(name) => {
            let mut parts = vec![signatures(db, from, name, symbol)];
            parts.extend(bolt::function(name).map(|it| it.doc.to_owned()));
            parts.push("A function of Bolt.".to_owned());
            parts
        }
        Symbol::RubyFunction(file, name) => of_ruby_function(db, from, *file, name, symbol),
        Symbol::BuiltinType(name) => vec![code(name), "A type of the language.".to_owned()],
        Symbol::RubyType(file, name) => {
            vec![code(name), format!("A data type in Ruby: `{}`.", shown_path(db, environment, *file))]
        }
        Symbol::CoreType(name) | Symbol::RubyResourceType(_, name) => resource::of_type(db, from, name),
        Symbol::Attribute(type_name, name) => resource::of_attribute(db, from, type_name, name),
        Symbol::Metaparameter(name) => {
            let documentation = core::metaparameter_documentation(name).map(str::to_owned);
            [code(name), resource::metaparameter(name).to_owned()].into_iter().chain(documentation).collect()
        }
        Symbol::Resource(type_name, _) => {
            let mut parts = vec![code(&symbol.name(db))];
            let declared = crate::definition::targets(db, from, symbol);
            let files = declared.iter().map(|it| format!("`{}`", shown_path(db, environment, it.full.file)));
            let files: std::collections::BTreeSet<String> = files.collect();
            parts.push(match files.is_empty() {
                true => format!("A resource of the type `{type_name}`."),
                false => {
                    let files: Vec<String> = files.into_iter().collect();
                    format!("A resource of the type `{type_name}`, declared in {}.", files.join(", "))
                }
            });
            parts
        }
        Symbol::DataKey(key) => {
            let mut parts = vec![format!("```yaml\n{key}:\n```")];
            parts.extend(of_key(db, environment, key));
            parts.extend(readers(db, from, symbol));
            parts
        }
        Symbol::File(file) => vec![format!("`{}`", shown_path(db, environment, *file))],
    }
}

fn of_item(db: &dyn Db, item: Item<'_>) -> Vec<String> {
    let mut parts = Vec::new();
    if item.kind(db) == ItemKind::TypeAlias {
        let text = source_text(db, item.file(db)).text();
        let map = places(db, item).map;
        let target = item.body(db).statements.first().and_then(|it| map.place(*it));
        let written = target.map(|it| slice(text, it.range).to_owned()).unwrap_or_default();
        parts.push(code(&format!("type {} = {written}", item.name(db))));
        if let Some(resolved) = semantics::aliased_type(db, item).map(|it| print::expanded(&it))
            && resolved.split_whitespace().ne(written.split_whitespace())
        {
            parts.push(format!("That is `{resolved}`."));
        }
    } else {
        parts.push(code(&signature::of_item(db, item).text()));
    }
    parts.extend(documentation(db, item).map(|it| it.markdown()));
    parts
}

fn of_ruby_function<'db>(
    db: &'db dyn Db,
    from: File,
    file: File,
    name: &str,
    symbol: &Symbol<'db>,
) -> Vec<String> {
    let functions = ruby_functions(db, file);
    let mut parts = vec![signatures(db, from, name, symbol)];
    let modern = functions.functions.iter().find(|it| normalized(&it.name) == name);
    let legacy = functions.legacy.iter().find(|it| normalized(&it.name) == name);
    let doc = modern.map(|it| it.doc.as_ref()).or_else(|| legacy.map(|it| it.doc.as_ref())).flatten();
    parts.extend(doc.map(|it| crate::Documentation::read(it).markdown()));
    parts.push(format!("A function in Ruby: `{}`.", shown_path(db, environment_of(db, from), file)));
    parts
}

fn signatures<'db>(db: &'db dyn Db, from: File, name: &str, symbol: &Symbol<'db>) -> String {
    let all = signature::of_function(db, from, name, symbol);
    if all.is_empty() {
        return code(&format!("{name}(…)"));
    }
    code(&all.iter().map(signature::Signature::text).collect::<Vec<_>>().join("\n"))
}

/// The values of a key in data, level by level.
pub(crate) fn of_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<String> {
    let entries = entries_of_key(db, environment, key);
    if entries.is_empty() {
        return Vec::new();
    }
    let is_secret = is_secret(db, environment, key, &entries);
    let mut parts = vec!["**In data**".to_owned()];
    for entry in &entries {
        let path = shown_path(db, environment, entry.file);
        let value = if is_secret { None } else { shown_value(db, entry) };
        parts.push(match value {
            None => format!("`{path}`: not shown, because it is secret"),
            Some(value) if value.contains('\n') => format!("`{path}`:\n\n```yaml\n{value}\n```"),
            Some(value) => format!("`{path}`: `{value}`"),
        });
    }
    vec![parts.join("\n\n")]
}

/// The places that look up a key.
fn readers<'db>(db: &'db dyn Db, from: File, symbol: &Symbol<'db>) -> Option<String> {
    const MOST: usize = 5;
    let environment = environment_of(db, from);
    let all = references_of(db, from, symbol).into_iter().filter(|(_, it)| it.access == Access::Read);
    let all: Vec<String> = all
        .map(|(it, _)| {
            let line = source_text(db, it.file).line_index().position(it.range.start()).line;
            format!("`{}:{line}`", shown_path(db, environment, it.file))
        })
        .collect();
    let more = if all.len() > MOST { format!(" and {} more", all.len() - MOST) } else { String::new() };
    (!all.is_empty()).then(|| format!("Read at {}{more}", all[..all.len().min(MOST)].join(", ")))
}

/// The path of a file, relative to the environment if it is in there.
pub(crate) fn shown_path(db: &dyn Db, environment: Environment, file: File) -> String {
    let path = file.path(db);
    let below = environment.root(db).and_then(|root| path.strip_prefix(root).ok());
    below.unwrap_or(path).to_string()
}

/// Formats a code block in Markdown.
pub(crate) fn code(text: &str) -> String {
    format!("```puppet\n{text}\n```")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Fixture, assert_text};

    #[track_caller]
    fn check(tree: &str, expected: &str) {
        let fixture = Fixture::new(tree);
        let found = hover(fixture.db(), fixture.cursor()).expect("there is something to say");
        assert_text(&found.markdown, expected);
    }

    #[test]
    fn classes_have_signatures_and_documentation() {
        check(
            "
            //- /manifests/site.pp
            include nt$0p
            //- /modules/ntp/manifests/init.pp
            # @summary Keeps time
            #
            # @param port Where it listens
            class ntp(Integer $port = 123, Sensitive[String] $key = Sensitive('x')) inherits ntp::params { }
            ",
            "
            ```puppet
            class ntp(
              Integer $port = 123,
              Sensitive[String] $key = Sensitive(…),
            ) inherits ntp::params
            ```

            Keeps time

            **Parameters**

            - `$port`: Where it listens
            ",
        );
    }

    #[test]
    fn functions_of_bolt() {
        check(
            "
            //- /modules/m/plans/init.pp
            plan m($targets) { run_co$0mmand('ls', $targets) }
            ",
            "
            ```puppet
            run_command(
              String[1] $command,
              TargetSpec $targets,
              Hash[String[1], Any] $options?,
            ) >> ResultSet
            run_command(
              String[1] $command,
              TargetSpec $targets,
              String $description,
              Hash[String[1], Any] $options?,
            ) >> ResultSet
            ```

            Runs a command on targets. Options: `_catch_errors`, `_env_vars`, `_run_as`.

            A function of Bolt.
            ",
        );
    }

    #[test]
    fn parameters_have_values_in_data() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            # @param port Where it listens
            class ntp(Integer $port = 123) { notice($po$0rt) }
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, paths: [b.yaml, a.yaml]}]
            //- /data/a.yaml
            ntp::port: 4
            //- /data/b.yaml
            ntp::port: 5
            ",
            "
            ```puppet
            Integer $port = 123
            ```

            A parameter of the class `ntp`.

            Where it listens

            **In data**

            `data/b.yaml`: `5`

            `data/a.yaml`: `4`
            ",
        );
    }

    #[test]
    fn variables_in_erb() {
        check(
            "
            //- /modules/ntp/manifests/init.pp
            class ntp(Integer $port = 123) { $x = template('ntp/a.erb') }
            //- /modules/ntp/manifests/key.pp
            define ntp::key(String $port) { $x = template('ntp/a.erb') }
            //- /modules/ntp/templates/a.erb
            <%= @po$0rt %>
            ",
            "
            ```puppet
            Integer $port = 123
            ```

            A parameter of the class `ntp`.

            Or the variable of `ntp::key`, which also renders this template.
            ",
        );
        check(
            "
            //- /modules/ntp/templates/a.erb
            <%= @hostna$0me %>
            ",
            "
            ```puppet
            $facts['hostname']
            ```

            A fact: `Optional[String]`
            ",
        );
    }

    #[test]
    fn secrets_are_not_shown() {
        let tree = "
            //- /modules/ntp/manifests/init.pp
            class ntp(String $ke$0y) { }
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            lookup_options: {'ntp::key': {convert_to: TYPE}}
            ntp::key: abc
            ";
        for name in ["Sensitive", "'Array[Sensitive[Integer]]'", "['Ntp::Secret']"] {
            check(
                &tree.replace("TYPE", name),
                "
                ```puppet
                String $key
                ```

                A parameter of the class `ntp`.

                **In data**

                `data/a.yaml`: not shown, because it is secret
                ",
            );
        }
    }

    #[test]
    fn keys_of_data_say_who_reads_them() {
        check(
            "
            //- /manifests/site.pp
            $x = lookup('servers')
            //- /hiera.yaml
            version: 5
            hierarchy: [{name: a, path: a.yaml}]
            //- /data/a.yaml
            serv$0ers: [a, b]
            ",
            "
            ```yaml
            servers:
            ```

            **In data**

            `data/a.yaml`: `[a, b]`

            Read at `manifests/site.pp:1`
            ",
        );
    }

    #[test]
    fn variables_have_inferred_types() {
        check(
            "
            //- /manifests/site.pp
            function f(Integer $a) {
              $b = [$a, 'x']
              $b$0
            }
            ",
            "
            ```puppet
            $b = [$a, 'x']
            ```

            Its type here: `Tuple[Integer, String]`
            ",
        );
    }

    #[test]
    fn types_of_variables_of_the_compiler_are_shown_once() {
        for (name, text) in [("facts", "Hash[String, Any]"), ("environment", "String")] {
            let code = format!("notice(${name}$0)");
            check(&code, &format!("```puppet\n$::{name}\n```\n\nThe compiler sets it: `{text}`"));
        }
        let fixture = Fixture::new("class c { notice($trus$0ted) }");
        let found = hover(fixture.db(), fixture.cursor()).expect("there is something to say");
        assert_eq!(found.markdown.matches("'certname' => ").count(), 1, "{}", found.markdown);
    }

    #[test]
    fn tags_of_comments_are_in_words() {
        check(
            "
            //- /modules/m/functions/f.pp
            # @param opts How
            # @option opts [String] :a An option
            # @deprecated use n
            # @api private
            function m::f(Hash $opts) { $op$0ts }
            ",
            "
            ```puppet
            Hash $opts
            ```

            A parameter of the function `m::f`.

            How
              - `:a` (`String`): An option
            ",
        );
    }

    #[test]
    fn functions_of_the_language() {
        check(
            "
            //- /manifests/site.pp
            $x = [1].fla$0tten
            ",
            "
            ```puppet
            flatten(Any *$args)
            ```

            Makes one array of all arguments, and of what is in arrays among them, however deep: `flatten(1, [2, [3]])` is `[1, 2, 3]`. Hashes stay as they are.
            ",
        );
    }

    #[test]
    fn facts_have_types() {
        check(
            "
            //- /manifests/site.pp
            notice($facts['os']['fam$0ily'])
            ",
            "
            ```puppet
            $facts['os']['family']
            ```

            A fact: `Optional[String]`

            Usual values: `AIX`, `Alpine`, `Archlinux`, `Darwin`, `Debian`, `FreeBSD`, `Gentoo`, `Mandrake`, `OpenBSD`, `RedHat`, `Solaris`, `Suse`, `windows`
            ",
        );
    }

    #[test]
    fn aliases_are_followed() {
        check(
            "
            //- /modules/m/manifests/init.pp
            class m(M::Po$0rts $p) { }
            //- /modules/m/types/ports.pp
            type M::Ports = Array[M::Port]
            //- /modules/m/types/port.pp
            type M::Port = Integer[0, 65535]
            ",
            "
            ```puppet
            type M::Ports = Array[M::Port]
            ```

            That is `Array[M::Port = Integer[0, 65535]]`.
            ",
        );
    }

    #[test]
    fn attributes_say_what_they_accept() {
        check(
            "
            //- /manifests/site.pp
            service { 'a': ensu$0re => running }
            ",
            "
            ```puppet
            service: ensure
            ```

            A property. Values: `stopped` (`false`), `running` (`true`)

            Whether a service should be running. Default values depend on the platform.
            ",
        );
    }
}
