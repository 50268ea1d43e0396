//! The names in the code of a template in ERB that stand alone, and are neither local variables nor methods.

use std::collections::BTreeSet;

use crate::program::{Mention, Program, SyntaxError};
use crate::vm::known_methods;

/// The names of a template's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateNames {
    /// The names that are not defined, each with the first line that has it, from 1.
    pub undefined: Vec<(String, u32)>,
    /// The local variables.
    pub local: BTreeSet<String>,
}

/// Words by which code defines names that cannot be told from its text, or expects that some are not defined.
const DYNAMIC: [&str; 20] = [
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
    let mentions = Program::names_in_template(path, text.as_bytes())?;
    if code(text).any(|code| DYNAMIC.iter().any(|it| code.contains(it))) {
        return Ok(None);
    }
    let mut found = TemplateNames::default();
    let mut seen = BTreeSet::new();
    for mention in mentions {
        match mention {
            Mention::Alone { name, line } if !is_method(&name) && seen.insert(name.clone()) => {
                found.undefined.push((name, line));
            }
            Mention::Local { name } => _ = found.local.insert(name),
            _ => {}
        }
    }
    Ok(Some(found))
}

/// The texts of a template's tags, comments included.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split("<%").skip(1).map(|it| it.split("%>").next().unwrap_or(it))
}

/// Whether a name is the one of a method that can be called in a template without a receiver.
fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
        || name.ends_with(['?', '!'])
        || OF_TEMPLATES.iter().any(|class| known_methods(class).any(|it| it == name))
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
