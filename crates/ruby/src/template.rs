//! The Puppet variables that an ERB template reads by name.
//!
//! A lightweight reader: it recognizes tags, comments and quotes, but has no grammar. A variable is left out if the template sets
//! it, or tests anywhere whether it is set.

use std::collections::{BTreeMap, BTreeSet};

use marotte_text::{TextRange, TextSize};

use crate::erb::{self, Tag, code_before, range, tag_at};

/// The variables that a template reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateReads {
    /// The variables of the scope, `@name`, each with where it is read first.
    pub variables: BTreeMap<String, TextRange>,
    /// The variables of the scope that the template tests before use, each with its first place.
    pub asked: BTreeMap<String, TextRange>,
    /// Those of them that are alternatives of others: `@name || @other`.
    pub alternatives: BTreeSet<String>,
    /// The variables of classes, `scope['class::name']`, each with where it is read first.
    pub qualified: BTreeMap<String, TextRange>,
    /// The variables of classes that the template tests before use, each with its first place.
    pub qualified_asked: BTreeMap<String, TextRange>,
    /// Whether it tests variables by their names (`has_variable?('port')`), which tells apart the classes that render it.
    pub tests_names: bool,
    /// The functions that it calls by a literal name, `scope.call_function('name', …)`, each with where it is called first.
    pub functions: BTreeMap<String, TextRange>,
}

/// Words of code that tests whether a variable is set.
const ASKING: [&str; 12] =
    ["if ", "unless ", "elsif ", "if(", "while ", "defined?", "nil?", "&&", "||", " and ", " or ", " ? "];
const DYNAMIC: [&str; 4] = ["instance_variable", "binding", "eval", "has_variable?"];
/// The calls that set variables whose names are computed.
const SETTING: [&str; 3] = ["instance_variable_set", "instance_eval", "instance_exec"];
/// The calls that run code which may set variables.
const RUNNING: [&str; 2] = ["binding", "eval"];

/// Reads a template. None if it sets variables by names that are computed.
pub fn reads(text: &str) -> Option<TemplateReads> {
    let mut reads = TemplateReads::default();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut set: BTreeSet<String> = BTreeSet::new();
    let mut runs_code = false;
    for (start, code) in tags(text) {
        if SETTING.iter().any(|it| code.contains(it)) {
            return None;
        }
        runs_code |= RUNNING.iter().any(|it| has_word(code, it));
        let mut next = start;
        for line in code.split_inclusive('\n') {
            let offset = next;
            next += line.len();
            let (names, code) = variables(line);
            let has_scope = code.contains("scope");
            if code.contains("variable") {
                for (_, name) in quoted_behind(code, &TESTS_BY_NAME) {
                    reads.tests_names = true;
                    asked.insert(name.trim_start_matches('@').to_owned());
                }
            }
            if names.is_empty() && !has_scope {
                continue;
            }
            let asks = ASKING.iter().any(|it| line.contains(it)) || line.contains('!');
            for (at, name) in names {
                let rest = line[at + 1 + name.len()..].trim_start();
                let sets = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~")
                    || rest.starts_with("||=")
                    || rest.starts_with("+=")
                    || rest.starts_with("<<");
                if sets {
                    set.insert(name.to_owned());
                }
                if line.contains("||") || line.contains(" or ") {
                    reads.alternatives.insert(name.to_owned());
                }
                if asks || sets || rest.starts_with("&.") {
                    asked.insert(name.to_owned());
                }
                reads.variables.entry(name.to_owned()).or_insert(range(offset + at, name.len() + 1));
            }
            if !has_scope {
                continue;
            }
            for (at, name) in quoted_behind(code, &CALLS) {
                reads.functions.entry(name.to_owned()).or_insert(range(offset + at, name.len()));
            }
            for (at, name) in quoted_behind(code, &["scope[", "scope.lookupvar(", "scope.lookupvar "]) {
                match name.trim_start_matches("::") {
                    it if it.contains("::") && asks => {
                        let place = range(offset + at, name.len());
                        reads.qualified_asked.entry(it.to_owned()).or_insert(place);
                    }
                    it if it.contains("::") => {
                        reads.qualified.entry(it.to_owned()).or_insert(range(offset + at, name.len()));
                    }
                    it => {
                        asked.insert(it.to_owned());
                    }
                }
            }
        }
    }
    let all = std::mem::take(&mut reads.variables);
    (reads.asked, reads.variables) = all.into_iter().partition(|(name, _)| runs_code || asked.contains(name));
    reads.asked.retain(|name, _| !set.contains(name));
    Some(reads)
}

/// The methods that ask for a variable by its name.
const TESTS_BY_NAME: [&str; 6] = [
    "has_variable?(",
    "has_variable? ",
    "instance_variable_get(",
    "instance_variable_get ",
    "instance_variable_defined?(",
    "instance_variable_defined? ",
];

/// Whether a text contains a word as a whole, and not as a part of the name of a variable.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '@' | '$');
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

/// A name that the code of a template mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateName<'t> {
    /// The kind of the name.
    pub kind: TemplateNameKind,
    /// The name as written: `port`, `ntp::port`, `::port`.
    pub name: &'t str,
    /// The range of the name, without `@` and quotes.
    pub range: TextRange,
}

/// The kind of a [`TemplateName`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateNameKind {
    /// A variable of the scope: `@port`, `scope['port']`.
    Variable,
    /// A function: `scope.call_function('upcase', …)`.
    Function,
}

/// The methods and operators that take the name of a variable.
const BY_NAME: [&str; 8] = [
    "scope[",
    "scope.lookupvar(",
    "scope.lookupvar ",
    "has_variable?(",
    "has_variable? ",
    "scope.include?(",
    "scope.exist?(",
    "scope.bound?(",
];

/// The methods that call a function by its name.
const CALLS: [&str; 2] = ["scope.call_function(", "scope.call_function "];

/// Returns all names that the code of a template mentions literally, in order of position.
pub fn names(text: &str) -> Vec<TemplateName<'_>> {
    let mut found = Vec::new();
    for (start, code) in tags(text) {
        let mut offset = start;
        for line in code.split_inclusive('\n') {
            let mut add = |kind, at: usize, name| {
                found.push(TemplateName { kind, name, range: range(offset + at, str::len(name)) });
            };
            let (variables, code) = variables(line);
            variables.iter().for_each(|(at, name)| add(TemplateNameKind::Variable, at + 1, name));
            for (at, name) in quoted_behind(code, &BY_NAME) {
                add(TemplateNameKind::Variable, at, name);
            }
            for (at, name) in quoted_behind(code, &CALLS) {
                add(TemplateNameKind::Function, at, name);
            }
            offset += line.len();
        }
    }
    found.sort_by_key(|it| it.range.start());
    found
}

/// Whether the code of a template may read variables by names that [`names`] doesn't find, because they are computed.
pub fn has_computed_names(text: &str) -> bool {
    const TESTS: &str = "has_variable?";
    tags(text).any(|(_, code)| {
        let tested =
            code.match_indices(TESTS).map(|(at, it)| code[at + it.len()..].trim_start_matches(['(', ' ']));
        DYNAMIC.iter().any(|it| *it != TESTS && code.contains(it))
            || tested.into_iter().any(|it| !it.starts_with(['\'', '"']))
    })
}

/// The unfinished name before a place of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnfinishedName<'t> {
    /// The kind of the name.
    pub kind: TemplateNameKind,
    /// The part of the name that is written.
    pub written: &'t str,
    /// The name is written as an instance variable, `@port`, which can be neither qualified nor a fact in capitals.
    pub is_instance_variable: bool,
}

/// Returns the unfinished name before a place of a template. None outside of code, in comments, and where nothing takes a name.
pub fn unfinished_name(text: &str, offset: TextSize) -> Option<UnfinishedName<'_>> {
    let code = code_before(text, usize::from(offset))?;
    let line = code.rsplit('\n').next().unwrap_or_default();
    let written = &line
        [line.trim_end_matches(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':')).len()..];
    let rest = &line[..line.len() - written.len()];
    let name = |kind, is_instance_variable| Some(UnfinishedName { kind, written, is_instance_variable });
    if let Some(sigil) = rest.strip_suffix('@') {
        // The reader of names knows which of them are in quotes or comments.
        let is_read = variables(&format!("{sigil}@a")).0.iter().any(|(at, _)| *at == sigil.len());
        return if is_read { name(TemplateNameKind::Variable, true) } else { None };
    }
    let opening = rest.strip_suffix(['\'', '"'])?;
    let ends_with = |all: &[&str]| all.iter().any(|it| opening.ends_with(it));
    if ends_with(&BY_NAME) {
        name(TemplateNameKind::Variable, false)
    } else if ends_with(&CALLS) {
        name(TemplateNameKind::Function, false)
    } else {
        None
    }
}

/// The places of a word in the code on a line of a template, from 1.
pub fn places_of(text: &str, word: &str, line: u32) -> Vec<TextRange> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '@' | '$' | '.');
    let mut found = Vec::new();
    for (start, code) in tags(text) {
        for (at, _) in code.match_indices(word) {
            let is_whole = !code[..at].ends_with(is_part)
                && !code[at + word.len()..].starts_with(|it: char| is_part(it) && it != '.');
            let here = start + at;
            if is_whole && text[..here].matches('\n').count() + 1 == line as usize {
                found.push(range(here, word.len()));
            }
        }
    }
    found
}

/// Returns the places at which a method is called on something in the code of a line of a template, from 1.
pub fn calls_of(text: &str, method: &str, line: u32) -> Vec<TextRange> {
    /// The number of places that are looked at.
    const MOST: usize = 20;
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let code = text[before..].lines().next().unwrap_or_default();
    let tags = erb::tags(text);
    let is_whole = |at: usize| {
        let behind = &code[at + method.len()..];
        code[..at].ends_with('.')
            && !behind.starts_with(|it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '?' | '!'))
    };
    let is_code = |at: usize| tag_at(&tags, at).is_some_and(Tag::is_run);
    let places = code.match_indices(method).map(|it| it.0).filter(|at| is_whole(*at)).take(MOST);
    places.map(|at| before + at).filter(|at| is_code(*at)).map(|at| range(at, method.len())).collect()
}

/// Whether the code of a template may declare resources, judging by what it says: it reaches the catalog, calls functions of
/// Puppet, or runs code that nobody can read.
pub fn may_declare(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "function",
        "catalog",
        "compiler",
        "resource",
        "Puppet",
        "eval",
        "send",
        "load",
        "require",
        "binding",
        "ObjectSpace",
        "instance_exec",
        "method(",
        "__scope__",
        "newscope",
        "scope.call",
    ];
    tags(text).any(|(_, code)| WORDS.iter().any(|it| code.contains(it)))
}

/// The code of the tags of a template that runs, each with its offset.
pub(crate) fn tags(text: &str) -> impl Iterator<Item = (usize, &str)> {
    erb::tags(text).into_iter().filter(Tag::is_run).map(|it| (it.start, it.code))
}

/// Returns the names that follow an `@` on a line of code, each with the offset of its `@`, and the line without its comment. Names in
/// quoted text are skipped, except for interpolations in double quotes.
fn variables(line: &str) -> (Vec<(usize, &str)>, &str) {
    let mut found = Vec::new();
    let mut end = line.len();
    let mut quote: Option<char> = None;
    let mut before = ' ';
    let mut interpolated = 0_usize;
    let mut chars = line.char_indices().peekable();
    while let Some((at, it)) = chars.next() {
        let is_code = quote.is_none() || interpolated > 0;
        match it {
            '\\' => {
                chars.next();
            }
            '{' if before == '#' && quote == Some('"') => interpolated += 1,
            '}' if interpolated > 0 => interpolated -= 1,
            '#' if quote.is_none() && before.is_whitespace() => {
                end = at;
                break;
            }
            '\'' | '"' | '`' if is_code && interpolated == 0 => quote = Some(it),
            _ if interpolated == 0 && quote == Some(it) => quote = None,
            '@' if is_code && !before.is_alphanumeric() && !matches!(before, '@' | '_' | '/') => {
                let rest = &line[at + 1..];
                let length = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
                let name = &rest[..length.unwrap_or(rest.len())];
                if name.starts_with(|it: char| it.is_ascii_lowercase()) {
                    found.push((at, name));
                }
            }
            _ => {}
        }
        before = it;
    }
    (found, &line[..end])
}

/// Returns the quoted names that follow one of these openings in a line, each with its offset.
fn quoted_behind<'l>(line: &'l str, openings: &[&str]) -> Vec<(usize, &'l str)> {
    let mut found = Vec::new();
    for (opening, quoted) in openings
        .iter()
        .flat_map(|it| line.match_indices(it).map(|(at, it)| (at + it.len(), &line[at + it.len()..])))
    {
        let Some(quote) = quoted.chars().next().filter(|it| matches!(it, '\'' | '"')) else { continue };
        let name = &quoted[1..];
        if let Some(end) = name.find(quote)
            && name[..end].chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | ':'))
        {
            found.push((opening + 1, &name[..end]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<String>> {
        let reads = reads(text)?;
        Some(reads.variables.into_keys().chain(reads.qualified.into_keys()).collect())
    }

    #[test]
    fn variables_are_read_by_name() {
        for (text, expected) in [
            ("<%= @port %> @text <%# @comment %> <%%= @escaped %>", Some(vec!["port"])),
            ("<% @list.each do |it| -%>\n<%= it %>\n<% end -%>", Some(vec!["list"])),
            ("<% if @a %><%= @a %><% end %><%= @b %>", Some(vec!["b"])),
            ("<%= @a.nil? ? '' : @a %><%= @b || 1 %>", Some(vec![])),
            ("<%= '@a' %><%= \"#{@b} @c\" %><%= 'x@y' %> <%= @d # @e %>", Some(vec!["b", "d"])),
            ("<% @a = 1 %><%= @a %>", Some(vec![])),
            (
                "<%= scope['ntp::port'] %><%= scope.lookupvar('::ntp::host') %>",
                Some(vec!["ntp::host", "ntp::port"]),
            ),
            ("<%= instance_variable_get('@' + name) %><%= @a %>", Some(vec!["a"])),
            ("<% instance_variable_set('@' + name, 1) %><%= @a %>", None),
            ("<% if has_variable?('b') %><%= @a %><%= @b %><% end %>", Some(vec!["a"])),
            ("<% eval(code) %><%= @a %>", Some(vec![])),
            ("<%= @interval %><%= @bindings %>", Some(vec!["bindings", "interval"])),
        ] {
            let expected = expected.map(|it| it.into_iter().map(str::to_owned).collect());
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn variables_that_are_asked_for_are_told_apart() {
        let asked = |text: &str| reads(text).unwrap().asked.into_keys().collect::<Vec<_>>();
        assert_eq!(asked("<% if @a %><%= @a %><% end %><%= @b %>"), ["a"]);
        assert!(asked("<% @a ||= 1 %><% if @a %><%= @a %><% end %>").is_empty());
    }

    #[test]
    fn comments_call_and_read_nothing() {
        for (text, functions, qualified) in [
            ("<%= scope.call_function('helper', [1]) %>", vec!["helper"], vec![]),
            ("<% # scope.call_function('old_helper', [1]) %>", vec![], vec![]),
            ("<%\n  # scope.call_function('old_helper', [1])\n  # scope['ntp::port']\n%>", vec![], vec![]),
            ("<%= scope['ntp::port'] # was scope['ntp::prot'] %>", vec![], vec!["ntp::port"]),
            ("<%= ' # ' + scope.call_function('helper', []) %>", vec!["helper"], vec![]),
            ("<%= \"#{scope.call_function('helper', [])}\" %>", vec!["helper"], vec![]),
        ] {
            let reads = reads(text).unwrap();
            assert_eq!(reads.functions.into_keys().collect::<Vec<_>>(), functions, "{text}");
            assert_eq!(reads.qualified.into_keys().collect::<Vec<_>>(), qualified, "{text}");
        }
    }

    #[test]
    fn only_what_reaches_the_catalog_may_declare() {
        for (text, expected) in [
            ("resource <%= @a %> <%= scope['b'] %><%= scope.lookupvar('c') %>", false),
            ("<%= scope.function_create_resources(['file', {}]) %>", true),
            ("<% scope.call_function('include', ['a']) %>", true),
            ("<% scope.catalog %>", true),
            ("<% eval(@x) %>", true),
        ] {
            assert_eq!(may_declare(text), expected, "{text}");
        }
    }

    #[test]
    fn all_names_have_places() {
        let text = "@no <%= @port %> <%= scope['ntp::host'] + @port # @old %>\n<% if has_variable?(\"x\") %>\
            <%= scope.call_function('upcase', ['@a']) %>";
        let found: Vec<(&str, &str)> =
            super::names(text).iter().map(|it| (it.name, &text[it.range])).collect();
        for (name, slice) in &found {
            assert_eq!(name, slice);
        }
        let found: Vec<&str> = found.into_iter().map(|it| it.0).collect();
        assert_eq!(found, ["port", "ntp::host", "port", "x", "upcase"]);
    }

    #[test]
    fn names_may_be_computed() {
        for (text, expected) in [
            ("<% if has_variable?('port') && has_variable? \"host\" %>", false),
            ("<% if has_variable?(name) %>", true),
            ("eval <%= instance_variable_get(\"@#{x}\") %>", true),
            ("eval <%= @port %>", false),
        ] {
            assert_eq!(has_computed_names(text), expected, "{text}");
        }
    }

    #[test]
    fn unfinished_names_are_in_code() {
        let at_end = |text: &str| {
            let found = unfinished_name(text, TextSize::of(text))?;
            Some((found.kind == TemplateNameKind::Function, found.written.to_owned()))
        };
        for (text, expected) in [
            ("<%= @po", Some((false, "po"))),
            ("<%= @", Some((false, ""))),
            ("<%\n  x = \"#{@po", Some((false, "po"))),
            ("<%= scope['ntp::po", Some((false, "ntp::po"))),
            ("<%= scope.lookupvar(\"::o", Some((false, "::o"))),
            ("<%= scope.call_function('up", Some((true, "up"))),
            ("<%= 'me@po", None),
            ("<%# @po", None),
            ("<% 1 # @po", None),
            ("<%% @po", None),
            ("<%= 1 %> @po", None),
            ("@po", None),
            ("<%= x['po", None),
        ] {
            assert_eq!(at_end(text), expected.map(|(is, it)| (is, it.to_owned())), "{text}");
        }
    }

    #[test]
    fn words_have_places() {
        let text = "port\n<%= port %> <%= @port %> <%= x.port %><%= port.size %>";
        let found: Vec<usize> = places_of(text, "port", 2).iter().map(|it| it.start().into()).collect();
        assert_eq!(found, [9, text.rfind("port").unwrap()]);
        assert!(places_of(text, "port", 1).is_empty());
    }

    #[test]
    fn variables_have_places() {
        let text = "a\n<%= @port %>";
        let found = reads(text).unwrap();
        assert_eq!(&text[found.variables["port"]], "@port");
    }
}
