//! Deprecation notices in a function's source.

use marotte_text::Str;

use super::{Functions, read};

/// The authors' reason why a function declared in a file is deprecated. None if it is not.
///
/// A function counts as deprecated by YARD's `@deprecated` or a first sentence of the documentation that starts with
/// the word, or if it calls stdlib's function `deprecation` each time it is called.
pub fn deprecation(text: &str, name: &str) -> Option<Str> {
    if !text.to_lowercase().contains("deprecat") {
        return None;
    }
    let Functions { functions, legacy, .. } = read(text);
    let docs =
        functions.iter().map(|it| (&it.name, &it.doc)).chain(legacy.iter().map(|it| (&it.name, &it.doc)));
    let mut docs = docs.filter(|(it, _)| it.eq_ignore_ascii_case(name));
    let (_, doc) = docs.next()?;
    let reason = doc.as_deref().and_then(documented).or_else(|| told(text, name))?;
    Some(reason.split_whitespace().collect::<Vec<_>>().join(" ").into())
}

/// The deprecation notice in documentation.
fn documented(doc: &str) -> Option<&str> {
    if let Some((_, reason)) = doc.split_once("@deprecated") {
        return Some(paragraph(reason)).filter(|it| !it.is_empty()).or(Some("deprecated"));
    }
    let start = doc.trim_start();
    let start = start.strip_prefix("@summary").unwrap_or(start).trim_start();
    let word = start.trim_start_matches('*');
    let is_said = word.get(.."deprecated".len()).is_some_and(|it| it.eq_ignore_ascii_case("deprecated"));
    is_said.then(|| paragraph(start))
}

/// A text up to the first empty line or the next tag.
fn paragraph(text: &str) -> &str {
    let end = ["\n\n", "\n@"].iter().filter_map(|it| text.find(it)).min();
    text[..end.unwrap_or(text.len())].trim()
}

/// The literal text in `call_function('deprecation', 'name', 'text')` or `function_deprecation([:name, 'text'])`, if it
/// deprecates the function as a whole: others concern one way of using it.
fn told<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let calls =
        [format!("call_function('deprecation', '{name}', '"), format!("function_deprecation([:{name}, '")];
    let rest = calls.iter().find_map(|call| text.split_once(call.as_str()))?.1;
    let reason = rest.split_once('\'')?.0;
    let is_whole = ["This method is deprecated", "This function is deprecated"];
    is_whole.iter().any(|it| reason.starts_with(it)).then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authors_say_so_in_documentation() {
        let modern = "# @summary DEPRECATED.  Use `a::f` instead.\n# @param x\nPuppet::Functions.create_function(:f) do\nend";
        assert_eq!(deprecation(modern, "f").as_deref(), Some("DEPRECATED. Use `a::f` instead."));
        let tag = "# Does it.\n# @deprecated Use `g`,\n#   which is faster.\n# @return it\nPuppet::Functions.create_function(:f) do\nend";
        assert_eq!(deprecation(tag, "f").as_deref(), Some("Use `g`, which is faster."));
        let old = "module Puppet::Parser::Functions\n  newfunction(:f, :doc => <<-DOC\n    **Deprecated:** Old.\n\n    More.\n    DOC\n  ) do |args|\n  end\nend";
        assert_eq!(deprecation(old, "f").as_deref(), Some("**Deprecated:** Old."));
    }

    #[test]
    fn functions_tell_themselves() {
        let told = "Puppet::Functions.create_function(:f) do\n  def f(x)\n    call_function('deprecation', 'f', 'This method is deprecated, please use g.')\n  end\nend";
        assert_eq!(deprecation(told, "f").as_deref(), Some("This method is deprecated, please use g."));
        assert_eq!(deprecation(told, "g"), None);
        let use_of_it = told.replace("This method is deprecated", "Strings are deprecated");
        assert_eq!(deprecation(&use_of_it, "f"), None, "some uses are, not the function");
        let of_another = "# Replaces what was deprecated.\nPuppet::Functions.create_function(:f) do\nend";
        assert_eq!(deprecation(of_another, "f"), None);
    }
}
