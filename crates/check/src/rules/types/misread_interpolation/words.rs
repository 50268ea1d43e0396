//! Words without quotes that stand for a variable, or are nearly `true`, `false`, `undef` or a usual value of `ensure`.

use foldhash::HashSet;
use marotte_diagnostics::rules;
use marotte_hir::body::{AttributeName, BinaryOp, Expr};
use marotte_hir::{ExprId, NameKind};
use marotte_infer::literal::{Reference, references};
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::{Lookup, look_up};
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::spelling::{has_swapped_letters, is_slip};

use super::is_variable_of;
use crate::analysis::resources::declarable::{is_declared, is_written_somewhere};
use crate::analysis::resources::relationships::operands;
use crate::context::{At, Context};

/// Reports `port => api_port`: without `$`, the name of a variable is a string. Runs after the rules that find such a value wrong,
/// which say so themselves.
pub(in crate::rules) fn check_words(context: &mut Context<'_, '_>) {
    words_for_undef(context);
    misspelled_words(context);
    let body = context.body;
    let defaults = body.parameters.iter().filter_map(|it| it.default);
    let mut values: Vec<(Option<&str>, ExprId)> = defaults.map(|it| (None, it)).collect();
    let declarations = context.declarations();
    let resources = declarations.iter().filter(|it| it.type_name != "class");
    values.extend(resources.flat_map(|it| it.parts.iter()).filter_map(|it| it.title).map(|it| (None, it)));
    for attribute in declarations.iter().flat_map(|it| it.parts.iter()).flat_map(|it| it.attributes.iter()) {
        if let AttributeName::Name(name) = &attribute.name {
            values.push((Some(name.as_str()), attribute.value));
        }
    }
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Hash(entries) => values.extend(entries.iter().map(|(key, value)| {
                let key = match body.expr(*key) {
                    Expr::String(key) => Some(key.as_str()),
                    _ => None,
                };
                (key, *value)
            })),
            Expr::Assign { value, .. } => values.push((None, *value)),
            Expr::Selector(selector) => values.push((None, selector.test)),
            Expr::Array(elements) => values.extend(elements.iter().map(|it| (None, *it))),
            Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
                values.extend([(None, it.left), (None, it.right)]);
            }
            // The first argument of many functions is a name.
            _ => {
                if let Some(call) = NamedCall::of(expr).filter(|it| it.names().is_none()) {
                    values.extend(call.arguments().map(|it| (None, it)));
                }
            }
        }
    }
    // Titles that nothing declares.
    for (id, _) in operands(body) {
        let undeclared = references(body, id).0.into_iter().filter(|(_, it)| is_undeclared(context, it));
        values.extend(undeclared.map(|(at, _)| (None, at)));
    }
    let names: HashSet<&str> = body.variables().map(|it| it.as_str()).collect();
    values.retain(|(key, id)| {
        let Expr::String(word) = body.expr(*id) else { return false };
        // Other words may be meant: `ensure => present`, where there is `$present`.
        let is_name = word.contains('_') || *key == Some(word.as_str());
        is_name && names.contains(word.as_str()) || word.contains("::")
    });
    if values.is_empty() {
        return;
    }
    let reported = context.reported_ranges();
    for (_, id) in values {
        let Some(word) = context.bare_word(id) else { continue };
        if context.inference().is_unreachable(id) || reported.contains(&context.range(At::Expr(id))) {
            continue;
        }
        if let Some((class, variable)) = word.rsplit_once("::")
            && (!is_variable_of(context, class, variable) || is_defined(context, word))
        {
            continue;
        }
        let message = format!("without `$`, `{word}` is a string, not the variable of this name");
        let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
        finding.label = Some(format!("did you mean `${word}`?"));
    }
}

/// Whether a reference has a qualified title, and nothing declares a resource by this name.
fn is_undeclared(context: &Context<'_, '_>, reference: &Reference) -> bool {
    let (type_name, title) = (&reference.type_name, &reference.title);
    title.contains("::")
        && !matches!(type_name.as_str(), "class" | "anchor")
        && !matches!(context.resource_type(type_name), ResourceTypeName::Missing | ResourceTypeName::Unknown)
        && !is_declared(context.db, context.file, type_name.clone(), title.clone())
        && !is_written_somewhere(context.db, context.file, type_name, title)
}

/// Whether there is a class, a defined type or a function of this name, or may be one.
fn is_defined(context: &Context<'_, '_>, name: &str) -> bool {
    let kinds = [NameKind::Class, NameKind::Define, NameKind::Function];
    kinds.iter().any(|it| !matches!(look_up(context.db, context.file, *it, name), Lookup::Missing))
}

/// Reports words without quotes that are slips of `true`, `false` and `undef`, and of the usual values of `ensure`, where no attribute or
/// parameter refuses them.
fn misspelled_words(context: &mut Context<'_, '_>) {
    const WORDS: [&str; 3] = ["true", "false", "undef"];
    const ENSURED: [&str; 6] = ["present", "absent", "installed", "latest", "running", "stopped"];
    let body = context.body;
    // A word of its own, which is nearly `present`.
    const OTHER: &str = "preset";
    let meant = |word: &str, words: &[&'static str]| {
        let is_near = |it: &&str| is_slip(word, it) || has_swapped_letters(word, it);
        words.iter().copied().find(|it| word != OTHER && is_near(it))
    };
    let meant_by = |id: ExprId, is_ensured: bool| match body.expr(id) {
        Expr::String(word) if is_ensured => meant(word, &ENSURED),
        Expr::String(word) => meant(word, &WORDS),
        _ => None,
    };
    let mut found: Vec<(ExprId, &str)> = Vec::new();
    // Options are written in quotes, mostly.
    let mut quoted: HashSet<ExprId> = HashSet::default();
    let mut add = |id: ExprId, is_ensured| found.extend(meant_by(id, is_ensured).map(|it| (id, it)));
    for attribute in context.declarations().iter().flat_map(|it| &it.parts).flat_map(|it| &it.attributes) {
        add(attribute.value, false);
        if matches!(&attribute.name, AttributeName::Name(name) if name == "ensure") {
            add(attribute.value, true);
        }
    }
    for parameter in &body.parameters {
        if let Some(default) = parameter.default {
            add(default, false);
            if parameter.name == "ensure" {
                add(default, true);
            }
        }
    }
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Assign { value, .. } => add(*value, false),
            Expr::Hash(entries) => entries.iter().for_each(|it| add(it.1, false)),
            Expr::Selector(selector) => selector.entries.iter().for_each(|it| add(it.1, false)),
            Expr::Case(case) => {
                let options: Vec<ExprId> = case.options.iter().flat_map(|it| it.values.clone()).collect();
                let is_usual = |it: &ExprId| matches!(body.expr(*it), Expr::String(word) if ENSURED.contains(&word.as_str()));
                if options.iter().any(is_usual) {
                    options.iter().for_each(|it| add(*it, true));
                    quoted.extend(options);
                }
            }
            _ => {}
        }
    }
    if found.is_empty() {
        return;
    }
    let reported = context.reported_ranges();
    let mut seen = HashSet::default();
    for (id, meant) in found {
        let word = match body.expr(id) {
            Expr::String(word) if quoted.contains(&id) => Some(word),
            _ => context.bare_word(id),
        };
        let Some(word) = word.filter(|_| seen.insert(id)) else { continue };
        if context.inference().is_unreachable(id) || reported.contains(&context.range(At::Expr(id))) {
            continue;
        }
        let message = match quoted.contains(&id) {
            true => format!("the option `{word}` is none of the usual values"),
            false => format!("the word `{word}` is a string"),
        };
        let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// Reports the words without quotes that other languages use for an unset value, where they are the default value of a parameter or
/// the value of a variable.
fn words_for_undef(context: &mut Context<'_, '_>) {
    const WORDS: [&str; 3] = ["nil", "null", "undefined"];
    let body = context.body;
    let defaults = body.parameters.iter().filter_map(|it| it.default);
    let assigned = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Assign { value, .. } => Some(*value),
        _ => None,
    });
    let is_word = |id: &ExprId| matches!(body.expr(*id), Expr::String(it) if WORDS.contains(&it.as_str()));
    let values: Vec<ExprId> = defaults.chain(assigned).filter(is_word).collect();
    if values.is_empty() {
        return;
    }
    let times = WORDS
        .map(|word| body.exprs().filter(|(_, it)| matches!(it, Expr::String(text) if text == word)).count());
    let is_repeated = |word: &str| WORDS.iter().zip(times).any(|(it, times)| *it == word && times > 1);
    let reported = context.reported_ranges();
    for id in values {
        let Some(word) = context.bare_word(id) else { continue };
        // Code that compares values with the word uses it on purpose.
        if is_repeated(word)
            || context.inference().is_unreachable(id)
            || reported.contains(&context.range(At::Expr(id)))
        {
            continue;
        }
        let message = format!("the word `{word}` is a string");
        let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
        finding.label = Some("did you mean `undef`?".to_owned());
    }
}
