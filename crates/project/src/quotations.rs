use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The replacement for a quotation.
const LEFT_OUT: &str = "`…`";

/// A message without those of its quotations that must not be displayed.
pub(crate) fn without_quotations(text: &str, is_hidden: impl Fn(&str) -> bool) -> String {
    #[expect(clippy::expect_used, reason = "a literal")]
    static QUOTED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"`[^`]*`|'[^']*'|"[^"]*""#).expect("a regular expression"));
    let replaced = QUOTED.replace_all(text, |quoted: &Captures<'_>| {
        let whole = &quoted[0];
        let is_hidden = is_hidden(&whole[1..whole.len() - 1]);
        if is_hidden { LEFT_OUT.to_owned() } else { whole.to_owned() }
    });
    replaced.into_owned()
}
