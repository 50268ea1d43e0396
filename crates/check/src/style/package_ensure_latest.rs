//! `package-ensure-latest`: the installed version of a package depends on the day of the installation.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Resource, ResourceBody};

use super::{Style, attribute, literal, replace, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) != Some("package") {
        return;
    }
    if let Some(ensure) = attribute(body, "ensure").filter(|it| literal(&it.value) == Some("latest")) {
        let finding = style.report(
            rules::PACKAGE_ENSURE_LATEST,
            ensure.value.range,
            "a package is always the latest one",
        );
        finding.fix = Some(replace(ensure.value.range, "installed".to_owned(), false));
    }
}
