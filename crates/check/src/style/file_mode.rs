//! `file-mode`: a mode is neither four octal digits nor symbolic.

use marotte_diagnostics::rules;
use std::sync::LazyLock;

use marotte_syntax::ast::{ExprKind, Resource, ResourceBody};
use regex::Regex;

use super::{Style, attribute, replace, type_name};

/// The valid modes: `0644`, or `u=rwx,go+r`.
static MODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let clause = "[ugoa]*[-=+][-=+rstwxXugo]*";
    Regex::new(&format!("^(?:[0-7]{{4}}|{clause}(?:,{clause})*)$")).ok()
});

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if !matches!(type_name(resource), Some("file" | "concat")) {
        return;
    }
    let Some(value) = attribute(body, "mode").map(|it| &it.value) else { return };
    let mode = match &value.kind {
        ExprKind::String(text) | ExprKind::Name(text) => text.as_str(),
        ExprKind::Integer { .. } => style.source(value.range),
        _ => return,
    };
    if MODE.as_ref().is_none_or(|it| it.is_match(mode)) {
        return;
    }
    let is_short = mode.len() == 3 && mode.bytes().all(|it| matches!(it, b'0'..=b'7'));
    let finding =
        style.report(rules::FILE_MODE, value.range, format!("`{mode}` is not a mode of four octal digits"));
    finding.label = Some("write four digits, or a symbolic mode".to_owned());
    finding.fix = is_short.then(|| replace(value.range, format!("'0{mode}'"), true));
}
