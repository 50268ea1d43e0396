//! `invalid-hiera-config`: every lookup fails because of what a `hiera.yaml` says.

use std::sync::LazyLock;

use marotte_db::{line_index, source_text};
use marotte_hiera::LookupError;
use marotte_hiera::data::{Inner, Step};
use marotte_hiera::queries::hiera_levels;
use marotte_pcore::value::Value;
use marotte_text::{TextRange, TextSize};
use regex::Regex;

use crate::data::DataContext;

/// Whether the configuration can be used; and if not, why.
pub(crate) fn check(context: &mut DataContext<'_, '_>) -> bool {
    if !matches!(context.document.value, Value::Hash(_)) {
        let finding = context.report(
            "invalid-hiera-config",
            TextRange::default(),
            "a `hiera.yaml` holds a hash with a `version`, but this one does not",
        );
        finding.notes.push("write at least `version: 5`".to_owned());
        return false;
    }
    let (db, environment, layer) = (context.db, context.environment, context.layer.clone());
    let Some(Err(error)) = hiera_levels(db, environment, layer) else { return true };
    let (message, range) = (message(error), range(context, error));
    context.report("invalid-hiera-config", range, message);
    false
}

/// What is wrong, without the path that the finding has anyway.
fn message(error: &LookupError) -> String {
    match error.message.strip_prefix("The Lookup Configuration at '").and_then(|it| it.split_once("' ")) {
        Some((_, rest)) => format!("this configuration {rest}"),
        None => error.message.clone(),
    }
}

/// The part of the configuration that is at fault; its first line if that is not known.
fn range(context: &DataContext<'_, '_>, error: &LookupError) -> TextRange {
    let line = error.place.as_ref().and_then(|(_, line)| *line);
    if line.is_none()
        && let Some(range) =
            level_range(context, &error.message).or_else(|| path_range(context, &error.message))
    {
        return range;
    }
    line_range(context, line.unwrap_or(1).saturating_sub(1))
}

/// The level that a message names.
fn level_range(context: &DataContext<'_, '_>, message: &str) -> Option<TextRange> {
    let (_, name) = message.split_once("in hierarchy '")?;
    let name = name.split('\'').next()?;
    let hierarchies = context.entries().filter(|it| it.key.ends_with("hierarchy"));
    hierarchies.into_iter().find_map(|hierarchy| {
        let (Value::Array(levels), Inner::Elements(places)) = (hierarchy.value, &hierarchy.places.inner) else {
            return None;
        };
        let is_it = |level: &Value| matches!(level, Value::Hash(it) if it.get_str("name").and_then(Value::as_str) == Some(name));
        levels.iter().zip(places.iter()).find(|(level, _)| is_it(level)).map(|(_, places)| places.range)
    })
}

/// The part to which a message's path leads, or the key in it that is not known.
fn path_range(context: &DataContext<'_, '_>, message: &str) -> Option<TextRange> {
    #[expect(clippy::expect_used, reason = "a literal")]
    static STEP: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bentry '([^']*)'|\bindex (\d+)").expect("a regular expression"));
    let steps: Vec<Step> = STEP
        .captures_iter(message)
        .filter_map(|it| match (it.get(1), it.get(2)) {
            (Some(key), _) => Some(Step::Key(key.as_str().into())),
            (_, Some(index)) => index.as_str().parse().ok().map(Step::Index),
            _ => None,
        })
        .collect();
    let within = context.range_at(&steps);
    match message.split_once("unrecognized key '").and_then(|(_, it)| it.split('\'').next()) {
        Some(key) => Some(context.range_of(within, key)),
        None => (!steps.is_empty()).then_some(within),
    }
}

fn line_range(context: &DataContext<'_, '_>, line: u32) -> TextRange {
    let Some(start) = line_index(context.db, context.file).line_start(line) else {
        return TextRange::default();
    };
    let text = source_text(context.db, context.file).text();
    let line = text[start.into()..].lines().next().unwrap_or_default();
    let blanks = line.len() - line.trim_start().len();
    let start = start + TextSize::try_from(blanks).unwrap_or_default();
    TextRange::at(start, TextSize::of(line.trim()))
}
