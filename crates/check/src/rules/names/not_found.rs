//! Reports of undefined names.

use marotte_diagnostics::{Diagnostic, Level, Rule};
use marotte_hir::Item;
use marotte_resolve::suggest::absent_module;
use marotte_text::{is_qualified, unrooted};

use crate::context::{At, Context};

/// A suggestion for an undefined name.
pub(in crate::rules) struct Hint<'db> {
    text: String,
    /// The suggested definition, if it is written in Puppet.
    item: Option<Item<'db>>,
}

impl<'db> Hint<'db> {
    /// A similar name of the same kind.
    pub(in crate::rules) fn meant(name: &str, item: Option<Item<'db>>) -> Hint<'db> {
        Hint { text: format!("did you mean `{name}`?"), item }
    }

    /// A definition of another kind.
    pub(in crate::rules) fn other(text: impl Into<String>, item: Item<'db>) -> Hint<'db> {
        Hint { text: text.into(), item: Some(item) }
    }
}

/// Reports an undefined name: as an error, or, if its whole module is missing, as a warning. Unqualified names of functions and
/// types belong to no module.
pub(in crate::rules) fn report<'f>(
    context: &'f mut Context<'_, '_>,
    rule: &'static Rule,
    at: At,
    message: String,
    name: &str,
    hint: Option<Hint<'_>>,
) -> &'f mut Diagnostic {
    let is_of_module = is_qualified(unrooted(name));
    let absent = is_of_module.then(|| absent_module(context.db, context.environment, name)).flatten();
    report_of_module(context, rule, at, message, absent, hint)
}

/// The note on a name that only an unavailable module could define.
pub(in crate::rules) const ONLY_ELSEWHERE: &str = "only a module that is not here could have it";

/// Reports a name that only an unavailable module could define, and that is certainly a misspelling.
pub(in crate::rules) fn report_unknown<'f>(
    context: &'f mut Context<'_, '_>,
    rule: &'static Rule,
    at: At,
    message: String,
    meant: &str,
) -> &'f mut Diagnostic {
    let finding = context.report(rule, at, message);
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
    finding.notes.push(ONLY_ELSEWHERE.to_owned());
    finding
}

/// Reports a class that doesn't exist, or a member of such a class.
pub(in crate::rules) fn report_class<'f>(
    context: &'f mut Context<'_, '_>,
    rule: &'static Rule,
    at: At,
    message: String,
    class: &str,
    hint: Option<Hint<'_>>,
) -> &'f mut Diagnostic {
    let absent = absent_module(context.db, context.environment, class);
    report_of_module(context, rule, at, message, absent, hint)
}

fn report_of_module<'f>(
    context: &'f mut Context<'_, '_>,
    rule: &'static Rule,
    at: At,
    message: String,
    absent: Option<String>,
    hint: Option<Hint<'_>>,
) -> &'f mut Diagnostic {
    let (related, meant) = match hint {
        Some(Hint { text, item: Some(item) }) => (Some(context.defined(item, text)), None),
        Some(Hint { text, item: None }) => (None, Some(text)),
        None => (None, None),
    };
    let finding = context.report(rule, at, message);
    finding.label = Some("not found".to_owned());
    finding.related.extend(related);
    if let Some(module) = absent {
        finding.level = Level::Warning;
        finding.notes.push(format!("there is no module `{module}` here"));
    }
    finding.notes.extend(meant);
    finding
}
