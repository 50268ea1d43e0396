//! `loose-node-pattern`: a node's pattern has the dots of a host name, which stand for any character.

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::ItemKind;
use marotte_hir::body::Expr;
use marotte_resolve::spelling::near;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    let ItemKind::Node(matches) = context.item.kind(db) else { return };
    for id in body.statements.iter().take(matches) {
        misspelled_default(context, *id);
        let Expr::Regexp(pattern) = body.expr(*id) else { continue };
        let Some(meant) = escaped(pattern) else { continue };
        let is_name = pattern.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '.' | '_'));
        let finding = context.report(
            rules::LOOSE_NODE_PATTERN,
            At::Expr(*id),
            "`.` stands for any character in this pattern, and is probably the dot of a host name",
        );
        finding.label = Some(match is_name {
            true => format!("write `'{pattern}'` for this host, or `/{meant}/`"),
            false => format!("write `/{meant}/`"),
        });
        if !pattern.starts_with(['^', '\\']) {
            finding.notes.push("without `^` and `$` it matches longer names, too".to_owned());
        }
    }
}

/// Reports a bare word that is a slip of `default`: it is the name of a host.
fn misspelled_default(context: &mut Context<'_, '_>, id: ExprId) {
    let Some(word) = context.bare_word(id) else { return };
    if near(word, ["default"]).is_none() {
        return;
    }
    let message = format!("this is for a host with the name `{word}`, not for all other hosts");
    let finding = context.report(rules::LOOSE_NODE_PATTERN, At::Expr(id), message);
    finding.label = Some("did you mean `default`?".to_owned());
}

/// A pattern with its dots escaped, if some are the dots of a host name: a letter or a digit follows directly, and none of them is
/// repeated or escaped.
fn escaped(pattern: &str) -> Option<String> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut meant = String::new();
    let (mut in_class, mut is_escaped, mut found) = (false, false, false);
    for (index, it) in chars.iter().enumerate() {
        let next = chars.get(index + 1);
        let before = index.checked_sub(1).and_then(|it| chars.get(it));
        if *it == '.' && !in_class && !is_escaped {
            let is_of_name = next.is_some_and(|it| it.is_ascii_alphanumeric())
                && before.is_some_and(|it| {
                    it.is_ascii_alphanumeric() || matches!(it, '+' | '*' | ']' | ')' | '}')
                })
                && chars.get(index + 2).is_some_and(|it| it.is_ascii_alphanumeric());
            if is_of_name {
                meant.push('\\');
                found = true;
            }
        }
        meant.push(*it);
        (is_escaped, in_class) = match it {
            '\\' => (!is_escaped, in_class),
            '[' if !is_escaped => (false, true),
            ']' if !is_escaped => (false, false),
            _ => (false, in_class),
        };
    }
    found.then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn dots_of_host_names_are_escaped() {
        for (pattern, meant) in [
            ("web1.example.com", Some(r"web1\.example\.com")),
            (r"^db\d+.example\.com$", Some(r"^db\d+\.example\.com$")),
            (r"^web\d+\.example\.com$", None),
            ("^web.*$", None),
            ("^web.$", None),
            ("^web[.]example[.]com$", None),
            (".example", None),
        ] {
            assert_eq!(escaped(pattern).as_deref(), meant, "{pattern}");
        }
    }
}
