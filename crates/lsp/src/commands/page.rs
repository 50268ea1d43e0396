//! Documents that exist only in the server: the pages of rules.

use lsp_types::{TextDocumentContentResult, Uri};
use marotte_diagnostics::rules;
use serde_json::Value;

use crate::message::{ResponseError, value_of};

/// The scheme of these documents' URIs.
pub(crate) const SCHEME: &str = "marotte";

/// The URI of the page of a rule.
pub(crate) fn uri_of_rule(rule: &str) -> Uri {
    Uri(format!("{SCHEME}:/rules/{rule}.md"))
}

/// The text of a page.
pub(crate) fn content(uri: &str) -> Result<Value, ResponseError> {
    let name = uri.strip_prefix(SCHEME).and_then(|it| it.strip_prefix(":/rules/")?.strip_suffix(".md"));
    let rule = name.and_then(rules::rule);
    let rule = rule.ok_or_else(|| ResponseError::invalid_params(format!("there is no page `{uri}`")))?;
    Ok(value_of(&TextDocumentContentResult::new(rule.page.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_page() {
        for rule in rules::RULES {
            let text = content(&uri_of_rule(rule.name).0).unwrap();
            assert_eq!(text["text"], rule.page);
        }
        assert!(content("marotte:/rules/none.md").is_err());
        assert!(content("file:///etc/passwd").is_err());
    }
}
