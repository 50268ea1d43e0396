//! Which variables of Puppet a template in ERB reads, as far as its code says so by their names.
//!
//! A light reader: it knows tags, comments and quotes, and no grammar. A variable of which the template asks anywhere whether it is
//! there is left out, and so is one that it sets.

use std::collections::{BTreeMap, BTreeSet};

use marotte_text::{TextRange, TextSize};

/// What a template reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateReads {
    /// The variables of the scope, `@name`, each with where it is read first.
    pub variables: BTreeMap<String, TextRange>,
    /// The variables of the scope that the template only asks for, each with where it does first.
    pub asked: BTreeMap<String, TextRange>,
    /// The variables of classes, `scope['class::name']`, each with where it is read first.
    pub qualified: BTreeMap<String, TextRange>,
}

/// Words by which code asks whether something is there, or has variables by names that nobody can read off.
const ASKING: [&str; 12] =
    ["if ", "unless ", "elsif ", "if(", "while ", "defined?", "nil?", "&&", "||", " and ", " or ", " ? "];
const DYNAMIC: [&str; 4] = ["instance_variable", "binding", "eval", "has_variable?"];

/// Reads a template. None if it has variables by names that are computed.
pub fn reads(text: &str) -> Option<TemplateReads> {
    let mut reads = TemplateReads::default();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    let mut set: BTreeSet<String> = BTreeSet::new();
    for (start, code) in tags(text) {
        if DYNAMIC.iter().any(|it| code.contains(it)) {
            return None;
        }
        let mut offset = start;
        for line in code.split_inclusive('\n') {
            let asks = ASKING.iter().any(|it| line.contains(it)) || line.contains('!');
            for (at, name) in variables(line) {
                let rest = line[at + 1 + name.len()..].trim_start();
                let sets = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~")
                    || rest.starts_with("||=")
                    || rest.starts_with("+=")
                    || rest.starts_with("<<");
                if sets {
                    set.insert(name.to_owned());
                }
                if asks || sets || rest.starts_with("&.") {
                    asked.insert(name.to_owned());
                }
                reads.variables.entry(name.to_owned()).or_insert(range(offset + at, name.len() + 1));
            }
            for (at, name) in scoped(line) {
                match name.trim_start_matches("::") {
                    it if it.contains("::") && !asks => {
                        reads.qualified.entry(it.to_owned()).or_insert(range(offset + at, name.len()));
                    }
                    it => {
                        asked.insert(it.to_owned());
                    }
                }
            }
            offset += line.len();
        }
    }
    let all = std::mem::take(&mut reads.variables);
    (reads.asked, reads.variables) = all.into_iter().partition(|(name, _)| asked.contains(name));
    reads.asked.retain(|name, _| !set.contains(name));
    Some(reads)
}

fn range(at: usize, length: usize) -> TextRange {
    let offset = |it: usize| TextSize::try_from(it).unwrap_or_default();
    TextRange::at(offset(at), offset(length))
}

/// The code of a template's tags, with where each starts.
fn tags(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find("<%").map(|it| at + it) {
        let start = open + 2;
        let rest = &text[start..];
        if rest.starts_with('%') {
            at = start + 1;
            continue;
        }
        let Some(length) = rest.find("%>") else { break };
        if !rest.starts_with('#') {
            let skip = rest.len() - rest.trim_start_matches(['=', '-']).len();
            found.push((start + skip.min(length), &rest[skip.min(length)..length]));
        }
        at = start + length + 2;
    }
    found
}

/// The names behind `@` on a line of code, outside of quotes and comments, with where each `@` is. What texts in double quotes
/// interpolate counts.
fn variables(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
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
            '#' if quote.is_none() && before.is_whitespace() => break,
            '\'' | '"' | '`' if is_code && interpolated == 0 => quote = Some(it),
            _ if interpolated == 0 && quote == Some(it) => quote = None,
            '@' if is_code && !before.is_alphanumeric() && !matches!(before, '@' | '_' | '/') => {
                let rest = &line[at + 1..];
                let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_'));
                let name = &rest[..end.unwrap_or(rest.len())];
                if name.starts_with(|it: char| it.is_ascii_lowercase()) {
                    found.push((at, name));
                }
            }
            _ => {}
        }
        before = it;
    }
    found
}

/// The names of variables for which a line asks the scope, with where each is.
fn scoped(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (opening, quoted) in ["scope[", "scope.lookupvar(", "scope.lookupvar "]
        .into_iter()
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
            ("<%= instance_variable_get('@' + name) %><%= @a %>", None),
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
    fn variables_have_places() {
        let text = "a\n<%= @port %>";
        let found = reads(text).unwrap();
        assert_eq!(&text[found.variables["port"]], "@port");
    }
}
