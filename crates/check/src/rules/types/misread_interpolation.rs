//! `misread-interpolation`: a text that looks as if it interpolated a variable, but doesn't.
//!
//! The slips: `"$h['port']"`, in which only `$h` is interpolated; `'${name}'`, in which nothing is; `"{$name}"`, in which the
//! braces stay; `"$[name}"`; `port => api_port`, `"{name}"` and `<%= name %>`, in which a variable lacks its `$`; `"${Name}"`, a type; and words that
//! are nearly `true`, `false`, `undef` or a usual value of `ensure`.

use foldhash::HashSet;
use marotte_db::{Db, File, source_text};
use marotte_diagnostics::{Edit, Fix, rules};
use marotte_hir::body::{AttributeName, BinaryOp, Expr, Segment, Variable};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_infer::inference::outline;
use marotte_infer::literal::{Reference, references};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::is_facts;
use marotte_resolve::names::{Lookup, look_up};
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::spelling::{has_swapped_letters, is_slip};
use marotte_text::{TextRange, TextSize};

use crate::analysis::resources::declarable::{is_declared, is_written_somewhere};
use crate::analysis::resources::relationships::operands;
use crate::context::{At, Context};
use crate::findings::Findings;

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

/// Reports `$x =~ 'Stdlib::HTTPUrl'`: in quotes, the name of a type is a regular expression.
fn quoted_type(context: &mut Context<'_, '_>, id: ExprId) {
    let Expr::String(name) = context.body.expr(id) else { return };
    let is_capitalized = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_uppercase())
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    // Other texts may have names of this form.
    let is_alias = |name: &str| {
        let is_found =
            || matches!(look_up(context.db, context.file, NameKind::TypeAlias, name), Lookup::Found(_));
        name.starts_with("Stdlib::") || is_found()
    };
    if !name.contains("::") || !name.split("::").all(is_capitalized) || !is_alias(name) {
        return;
    }
    let message = format!("`'{name}'` is a regular expression here, not the type");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
    finding.label = Some("write the type without quotes".to_owned());
}

/// Reports `content => join($list, '\n')`: in single quotes, this is a backslash and a letter. Other texts may be read by programs that
/// know such escapes.
fn escapes_in_single_quotes(context: &mut Context<'_, '_>, text: &str) {
    let declarations = context.declarations();
    let attributes = declarations.iter().flat_map(|it| &it.parts).flat_map(|it| &*it.attributes);
    let contents = attributes.filter(|it| matches!(&it.name, AttributeName::Name(name) if name == "content"));
    let separator = |value: ExprId| {
        let call = NamedCall::of(context.body.expr(value)).filter(|it| it.plain_name() == "join")?;
        call.arguments().nth(1)
    };
    for separator in contents.filter_map(|it| separator(it.value)).collect::<Vec<_>>() {
        escape_in_single_quotes(context, separator, text);
    }
}

fn escape_in_single_quotes(context: &mut Context<'_, '_>, separator: ExprId, text: &str) {
    let range = context.range(At::Expr(separator));
    let escape = match &text[range] {
        r"'\n'" => r"\n",
        r"'\r\n'" => r"\r\n",
        r"'\t'" => r"\t",
        _ => return,
    };
    let message = format!("in single quotes, `{escape}` is a backslash and a letter");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(separator), message);
    finding.label = Some("use double quotes".to_owned());
    finding.fix = Some(Fix {
        title: format!("replace with `\"{escape}\"`"),
        safe: false,
        edits: vec![Edit { range, text: format!("\"{escape}\"") }],
    });
}

/// Whether a class sets a variable.
fn is_variable_of(context: &Context<'_, '_>, class: &str, variable: &str) -> bool {
    match look_up(context.db, context.file, NameKind::Class, class) {
        Lookup::Found(class) => outline(context.db, class).variable(variable).is_some(),
        _ => false,
    }
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

fn has_parts(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Hash(..) | TypeKind::Struct(_) => true,
        TypeKind::Variant(types) => types.iter().all(has_parts),
        TypeKind::Optional(Some(it)) => has_parts(it),
        _ => false,
    }
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

/// Reports `'${name}'`: single quotes interpolate nothing. Heredocs whose tag is not in double quotes don't either, but are mostly
/// written for that.
fn without_interpolation(context: &mut Context<'_, '_>, id: ExprId, value: &str, text: &str) {
    let Some(name) = uninterpolated(context, id, value, text).map(str::to_owned) else { return };
    let message = format!("`${{{name}}}` is not interpolated in single quotes");
    let finding = context.report(rules::MISREAD_INTERPOLATION, At::Expr(id), message);
    finding.label = Some("use double quotes".to_owned());
}

/// Returns the ranges of the texts in single quotes that have been reported.
pub(in crate::rules) fn uninterpolated_texts(db: &dyn Db, file: File, findings: &Findings) -> Vec<TextRange> {
    let text = source_text(db, file).text();
    let is_quoted = |it: &TextRange| text[*it].starts_with('\'');
    let about =
        findings.iter().filter(|it| it.rule == rules::MISREAD_INTERPOLATION && it.file == file.id(db));
    about.map(|it| it.range).filter(is_quoted).collect()
}

/// Whether a string is one that was meant to be interpolated.
pub(in crate::rules) fn is_uninterpolated(context: &Context<'_, '_>, id: ExprId) -> bool {
    let Expr::String(value) = context.body.expr(id) else { return false };
    value.contains("${")
        && uninterpolated(context, id, value, source_text(context.db, context.file).text()).is_some()
}

/// The name of a variable that was meant to be interpolated. Shells and templates have variables of their own, so the body must set
/// one with this name.
fn uninterpolated<'v>(context: &Context<'_, '_>, id: ExprId, value: &'v str, text: &str) -> Option<&'v str> {
    let written = &text[context.range(At::Expr(id))];
    // The range of a heredoc is that of its text, which may begin with a quote.
    let is_plain = written.starts_with('\'') && written.ends_with('\'');
    if !is_plain || is_template(context, id) || has_foreign_variables(context) {
        return None;
    }
    in_braces(value).find_map(|(name, rest)| {
        let is_closed = rest.starts_with(['}', '[', '.']);
        // A shell script that sets the variable refers to its own variable.
        let is_set_in_text = value.contains(&format!("{name}="))
            || value.contains(&format!("for {name} "))
            || value.contains(&format!("read {name}"));
        let is_in_scope = is_of_every(context, name)
            || is_parameter_or_assigned(context, name)
            || (name == "facts" && !rest.starts_with('}'));
        (is_closed && !name.is_empty() && is_in_scope && !is_set_in_text).then_some(name)
    })
}

/// Whether every class, or every defined type, has a variable of this name, which other languages have seldom.
fn is_of_every(context: &Context<'_, '_>, name: &str) -> bool {
    match context.item.kind(context.db) {
        ItemKind::Define => matches!(name, "title" | "name" | "module_name"),
        ItemKind::Class => name == "module_name",
        _ => false,
    }
}

/// Returns the names after `${` in a text, each with the text that follows it.
fn in_braces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("${").skip(1).map(|rest| {
        let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
        rest.split_at(rest.find(|it: char| !is_part(it)).unwrap_or(rest.len()))
    })
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

/// Whether another text of the body contains variables of another language, such as that of a configuration file, whose
/// names are not variables here: then `${name}` belongs to that language.
fn has_foreign_variables(context: &Context<'_, '_>) -> bool {
    let body = context.body;
    let mut texts = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::String(text) => Some(text.as_str()),
        _ => None,
    });
    texts.any(|text| {
        in_braces(text).any(|(name, _)| {
            name != "facts" && !is_of_every(context, name) && !is_parameter_or_assigned(context, name)
        })
    })
}

/// Whether the text is passed to a function that interpolates it later, or uses it as a pattern.
fn is_template(context: &Context<'_, '_>, id: ExprId) -> bool {
    const RENDERING: [&str; 5] = ["inline_epp", "inline_template", "regsubst", "sprintf", "lookup"];
    context.body.calls().any(|(_, expr)| {
        NamedCall::of(expr).is_some_and(|it| {
            RENDERING.contains(&it.plain_name()) && it.arguments().any(|argument| argument == id)
        })
    })
}

fn is_parameter_or_assigned(context: &Context<'_, '_>, name: &str) -> bool {
    let body = context.body;
    body.parameters.iter().any(|it| it.name == name)
        || body.exprs().any(|(_, expr)| match expr {
            Expr::Variable(it) => matches!(&**it, Variable::Local { name: read, .. } if read == name),
            _ => false,
        }) && body.times_set(name) > 0
}
