//! Comments above definitions, in the notation of puppet-strings, converted to Markdown.

use marotte_hir::{Item, ItemKind, parse};
use marotte_text::{TextRange, TextSize};

use crate::Db;
use crate::definition::full_range;

/// The parsed comment above a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documentation {
    /// `@summary`.
    pub summary: String,
    /// The text before all tags.
    pub text: String,
    /// `@param`: the name, the types in brackets, and the description.
    pub parameters: Vec<DocumentedParameter>,
    /// `@return`: the types in brackets, and the description.
    pub returns: Vec<(Option<String>, String)>,
    /// `@example`: the title, and the code.
    pub examples: Vec<(String, String)>,
    /// All other tags: the name without `@`, and the text after it. An `@option` is part of its parameter's description.
    pub others: Vec<(String, String)>,
}

/// The documentation of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentedParameter {
    /// The parameter's name, without `$`.
    pub name: String,
    /// The types in brackets, if there are any.
    pub types: Option<String>,
    /// The description of the parameter.
    pub text: String,
}

impl Documentation {
    /// Parses a comment whose lines no longer have their `#`.
    ///
    /// ```
    /// let read = marotte_ide::Documentation::read("@summary Time\n\nKeeps it.\n\n@param port [Integer] Where\n  it listens");
    /// assert_eq!(read.summary, "Time");
    /// assert_eq!(read.text, "Keeps it.");
    /// assert_eq!(read.parameters[0].text, "Where it listens");
    /// ```
    pub fn read(comment: &str) -> Documentation {
        let mut found = Documentation::default();
        let mut text = Vec::new();
        let mut lines = comment.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((tag, rest)) = tag(line) else {
                text.push(line);
                continue;
            };
            // Lines that are indented further than the tag belong to it, including blank lines in between.
            let mut more: Vec<&str> = Vec::new();
            while let Some(next) = lines.peek() {
                if !next.trim().is_empty() && !next.starts_with([' ', '\t']) {
                    break;
                }
                more.extend(lines.next());
            }
            while more.last().is_some_and(|it| it.trim().is_empty()) {
                more.pop();
            }
            found.add(tag, rest, &more);
        }
        found.text = text.join("\n").trim().to_owned();
        found.take_options();
        found
    }

    fn add(&mut self, tag: &str, rest: &str, more: &[&str]) {
        let joined = || joined(rest, more);
        match tag {
            "summary" => self.summary = joined(),
            "param" => {
                let (types, rest) = bracketed(joined());
                let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((&rest, ""));
                let (late, text) = bracketed(rest.trim().to_owned());
                let types = types.or(late);
                let name = name.trim_start_matches('$').to_owned();
                self.parameters.push(DocumentedParameter { name, types, text });
            }
            "return" => self.returns.push(bracketed(joined())),
            "example" => self.examples.push((rest.trim().to_owned(), outdented(more))),
            _ => self.others.push((tag.to_owned(), joined())),
        }
    }

    /// Makes each `@option` an item in the description of its parameter.
    fn take_options(&mut self) {
        let parameters = &mut self.parameters;
        self.others.retain(|(tag, text)| {
            let found = if tag == "option" { option(text) } else { None };
            let Some((name, item)) = found else { return true };
            match parameters.iter_mut().find(|it| it.name == name) {
                Some(it) => it.text = format!("{}\n  {item}", it.text),
                None => {
                    let text = format!("with these keys\n  {item}");
                    parameters.push(DocumentedParameter { name: name.to_owned(), types: None, text });
                }
            }
            false
        });
    }

    /// The documentation of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&DocumentedParameter> {
        self.parameters.iter().find(|it| it.name == name)
    }

    /// The whole comment as Markdown.
    pub fn markdown(&self) -> String {
        let mut parts: Vec<String> =
            self.others.iter().filter_map(|(tag, text)| in_words(tag, text)).collect();
        parts.extend([&self.summary, &self.text].into_iter().filter(|it| !it.is_empty()).cloned());
        let code = |it: &Option<String>| it.as_ref().map(|it| format!(" (`{it}`)")).unwrap_or_default();
        if !self.parameters.is_empty() {
            let lines =
                self.parameters.iter().map(|it| format!("- `${}`{}: {}", it.name, code(&it.types), it.text));
            parts.push(format!("**Parameters**\n\n{}", lines.collect::<Vec<_>>().join("\n")));
        }
        parts.extend(self.returns.iter().map(|(types, text)| format!("**Returns**{}: {text}", code(types))));
        for (title, example) in &self.examples {
            let title = if title.is_empty() { "Example" } else { title };
            parts.push(format!("**{title}**\n\n```puppet\n{example}\n```"));
        }
        let others = self.others.iter().filter(|(tag, text)| in_words(tag, text).is_none());
        parts.extend(others.map(|(tag, text)| format!("*@{tag}* {text}").trim_end().to_owned()));
        parts.join("\n\n")
    }

    /// The first part of the comment, short enough to be shown next to a name.
    pub fn short(&self) -> &str {
        if self.summary.is_empty() {
            self.text.split("\n\n").next().unwrap_or_default()
        } else {
            &self.summary
        }
    }
}

/// A tag about the whole definition, in words.
fn in_words(tag: &str, text: &str) -> Option<String> {
    match (tag, text) {
        ("deprecated", "") => Some("**Deprecated**".to_owned()),
        ("deprecated", _) => Some(format!("**Deprecated**: {text}")),
        ("api", "private") => Some("*Private.*".to_owned()),
        _ => None,
    }
}

/// `opts [String] :a An option`: the name of the parameter, and the item of a list for its key.
fn option(text: &str) -> Option<(&str, String)> {
    let (name, rest) = text.split_once(char::is_whitespace)?;
    let (types, rest) = bracketed(rest.trim_start().to_owned());
    let (key, said) = rest.split_once(char::is_whitespace).unwrap_or((&rest, ""));
    let types = types.map(|it| format!(" (`{it}`)")).unwrap_or_default();
    let said = if said.trim().is_empty() { String::new() } else { format!(": {}", said.trim()) };
    (!key.is_empty()).then(|| (name.trim_start_matches('$'), format!("- `{key}`{types}{said}")))
}

fn tag(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('@')?;
    let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len());
    (end > 0).then(|| rest.split_at(end))
}

/// `[Type] text`: the type, whose brackets may be nested, and the text.
fn bracketed(text: String) -> (Option<String>, String) {
    if !text.starts_with('[') {
        return (None, text);
    }
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' if depth == 1 => {
                return (Some(text[1..at].to_owned()), text[at + 1..].trim().to_owned());
            }
            ']' => depth -= 1,
            _ => {}
        }
    }
    (None, text)
}

/// The text of a tag on one line, apart from its lists: their items stay on lines of their own.
fn joined(rest: &str, more: &[&str]) -> String {
    let mut text = rest.trim().to_owned();
    let mut is_in_list = false;
    for line in outdented(more).lines().filter(|it| !it.trim().is_empty()) {
        let (indent, line) = (line.len() - line.trim_start().len(), line.trim());
        if is_item(line) {
            text += &format!("\n  {:indent$}{line}", "");
            is_in_list = true;
        } else if is_in_list && indent == 0 {
            text += &format!("\n\n  {line}");
            is_in_list = false;
        } else {
            text += if text.is_empty() { "" } else { " " };
            text += line;
        }
    }
    text.trim().to_owned()
}

/// Whether a line begins an item of a list in Markdown: `* a`, `1. a`.
fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let marks: &[&str] = if rest.len() == line.len() { &["* ", "- ", "+ "] } else { &[". ", ") "] };
    marks.iter().any(|it| rest.starts_with(it))
}

fn outdented(lines: &[&str]) -> String {
    let indent = |it: &&str| it.len() - it.trim_start().len();
    let least = lines.iter().filter(|it| !it.trim().is_empty()).map(indent).min().unwrap_or_default();
    lines.iter().map(|it| it.get(least..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The beginning of the comment above a definition, which lists of many definitions show. Unlike the whole, it is memoized:
/// parsing the files of all of them takes too long for a list.
#[salsa::tracked(returns(as_deref))]
pub(crate) fn short_documentation<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<String> {
    documentation(db, item).map(|it| it.short().to_owned())
}

/// The documentation from the comment right above an item: lines that start with `#`, with nothing between them and the item.
pub fn documentation(db: &dyn Db, item: Item<'_>) -> Option<Documentation> {
    let parsed = parse(db, item.file(db));
    let text = parsed.source().text();
    let start = match item.kind(db) {
        ItemKind::Program | ItemKind::Template => return None,
        _ => full_range(db, item)?.start(),
    };
    let line_start = text.get(..usize::from(start))?.rfind('\n').map_or(0, |it| it + 1);
    let mut lines: Vec<&str> = Vec::new();
    for line in text[..line_start].lines().rev() {
        let Some(comment) = line.trim_start().strip_prefix('#') else { break };
        lines.push(comment);
    }
    if lines.is_empty() {
        return None;
    }
    lines.reverse();
    // A line that looks like a comment may be part of a string.
    let end = TextSize::try_from(line_start).unwrap_or_default();
    let above = |range: TextRange| range.end() <= end;
    if !parsed.comments().iter().any(|it| above(it.range)) {
        return None;
    }
    let is_spaced = lines.iter().all(|it| it.is_empty() || it.starts_with(' '));
    let lines = lines.iter().map(|it| if is_spaced { it.get(1..).unwrap_or_default() } else { it });
    Some(Documentation::read(&lines.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::assert_text;

    #[test]
    fn lists_keep_their_lines() {
        let comment = "@param mode How
  it works:
  * one
    and more
    1. nested
  - two

  The end.
@param other 1 - 2
  lines";
        assert_text(
            &Documentation::read(comment).markdown(),
            "
            **Parameters**

            - `$mode`: How it works:
              * one and more
                1. nested
              - two

              The end.
            - `$other`: 1 - 2 lines
            ",
        );
    }

    #[test]
    fn comments_become_markdown() {
        let comment = "@summary Keeps time

Uses *ntpd*.

@example With a server
  class { 'ntp':
    server => 'a',
  }

@param servers
  Whom to ask
@param [Hash[String, Integer]] ports Which
@return [Boolean] Whether
@api private";
        assert_text(
            &Documentation::read(comment).markdown(),
            "
            *Private.*

            Keeps time

            Uses *ntpd*.

            **Parameters**

            - `$servers`: Whom to ask
            - `$ports` (`Hash[String, Integer]`): Which

            **Returns** (`Boolean`): Whether

            **With a server**

            ```puppet
            class { 'ntp':
              server => 'a',
            }
            ```
            ",
        );
    }

    #[test]
    fn tags_in_words() {
        let comment = "@summary Adds

@param opts How
@option opts [Hash[String, Any]] :a An option
@option opts :b
@option more [String] c Another
@deprecated use n
@api private
@raise An error";
        assert_text(
            &Documentation::read(comment).markdown(),
            "
            **Deprecated**: use n

            *Private.*

            Adds

            **Parameters**

            - `$opts`: How
              - `:a` (`Hash[String, Any]`): An option
              - `:b`
            - `$more`: with these keys
              - `c` (`String`): Another

            *@raise* An error
            ",
        );
    }

    #[test]
    fn other_tags_stay() {
        assert_eq!(
            Documentation::read("@api public\n@option opts").markdown(),
            "*@api* public\n\n*@option* opts"
        );
        assert_eq!(Documentation::read("@deprecated").markdown(), "**Deprecated**");
    }
}
