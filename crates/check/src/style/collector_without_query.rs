//! `collector-without-query`: `User <| |>` realizes all virtual resources of a type, wherever they are declared.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Collector;

use super::Style;

pub(super) fn check(style: &mut Style<'_>, collector: &Collector) {
    let query = &collector.query;
    if query.condition.is_none() && !query.exported {
        let finding = style.report(rules::COLLECTOR_WITHOUT_QUERY, query.range, "a collector has no query");
        finding.label = Some("collects all resources of the type".to_owned());
    }
}
