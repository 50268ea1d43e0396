//! `anchor-resource`: an anchor of stdlib is used for containment, for which `contain` exists since Puppet 3.4.

use marotte_diagnostics::rules;
use marotte_syntax::ast::Resource;

use super::{Style, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource) {
    if type_name(resource) == Some("anchor") {
        let finding = style.report(rules::ANCHOR_RESOURCE, resource.type_name.range, "an anchor is declared");
        finding.label = Some("use `contain` for the classes between anchors".to_owned());
    }
}
