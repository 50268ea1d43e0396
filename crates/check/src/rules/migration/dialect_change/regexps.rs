//! Anchors in regular expressions (X30).

use marotte_hir::body::Expr;
use marotte_pcore::dialect::TextAnchors;

use super::{Dialects, Replacement, report};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    let Dialects { written, today } = dialects;
    if written.text_anchors != TextAnchors::Removed || today.text_anchors == TextAnchors::Removed {
        return;
    }
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Expr::Regexp(pattern) = expr else { continue };
        let without = without_anchors(pattern);
        if without == pattern.as_str() {
            continue;
        }
        let message = format!(
            "`\\A` and `\\Z` are nothing in {}, and bind the match to the start and the end in Puppet 8",
            dialects.written.name
        );
        // The author may have intended them to take effect.
        report(context, At::Expr(id), message, Some(Replacement::wider(id, format!("/{without}/"))));
    }
}

/// A pattern without `\A` and `\Z`.
fn without_anchors(pattern: &str) -> String {
    let mut text = String::with_capacity(pattern.len());
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.clone().next()) {
            ('\\', Some('A' | 'Z')) => drop(letters.next()),
            ('\\', Some(next)) => {
                text.extend([letter, next]);
                letters.next();
            }
            _ => text.push(letter),
        }
    }
    text
}
