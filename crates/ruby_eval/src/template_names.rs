//! The names in the code of a template in ERB that stand alone, and are neither local variables nor methods.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::program::{Mention, Program, SyntaxError};
use crate::vm::{is_known_method, is_method_of_any, known_methods};

/// The names of a template's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateNames {
    /// The names that are not defined, each with the first line that has it, from 1.
    pub undefined: Vec<(String, u32)>,
    /// The local variables, if there are names that are not defined.
    pub local: BTreeSet<String>,
    /// The methods that are called on something and that no class of Ruby or Puppet has, in order, each once.
    pub methods: Vec<UnknownMethod>,
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

/// Code that defines names which its text does not determine, or that expects some names to be undefined.
#[expect(clippy::expect_used, reason = "a literal")]
static DYNAMIC: LazyLock<Regex> = LazyLock::new(|| {
    const WORDS: [&str; 20] = [
        "def ",
        "define_method",
        "define_singleton_method",
        "eval",
        "instance_exec",
        "class_exec",
        "binding",
        "require",
        "load",
        "include ",
        "extend ",
        "defined?",
        "has_variable?",
        "local_variables",
        "method(",
        "respond_to?",
        "rescue",
        "method_missing",
        "(?<",
        "singleton_class",
    ];
    Regex::new(&WORDS.map(regex::escape).join("|")).expect("words")
});

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

/// Finds the names in a template. None if its code defines names that cannot be told from its text.
///
/// # Errors
/// If the Ruby code in it has errors: the first one, with the line of the template.
pub fn template_names(path: &str, text: &str) -> Result<Option<TemplateNames>, SyntaxError> {
    let is_dynamic = || code(text).any(|code| DYNAMIC.is_match(code));
    if has_known_names(text) {
        return Ok((!is_dynamic()).then(TemplateNames::default));
    }
    let found = names_in_full(path, text)?;
    Ok((!is_dynamic()).then_some(found))
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
            Mention::Call { receiver: None, has_receiver: true, name, line, on_scope, .. }
                if is_unknown_method(&name) && !found.methods.iter().any(|it| it.name == name) =>
            {
                found.methods.push(UnknownMethod { name, line, on_scope });
            }
            _ => {}
        }
    }
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
    })
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
        template_names("t.erb", text).ok()?.map(|it| it.undefined.into_iter().map(|it| it.0).collect())
    }

    #[test]
    fn names_that_stand_alone_are_variables_or_methods() {
        for (text, expected) in [
            ("<% list = [1] -%>\n<% lst.each do |x| -%><%= x %><% end %>", Some(vec!["lst"])),
            ("<%= port %>\n<%= port %>", Some(vec!["port"])),
            ("<% @a.each do |k, v| %><%= k %><%= v %><% end %>", Some(vec![])),
            ("<% if false then x = 1 end %><%= x %>", Some(vec![])),
            ("<%= scope['a'] %><%= raise 'x' %><%= puts %><%= rand %>", Some(vec![])),
            ("<%= defined?(x) ? x : 1 %>", None),
            ("<% def x; 1; end %><%= x %>", None),
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
            Some(found?.methods.into_iter().map(|it| (it.name, it.line, it.on_scope)).collect::<Vec<_>>())
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
            ("<% def srot; 1; end %><%= srot %>", None),
        ] {
            assert_eq!(methods(text), expected, "{text}");
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
