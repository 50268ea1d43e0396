//! Texts in single quotes, and other literal texts, in which something was meant to be replaced.

use marotte_db::{Db, File, source_text};
use marotte_diagnostics::{Edit, Fix, rules};
use marotte_hir::body::{AttributeName, Expr, Variable};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::{Lookup, look_up};
use marotte_text::TextRange;

use crate::context::{At, Context};
use crate::findings::Findings;

/// Reports `$x =~ 'Stdlib::HTTPUrl'`: in quotes, the name of a type is a regular expression.
pub(super) fn quoted_type(context: &mut Context<'_, '_>, id: ExprId) {
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
pub(super) fn escapes_in_single_quotes(context: &mut Context<'_, '_>, text: &str) {
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

/// Reports `'${name}'`: single quotes interpolate nothing. Heredocs whose tag is not in double quotes don't either, but are mostly
/// written for that.
pub(super) fn without_interpolation(context: &mut Context<'_, '_>, id: ExprId, value: &str, text: &str) {
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
pub(super) fn is_template(context: &Context<'_, '_>, id: ExprId) -> bool {
    const RENDERING: [&str; 5] = ["inline_epp", "inline_template", "regsubst", "sprintf", "lookup"];
    context.body.calls().any(|(_, expr)| {
        NamedCall::of(expr).is_some_and(|it| {
            RENDERING.contains(&it.plain_name()) && it.arguments().any(|argument| argument == id)
        })
    })
}

pub(super) fn is_parameter_or_assigned(context: &Context<'_, '_>, name: &str) -> bool {
    let body = context.body;
    body.parameters.iter().any(|it| it.name == name)
        || body.exprs().any(|(_, expr)| match expr {
            Expr::Variable(it) => matches!(&**it, Variable::Local { name: read, .. } if read == name),
            _ => false,
        }) && body.times_set(name) > 0
}
