//! Comments as hover texts: with YARD's tags in words.

use crate::Documentation;
use crate::docs::DocumentedParameter;

/// The documentation, as Markdown.
pub(super) fn markdown(documentation: Documentation) -> String {
    let mut documentation = with_options(documentation);
    let mut parts = Vec::new();
    documentation.others.retain(|(tag, text)| {
        let said = in_words(tag, text);
        let is_other = said.is_none();
        parts.extend(said);
        is_other
    });
    parts.push(documentation.markdown());
    parts.retain(|it| !it.is_empty());
    parts.join("\n\n")
}

/// A tag that says something about the whole definition.
fn in_words(tag: &str, text: &str) -> Option<String> {
    match (tag, text) {
        ("deprecated", "") => Some("**Deprecated**".to_owned()),
        ("deprecated", _) => Some(format!("**Deprecated**: {text}")),
        ("api", "private") => Some("*Private.*".to_owned()),
        _ => None,
    }
}

/// The documentation with each `@option` as a key of its parameter.
pub(super) fn with_options(mut documentation: Documentation) -> Documentation {
    let parameters = &mut documentation.parameters;
    documentation.others.retain(|(tag, text)| {
        let found = if tag == "option" { option(text) } else { None };
        if let Some((name, line)) = &found {
            add_option(parameters, name, line);
        }
        found.is_none()
    });
    documentation
}

fn add_option(parameters: &mut Vec<DocumentedParameter>, name: &str, line: &str) {
    match parameters.iter_mut().find(|it| it.name == name) {
        Some(it) => it.text = format!("{}\n  {line}", it.text),
        None => {
            let text = format!("with these keys\n  {line}");
            parameters.push(DocumentedParameter { name: name.to_owned(), types: None, text });
        }
    }
}

/// `opts [String] :a An option`: the name of the parameter, and the item of a list for its key.
fn option(text: &str) -> Option<(&str, String)> {
    let (name, rest) = text.split_once(char::is_whitespace)?;
    let (types, rest) = types(rest.trim_start());
    let (key, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let types = types.map(|it| format!(" (`{it}`)")).unwrap_or_default();
    let said = if rest.trim().is_empty() { String::new() } else { format!(": {}", rest.trim()) };
    (!key.is_empty()).then(|| (name.trim_start_matches('$'), format!("- `{key}`{types}{said}")))
}

/// The types in the brackets at the start of a text, and the rest.
fn types(text: &str) -> (Option<&str>, &str) {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' if depth == 1 => return (Some(&text[1..at]), text[at + 1..].trim_start()),
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => break,
            _ => {}
        }
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::assert_text;

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
            &markdown(Documentation::read(comment)),
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
            markdown(Documentation::read("@api public\n@option opts")),
            "*@api* public\n\n*@option* opts"
        );
        assert_eq!(markdown(Documentation::read("@deprecated")), "**Deprecated**");
    }
}
