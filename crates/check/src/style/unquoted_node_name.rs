//! `unquoted-node-name`: the name of a node has no quotes.

use marotte_diagnostics::rules;
use marotte_syntax::ast::NodeDefinition;

use super::Style;

pub(super) fn check(style: &mut Style<'_>, node: &NodeDefinition) {
    for name in &node.matches {
        if style.is_word(name) {
            let fix = style.quoted(name.range, true);
            let finding =
                style.report(rules::UNQUOTED_NODE_NAME, name.range, "the name of a node has no quotes");
            finding.fix = Some(fix);
        }
    }
}
