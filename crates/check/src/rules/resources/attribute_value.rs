//! `attribute-value`: an attribute value that the resource type doesn't accept.

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;
use marotte_db::Db;
use marotte_db::{Environment, FileStatus, files_below};
use marotte_diagnostics::{Diagnostic, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{Attribute as Given, AttributeName, Expr};
use marotte_infer::declarations::{Declaration, alteration};
use marotte_infer::disjoint::disjoint;
use marotte_infer::inference;
use marotte_infer::known_values::text_of as text;
use marotte_pcore::infer::generalize;
use marotte_pcore::regexp::{Options, Regexp};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_resolve::names::lacks_modules;
use marotte_resolve::resource_types::{ResourceTypeName, described, is_altered_elsewhere, is_universal};
use marotte_resolve::spelling::{Names, has_swapped_letters, nearest, short_slip, slip};
use marotte_ruby::core;
use marotte_ruby::resource_type::{
    Attribute, AttributeKind, Flags, Regexp as Pattern, ResourceType, Value as Word, Values,
};
use marotte_text::Str;

use super::attribute_form::{Form, PACKAGE_PROVIDERS, SERVICE_PROVIDERS};
use crate::context::{At, Context};
use crate::rules::types::mismatch::value_of;
use crate::rules::types::misread_interpolation::is_uninterpolated;

/// The maximum number of accepted values that a note lists.
const MOST_NAMED: usize = 50;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let mut accepted = Accepted::default();
    for declaration in context.declarations().iter() {
        let Some(resource_type) = known_type(context, &declaration.type_name) else { continue };
        titles(context, declaration);
        for part in &declaration.parts {
            if declaration.type_name == "file" {
                contents(context, &part.attributes);
            }
            values(context, &part.attributes, resource_type, &mut accepted);
        }
    }
    let body = context.body;
    for (_, expr) in body.exprs() {
        if let Some((Some(name), given)) = alteration(body, expr)
            && let Some(resource_type) = known_type(context, name)
        {
            values(context, &given, resource_type, &mut accepted);
        }
    }
}

/// A resource type, and whether its description is complete.
fn known_type<'db>(context: &Context<'db, '_>, name: &str) -> Option<(&'db ResourceType, bool)> {
    let found = context.resource_type(name);
    match found {
        ResourceTypeName::Agent(it) => Some((it, false)),
        _ => described(context.db, found, name).map(|it| (it, true)),
    }
}

/// The accepted values of attributes, by resource type and attribute: an attribute may have thousands.
#[derive(Default)]
struct Accepted<'db>(HashMap<(&'db str, &'db str), Names>);

impl<'db> Accepted<'db> {
    fn by(&mut self, resource_type: &'db ResourceType, attribute: &'db Attribute) -> &Names {
        let all = self.0.entry((&resource_type.name, &attribute.name));
        all.or_insert_with(|| match &attribute.values {
            Values::Listed { words, .. } => names(words).cloned().collect(),
            _ => Names::default(),
        })
    }
}

/// The names of accepted values.
fn names(words: &[Word]) -> impl Iterator<Item = &Str> {
    words.iter().flat_map(|it| std::iter::once(&it.name).chain(&it.aliases))
}

fn values<'db>(
    context: &mut Context<'db, '_>,
    given: &[Given],
    (resource_type, is_complete): (&'db ResourceType, bool),
    accepted: &mut Accepted<'db>,
) {
    for it in given {
        let AttributeName::Name(attribute) = &it.name else { continue };
        if attribute == "provider" {
            let chosen = context.choices(it.value);
            chosen.into_iter().for_each(|id| provider(context, id, &resource_type.name));
            continue;
        }
        let metaparameter = || core::metaparameters().iter().find(|it| it.name == *attribute);
        let Some(declared) = resource_type.attribute(attribute).or_else(metaparameter) else { continue };
        let of = format!("attribute `{attribute}` of resource type `{}`", resource_type.name);
        if declared.kind == AttributeKind::ReadOnly && is_complete {
            let finding =
                context.report(rules::ATTRIBUTE_VALUE, At::Expr(it.at), format!("{of} can only be read"));
            finding.label = Some("cannot be set".to_owned());
            continue;
        }
        let form = Form::of(&resource_type.name, attribute);
        for id in context.choices(it.value) {
            let is_reported = attribute == "ensure"
                && match resource_type.name.as_str() {
                    "file" => !has_target(given) && kind_of_file(context, id),
                    "package" => state_of_package(context, id),
                    _ => false,
                };
            if is_reported {
                continue;
            }
            if let Some(form) = form.filter(|it| *it != Form::Listed) {
                formed(context, id, form, &of);
            } else if !declared.validated || form.is_some() {
                value(context, id, (declared, accepted.by(resource_type, declared)), is_complete, &of);
            }
        }
    }
}

/// Whether the target of a symbolic link is given, or may be: then any text for `ensure` means a link.
fn has_target(given: &[Given]) -> bool {
    given.iter().any(|it| match &it.name {
        AttributeName::Unfold => true,
        AttributeName::Name(name) => name == "target",
    })
}

/// Whether a default, an override or a collector of any file may set the target.
fn has_target_elsewhere(context: &Context<'_, '_>) -> bool {
    context.declarations().iter().any(|it| it.type_name == "file" && has_target(it.defaults()))
        || is_altered_elsewhere(context.db, context.environment, context.file, "file", "target")
}

/// Reports a word for a kind of file that is none: the file would become a symbolic link to a file of that name. Returns whether
/// it did.
fn kind_of_file(context: &mut Context<'_, '_>, id: ExprId) -> bool {
    const WORDS: [(&str, &str); 12] = [
        ("links", "link"),
        ("files", "file"),
        ("symlink", "link"),
        ("symlinks", "link"),
        ("softlink", "link"),
        ("dir", "directory"),
        ("folder", "directory"),
        ("directories", "directory"),
        ("exists", "present"),
        ("installed", "present"),
        ("removed", "absent"),
        ("purged", "absent"),
    ];
    let Some(word) = text(context.typed(), id) else { return false };
    let usual = || WORDS.iter().find(|(it, _)| *it == word).map(|it| it.1);
    // The target of a link is rarely one word, and hardly one of these.
    let misspelled = || {
        let is_word = word.chars().all(|it| it.is_ascii_lowercase());
        short_slip(&word, ["absent", "directory", "file", "link", "present"]).filter(|_| is_word)
    };
    let Some(meant) = usual().or_else(misspelled) else { return false };
    if has_target_elsewhere(context) {
        return false;
    }
    let finding = not_a_value(context, id, "attribute `ensure` of resource type `file`", &word, meant);
    finding.notes.push(format!("any other text is the target of a symbolic link: one to `{word}`"));
    true
}

/// Reports a word for the state of a package that is none: the agent would look for a version of that name. Returns whether it did.
fn state_of_package(context: &mut Context<'_, '_>, id: ExprId) -> bool {
    const WORDS: [(&str, &str); 10] = [
        ("exists", "present"),
        ("install", "installed"),
        ("purge", "purged"),
        ("remove", "absent"),
        ("removed", "absent"),
        ("uninstall", "absent"),
        ("uninstalled", "absent"),
        ("update", "latest"),
        ("updated", "latest"),
        ("upgrade", "latest"),
    ];
    let Some(word) = text(context.typed(), id) else { return false };
    let Some((_, meant)) = WORDS.iter().find(|(it, _)| *it == word) else { return false };
    let finding = not_a_value(context, id, "attribute `ensure` of resource type `package`", &word, meant);
    finding.notes.push("any other text is a version".to_owned());
    true
}

/// Reports a text that is none of an attribute's words, and the word that is meant.
fn not_a_value<'f>(
    context: &'f mut Context<'_, '_>,
    id: ExprId,
    of: &str,
    text: &str,
    meant: &str,
) -> &'f mut Diagnostic {
    let finding = context.report(rules::ATTRIBUTE_VALUE, At::Expr(id), format!("{of} has no value `{text}`"));
    finding.label = Some(format!("did you mean `{meant}`?"));
    finding
}

/// The names of the files with providers of a resource type, in all modules.
#[salsa::tracked(returns(ref))]
fn providers(db: &dyn Db, environment: Environment, resource_type: Str) -> Vec<Str> {
    let folder = Utf8PathBuf::from("lib/puppet/provider").join(&*resource_type);
    let modules = environment.modules(db).iter();
    let files = modules.flat_map(|(_, it)| files_below(db, &it.join(&folder), "rb"));
    files.filter_map(|it| it.file_stem().map(Str::from)).collect()
}

/// Reports a provider that neither Puppet nor an available module has, but whose name is similar to one of theirs.
fn provider(context: &mut Context<'_, '_>, id: ExprId, resource_type: &str) {
    let (db, environment) = (context.db, context.environment);
    let Expr::String(name) = context.body.expr(id) else { return };
    let known: Vec<&str> = match resource_type {
        "package" => PACKAGE_PROVIDERS.to_vec(),
        "service" => SERVICE_PROVIDERS.to_vec(),
        _ => providers(db, environment, resource_type.into()).iter().map(Str::as_str).collect(),
    };
    if known.contains(&name.as_str()) {
        return;
    }
    let Some(meant) = nearest(name, known.iter().copied()) else { return };
    let is_in_module = || {
        let path = format!("lib/puppet/provider/{resource_type}/{name}.rb");
        let file = |folder: &Utf8Path| db.files().file(db, &folder.join(&path));
        environment.modules(db).iter().any(|(_, folder)| file(folder).status(db) == FileStatus::Exists)
    };
    let all = || known.iter().copied();
    // Names as short as `pip` are slips if two of their letters are swapped, or the last one is doubled.
    let is_doubled = |it: &str| it.chars().next_back().is_some_and(|last| *name == format!("{it}{last}"));
    let is_near = |it: &&str| has_swapped_letters(name, it) || is_doubled(it);
    let is_slip =
        || slip(name, all()).or_else(|| short_slip(name, all())).or_else(|| all().find(is_near)).is_some();
    let may_be_elsewhere = lacks_modules(db, context.file, environment) && !is_slip();
    if may_be_elsewhere || is_in_module() {
        return;
    }
    let message = format!("resource type `{resource_type}` has no provider `{name}`");
    let finding = context.report(rules::ATTRIBUTE_VALUE, At::Expr(id), message);
    finding.label = Some(format!("did you mean `{meant}`?"));
}

/// Reports several sources for a file's content (the reference's `CREATORS`).
fn contents(context: &mut Context<'_, '_>, given: &[Given]) {
    const ORIGINS: [&str; 3] = ["content", "source", "target"];
    let body = context.body;
    let is_given = |it: &&Given| {
        let is_origin = matches!(&it.name, AttributeName::Name(name) if ORIGINS.contains(&name.as_str()));
        let is_text = |id: ExprId| {
            let known = context.inference().type_of(id);
            known.is_some_and(|it| !disjoint(it, &Type::string()) && disjoint(it, &Type::undef()))
                || matches!(body.expr(id), Expr::Interpolated(_) | Expr::Heredoc { .. })
        };
        is_origin && is_text(it.value)
    };
    let origins: Vec<&Given> = given.iter().filter(is_given).collect();
    if let [first, second, ..] = origins[..]
        && let (AttributeName::Name(one), AttributeName::Name(other)) = (&first.name, &second.name)
        && one != other
    {
        let related = context.related(At::Expr(first.at), "set here");
        let message = format!("a file has `{one}` or `{other}`, not both");
        let finding = context.report(rules::ATTRIBUTE_VALUE, At::Expr(second.at), message);
        finding.label = Some("another origin of the same file".to_owned());
        finding.related.push(related);
    }
}

/// Reports file titles that aren't paths, unless the path is set by an attribute, under either of its names, or possibly by
/// `*`.
fn titles(context: &mut Context<'_, '_>, declared: &Declaration) {
    if declared.type_name != "file" {
        return;
    }
    let resource_type = core::resource_type("file");
    let has_path = |attributes: &[Given]| {
        attributes.iter().any(|it| match &it.name {
            AttributeName::Unfold => true,
            // A misspelled attribute may have been meant to be it.
            AttributeName::Name(name) => {
                matches!(name.as_str(), "path" | "name")
                    || resource_type.is_none_or(|it| it.attribute(name).is_none()) && !is_universal(name)
            }
        })
    };
    if has_path(declared.defaults()) {
        return;
    }
    for title in declared.parts.iter().filter(|it| !has_path(&it.attributes)).filter_map(|it| it.title) {
        formed(context, title, Form::Path, "the title, which is the path of the file,");
    }
}

/// Checks a value of an attribute that has a form.
fn formed(context: &mut Context<'_, '_>, id: ExprId, form: Form, of: &str) {
    if let Expr::Array(elements) = context.body.expr(id)
        && form.is_of_elements()
    {
        elements.iter().for_each(|it| formed(context, *it, form, of));
        return;
    }
    let Some(it) = context.inference().type_of(id) else { return };
    // `misread-interpolation` explains why the text is not the intended one.
    let Some(why) = form.refuses(it).filter(|_| !is_uninterpolated(context, id)) else { return };
    let given = match context.body.expr(id) {
        Expr::String(text) => format!("`{text}`"),
        // An octal number in the source would be reported in decimal.
        _ if form == Form::Mode => value_of(&generalize(it)),
        _ => value_of(it),
    };
    let finding =
        context.report(rules::ATTRIBUTE_VALUE, At::Expr(id), format!("{of} does not accept {given}"));
    finding.label = Some("not accepted".to_owned());
    finding.notes.push(why);
}

fn value(
    context: &mut Context<'_, '_>,
    id: ExprId,
    (declared, accepted): (&Attribute, &Names),
    is_complete: bool,
    of: &str,
) {
    let Values::Listed { words, patterns } = &declared.values else { return };
    // The values of a property are validated one by one; those of a parameter as a whole.
    if let Expr::Array(elements) = context.body.expr(id)
        && declared.kind == AttributeKind::Property
    {
        elements.iter().for_each(|it| value(context, *it, (declared, accepted), is_complete, of));
        return;
    }
    // If several values are possible, the accepted one may be the only one that ever occurs.
    let known = context.inference().type_of(id).and_then(inference::values).unwrap_or_default();
    let texts: Option<Vec<String>> = known.iter().map(text_of).collect();
    let Some(texts) = texts.filter(|it| !it.is_empty()) else { return };
    let refusals: Option<Vec<Refusal<'_>>> =
        texts.iter().map(|it| refusal(context.db, it, accepted, patterns)).collect();
    let (Some(first), Some(text)) = (refusals.and_then(|it| it.into_iter().next()), texts.first()) else {
        return;
    };
    match first {
        Refusal::Misspelled(meant) => {
            not_a_value(context, id, of, text, meant);
        }
        // Another version may accept more.
        Refusal::NotAccepted if !is_complete => {
            let Some(meant) = accepted.slip(text, |_| true) else { return };
            not_a_value(context, id, of, text, meant);
        }
        Refusal::NotAccepted => {
            let accepted =
                names(words).map(|it| format!("`{it}`")).chain(patterns.iter().map(|it| format!("`{it}`")));
            let mut accepted: Vec<String> = accepted.take(MOST_NAMED + 1).collect();
            if accepted.len() > MOST_NAMED {
                accepted[MOST_NAMED] = "…".to_owned();
            }
            let message = format!("{of} does not accept `{text}`");
            let finding = context.report(rules::ATTRIBUTE_VALUE, At::Expr(id), message);
            finding.label = Some("not accepted".to_owned());
            finding.notes.push(format!("it accepts {}", accepted.join(", ")));
        }
    }
}

/// The reason why a value is rejected.
enum Refusal<'w> {
    /// The attribute accepts any string, so a misspelled word, too.
    Misspelled(&'w str),
    NotAccepted,
}

fn refusal<'w>(db: &dyn Db, text: &str, accepted: &'w Names, patterns: &[Pattern]) -> Option<Refusal<'w>> {
    if accepted.has(text) {
        return None;
    }
    // A pattern that cannot be compiled may match.
    if patterns.iter().any(|it| matches(db, it, text).unwrap_or(true)) {
        return accepted.slip(text, |_| true).map(Refusal::Misspelled);
    }
    Some(Refusal::NotAccepted)
}

/// A value in the form in which it is compared with words. None for values that are never compared: `undef`, and collections.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.to_string()),
        Value::Boolean(it) => Some(it.to_string()),
        Value::Integer(it) => Some(it.to_string()),
        _ => None,
    }
}

fn matches(db: &dyn Db, pattern: &Pattern, text: &str) -> Option<bool> {
    let Flags { ignore_case, multi_line, extended } = pattern.flags;
    let options = Options { ignore_case, multi_line, extended };
    compiled(db, pattern.source.clone(), options).as_ref()?.is_match(text).ok()
}

/// Cached: resource types have few patterns, and there are many values.
#[salsa::tracked(returns(ref))]
fn compiled(_db: &dyn Db, source: Str, options: Options) -> Option<Regexp> {
    Regexp::with_options(&source, options).ok()
}
