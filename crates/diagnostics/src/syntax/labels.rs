//! Plain names for the kinds of expression, which the reference names after its model's classes.

use std::borrow::Cow;

use marotte_syntax::Label;

/// A kind of expression with its article, as in a sentence.
pub(super) fn noun(label: Label) -> Cow<'static, str> {
    let known = match label {
        "Host Class Definition" => "a class",
        "'define' expression" => "a defined type",
        "Node Definition" => "a node definition",
        "Function Definition" => "a function",
        "Plan Definition" => "a plan",
        "Type Alias" => "a type alias",
        "Type Mapping" => "a type mapping",
        "Type Definition" => "a type definition",
        "Epp Template" => "an EPP template",
        "Epp Text" => "template text",
        "Epp Interpolated Expression" => "a `<%=` tag",
        "Resource Statement" => "a resource",
        "Resource Override" => "a resource override",
        "Resource Defaults Expression" => "resource defaults",
        "Resource Instance Definition" => "a resource body",
        "Collect Query" | "Virtual Query" | "Exported Query" | "Catalog-Collector" | "Exported-Collector" => {
            "a collector"
        }
        "Literal Integer" | "Literal Float" => "a number",
        "String" => "a string",
        "Double Quoted String" => "a double-quoted string",
        "Expression in Interpolated String" => "an interpolation",
        "Array Expression" => "an array",
        "Hash Expression" => "a hash",
        "Hash Entry" => "a hash entry",
        "Boolean" => "a boolean",
        "Regular Expression" => "a regular expression",
        "Name" => "a bare word",
        "Type-Name" => "a type reference",
        "Variable" => "a variable",
        "Lambda" => "a lambda",
        "Unary Minus" => "a negative number",
        "Unfold" => "a splat (`*`)",
        "Parenthesized Expression" => "an expression in parentheses",
        "Function Call" => "a function call",
        "Method call" => "a method call",
        "Selector Expression" => "a selector",
        "Nop Expression" => "an empty expression",
        "'default' expression" => "`default`",
        "'undef' expression" => "`undef`",
        "'[]' expression" => "an access with `[…]`",
        "'not' expression" => "a `!` expression",
        _ => return Cow::Owned(derived(label)),
    };
    Cow::Borrowed(known)
}

/// `'if' statement` becomes ``an `if` statement``, and every other label gets an article.
fn derived(label: Label) -> String {
    let words = match label.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
        Some((quoted, kind)) => format!("`{quoted}`{}", kind.to_lowercase()),
        None => label.to_lowercase(),
    };
    let vowel = words.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {words}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_people_name_them() {
        assert_eq!(noun("Host Class Definition"), "a class");
        assert_eq!(noun("'if' statement"), "an `if` statement");
        assert_eq!(noun("'unless' Statement"), "an `unless` statement");
        assert_eq!(noun("'case' statement"), "a `case` statement");
        assert_eq!(noun("'+' expression"), "a `+` expression");
        assert_eq!(noun("Semver"), "a semver");
    }
}
