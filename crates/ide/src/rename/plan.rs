//! The edits of a rename.

use marotte_check::semantics;
use marotte_db::{File, environment_of, module_file, source_text};
use marotte_hiera::LookupKey;
use marotte_hiera::data::Step;
use marotte_hir::body::FrameId;
use marotte_hir::{Item, ItemKind, items};
use marotte_pcore::regexp::Regexp;
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_text::{Str, normalized, split_namespace, unrooted};

use super::attributes::{computed_attributes, of_one_class};
use super::clash::{clash, clash_in_item, is_short};
use super::computed_names::Renamed;
use super::elsewhere::{
    data_outside, documented, may_read_variables, place, tests_naming, unreached, without_module,
};
use super::hashes;
use super::installed::untouched;
use super::templates::{NewName, templates};
use super::{RefusedRename, Rename, TextEdit, new_name, refuse};
use crate::data_entries::entries_of_key;
use crate::definition::targets;
use crate::files::{code_files, hiera_files, ruby_files};
use crate::references::references_of;
use crate::symbol::{Symbol, capitalized, is_parameter};
use crate::token::{Named, Token, scope_has, slice};
use crate::words::has_words;
use crate::{Access, Db, FileRange};

/// Rejects symbols that cannot be renamed.
pub(super) fn check<'db>(db: &'db dyn Db, from: File, symbol: &Symbol<'db>) -> Result<(), RefusedRename> {
    let name = symbol.name(db);
    match symbol {
        Symbol::Item(item) => match item.kind(db) {
            ItemKind::Class | ItemKind::Define | ItemKind::Function | ItemKind::TypeAlias => Ok(()),
            ItemKind::Plan => refuse("plans are run by their names, from outside"),
            ItemKind::Node(_) => refuse("the name of a node is that of a machine"),
            ItemKind::Program | ItemKind::Template | ItemKind::TypeMapping => refuse("there is no name here"),
        },
        Symbol::Variable(..) | Symbol::DataKey(_) => Ok(()),
        Symbol::Top(_) => match !targets(db, from, symbol).is_empty() {
            true => Ok(()),
            false => refuse(format!("nothing here sets the variable `${name}`")),
        },
        Symbol::Implicit(..) => refuse(format!("the variable `${name}` belongs to the language")),
        Symbol::Fact(_) => refuse(format!("machines have the fact `{name}`")),
        Symbol::BuiltinFunction(_) => refuse(format!("the function `{name}` belongs to the language")),
        Symbol::BoltFunction(_) => refuse(format!("the function `{name}` belongs to Bolt")),
        Symbol::BuiltinType(_) => refuse(format!("the type `{name}` belongs to the language")),
        Symbol::Metaparameter(_) => refuse(format!("the metaparameter `{name}` belongs to the language")),
        Symbol::RubyFunction(..) => refuse(format!("the function `{name}` is written in Ruby")),
        Symbol::RubyType(..) => refuse(format!("the type `{name}` is written in Ruby")),
        Symbol::CoreType(_) | Symbol::RubyResourceType(..) => {
            refuse(format!("the resource type `{name}` is not written in Puppet"))
        }
        Symbol::Attribute(type_name, _) => {
            refuse(format!("the resource type `{type_name}` is not written in Puppet"))
        }
        Symbol::Resource(..) => refuse("the title of a resource may name what it manages"),
        Symbol::File(_) => refuse("a file is renamed where files are"),
    }
}

pub(super) fn rename<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    new: &str,
) -> Result<Rename, RefusedRename> {
    let old = symbol.name(db);
    if old == new {
        return Ok(Rename::default());
    }
    let mut rename = match symbol {
        Symbol::Item(item) => of_item(db, from, symbol, *item, &old, new)?,
        Symbol::Variable(item, frame, name) => of_variable(db, from, symbol, (*item, *frame, name), new)?,
        Symbol::Top(name) => of_top(db, from, symbol, name, new)?,
        Symbol::DataKey(key) => of_key(db, from, symbol, key, new)?,
        _ => return refuse(format!("`{old}` can have no other name")),
    };
    rename.edits.sort_by(|one, other| {
        let key =
            |it: &TextEdit| (it.place.file.path(db).clone(), it.place.range.start(), it.place.range.end());
        key(one).cmp(&key(other))
    });
    rename.edits.dedup_by(|one, other| one.place == other.place);
    let environment = environment_of(db, from);
    untouched(db, environment, rename.edits.iter().map(|it| it.place.file))?;
    Ok(rename)
}

fn of_item<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    item: Item<'db>,
    old: &str,
    new: &str,
) -> Result<Rename, RefusedRename> {
    let file = item.file(db);
    let environment = environment_of(db, file);
    new_name::of_item(db, item, new)?;
    without_module(db, item)?;
    let prefix = format!("{}::", normalized(old));
    let is_around = |it: &Item<'db>| {
        normalized(it.name(db)).starts_with(&prefix)
            && crate::definition::full_range(db, *it).is_some_and(|inner| {
                crate::definition::full_range(db, item)
                    .is_some_and(|outer| outer.contains_range(inner) && outer != inner)
            })
    };
    if items(db, file).iter().any(is_around) {
        return refuse(format!("definitions in `{old}` would get other names, too"));
    }
    let mut rename =
        Rename { moves: new_name::file_move(db, item, new)?.into_iter().collect(), ..Rename::default() };
    for (at, token) in references_of(db, from, symbol) {
        rename.edits.push(TextEdit { place: at, text: replaced(db, at, &token, old, new)? });
    }
    if item.kind(db) == ItemKind::Class {
        for parameter in &item.signature(db).parameters {
            let of_parameter = Symbol::Variable(item, None, parameter.name.clone());
            for (at, token) in references_of(db, from, &of_parameter) {
                if let Named::DataKey(key) = &token.named {
                    let new_key = format!("{new}::{}", parameter.name);
                    keeps_layer(db, at.file, key, &new_key)?;
                    rename.edits.push(TextEdit { place: at, text: replaced(db, at, &token, key, &new_key)? });
                }
            }
        }
        let keys = item.signature(db).parameters.iter();
        let keys: Vec<[String; 2]> =
            keys.map(|it| [old, new].map(|class| format!("{}::{}", normalized(class), it.name))).collect();
        options_by_pattern(db, from, old, &keys)?;
        data_outside(db, environment, old)?;
        rename.notes.push(format!("what classifies nodes may name the class `{old}`"));
    }
    if old.contains("::") {
        rename.notes.extend(unreached(db, environment, old, symbol, &rename.edits)?);
    } else {
        rename.notes.push(format!("texts that only contain `{old}` are left alone"));
    }
    Ok(rename)
}

/// The new text of a token.
fn replaced(
    db: &dyn Db,
    at: FileRange,
    token: &Token<'_>,
    old: &str,
    new: &str,
) -> Result<String, RefusedRename> {
    let text = source_text(db, at.file).text();
    let written = slice(text, at.range);
    let bare = unrooted(written);
    let root = &written[..written.len() - bare.len()];
    if bare.eq_ignore_ascii_case(old) {
        let is_capital = bare.starts_with(|it: char| it.is_ascii_uppercase());
        let name = if is_capital { capitalized(new) } else { new.to_owned() };
        return Ok(format!("{root}{name}"));
    }
    // A class in a class is written without the name of the outer one.
    let last = |it: &str| split_namespace(it).map_or(it, |(_, last)| last).to_owned();
    if token.access == Access::Definition && bare.eq_ignore_ascii_case(&last(old)) {
        return match new_name::same_namespace(old, new) {
            true => Ok(last(new)),
            false => refuse(format!("`{old}` is defined within another class, whose name it has in front")),
        };
    }
    refuse(format!("the name is put together at {}", place(db, at.file, at.range.start())))
}

/// Refuses to move a key out of its module's data: a module may only have keys of its own.
fn keeps_layer(db: &dyn Db, file: File, old: &str, new: &str) -> Result<(), RefusedRename> {
    let module = |it: &str| it.split("::").next().unwrap_or_default().to_owned();
    match module_file(db, file).is_some() && module(old) != module(new) && !crate::token::is_code(db, file) {
        true => refuse(format!("`{old}` is a key of the module's own data, which may have no others")),
        false => Ok(()),
    }
}

/// Refuses if `lookup_options` apply to keys by a pattern that the old name is part of, or that matches only one of an old and a new
/// key.
fn options_by_pattern(db: &dyn Db, from: File, old: &str, keys: &[[String; 2]]) -> Result<(), RefusedRename> {
    let is_other = |pattern: &str| {
        let Ok(pattern) = Regexp::new(pattern) else { return true };
        let is_match = |key: &str| pattern.is_match(key).unwrap_or(true);
        keys.iter().any(|[old, new]| is_match(old) != is_match(new))
    };
    for file in hiera_files(db, environment_of(db, from)) {
        if !has_words(db, *file, "lookup_options") {
            continue;
        }
        let Some(HieraFileKind::Data { format, .. }) = hiera_file(db, *file).map(|it| &it.kind) else {
            continue;
        };
        let Ok(document) = &**document(db, *file, *format) else { continue };
        let all = LookupKey::lookup_options().root;
        let Value::Hash(data) = &document.value else { continue };
        let Some(Value::Hash(options)) = data.get_str(&all) else { continue };
        let mut patterns = options.keys().filter_map(Value::as_str).filter(|it| it.starts_with('^'));
        if let Some(pattern) = patterns.find(|it| it.contains(old) || is_other(it)) {
            let range = document.range_at(&[Step::Key(all.clone()), Step::Key(pattern.into())]);
            let at = place(db, *file, range.start());
            return refuse(format!("a pattern of `lookup_options` at {at} has it"));
        }
    }
    Ok(())
}

fn of_variable<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    (item, frame, old): (Item<'db>, Option<FrameId>, &Str),
    new: &str,
) -> Result<Rename, RefusedRename> {
    let kind = item.kind(db);
    let has_scope = frame.is_none() && matches!(kind, ItemKind::Class | ItemKind::Define);
    let is_own_parameter = frame == item.body(db).frame && is_parameter(db, item, frame, old);
    let is_attribute = is_own_parameter && matches!(kind, ItemKind::Class | ItemKind::Define);
    new_name::of_variable(new, has_scope && is_attribute)?;
    let environment = environment_of(db, item.file(db));
    if is_own_parameter && kind == ItemKind::Plan {
        return refuse("who runs a plan names its parameters");
    }
    let mut rename = Rename::default();
    let full = |name: &str| format!("{}::{name}", normalized(unrooted(item.name(db))));
    let references = references_of(db, from, symbol);
    for (at, token) in &references {
        let at = *at;
        of_one_class(db, at, token, symbol)?;
        let text = match &token.named {
            Named::DataKey(key) => replaced(db, at, token, key, &full(new))?,
            _ => replaced(db, at, token, old, new)?,
        };
        rename.edits.push(TextEdit { place: at, text });
    }
    clash(db, item, frame, (old, new), &references)?;
    let define = (kind == ItemKind::Define).then(|| normalized(item.name(db)));
    hashes::shared(db, &rename.edits, define.as_deref())?;
    if kind == ItemKind::Template && is_own_parameter {
        hashes::of_template(db, item.file(db), old, &rename.edits)?;
    }
    if kind == ItemKind::Class && frame.is_none() {
        shadows(db, item, old, &rename.edits)?;
    }
    let renamed = Renamed::new(db, environment, Some(item), frame, old, &rename.edits);
    renamed.not_computed()?;
    let local = |edits| NewName { old, new, is_global: false, edits, renamed: &renamed };
    if has_scope {
        templates(db, item, local(&rename.edits))?;
        for heir in heirs_with_templates(db, item) {
            templates(db, heir, local(&rename.edits))?;
        }
        if kind == ItemKind::Class {
            without_module(db, item)?;
            let edits = qualified_edits(db, &rename.edits);
            rename.notes.extend(unreached(db, environment, &full(old), symbol, &edits)?);
        }
    } else if kind == ItemKind::Template || frame.is_some() {
        templates(db, item, local(&rename.edits))?;
    }
    if is_attribute {
        without_module(db, item)?;
        computed_attributes(db, item, old, &rename.edits)?;
        rename.notes.extend(tests_naming(db, item, old));
    }
    if is_attribute && kind == ItemKind::Class {
        let key = full(old);
        if semantics::may_compute_key(db, environment_of(db, item.file(db)), &key) {
            rename
                .notes
                .push(format!("something looks up keys by names that are put together: `{key}` may be one"));
        }
        options_by_pattern(db, from, &key, &[[key.clone(), full(new)]])?;
        data_outside(db, environment, &key)?;
        if !entries_of_key(db, environment_of(db, from), &full(new)).is_empty() {
            return refuse(format!("data has the key `{}` already", full(new)));
        }
    }
    if is_own_parameter {
        rename.edits.extend(documented(db, item, old, new));
    }
    Ok(rename)
}

/// The classes that inherit from a class and may render templates, which read the variables of both.
fn heirs_with_templates<'db>(db: &'db dyn Db, class: Item<'db>) -> Vec<Item<'db>> {
    let renders = |file: &File| ["template", "inline_template"].iter().any(|it| has_words(db, *file, it));
    let files = code_files(db, environment_of(db, class.file(db))).iter().filter(|it| renders(it));
    let classes = files.flat_map(|it| items(db, *it)).copied();
    classes.filter(|it| semantics::parents(db, *it).contains(&class)).collect()
}

/// Refuses if a class and one of its ancestors both have the variable: which one is read depends on the path, unless it is a parameter
/// of the heir, which is always set.
fn shadows(db: &dyn Db, item: Item<'_>, name: &Str, edits: &[TextEdit]) -> Result<(), RefusedRename> {
    let others = edits.iter().flat_map(|it| items(db, it.place.file)).filter(|it| **it != item);
    let has_parameter = |class: Item<'_>| class.signature(db).parameter(name).is_some();
    let heirs = others.filter(|it| semantics::parents(db, **it).contains(&item)).copied();
    let heirs = heirs.filter(|it| !has_parameter(*it));
    let parents = if has_parameter(item) { Vec::new() } else { semantics::parents(db, item) };
    for class in parents.into_iter().chain(heirs) {
        if scope_has(db, class, name) {
            return refuse(format!("the class `{}` has a variable `${name}`, too", class.name(db)));
        }
    }
    Ok(())
}

/// The edits, extended by a class prefix if there is one, for a search for the full name.
fn qualified_edits(db: &dyn Db, edits: &[TextEdit]) -> Vec<TextEdit> {
    let widen = |it: &TextEdit| {
        let text = source_text(db, it.place.file).text();
        let before = &text[..usize::from(it.place.range.start())];
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        let start = before.trim_end_matches(is_part).len();
        let range = marotte_text::TextRange::new(
            marotte_text::TextSize::try_from(start).unwrap_or_default(),
            it.place.range.end(),
        );
        TextEdit { place: FileRange { file: it.place.file, range }, text: it.text.clone() }
    };
    edits.iter().map(widen).collect()
}

fn of_top<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    old: &Str,
    new: &str,
) -> Result<Rename, RefusedRename> {
    new_name::of_variable(new, false)?;
    let environment = environment_of(db, from);
    if semantics::is_global(db, from, new) {
        return refuse(format!("there is a variable or fact `{new}` already"));
    }
    let mut rename = Rename::default();
    let references = references_of(db, from, symbol);
    for (at, token) in &references {
        rename.edits.push(TextEdit { place: *at, text: replaced(db, *at, token, old, new)? });
    }
    let renamed = Renamed::new(db, environment, None, None, old, &rename.edits);
    renamed.not_computed()?;
    for (_, token) in &references {
        let Some(item) = token.within else { continue };
        if is_short(token) {
            clash_in_item(db, item, None, (old, new))?;
            if semantics::parents(db, item).iter().any(|it| scope_has(db, *it, new)) {
                return refuse(format!("there is a variable `${new}` already"));
            }
        }
        templates(db, item, NewName { old, new, is_global: true, edits: &rename.edits, renamed: &renamed })?;
    }
    for file in ruby_files(db, environment).iter().filter(|it| may_read_variables(db, **it)) {
        let text = source_text(db, *file).text();
        let mentions = [format!("@{old}"), format!("'{old}'"), format!("::{old}"), format!("\"{old}\"")];
        if has_words(db, *file, old) && mentions.iter().any(|it| text.contains(&**it)) {
            return refuse(format!(
                "the file `{}` may read it",
                crate::hover::shown_path(db, environment, *file)
            ));
        }
    }
    Ok(rename)
}

fn of_key<'db>(
    db: &'db dyn Db,
    from: File,
    symbol: &Symbol<'db>,
    old: &Str,
    new: &str,
) -> Result<Rename, RefusedRename> {
    new_name::of_key(new)?;
    let environment = environment_of(db, from);
    if !entries_of_key(db, environment, new).is_empty() {
        return refuse(format!("data has the key `{new}` already"));
    }
    if semantics::may_compute_key(db, environment, old) {
        return refuse(format!("something looks up keys by names that are put together: `{old}` may be one"));
    }
    let mut rename = Rename::default();
    for (at, token) in references_of(db, from, symbol) {
        keeps_layer(db, at.file, old, new)?;
        rename.edits.push(TextEdit { place: at, text: replaced(db, at, &token, old, new)? });
    }
    options_by_pattern(db, from, old, &[[old.to_string(), new.to_owned()]])?;
    for file in ruby_files(db, environment) {
        let text = source_text(db, *file).text();
        let quoted = [format!("'{old}'"), format!("\"{old}\"")];
        if has_words(db, *file, old) && quoted.iter().any(|it| text.contains(&**it)) {
            return refuse(format!(
                "the file `{}` may look it up",
                crate::hover::shown_path(db, environment, *file)
            ));
        }
    }
    rename.notes.push("the data of the global layer is not here".to_owned());
    Ok(rename)
}
