//! `invalid-data-file`: a data file that is malformed, or doesn't contain a hash.

use marotte_db::Db;
use marotte_db::{File, source_text};
use marotte_diagnostics::{Diagnostic, Level, rules};
use marotte_hiera::Format;
use marotte_hiera::data::DataError;
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, hiera_file};
use marotte_text::{TextRange, TextSize};

use crate::data::DataContext;

/// The finding for a file that cannot be parsed; for configuration files, under another rule.
pub(crate) fn unreadable(db: &dyn Db, file: File, error: &DataError) -> Diagnostic {
    let kind = hiera_file(db, file).map(|it| &it.kind);
    let (rule, what) = match kind {
        Some(HieraFileKind::Data { format: Format::Json, .. }) => (rules::INVALID_DATA_FILE, "JSON"),
        Some(HieraFileKind::Data { format: Format::Hocon, .. }) => (rules::INVALID_DATA_FILE, "HOCON"),
        Some(HieraFileKind::Data { .. }) => (rules::INVALID_DATA_FILE, "YAML"),
        _ => (rules::INVALID_HIERA_CONFIG, "YAML"),
    };
    let range = visible(source_text(db, file).text(), error.range);
    let message = format!("Hiera cannot read this {what}: {error}");
    Diagnostic::new(rule, Level::Error, file.id(db), range, message)
}

/// Extends a range to at least one character, within the text.
pub(crate) fn visible(text: &str, range: TextRange) -> TextRange {
    let end = TextSize::of(text);
    let start = range.start().min(end);
    TextRange::new(start, range.end().clamp(start, end))
}

/// Whether the file has entries. Reports content other than a hash.
pub(crate) fn check(context: &mut DataContext<'_, '_>) -> bool {
    let document = context.document;
    let kind = match &document.value {
        Value::Hash(_) => return true,
        Value::Undef | Value::Boolean(false) => {
            // An empty YAML file has no entries.
            let kind = hiera_file(context.db, context.file).map(|it| &it.kind);
            if matches!(kind, Some(HieraFileKind::Data { format: Format::Yaml, .. })) {
                return false;
            }
            "nothing"
        }
        other => other.kind_name(),
    };
    let range = first_line(context, document.places.range);
    let finding = context.report(
        rules::INVALID_DATA_FILE,
        range,
        format!("a data file must contain a hash of keys and values, got {kind}"),
    );
    finding.label = Some("not a hash".to_owned());
    false
}

fn first_line(context: &DataContext<'_, '_>, range: TextRange) -> TextRange {
    let text = &source_text(context.db, context.file).text()[range];
    let line = text.lines().next().unwrap_or_default().trim_end();
    TextRange::at(range.start(), TextSize::of(line))
}
