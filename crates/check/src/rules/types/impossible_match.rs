//! `impossible-match`: a value is compared with a type, or with an option, that it can never match.

use std::cell::OnceCell;

use foldhash::HashSet;
use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Expr};
use marotte_infer::disjoint::{disjoint, never_equal};
use marotte_infer::inference::constant;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::{EnumType, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::dialect;
use marotte_resolve::globals::fact_by_name;
use marotte_resolve::spelling::{Names, is_inner_slip, slip};
use marotte_text::Str;

use super::mismatch::{absent_key, value_of};
use crate::analysis::names::fact_paths::fact_path;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Binary(binary) if matches!(binary.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
                compared(context, id, binary.left, binary.right);
                compared(context, id, binary.right, binary.left);
            }
            Expr::Binary(binary) if matches!(binary.op, BinaryOp::Match | BinaryOp::NoMatch) => {
                let is_pattern = matches!(body.expr(binary.right), Expr::Regexp(_));
                option(context, binary.left, &Words::default(), binary.right, is_pattern);
            }
            Expr::Binary(binary) if binary.op == BinaryOp::In => {
                if let Expr::Array(elements) = body.expr(binary.right) {
                    none_of(context, binary.left, elements, binary.right);
                }
            }
            Expr::Case(case) => {
                let options = || case.options.iter().flat_map(|it| &it.values);
                if misspelled_default(context, options()) || misspelled_boolean(context, options()) {
                    continue;
                }
                let quoted_words = report_quoted_words(context, case.test, options());
                let words = Words::default();
                for values in case.options.iter().map(|it| &it.values) {
                    // Of several values, some may be defensive: `'true', true: { … }`.
                    let is_alone = values.len() == 1;
                    for it in values.iter().filter(|it| !quoted_words.contains(*it)) {
                        option(context, case.test, &words, *it, is_alone);
                    }
                }
            }
            Expr::Selector(selector) => {
                let options = || selector.entries.iter().map(|(key, _)| key);
                if misspelled_default(context, options()) || misspelled_boolean(context, options()) {
                    continue;
                }
                let quoted_words = report_quoted_words(context, selector.test, options());
                let words = Words::default();
                for key in options().filter(|it| !quoted_words.contains(*it)) {
                    option(context, selector.test, &words, *key, true);
                }
            }
            _ => {}
        }
    }
}

/// Reports a word among options without a `default` that is probably a misspelling of it.
fn misspelled_default<'b>(
    context: &mut Context<'_, '_>,
    mut options: impl Iterator<Item = &'b ExprId> + Clone,
) -> bool {
    let body = context.body;
    let found = options.clone().find_map(|it| match body.expr(*it) {
        Expr::String(word) if slip(word, ["default"]).is_some() => Some((*it, word)),
        _ => None,
    });
    let Some((at, word)) = found else { return false };
    if options.any(|it| matches!(body.expr(*it), Expr::Default)) {
        return false;
    }
    let message = format!("`{word}` is a word like others, and not taken when nothing else matches");
    context.report(rules::IMPOSSIBLE_MATCH, At::Expr(at), message).label =
        Some("did you mean `default`?".to_owned());
    true
}

/// Reports a word among options that is probably a misspelling of the boolean which is not among them, beside the other one.
fn misspelled_boolean<'b>(
    context: &mut Context<'_, '_>,
    options: impl Iterator<Item = &'b ExprId> + Clone,
) -> bool {
    let body = context.body;
    let has = |boolean: bool| options.clone().any(|it| *body.expr(*it) == Expr::Boolean(boolean));
    let meant = match (has(true), has(false)) {
        (true, false) => "false",
        (false, true) => "true",
        _ => return false,
    };
    let found = options.clone().find_map(|it| match body.expr(*it) {
        Expr::String(word) if slip(word, [meant]).is_some() || is_inner_slip(word, meant) => {
            Some((*it, word))
        }
        _ => None,
    });
    let Some((at, word)) = found else { return false };
    let message = format!("`{word}` is a word like others, and no boolean");
    context.report(rules::IMPOSSIBLE_MATCH, At::Expr(at), message).label =
        Some(format!("did you mean `{meant}`?"));
    true
}

fn option(context: &mut Context<'_, '_>, value: ExprId, words: &Words, option: ExprId, is_alone: bool) {
    // Comparing a literal is intentional: `case true { … }`.
    if is_literal(context, value) {
        return;
    }
    if let Expr::Regexp(source) = context.body.expr(option) {
        return pattern(context, value, words, option, source, is_alone);
    }
    if let Expr::String(text) = context.body.expr(option)
        && is_quoted_regexp(text)
    {
        return quoted(context, option);
    }
    let inference = context.inference();
    let (Some(known), Some(option_type)) = (inference.type_of(value), inference.type_of(option)) else {
        return;
    };
    let message = match option_type.kind() {
        TypeKind::Type(Some(wanted)) if disjoint(known, wanted) && !is_type(known) => {
            format!("{} is never an instance of {wanted}", words.shown(known))
        }
        // A value with a single possibility exists to be edited by hand.
        _ if (is_alone || words.is_slip(known, option_type))
            && constant(known).is_none()
            && is_plain(context, option)
            && words.never_equal(known, option_type) =>
        {
            format!("{} never equals {}", words.shown(known), value_of(option_type))
        }
        _ => return,
    };
    let absent = words.absent.get_or_init(|| absent_key(context, value)).clone();
    let label = words.misspelled(known, option_type);
    let finding = context.report(rules::IMPOSSIBLE_MATCH, At::Expr(option), message);
    finding.label = label;
    finding.notes.extend(absent);
}

/// Reports a word or a number that a value is compared with and can never be, unless that decides a whole condition, which another
/// rule reports. Texts that are no words of an `Enum` may be defensive: `$x == true or $x == 'true'`.
fn compared(context: &mut Context<'_, '_>, comparison: ExprId, value: ExprId, word: ExprId) {
    let is_number = matches!(context.body.expr(word), Expr::Integer(_) | Expr::Float(_));
    if !is_number && !matches!(context.body.expr(word), Expr::String(_)) || is_literal(context, value) {
        return;
    }
    let inference = context.inference();
    let (Some(known), Some(word_type)) = (inference.type_of(value), inference.type_of(word)) else { return };
    let words = Words::default();
    if !is_number && word_and_option(known, word_type).is_none()
        || constant(known).is_some()
        || !words.never_equal(known, word_type)
        || inference.is_unreachable(comparison)
    {
        return;
    }
    let range = context.range(At::Expr(comparison));
    if context.decided().iter().any(|it| context.range(At::Expr(it.test)).contains_range(range)) {
        return;
    }
    let message = format!("{} never equals {}", words.shown(known), value_of(word_type));
    let label = words.misspelled(known, word_type);
    context.report(rules::IMPOSSIBLE_MATCH, At::Expr(word), message).label = label;
}

/// Reports a list that has none of the words that a value can be.
fn none_of(context: &mut Context<'_, '_>, value: ExprId, elements: &[ExprId], list: ExprId) {
    // `!$x in […]` is reported by `operator-precedence`.
    let is_negated = matches!(context.body.expr(value), Expr::Not(_));
    if elements.is_empty()
        || is_negated
        || is_literal(context, value)
        || context.inference().is_unreachable(list)
    {
        return;
    }
    let inference = context.inference();
    let Some(known) = inference.type_of(value).filter(|it| constant(it).is_none()).cloned() else { return };
    let is_never = |it: &ExprId| {
        is_plain(context, *it) && inference.type_of(*it).is_some_and(|it| never_equal(&known, it))
    };
    let words = Words::default();
    if !elements.iter().all(is_never) {
        // Of several words, some may be defensive.
        let slips = elements.iter().filter(|it| is_never(it));
        let slips = slips.filter_map(|it| Some((*it, inference.type_of(*it)?)));
        let slips: Vec<_> = slips.filter(|(_, it)| words.is_slip(&known, it)).collect();
        for (at, word) in slips {
            let message = format!("{} never equals {}", words.shown(&known), value_of(word));
            context.report(rules::IMPOSSIBLE_MATCH, At::Expr(at), message).label =
                words.misspelled(&known, word);
        }
        return;
    }
    let absent = absent_key(context, value);
    let label = elements.iter().find_map(|it| words.misspelled(&known, inference.type_of(*it)?));
    let message = format!("{} is never in this list", value_of(&known));
    let finding = context.report(rules::IMPOSSIBLE_MATCH, At::Expr(list), message);
    finding.label = label;
    finding.notes.extend(absent);
}

fn quoted(context: &mut Context<'_, '_>, option: ExprId) {
    let message = "this is a text in quotes, not a regular expression";
    let finding = context.report(rules::IMPOSSIBLE_MATCH, At::Expr(option), message);
    finding.level = Level::Warning;
    finding.label = Some("regular expressions have no quotes around them".to_owned());
}

/// Reports the words between slashes among options, if one of the others is a regular expression that is not one of paths, or if they are
/// compared with a fact whose values are names. Returns those that are reported.
fn report_quoted_words<'b>(
    context: &mut Context<'_, '_>,
    test: ExprId,
    mut options: impl Iterator<Item = &'b ExprId> + Clone,
) -> HashSet<ExprId> {
    /// Facts whose values are names.
    const NAMES: [&str; 6] = ["dmi", "kernel", "networking", "os", "system_profiler", "virtual"];
    let body = context.body;
    let is_word = |it: &&ExprId| {
        let Expr::String(text) = body.expr(**it) else { return false };
        let inner = text.strip_prefix('/').and_then(|it| it.strip_suffix('/'));
        inner.is_some_and(|it| !it.is_empty() && !it.contains('/'))
    };
    let words: Vec<ExprId> = options.clone().filter(is_word).copied().collect();
    let is_name = || fact_of(body, test).is_some_and(|it| NAMES.contains(&it));
    let mut has_pattern =
        || options.any(|it| matches!(body.expr(*it), Expr::Regexp(source) if !source.contains('/')));
    if words.is_empty() || !is_name() && !has_pattern() {
        return HashSet::default();
    }
    words.iter().for_each(|it| quoted(context, *it));
    words.into_iter().collect()
}

/// The fact that an expression reads, or from which it extracts a value.
fn fact_of(body: &Body, id: ExprId) -> Option<&str> {
    let mut at = id;
    loop {
        let expr = body.expr(at);
        match expr {
            Expr::Access { target, .. } => match fact_by_name(body, expr) {
                Some(name) => return Some(name),
                None => at = *target,
            },
            _ => return NamedCall::of(expr).and_then(|call| fact_path(body, &call).first().map(|it| it.1)),
        }
    }
}

/// Whether a text is written like a regular expression: between slashes, with an anchor. Paths begin and end with slashes, too.
fn is_quoted_regexp(text: &str) -> bool {
    let inner = text.strip_prefix('/').and_then(|it| it.strip_suffix('/'));
    inner.is_some_and(|it| it.starts_with('^') || it.ends_with('$') || it.ends_with("\\z"))
}

/// Reports a regular expression that matches none of the words that a value can be.
fn pattern(
    context: &mut Context<'_, '_>,
    value: ExprId,
    compared: &Words,
    option: ExprId,
    source: &str,
    is_alone: bool,
) {
    let Some(known) = context.inference().type_of(value) else { return };
    let inner = match known.resolved().kind() {
        TypeKind::Optional(Some(inner)) => inner.resolved(),
        _ => known.resolved(),
    };
    let TypeKind::Enum(words) = inner.kind() else { return };
    let Ok(regexp) = Regexp::in_dialect(dialect(), source) else { return };
    let may_match = |it: &Str| regexp.is_match(it).unwrap_or(true);
    if !is_alone
        || words.is_case_insensitive()
        || words.values().is_empty()
        || words.values().iter().any(may_match)
    {
        return;
    }
    let message = format!("{} never matches this regular expression", compared.shown(known));
    context.report(rules::IMPOSSIBLE_MATCH, At::Expr(option), message).label =
        Some("matches none of its values".to_owned());
}

/// The words that a value can be, which is compared with several options.
#[derive(Default)]
struct Words {
    /// The value in messages.
    shown: OnceCell<String>,
    /// The reason why it is absent.
    absent: OnceCell<Option<String>>,
    names: OnceCell<Names>,
    /// The words in lower case: comparisons ignore the case.
    lowered: OnceCell<HashSet<Str>>,
}

impl Words {
    /// The value in messages, as [`value_of`] describes it.
    fn shown(&self, value: &Type) -> &str {
        self.shown.get_or_init(|| value_of(value))
    }

    /// The possible word of a value that an option is probably a misspelling of.
    fn misspelled(&self, value: &Type, option: &Type) -> Option<String> {
        let (words, option) = word_and_option(value, option)?;
        let nearest = self.names(words).nearest(&option, |_| true)?;
        Some(format!("did you mean `'{nearest}'`?"))
    }

    /// Whether an option is certainly a misspelling of one of the possible words of a value.
    fn is_slip(&self, value: &Type, option: &Type) -> bool {
        word_and_option(value, option).is_some_and(|(words, option)| {
            self.names(words).slip(&option, |_| true).is_some()
                || words.values().iter().any(|it| is_inner_slip(&option, it))
        })
    }

    /// Whether a value never equals an option.
    fn never_equal(&self, value: &Type, option: &Type) -> bool {
        match word_and_option(value, option) {
            Some((words, option)) if !words.values().is_empty() => {
                let lowered =
                    || words.values().iter().map(|it| it.to_ascii_lowercase()).collect::<HashSet<Str>>();
                !self.lowered.get_or_init(lowered).contains(&option.to_ascii_lowercase())
            }
            _ => never_equal(value, option),
        }
    }

    fn names(&self, words: &EnumType) -> &Names {
        self.names.get_or_init(|| words.values().iter().cloned().collect())
    }
}

/// The words that a value can be, and an option that is one word.
fn word_and_option<'t>(value: &'t Type, option: &Type) -> Option<(&'t EnumType, Str)> {
    match (value.resolved().kind(), constant(option)) {
        (TypeKind::Enum(words), Some(Value::String(option))) => Some((words, option)),
        _ => None,
    }
}

fn is_type(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Type(_))
}

fn is_literal(context: &Context<'_, '_>, id: ExprId) -> bool {
    !matches!(
        context.body.expr(id),
        Expr::Variable(_)
            | Expr::Access { .. }
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Interpolated(_)
            | Expr::Binary(_)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::Not(_)
    )
}

/// Whether an option is a literal that is compared with `==`.
fn is_plain(context: &Context<'_, '_>, id: ExprId) -> bool {
    matches!(context.body.expr(id), Expr::String(_) | Expr::Integer(_) | Expr::Float(_) | Expr::Boolean(_))
}
