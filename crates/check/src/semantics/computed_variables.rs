//! Reads of variables whose names are computed: `getvar($name)`, `defined("\$${name}")`.

use marotte_db::Db;
use marotte_eval::functions::Names;
use marotte_hir::body::{Body, Expr, Segment};
use marotte_hir::{ExprId, Item};
use marotte_infer::declarations::value_of;
use marotte_infer::known_values::values_of;
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, unrooted};

use crate::context::Context;
use crate::findings::Findings;

/// A read of a variable whose name is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputedVariable {
    /// The place of the name.
    pub at: ExprId,
    /// The names that it can have.
    pub names: PossibleNames,
}

/// The possible names of a variable, without `$`, a leading `::` and the path after a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PossibleNames {
    /// All of the names are known.
    Known(Vec<Str>),
    /// A name consists of these texts, in this order, with unknown texts between them.
    Pattern(Vec<Str>),
}

/// Returns the reads of variables in an item whose names are computed.
pub fn computed_variables<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<ComputedVariable> {
    let mut unsaid = Findings::default();
    let context = Context::new(db, item, &mut unsaid);
    let body = context.body;
    let mut found = Vec::new();
    for (id, expr) in body.exprs() {
        // `call('getvar', $name)`, `Deferred('getvar', [$name])`
        if matches!(expr, Expr::String(text) if text == "getvar") {
            found.push(ComputedVariable { at: id, names: PossibleNames::unknown() });
        }
        let Some(call) = NamedCall::of(expr) else { continue };
        let takes_definitions = call.names() == Some(Names::Definitions);
        if !takes_definitions && call.names() != Some(Names::Variable) {
            continue;
        }
        for at in call.arguments().take(if takes_definitions { usize::MAX } else { 1 }) {
            if matches!(body.expr(at), Expr::String(_)) {
                continue;
            }
            let names = match values_of(context.typed(), at) {
                Some(values) => PossibleNames::known(&values, takes_definitions),
                None => PossibleNames::pattern(body, at, takes_definitions),
            };
            found.extend(names.map(|names| ComputedVariable { at, names }));
        }
    }
    found
}

impl PossibleNames {
    fn unknown() -> PossibleNames {
        PossibleNames::Pattern(vec![Str::new(), Str::new()])
    }

    fn known(values: &[Value], has_sigil: bool) -> Option<PossibleNames> {
        let names = values.iter().filter_map(Value::as_str);
        let names = names.filter_map(|it| if has_sigil { it.strip_prefix('$') } else { Some(it) });
        let names: Vec<Str> = names.map(|it| unrooted(it.split('.').next().unwrap_or(it)).into()).collect();
        (!names.is_empty()).then_some(PossibleNames::Known(names))
    }

    /// A text that is not known to begin with `$` names no variable for functions that take other names, too.
    fn pattern(body: &Body, id: ExprId, has_sigil: bool) -> Option<PossibleNames> {
        let Expr::Interpolated(segments) = body.expr(value_of(body, id)) else {
            return (!has_sigil).then(PossibleNames::unknown);
        };
        let mut texts: Vec<Str> = vec![Str::new()];
        for segment in segments {
            match (segment, texts.last_mut()) {
                (Segment::Text(text), Some(last)) => *last = text.clone(),
                _ => texts.push(Str::new()),
            }
            // The rest is the path to a part of the value.
            if let Some(last) = texts.last_mut()
                && let Some((name, _)) = last.split_once('.')
            {
                *last = name.into();
                break;
            }
        }
        let first = texts.first_mut()?;
        let bare = if has_sigil { first.strip_prefix('$')? } else { first.as_str() };
        *first = Str::from(unrooted(bare));
        Some(PossibleNames::Pattern(texts))
    }

    /// Whether the name of a variable is possible.
    pub fn may_be(&self, name: &str) -> bool {
        match self {
            PossibleNames::Known(names) => names.iter().any(|it| it.eq_ignore_ascii_case(name)),
            PossibleNames::Pattern(texts) => {
                let (Some((first, rest)), name) = (texts.split_first(), name.to_ascii_lowercase()) else {
                    return true;
                };
                let Some(mut open) = name.strip_prefix(&*first.to_ascii_lowercase()) else { return false };
                let Some((last, between)) = rest.split_last() else { return open.is_empty() };
                for text in between {
                    match open.split_once(&*text.to_ascii_lowercase()) {
                        Some((_, after)) => open = after,
                        None => return false,
                    }
                }
                open.ends_with(&*last.to_ascii_lowercase())
            }
        }
    }

    /// Whether the last word of a possible name is unknown as a whole, so that it has to be written elsewhere.
    pub fn is_word_unknown(&self) -> bool {
        match self {
            PossibleNames::Known(_) => false,
            PossibleNames::Pattern(texts) => {
                let ends_before = |it: &Str| it.is_empty() || it.ends_with("::");
                texts.last().is_some_and(|it| it.is_empty())
                    && texts.iter().rev().nth(1).is_some_and(ends_before)
            }
        }
    }
}
