//! `anchor-resource`: an anchor of stdlib contains what `contain` contains since Puppet 3.4.

use marotte_syntax::ast::Resource;

use super::{Style, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource) {
    if type_name(resource) == Some("anchor") {
        let finding = style.report("anchor-resource", resource.type_name.range, "an anchor is declared");
        finding.label = Some("use `contain` for the classes between anchors".to_owned());
    }
}
