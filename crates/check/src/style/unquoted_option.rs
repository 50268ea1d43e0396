//! `unquoted-option`: a `case` or a selector compares its value with a bare word.

use marotte_diagnostics::rules;
use marotte_pcore::create::named;
use marotte_resolve::dialect;
use marotte_syntax::ast::{Expr, ExprKind};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, option: &Expr) {
    if style.is_word(option) {
        let fix = style.quoted(option.range, true);
        style.report(rules::UNQUOTED_OPTION, option.range, "an option has no quotes").fix = Some(fix);
    } else if let ExprKind::Reference(name) = &option.kind
        && !name.contains("::")
        && named(dialect(), name).is_none()
    {
        // Puppet reads this as a resource type, which no string matches.
        let fix = style.quoted(option.range, false);
        let finding = style.report(rules::UNQUOTED_OPTION, option.range, "an option has no quotes");
        finding.label = Some("a type of resources, not a string".to_owned());
        finding.fix = Some(fix);
    }
}
