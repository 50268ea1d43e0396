//! The names in the code of a template in ERB that stand alone, and are neither local variables nor methods.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use marotte_text::ascii_regex;
use rapidfuzz::distance::osa;
use regex::Regex;

use crate::program::{Mention, Program, SyntaxError};
use crate::vm::{is_known_class, is_known_method, is_method_of_any, known_methods};

/// The names of a template's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateNames {
    /// The names that are not defined, each with the first line that has it, from 1.
    pub undefined: Vec<(String, u32)>,
    /// The local variables, if there are names that are not defined.
    pub local: BTreeSet<String>,
    /// The methods that are called on something and that no class of Ruby or Puppet has, in order, each once.
    pub methods: Vec<UnknownMethod>,
    /// The constants that are a slip of one of Ruby or Puppet, in order, each once.
    pub constants: Vec<Misspelled>,
    /// The calls without a receiver, but with arguments, that are a slip of a keyword or of a method, in order, each once.
    pub calls: Vec<Misspelled>,
}

/// A name with a slip in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelled {
    /// The name as written.
    pub name: String,
    /// The name that is meant.
    pub meant: &'static str,
    /// The first line that has it, from 1.
    pub line: u32,
}

/// A method that is called and that no class has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod {
    /// The name.
    pub name: String,
    /// The first line that calls it, from 1.
    pub line: u32,
    /// Whether it is called on the scope.
    pub on_scope: bool,
    /// The class or module that it is called on, if that is a constant.
    pub receiver: Option<String>,
}

/// The names of the methods that a class or module of Ruby or Puppet has itself, without those of all modules.
pub fn methods_of_constant(path: &str) -> impl Iterator<Item = &'static str> {
    known_methods(&format!("{}.", path.trim_start_matches("::")))
}

/// The names of the methods that the values of templates have, or of those that the scope has.
pub fn usual_methods(on_scope: bool) -> impl Iterator<Item = &'static str> {
    const OF_VALUES: [&str; 11] = [
        "String#",
        "Array#",
        "Hash#",
        "Enumerable#",
        "Integer#",
        "Float#",
        "Numeric#",
        "Comparable#",
        "NilClass#",
        "Object#",
        "Kernel#",
    ];
    const OF_SCOPES: [&str; 1] = ["Puppet::Parser::Scope#"];
    let classes: &[&str] = if on_scope { &OF_SCOPES } else { &OF_VALUES };
    classes.iter().flat_map(|it| known_methods(it))
}

/// Words of code that creates objects with methods that its text does not determine.
const MAKES_OBJECTS: [&str; 3] = ["Struct", "Class.new", "Module.new"];

/// The variable to which the compiled code of a template appends.
const BUFFER: &str = "_erbout";

/// Code that expects that methods are missing, or defines some by names that its text does not determine.
static DEFINES_METHODS: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(
        r"\b(?:def|define_method|define_singleton_method|method_missing|singleton_class|(?:class|module|instance)_(?:eval|exec)|rescue)\b|respond_to\?|(?:^|[;\n])\s*(?:include|extend|prepend)[ (]",
    )
});

/// Code that defines names which its text does not determine, or that expects some names to be undefined.
static DEFINES_NAMES: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(r"\b(?:eval|instance_eval|binding|load|autoload|local_variables|method)\b|\(\?<")
});

/// A statement that loads a library.
static REQUIRE: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(r#"(?:^|[;\n])\s*require(?:_relative)?(?:[\s(]+["'](?P<library>[\w/.-]+)["'])?"#)
});

/// Libraries of Ruby that templates load.
const LIBRARIES: [&str; 22] = [
    "base64",
    "bigdecimal",
    "cgi",
    "csv",
    "date",
    "digest",
    "erb",
    "fileutils",
    "ipaddr",
    "json",
    "open3",
    "openssl",
    "ostruct",
    "pathname",
    "resolv",
    "securerandom",
    "set",
    "shellwords",
    "socket",
    "time",
    "uri",
    "yaml",
];

/// The names that the code asks for: `defined?(name)`, `has_variable?('name')`, `:name`.
static ASKED: LazyLock<Regex> =
    LazyLock::new(|| ascii_regex(r#"(?:defined\?[\s(]*|["':])(?P<name>[a-z_]\w*)"#));

/// A call without a receiver whose arguments follow, with or without parentheses.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    ascii_regex(r#"(?:^|[^\w.@$:'"])(?P<name>[a-z]\w*)(?:\(|[ \t]+(?:[@"'!(\[]|(?P<next>[a-z]\w*)))"#)
});

/// A constant at the start of a path.
static CONSTANT: LazyLock<Regex> = LazyLock::new(|| ascii_regex(r"(?:^|[^\w.:@$])(?:::)?(?P<name>[A-Z]\w*)"));

/// The keywords of Ruby.
const KEYWORDS: [&str; 29] = [
    "alias", "and", "begin", "break", "case", "def", "defined?", "do", "else", "elsif", "end", "ensure",
    "false", "for", "if", "in", "next", "nil", "not", "or", "rescue", "return", "self", "then", "true",
    "unless", "until", "when", "while",
];

/// The keywords that names are compared with: the others are too short for a certain slip.
const COMPARED_KEYWORDS: [&str; 9] =
    ["begin", "case", "else", "elsif", "ensure", "rescue", "return", "unless", "while"];

/// The constants that templates use most, and those with long names.
const FREQUENT_CONSTANTS: [&str; 45] = [
    "ArgumentError",
    "Array",
    "Base64",
    "Comparable",
    "Date",
    "DateTime",
    "Digest",
    "Dir",
    "ENV",
    "ERB",
    "Encoding",
    "Enumerable",
    "Exception",
    "Facter",
    "FalseClass",
    "File",
    "FileUtils",
    "Float",
    "Hash",
    "IPAddr",
    "Integer",
    "JSON",
    "Kernel",
    "Math",
    "NilClass",
    "Numeric",
    "Object",
    "OpenSSL",
    "Pathname",
    "Process",
    "Puppet",
    "Random",
    "Range",
    "Regexp",
    "SecureRandom",
    "Set",
    "Shellwords",
    "Socket",
    "StandardError",
    "String",
    "StringIO",
    "Symbol",
    "Time",
    "TrueClass",
    "YAML",
];

/// The classes and modules whose methods are those of the object that renders a template.
const OF_TEMPLATES: [&str; 8] = [
    "Kernel#",
    "Kernel.",
    "Object#",
    "Object.",
    "BasicObject#",
    "Puppet::Util#",
    "Puppet::Util::Logging#",
    "Puppet::Parser::TemplateWrapper#",
];

/// Methods of the object that renders a template, and of objects in general.
const METHODS: [&str; 16] = [
    // Local variables of the method that renders it.
    "escaped_template_source",
    "string",
    "template",
    "template_source",
    "file",
    "scope",
    "script_line",
    "classes",
    "tags",
    "all_tags",
    "result",
    "to_s",
    "info",
    "notice",
    "err",
    "benchmark",
];

/// Finds the names in a template.
///
/// # Errors
/// If the Ruby code in it has errors: the first one, with the line of the template.
pub fn template_names(path: &str, text: &str) -> Result<TemplateNames, SyntaxError> {
    if has_known_names(text) {
        return Ok(TemplateNames::default());
    }
    let mut found = names_in_full(path, text)?;
    let has = |pattern: &Regex| code(text).any(|code| pattern.is_match(code));
    let defines_methods = has(&DEFINES_METHODS);
    if defines_methods {
        found.methods.clear();
        found.calls.clear();
    }
    if defines_methods || has(&DEFINES_NAMES) || code(text).any(requires_unknown) {
        found.undefined.clear();
    }
    if !found.undefined.is_empty() {
        let asked: BTreeSet<&str> = code(text)
            .flat_map(|it| ASKED.captures_iter(it).filter_map(|it| Some(it.name("name")?.as_str())))
            .collect();
        found.undefined.retain(|(name, _)| !asked.contains(name.as_str()));
    }
    Ok(found)
}

/// Whether code loads a library that may define methods for all objects. Those of Ruby don't, but for the few that are known.
fn requires_unknown(code: &str) -> bool {
    REQUIRE.captures_iter(code).any(|it| {
        let library = it.name("library").map_or("", |it| it.as_str());
        !LIBRARIES.contains(&library.split('/').next().unwrap_or_default())
    })
}

/// Finds the names with the complete parser.
fn names_in_full(path: &str, text: &str) -> Result<TemplateNames, SyntaxError> {
    let mentions = Program::names_in_template(path, text.as_bytes())?;
    let mut found = TemplateNames::default();
    let mut seen = BTreeSet::new();
    for mention in mentions {
        match mention {
            Mention::Alone { name, line } if !is_method(&name) && seen.insert(name.clone()) => {
                found.undefined.push((name, line));
            }
            Mention::Local { name } => _ = found.local.insert(name),
            // Methods of other constants than Ruby's may be defined by any library.
            Mention::Call { receiver, has_receiver: true, name, line, on_scope, .. }
                if receiver.as_deref().is_none_or(is_known_class)
                    && is_unknown_method(&name)
                    && !found.methods.iter().any(|it| it.name == name) =>
            {
                found.methods.push(UnknownMethod { name, line, on_scope, receiver });
            }
            Mention::Call { has_receiver: false, name, line, .. } => {
                if let Some(meant) = misspelled_call(&name)
                    && !found.calls.iter().any(|it| it.name == name)
                {
                    found.calls.push(Misspelled { name, meant, line });
                }
            }
            Mention::Constant { name, line } => {
                if let Some(meant) = misspelled_constant(&name)
                    && !found.constants.iter().any(|it| it.name == name)
                {
                    found.constants.push(Misspelled { name, meant, line });
                }
            }
            _ => {}
        }
    }
    found.calls.retain(|it| !seen.contains(&it.name) && !found.local.contains(&it.name));
    if code(text).any(|code| MAKES_OBJECTS.iter().any(|it| code.contains(it))) {
        found.methods.clear();
    }
    Ok(found)
}

/// Whether the code of a template certainly has no error and no names that are not defined, as far as a fast parser of common Ruby
/// sees that.
fn has_known_names(text: &str) -> bool {
    Program::code_of_template(text.as_bytes()).is_some_and(|code| {
        let names = marotte_ruby::lone_names(&code);
        names.is_some_and(|it| it.into_iter().all(|name| name == BUFFER || is_method(name)))
            && !called(&code).any(is_unknown_method)
            && !commands(&code).any(|it| misspelled_call(it).is_some())
            && !constants(&code).any(|it| misspelled_constant(it).is_some())
    })
}

/// The words that arguments follow.
fn commands(code: &str) -> impl Iterator<Item = &str> {
    COMMAND.captures_iter(code).filter_map(|it| {
        let is_command = it.name("next").is_none_or(|next| !KEYWORDS.contains(&next.as_str()));
        it.name("name").map(|it| it.as_str()).filter(|_| is_command)
    })
}

/// The words that may be constants.
fn constants(code: &str) -> impl Iterator<Item = &str> {
    CONSTANT.captures_iter(code).filter_map(|it| it.name("name").map(|it| it.as_str()))
}

/// The keyword or method that is certainly meant by the name of a call without a receiver.
fn misspelled_call(name: &str) -> Option<&'static str> {
    const METHODS: [&str; 11] = [
        "Array", "Float", "Hash", "Integer", "String", "format", "print", "puts", "raise", "rand", "sprintf",
    ];
    let is_free = !KEYWORDS.contains(&name) && !is_method(name) && !is_method_of_any(name);
    is_free.then(|| certainly(name, COMPARED_KEYWORDS.into_iter().chain(METHODS))).flatten()
}

/// The constant of Ruby or Puppet that is certainly meant by another one at the start of a path.
fn misspelled_constant(path: &str) -> Option<&'static str> {
    let first = path.trim_start_matches("::").split("::").next().unwrap_or_default();
    if is_known_class(first) || FREQUENT_CONSTANTS.contains(&first) {
        return None;
    }
    certainly(first, FREQUENT_CONSTANTS)
}

/// The name that is one typo away, unless the other one has a letter more at its end, as plurals do.
fn certainly(name: &str, known: impl IntoIterator<Item = &'static str>) -> Option<&'static str> {
    const SHORTEST: usize = 4;
    const SHORTEST_REPLACED: usize = 5;
    if name.len() < SHORTEST {
        return None;
    }
    // Another letter makes another short word.
    let is_replaced = |it: &str| {
        it.len() == name.len()
            && it.bytes().zip(name.bytes()).filter(|(one, other)| one != other).count() == 1
    };
    let is_it = |it: &&'static str| {
        it.len() >= SHORTEST
            && it.as_bytes().first() == name.as_bytes().first()
            && !name.starts_with(*it)
            && osa::distance(it.chars(), name.chars()) == 1
            && (it.len() >= SHORTEST_REPLACED || !is_replaced(it))
    };
    known.into_iter().find(is_it)
}

/// The words that follow a dot in a text: names of methods, and parts of literals.
fn called(code: &str) -> impl Iterator<Item = &str> {
    code.split('.').skip(1).map(|rest| {
        let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(rest.len());
        let end = if rest[end..].starts_with(['?', '!']) { end + 1 } else { end };
        &rest[..end]
    })
}

/// Whether a name can only be that of a method, and no class of Ruby or Puppet has one. The scope also calls functions by methods.
fn is_unknown_method(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && !name.ends_with('=')
        && !name.starts_with("function_")
        && !is_method_of_any(name)
}

/// The texts of a template's tags, comments included.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split("<%").skip(1).map(|it| it.split("%>").next().unwrap_or(it))
}

/// Whether a name is the one of a method that can be called in a template without a receiver.
fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
        || name.ends_with(['?', '!'])
        || OF_TEMPLATES.iter().any(|class| is_known_method(class, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undefined(text: &str) -> Option<Vec<String>> {
        Some(template_names("t.erb", text).ok()?.undefined.into_iter().map(|it| it.0).collect())
    }

    #[test]
    fn names_that_stand_alone_are_variables_or_methods() {
        for (text, expected) in [
            ("<% list = [1] -%>\n<% lst.each do |x| -%><%= x %><% end %>", Some(vec!["lst"])),
            ("<%= port %>\n<%= port %>", Some(vec!["port"])),
            ("<% @a.each do |k, v| %><%= k %><%= v %><% end %>", Some(vec![])),
            ("<% if false then x = 1 end %><%= x %>", Some(vec![])),
            ("<%= scope['a'] %><%= raise 'x' %><%= puts %><%= rand %>", Some(vec![])),
            ("<%= defined?(x) ? x : 1 %>", Some(vec![])),
            ("<%= defined?(x) ? x : y %>", Some(vec!["y"])),
            ("<% if scope.include?('x') %><%= x %><% end %>", Some(vec![])),
            ("<% def x; 1; end %><%= x %>", Some(vec![])),
            ("<% eval(@code) %><%= x %>", Some(vec![])),
            ("<% require 'json' %><%= x %>", Some(vec!["x"])),
            ("<% require 'mine' %><%= x %>", Some(vec![])),
            ("<%= @interval %><%= @downloads %><%= x %>", Some(vec!["x"])),
            ("<%= lst.join(' include it ') %>", Some(vec!["lst"])),
            ("<%= helper() %>", Some(vec![])),
            ("<%# lst %> lst", Some(vec![])),
        ] {
            let expected = expected.map(|it| it.into_iter().map(str::to_owned).collect());
            assert_eq!(undefined(text), expected, "{text}");
        }
    }

    #[test]
    fn methods_that_no_class_has_are_told() {
        let methods = |text: &str| {
            let found = template_names("t.erb", text).ok()?;
            Some(found.methods.into_iter().map(|it| (it.name, it.line, it.on_scope)).collect::<Vec<_>>())
        };
        let told = |name: &str, line, on_scope| Some(vec![(name.to_owned(), line, on_scope)]);
        for (text, expected) in [
            ("<%= @list.sort.join(',') %>", Some(vec![])),
            ("\n<%= @list.srot.join(',') %>", told("srot", 2, false)),
            ("<%= @list&.flaten %><%= @other.flaten %>", told("flaten", 1, false)),
            ("<%= scope.lookup_var('a') %>", told("lookup_var", 1, true)),
            ("<%= scope.function_helper(['a']) %>", Some(vec![])),
            ("<%= 'www.example.com' %><%= 1.5 %>", Some(vec![])),
            ("<% @list.each do |it| %><%= it %><% end %>", Some(vec![])),
            ("<%= Other::Library.helpr(1) %>", Some(vec![])),
            ("<%= Struct.new(:port).new(1).port %>", Some(vec![])),
            ("<% def srot; 1; end %><%= srot %>", Some(vec![])),
            ("<% def srot; 1; end %><%= self.srot %>", Some(vec![])),
            ("<%= @list.srot rescue '' %>", Some(vec![])),
            ("<%= instance_variable_get('@a').srot %><%= eval('x') %>", told("srot", 1, false)),
        ] {
            assert_eq!(methods(text), expected, "{text}");
        }
    }

    #[test]
    fn constants_and_keywords_are_compared_with_those_of_ruby() {
        let slips = |text: &str| {
            let found = template_names("t.erb", text).ok()?;
            let all = found.constants.into_iter().chain(found.calls);
            Some(all.map(|it| (it.name, it.meant)).collect::<Vec<_>>())
        };
        let told = |name: &str, meant| Some(vec![(name.to_owned(), meant)]);
        for (text, expected) in [
            ("<%= [@a].is_a?(Arary) %>", told("Arary", "Array")),
            ("<%= Arra(@a).join %>", told("Arra", "Array")),
            ("<%= JSNO.generate(@a) %>", told("JSNO", "JSON")),
            ("<% if @a %>a<% ellsif @b == '1' %>b<% end %>", told("ellsif", "elsif")),
            ("<% rasie 'x' %>", told("rasie", "raise")),
            ("<%= Array(@a).join %><%= Mine::Arary.new %><%= Files.of(@a) %>", Some(vec![])),
            ("<%= Atray(@a) %>", told("Atray", "Array")),
            ("<%= @a.is_a?(Mash) %>", Some(vec![])),
            ("<%= 'an Arary' %>", Some(vec![])),
            ("Arary <%# Arary %>", Some(vec![])),
            ("<% elif = 1 %><%= elif %>", Some(vec![])),
        ] {
            assert_eq!(slips(text), expected, "{text}");
        }
    }

    /// The fast parser claims nothing about a template that the complete one sees differently.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]
    #[expect(clippy::print_stderr, reason = "says why nothing is compared")]
    fn parsers_agree_on_templates_of_modules() {
        let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tree");
        if !corpus.is_dir() {
            assert!(
                std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
                "there is no corpus: run `cargo xtask corpus`"
            );
            eprintln!("not compared with the corpus, which is not here; `cargo xtask corpus` brings it");
            return;
        }
        let (mut open, mut all, mut known) = (vec![corpus], 0, 0);
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let entry = entry.expect("an entry");
                let path = entry.path();
                let kind = entry.file_type().expect("a type");
                if kind.is_dir() {
                    open.push(path);
                } else if kind.is_file() && path.extension().is_some_and(|it| it == "erb") {
                    let text = std::fs::read(&path).expect("a file");
                    let text = String::from_utf8_lossy(&text);
                    all += 1;
                    // Damaged templates, too: without a tag, or with an `end` more.
                    let damaged = [
                        text.replacen("<%", "", 1),
                        text.replacen("%>", "; end %>", 1),
                        text.replacen('=', "", 2),
                    ];
                    known += usize::from(has_known_names(&text));
                    for text in
                        damaged.iter().map(String::as_str).chain([&*text]).filter(|it| has_known_names(it))
                    {
                        let names = names_in_full("t.erb", text);
                        assert!(names.is_ok_and(|it| it.undefined.is_empty()), "{}:\n{text}", path.display());
                    }
                }
            }
        }
        assert!(known * 100 >= all * 75, "{known} of {all}");
    }

    /// Text is left out where that changes nothing; an error is that of the whole template.
    #[test]
    fn the_text_between_tags_changes_nothing() {
        for text in [
            "a \" ' #{b}\n<%= c %>\n\nd<% e.each do |f| %>\n<%= f %>g<% end %>\n<%= h %>",
            "a\n<%# b ' %>\n<%= c \n%>d\n<%- if e -%>\nf\n<%- end -%>\n<%= g %>%>",
            "a\n<% if b %>c",
            "a\n<% b = 'c %>d<% ' %>",
            "a <%= b ? 'c' : \"d\" %> <%= e %>",
        ] {
            let of_tags = Program::names_in_template("t.erb", text.as_bytes());
            let of_all = Program::mentions("t.erb", text.as_bytes(), true);
            // Without the buffer, to which each text is appended.
            let names = |all: Vec<Mention>| -> Vec<String> {
                let name = |it: Mention| match it {
                    Mention::Alone { name, line } => Some(format!("{name} {line}")),
                    Mention::Local { name } => Some(name),
                    _ => None,
                };
                all.into_iter().filter_map(name).filter(|it| it != "_erbout").collect()
            };
            assert_eq!(of_tags.map(names), of_all.map(names), "{text}");
        }
    }
}
