//! `file-ensure-present`: `ensure => present` doesn't determine the kind of the file.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Resource, ResourceBody};

use super::{Style, attribute, literal, replace, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if type_name(resource) != Some("file") {
        return;
    }
    let Some(ensure) = attribute(body, "ensure").filter(|it| literal(&it.value) == Some("present")) else {
        return;
    };
    let kind = if attribute(body, "target").is_some() { "link" } else { "file" };
    let text = match style.source(ensure.value.range).starts_with(['\'', '"']) {
        true => format!("'{kind}'"),
        false => kind.to_owned(),
    };
    let finding =
        style.report(rules::FILE_ENSURE_PRESENT, ensure.value.range, "a file is only to be `present`");
    finding.label = Some("a directory or a link would do as well".to_owned());
    finding.fix = Some(replace(ensure.value.range, text, false));
}
