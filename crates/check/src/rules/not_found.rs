//! How it is told that a name means nothing.

use marotte_diagnostics::Level;
use marotte_hir::Item;

use crate::context::{At, Context};
use crate::names::absent_module;

/// What was probably meant.
pub(super) struct Hint<'db> {
    text: String,
    /// The definition that the text is about, if it is written in Puppet.
    item: Option<Item<'db>>,
}

impl<'db> Hint<'db> {
    /// Another name of the same kind.
    pub(super) fn meant(name: &str, item: Option<Item<'db>>) -> Hint<'db> {
        Hint { text: format!("did you mean `{name}`?"), item }
    }

    /// A definition of another kind.
    pub(super) fn other(text: impl Into<String>, item: Item<'db>) -> Hint<'db> {
        Hint { text: text.into(), item: Some(item) }
    }
}

/// Reports a name that means nothing: as an error, or, if a whole module is missing, as a warning.
pub(super) fn report(
    context: &mut Context<'_, '_>,
    rule: &'static str,
    at: At,
    message: String,
    name: &str,
    hint: Option<Hint<'_>>,
) {
    let absent = absent_module(context.db, context.environment, name);
    let finding = context.report(rule, at, message);
    if let Some(module) = absent {
        finding.level = Level::Warning;
        finding.notes.push(format!("there is no module `{module}` here"));
    }
    tell(context, hint);
}

/// Adds to the last finding that its name means nothing, and what was probably meant.
pub(super) fn tell(context: &mut Context<'_, '_>, hint: Option<Hint<'_>>) {
    let (related, note) = match hint {
        Some(Hint { text, item: Some(item) }) => (Some(context.defined(item, text)), None),
        Some(Hint { text, item: None }) => (None, Some(text)),
        None => (None, None),
    };
    let Some(finding) = context.last() else { return };
    finding.label = Some("not found".to_owned());
    finding.related.extend(related);
    finding.notes.extend(note);
}
