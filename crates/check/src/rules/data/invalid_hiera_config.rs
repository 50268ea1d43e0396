//! `invalid-hiera-config`: an error in a `hiera.yaml` that makes every lookup fail.

use marotte_db::{FileStatus, source_text};
use marotte_diagnostics::{Level, issues, rules};
use marotte_hiera::{ErrorKind, Layer, LookupError};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::hiera_levels;
use marotte_text::{TextRange, TextSize};

use crate::data::DataContext;

/// Whether the configuration is usable. Reports the error if it isn't.
pub(crate) fn check(context: &mut DataContext<'_, '_>) -> bool {
    if !matches!(context.document.value, Value::Hash(_)) {
        let finding = context.report(
            rules::INVALID_HIERA_CONFIG,
            TextRange::default(),
            "a `hiera.yaml` holds a hash with a `version`, but this one does not",
        );
        finding.notes.push("write at least `version: 5`".to_owned());
        return false;
    }
    let (db, environment, layer) = (context.db, context.environment, context.layer.clone());
    let Some(Err(error)) = hiera_levels(db, environment, layer) else { return true };
    let is_doubtful =
        error.kind == ErrorKind::Issue(issues::HIERA_VERSION_3_NOT_GLOBAL.name) && may_be_global(context);
    let (message, range) = (message(error), range(context, error));
    let finding = context.report(rules::INVALID_HIERA_CONFIG, range, message);
    if is_doubtful {
        finding.level = Level::Warning;
        finding.notes.push("Puppet 8 reads it as the configuration of the whole server only".to_owned());
    }
    false
}

/// Whether a configuration may be the global one of a server: nothing proves that its folder is an environment, rather than one
/// whose files are deployed elsewhere.
fn may_be_global(context: &DataContext<'_, '_>) -> bool {
    let Some(root) = context.environment.root(context.db).filter(|_| *context.layer == Layer::Environment)
    else {
        return false;
    };
    let is_there = |name: &str| {
        let path = root.join(name);
        context.db.files().file(context.db, &path).status(context.db) == FileStatus::Exists
    };
    let is_named = root.parent().and_then(|it| it.file_name()) == Some("environments");
    !is_named && !is_there("environment.conf")
}

/// The error message, without the path, which the finding contains anyway.
fn message(error: &LookupError) -> String {
    match error.message.strip_prefix("The Lookup Configuration at '").and_then(|it| it.split_once("' ")) {
        Some((_, rest)) => format!("this configuration {rest}"),
        None => error.message.clone(),
    }
}

/// The range of the faulty part of the configuration; its first line if that isn't known.
fn range(context: &DataContext<'_, '_>, error: &LookupError) -> TextRange {
    match &error.part {
        Some(part) => context.document.range_of(part),
        None => {
            let line = error.place.as_ref().and_then(|(_, line)| *line);
            line_range(context, line.unwrap_or(1).saturating_sub(1))
        }
    }
}

fn line_range(context: &DataContext<'_, '_>, line: u32) -> TextRange {
    let Some(start) = source_text(context.db, context.file).line_index().line_start(line) else {
        return TextRange::default();
    };
    let text = source_text(context.db, context.file).text();
    let line = text[start.into()..].lines().next().unwrap_or_default();
    let blanks = line.len() - line.trim_start().len();
    let start = start + TextSize::try_from(blanks).unwrap_or_default();
    TextRange::at(start, TextSize::of(line.trim()))
}
