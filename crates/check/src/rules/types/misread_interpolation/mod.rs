//! `misread-interpolation`: a text that looks as if it interpolated a variable, but doesn't.
//!
//! The slips: `"$h['port']"`, in which only `$h` is interpolated; `'${name}'`, in which nothing is; `"{$name}"`, in which the
//! braces stay; `"$[name}"`; `port => api_port`, `"{name}"` and `<%= name %>`, in which a variable lacks its `$`; `"${Name}"`, a type; and words that
//! are nearly `true`, `false`, `undef` or a usual value of `ensure`.

mod single_quotes;
mod words;

use marotte_db::source_text;
use marotte_diagnostics::{Edit, Fix, rules};
use marotte_hir::body::{BinaryOp, Expr, Segment};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_infer::inference::outline;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::globals::is_facts;
use marotte_resolve::names::{Lookup, look_up};
use marotte_text::{TextRange, TextSize};

use crate::context::{At, Context};
use single_quotes::{
    escapes_in_single_quotes, is_parameter_or_assigned, is_template, quoted_type, without_interpolation,
};
pub(in crate::rules) use single_quotes::{is_uninterpolated, uninterpolated_texts};
pub(in crate::rules) use words::check_words;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let text = source_text(context.db, context.file).text();
    escapes_in_single_quotes(context, text);
    for (id, expr) in body.exprs() {
        if context.inference().is_unreachable(id) {
            continue;
        }
        match expr {
            Expr::Interpolated(segments) => {
                for (index, segment) in segments.iter().enumerate() {
                    let Segment::Expr(variable) = segment else { continue };
                    let range = context.range(At::Expr(*variable));
                    if !matches!(body.expr(*variable), Expr::Variable(_)) || !text[range].starts_with('$') {
                        continue;
                    }
                    let before = index.checked_sub(1).and_then(|it| segments.get(it));
                    match (before, segments.get(index + 1)) {
                        (_, Some(Segment::Text(after))) if after.starts_with('[') => {
                            part_left_out(context, *variable, text, after);
                        }
                        (_, Some(Segment::Text(after))) if after.starts_with('.') => {
                            call_left_out(context, *variable, text, after);
                        }
                        (Some(Segment::Text(before)), Some(Segment::Text(after)))
                            if before.ends_with('{')
                                && after.starts_with('}')
                                && (braces(segments) == 1 || are_all_in_braces(segments)) =>
                        {
                            braces_outside(context, *variable, text, before);
                        }
                        _ => {}
                    }
                }
                segments_without_dollar(context, segments, id, text);
                other_bracket(context, id, text);
                names_in_capitals(context, segments);
            }
            Expr::String(value) if text[context.range(At::Expr(id))].starts_with('"') => {
                let segments = [Segment::Text(value.clone())];
                segments_without_dollar(context, &segments, id, text);
                other_bracket(context, id, text);
            }
            Expr::Binary(it) if matches!(it.op, BinaryOp::Match | BinaryOp::NoMatch) => {
                quoted_type(context, it.right);
            }
            Expr::Render(statements) => {
                if let [word] = statements[..] {
                    rendered_word(context, word);
                }
            }
            Expr::String(value) if value.contains("${") => without_interpolation(context, id, value, text),
            _ => {}
        }
    }
}

/// Reports `"{name}"` in double quotes, where the `$` is missing. Other languages have such places, too, mostly several of them, and
/// most of them with a sign before the brace.
fn segments_without_dollar(context: &mut Context<'_, '_>, segments: &[Segment], id: ExprId, text: &str) {
    let range = context.range(At::Expr(id));
    let written = &text[range];
    // In heredocs, texts of other languages are more frequent.
    if !written.starts_with('"') || !written.ends_with('"') {
        return;
    }
    let mut names = Vec::new();
    for segment in segments {
        let Segment::Text(part) = segment else { continue };
        for (at, _) in part.match_indices('{') {
            let rest = &part[at + 1..];
            let is_part =
                |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '_' | ':');
            let name = &rest[..rest.find(|it| !is_part(it)).unwrap_or(rest.len())];
            // A brace of another language.
            if name.is_empty() || !rest[name.len()..].starts_with('}') {
                return;
            }
            let before = part[..at].chars().next_back();
            if !before.is_none_or(|it| it.is_alphanumeric() || "/-_. =:,@'".contains(it)) {
                return;
            }
            names.push(name.to_owned());
        }
    }
    let is_read = segments.iter().any(|it| matches!(it, Segment::Expr(_)));
    let [name] = &names[..] else { return };
    // A word alone may be a place of another language.
    let is_certain =
        is_read || name.contains(['_', ':']) || context.item.kind(context.db) == ItemKind::Define;
    let is_set = match name.rsplit_once("::") {
        Some((class, variable)) => is_variable_of(context, class, variable),
        None => is_parameter_or_assigned(context, name),
    };
    let passed_on = is_template(context, id);
    let Some(at) = written.find(&format!("{{{name}}}")).filter(|_| is_certain && is_set && !passed_on) else {
        return;
    };
    let brace = TextRange::at(range.start() + TextSize::of(&written[..at]), TextSize::of("{"));
    let message = format!("without `$`, `{{{name}}}` is text, not the variable of this name");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
    finding.range = TextRange::at(brace.start(), TextSize::of(&*format!("{{{name}}}")));
    finding.label = Some(format!("write `${{{name}}}`"));
    finding.fix = Some(Fix {
        title: format!("replace with `${{{name}}}`"),
        safe: false,
        edits: vec![Edit { range: brace, text: "${".to_owned() }],
    });
}

/// Reports `"$[name}"` and `"$(name}"`, in which the opening bracket is another one than the closing brace.
fn other_bracket(context: &mut Context<'_, '_>, id: ExprId, text: &str) {
    let range = context.range(At::Expr(id));
    let written = &text[range];
    if !written.starts_with('"') {
        return;
    }
    let found = written.match_indices("$[").chain(written.match_indices("$(")).find_map(|(at, bracket)| {
        if written[..at].ends_with('\\') {
            return None;
        }
        let rest = &written[at + bracket.len()..];
        let name = &rest[..rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_')?];
        let is_meant = rest[name.len()..].starts_with('}') && is_parameter_or_assigned(context, name);
        is_meant.then(|| (at, bracket, name.to_owned()))
    });
    let Some((at, bracket, name)) = found else { return };
    let start = range.start() + TextSize::of(&written[..at]);
    let message = format!("`{bracket}{name}}}` is text, not the variable of this name");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
    finding.range = TextRange::at(start, TextSize::of(&*format!("{bracket}{name}}}")));
    finding.label = Some(format!("write `${{{name}}}`"));
    finding.fix = Some(Fix {
        title: format!("replace with `${{{name}}}`"),
        safe: false,
        edits: vec![Edit { range: TextRange::at(start, TextSize::of(bracket)), text: "${".to_owned() }],
    });
}

/// Reports `"${Name}"`: a name in capitals is a type.
fn names_in_capitals(context: &mut Context<'_, '_>, segments: &[Segment]) {
    for segment in segments {
        let Segment::Expr(id) = segment else { continue };
        let Expr::Reference(name) = context.body.expr(*id) else { continue };
        let small = name.to_ascii_lowercase();
        if context.body.times_set(&small) == 0 {
            continue;
        }
        let message = format!("`{name}` is a type, not the variable `${small}`");
        let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(*id), message);
        finding.label = Some(format!("did you mean `${small}`?"));
    }
}

/// Reports `<%= name %>` in a template: the word itself is rendered.
fn rendered_word(context: &mut Context<'_, '_>, id: ExprId) {
    let Some(word) = context.bare_word(id) else { return };
    // Other words may be meant, such as `<%= parse-resolv-conf %>`.
    let is_name = match word.rsplit_once("::") {
        Some((class, variable)) => is_variable_of(context, class, variable),
        None => context.body.times_set(word) > 0 || context.body.parameters.is_empty() && word.contains('_'),
    };
    if !is_name {
        return;
    }
    let message = format!("without `$`, this renders the word `{word}` itself");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
    finding.label = Some(format!("did you mean `${word}`?"));
}

/// Reports `"$h['port']"`: the brackets and their content are text.
fn part_left_out(context: &mut Context<'_, '_>, variable: ExprId, text: &str, after: &str) {
    let is_collection =
        context.inference().type_of(variable).is_some_and(has_parts) || is_facts(context.body, variable);
    let range = context.range(At::Expr(variable));
    let Some(length) = after.find(']').map(|it| it + 1) else { return };
    let part = &after[..length];
    // With escapes, the source differs from the text.
    if !is_collection || !text[usize::from(range.end())..].starts_with(part) || part.len() == "[]".len() {
        return;
    }
    let name = text[range].trim_start_matches('$').to_owned();
    let message = format!("`{part}` is text here: only `${name}`, a whole collection, is interpolated");
    let end = usize::from(range.end()) + length;
    let whole = TextRange::new(range.start(), end.try_into().unwrap_or(range.end()));
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(variable), message);
    finding.label = Some(format!("write `${{{name}{part}}}`"));
    finding.fix = Some(Fix {
        title: format!("replace with `${{{name}{part}}}`"),
        safe: false,
        edits: vec![Edit { range: whole, text: format!("${{{name}{part}}}") }],
    });
}

/// Reports `"$list.join(',')"`: the call is text.
fn call_left_out(context: &mut Context<'_, '_>, variable: ExprId, text: &str, after: &str) {
    let name = after[1..]
        .split(|it: char| !it.is_ascii_lowercase() && it != '_' && it != ':')
        .next()
        .unwrap_or_default();
    let is_collection = context.inference().type_of(variable).is_some_and(has_parts);
    let range = context.range(At::Expr(variable));
    // The function exists, and texts have no such endings.
    let is_call = matches!(
        name,
        "join"
            | "keys"
            | "values"
            | "length"
            | "size"
            | "unique"
            | "flatten"
            | "sort"
            | "filter"
            | "map"
            | "first"
            | "last"
            | "count"
            | "empty"
            | "dig"
            | "get"
    );
    if !is_collection || !is_call || !text[usize::from(range.end())..].starts_with(&after[..=name.len()]) {
        return;
    }
    let variable_name = text[range].trim_start_matches('$').to_owned();
    let message =
        format!("`.{name}` is text here: only `${variable_name}`, a whole collection, is interpolated");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(variable), message);
    finding.label = Some(format!("write `${{{variable_name}.{name}}}`"));
}

/// Returns the number of opening braces in the literal parts of a text.
fn braces(segments: &[Segment]) -> usize {
    let of_text = |it: &Segment| match it {
        Segment::Text(text) => text.matches('{').count(),
        Segment::Expr(_) => 0,
    };
    segments.iter().map(of_text).sum()
}

/// Whether a text is only variables, each in braces, with `/` or `@` between them: `"{$user}/{$table}"`.
fn are_all_in_braces(segments: &[Segment]) -> bool {
    let variables = segments.iter().filter(|it| matches!(it, Segment::Expr(_))).count();
    let texts = segments.iter().filter_map(|it| match it {
        Segment::Text(text) => Some(text.as_str()),
        Segment::Expr(_) => None,
    });
    braces(segments) == variables && texts.flat_map(str::chars).all(|it| "{}/@".contains(it))
}

/// Reports `"{$name}"`: the braces are text. Other languages use braces on purpose, mostly several of them.
fn braces_outside(context: &mut Context<'_, '_>, variable: ExprId, text: &str, before: &str) {
    let range = context.range(At::Expr(variable));
    let is_escaped = before.len() >= 2
        && !before[..before.len() - 1]
            .ends_with(|it: char| it.is_alphanumeric() || "/-_. =:'\",@".contains(it));
    let start = usize::from(range.start());
    if is_escaped || !text[..start].ends_with('{') || !text[usize::from(range.end())..].starts_with('}') {
        return;
    }
    let name = text[range].trim_start_matches('$').to_owned();
    let around = TextRange::new(
        (start - 1).try_into().unwrap_or(range.start()),
        (usize::from(range.end()) + 1).try_into().unwrap_or(range.end()),
    );
    let finding = context.report(
        rules::MISREAD_INTERPOLATION,
        At::Expr(variable),
        format!("the braces around `${name}` stay in the text"),
    );
    finding.label = Some(format!("write `${{{name}}}`"));
    finding.fix = Some(Fix {
        title: format!("replace with `${{{name}}}`"),
        safe: false,
        edits: vec![Edit { range: around, text: format!("${{{name}}}") }],
    });
}

fn has_parts(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Hash(..) | TypeKind::Struct(_) => true,
        TypeKind::Variant(types) => types.iter().all(has_parts),
        TypeKind::Optional(Some(it)) => has_parts(it),
        _ => false,
    }
}

/// Whether a class sets a variable.
fn is_variable_of(context: &Context<'_, '_>, class: &str, variable: &str) -> bool {
    match look_up(context.db, context.file, NameKind::Class, class) {
        Lookup::Found(class) => outline(context.db, class).variable(variable).is_some(),
        _ => false,
    }
}
