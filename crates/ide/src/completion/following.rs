//! Adapts proposals to the text after the place, so that accepting one writes nothing twice.

use marotte_syntax::STATEMENT_CALLS;
use marotte_text::{TextRange, TextSize};

use super::{CompletionItem, escaped};
use crate::SymbolKind;
use crate::token::slice;

/// Lets a proposal replace the rest of a name that is written in part, and insert no arrow, colon, bracket, list of arguments or
/// lambda that is already there.
pub(super) fn adapt(item: &mut CompletionItem, text: &str) {
    let length = rest_of_name(item, text);
    if let Ok(end) = TextSize::try_from(usize::from(item.replace.end()) + length) {
        item.replace = TextRange::new(item.replace.start(), end);
    }
    let rest = after(item, text);
    if item.kind == SymbolKind::DataKey && item.insert.ends_with(": ") && adapt_quoted_key(item, text) {
        return;
    }
    let added = item.insert.strip_prefix(&escaped(&item.label)).unwrap_or_default().trim_start();
    if is_written(item, added, rest.trim_start_matches([' ', '\t'])) {
        item.insert = item.label.clone();
        item.is_snippet = false;
        // An argument directly after the name.
        if item.kind == SymbolKind::Function && begins_argument(rest) {
            item.insert.push(' ');
        }
    }
}

fn after<'t>(item: &CompletionItem, text: &'t str) -> &'t str {
    text.get(usize::from(item.replace.end())..).unwrap_or_default()
}

/// The length of the part of the name around the place that follows the replaced text.
fn rest_of_name(item: &CompletionItem, text: &str) -> usize {
    let is_part = |it: char| {
        it.is_ascii_alphanumeric()
            || it == '_'
            || item.kind == SymbolKind::File && matches!(it, '.' | '/' | '-')
    };
    let written = slice(text, item.replace);
    let before = text.get(..usize::from(item.replace.start())).unwrap_or_default();
    let after = after(item, text);
    let is_after_sigil = written.is_empty() && (before.ends_with('$') || before.ends_with("${"));
    let mut rest = match after.strip_prefix(':') {
        // Between the two colons.
        Some(rest) if written.ends_with(':') && !written.ends_with("::") && rest.starts_with(is_part) => rest,
        _ if written.ends_with("::") || written.ends_with(is_part) || is_after_sigil => after,
        _ => return 0,
    };
    loop {
        rest = rest.trim_start_matches(is_part);
        match rest.strip_prefix("::").filter(|it| it.starts_with(is_part)) {
            Some(more) => rest = more,
            None => return after.len() - rest.len(),
        }
    }
}

/// Whether what a proposal adds to its label is already in the text after it.
fn is_written(item: &CompletionItem, added: &str, rest: &str) -> bool {
    let follows = |signs: &[&str]| signs.iter().any(|it| rest.starts_with(it));
    if item.kind == SymbolKind::Function {
        return follows(&["("])
            || begins_lambda(rest)
            || STATEMENT_CALLS.contains(&&*item.label) && begins_argument(rest);
    }
    match added.chars().next() {
        Some('=') => follows(&["=>", "+>", "==", "!="]),
        // `File['title']`, the defaults `File { … }`, or a collector.
        Some('[') => follows(&["[", "{", "<|", "<<|"]),
        Some('{') => follows(&["{"]),
        Some(':') => follows(&[":"]),
        _ => false,
    }
}

/// Whether a text starts with `|parameter` or `||`; a single pipe may also end a list of parameters.
fn begins_lambda(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('|') else { return false };
    let inside = inside.trim_start();
    inside.starts_with(|it: char| matches!(it, '$' | '*' | '|') || it.is_ascii_uppercase())
}

/// Whether a text starts with an argument of a call without parentheses.
fn begins_argument(text: &str) -> bool {
    text.starts_with(|it: char| {
        it.is_alphanumeric() || matches!(it, '\'' | '"' | '$' | '[' | ':' | '_' | '@' | '/')
    })
}

/// Puts the colon of a key in quotes after the closing quote. Returns whether the key is in quotes.
fn adapt_quoted_key(item: &mut CompletionItem, text: &str) -> bool {
    let before = text.get(..usize::from(item.replace.start())).unwrap_or_default();
    let Some(quote) = before.chars().next_back().filter(|it| matches!(it, '\'' | '"')) else { return false };
    let line = after(item, text).lines().next().unwrap_or_default();
    match line.strip_prefix(quote) {
        Some(rest) if rest.trim().is_empty() => {
            item.replace = TextRange::new(item.replace.start(), item.replace.end() + TextSize::of(quote));
            item.insert = format!("{}{quote}: ", item.label);
        }
        None if line.trim().is_empty() => item.insert = format!("{}{quote}: ", item.label),
        _ => item.insert = item.label.clone(),
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::tests::accepted;

    const TREE: &str = "
//- /modules/ntp/manifests/init.pp
class ntp(Integer $port = 123) {}
//- /modules/ntp/manifests/params.pp
class ntp::params($server) {}
//- /modules/ntp/manifests/key.pp
define ntp::key(Integer $number) {}
";

    /// Checks the text of the edited file after a proposal is accepted.
    #[track_caller]
    fn check(code: &str, label: &str, expected: &str) {
        assert_eq!(accepted(&format!("{code}{TREE}"), label), expected, "{code}");
    }

    #[test]
    fn arguments_and_lambdas_stay() {
        check("$x = [1].ea$0 |$v| { }", "each", "$x = [1].each |$v| { }");
        check("$x = [1].ea$0 |Integer $v| { }", "each", "$x = [1].each |Integer $v| { }");
        check("$x = [1].red$0([]) |$m, $v| { }", "reduce", "$x = [1].reduce([]) |$m, $v| { }");
        check("$x = [1].ea$0ch |$v| { }", "each", "$x = [1].each |$v| { }");
        check("$x = 'a'.wi$0 || { }", "with", "$x = 'a'.with || { }");
        check("$x = [1].ea$0", "each", "$x = [1].each |\\$${1:it}| { $0 }");
    }

    #[test]
    fn the_whole_name_is_replaced() {
        check("$x = \"${ntp::$0port}\"", "ntp::port", "$x = \"${ntp::port}\"");
        check("notice($$0port)\n$a = 1", "a", "notice($a)\n$a = 1");
        check("notice(\"${$0port}\")\n$a = 1", "a", "notice(\"${a}\")\n$a = 1");
        check("Class['ntp::$0para'] -> File['/a']", "ntp::params", "Class['ntp::params'] -> File['/a']");
        check("include ntp:$0:params", "ntp::params", "include ntp::params");
        check("include ntp$0::params", "ntp", "include ntp");
        check("ntp::$0key { 'a': }", "ntp::key", "ntp::key { 'a': }");
        check("ntp:$0:key { 'a': }", "ntp::key", "ntp::key { 'a': }");
    }

    #[test]
    fn statement_functions_need_no_parentheses() {
        check("incl$0", "include", "include");
        check("class a {\n  incl$0\n}", "include", "class a {\n  include \n}");
        check("if true { incl$0 }", "include", "if true { include  }");
        check("conta$0 'ntp'", "contain", "contain 'ntp'");
        check("conta$0in 'ntp'", "contain", "contain 'ntp'");
        check("conta$0'ntp'", "contain", "contain 'ntp'");
        check("inc$0 ::ntp", "include", "include ::ntp");
        check("noti$0 $facts['os']", "notice", "notice $facts['os']");
        check("noti$0('a')", "notice", "notice('a')");
        check("function f() {\n  retu$0 1\n}", "return", "function f() {\n  return 1\n}");
        // A name without arguments is not a call.
        check("[1].each |$v| { brea$0\n}", "break", "[1].each |$v| { break()\n}");
        check("$x = noti$0", "notice", "$x = notice($1)");
        check("create_res$0", "create_resources", "create_resources($1)");
    }

    #[test]
    fn defaults_and_collectors_have_no_titles() {
        check("Fil$0 { mode => '0644' }", "File", "File { mode => '0644' }");
        check("Fil$0 <| mode == '0644' |>", "File", "File <| mode == '0644' |>");
        check("Fil$0 <<| |>>", "File", "File <<| |>>");
        check("Fil$0 -> Package['b']", "File", "File['$1'] -> Package['b']");
        check("File['a'] { requ$0 +> Package['b'] }", "require", "File['a'] { require +> Package['b'] }");
        check("File <| mo$0 != '0644' |>", "mode", "File <| mode != '0644' |>");
    }

    #[test]
    fn keys_in_quotes_have_their_colons_outside() {
        let tree = |key: &str| {
            format!(
                "\n//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n//- /data/a.yaml\n{key}"
            )
        };
        for (key, expected) in [
            ("'ntp::po$0': 1", "'ntp::port': 1"),
            ("\"ntp::po$0\": 1", "\"ntp::port\": 1"),
            ("'ntp::$0po': 1", "'ntp::port': 1"),
            ("\"ntp::po$0\"", "\"ntp::port\":"),
            ("'ntp::po$0", "'ntp::port':"),
            ("ntp::$0po: 1", "ntp::port: 1"),
            ("ntp:$0:po: 1", "ntp::port: 1"),
        ] {
            check(&tree(key), "ntp::port", expected);
        }
    }
}
