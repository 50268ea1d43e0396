//! Possible uses of a name that no edit reaches: in Ruby, in computed strings, in files that nothing is known to read.

use std::collections::BTreeSet;

use marotte_check::semantics;
use marotte_db::{Environment, File, environment_of, module_file, source_text};
use marotte_hiera::Layer;
use marotte_hir::{Item, NameKind};
use marotte_resolve::data_files::{config_file, hiera_file, hiera_levels};
use marotte_text::{TextRange, TextSize, normalized, unrooted};

use super::context::StringContext;
use super::{RefusedRename, TextEdit, refuse};
use crate::files::{code_files, hiera_files, naming_files, ruby_files};
use crate::hover::shown_path;
use crate::symbol::{Symbol, is_parameter_of_item};
use crate::token::{Named, tokens};
use crate::words::has_words;
use crate::{Db, FileRange};

/// Refuses if a qualified name occurs anywhere in code, data or Ruby without being covered by an edit. Comments don't count, nor
/// do texts for people. Mentions in tests are returned as a note.
pub(super) fn unreached(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    renamed: &Symbol<'_>,
    edits: &[TextEdit],
) -> Result<Option<String>, RefusedRename> {
    let naming = naming_files(db, environment);
    if !naming.is_complete {
        return refuse("there are too many folders here to search all of them for the name");
    }
    let known = [code_files(db, environment), hiera_files(db, environment), ruby_files(db, environment)];
    let files: BTreeSet<File> = known.into_iter().flatten().chain(&naming.files).copied().collect();
    let mut files: Vec<File> = files.into_iter().filter(|it| has_words(db, *it, name)).collect();
    files.sort_by(|one, other| one.path(db).cmp(other.path(db)));
    let mut in_tests = Vec::new();
    for file in files {
        db.unwind_if_revision_cancelled();
        let text = source_text(db, file).text();
        let comments = comments(db, file);
        let is_test = is_of_tests(db, environment, file);
        if matches!(renamed, Symbol::Variable(..)) && !is_test && !may_name_variable(db, file, renamed) {
            continue;
        }
        for at in whole_names(text, name) {
            let offset = TextSize::try_from(at).unwrap_or_default();
            let is_reached = edits.iter().any(|it| it.place.file == file && it.place.range.contains(offset));
            let is_comment =
                comments.iter().any(|it| it.contains(offset)) || is_line_comment(file, db, text, at);
            if is_reached || is_comment {
                continue;
            }
            let context = StringContext::of(db, file, offset);
            if context == StringContext::Prose
                || is_other_name(db, file, text, at, name, context)
                || is_other_symbol(db, file, offset, name)
                || matches!(renamed, Symbol::Item(_)) && is_variable(db, file, text, at, name)
            {
                continue;
            }
            let place = place(db, file, offset);
            if !is_test {
                return refuse(format!(
                    "`{name}` appears at {place}, in what may use it and cannot be changed"
                ));
            }
            in_tests.push(place);
        }
    }
    Ok(in_tests.first().map(|first| match in_tests.len() - 1 {
        0 => format!("a test names `{name}` at {first}"),
        more => format!("tests name `{name}` at {first} and {more} other places"),
    }))
}

/// A note on tests that name a class or defined type and, as a word, one of its parameters.
pub(super) fn tests_naming(db: &dyn Db, item: Item<'_>, parameter: &str) -> Option<String> {
    let environment = environment_of(db, item.file(db));
    let words = format!("{} {parameter}", unrooted(item.name(db)));
    let files = naming_files(db, environment).files.iter().copied();
    let mut files: Vec<File> =
        files.filter(|it| is_of_tests(db, environment, *it) && has_words(db, *it, &words)).collect();
    files.sort_by(|one, other| one.path(db).cmp(other.path(db)));
    files.into_iter().find_map(|file| {
        let at = *whole_names(source_text(db, file).text(), parameter).first()?;
        let at = place(db, file, TextSize::try_from(at).unwrap_or_default());
        Some(format!("a test may name the parameter `{parameter}`, at {at}"))
    })
}

/// Whether a file belongs to the tests of a module or an environment, which no catalog contains.
pub(super) fn is_of_tests(db: &dyn Db, environment: Environment, file: File) -> bool {
    let folder = match module_file(db, file) {
        Some(place) => place.folder().map(str::to_owned),
        None => environment.root(db).and_then(|root| {
            let below = file.path(db).strip_prefix(root).ok()?;
            Some(below.iter().next()?.to_owned())
        }),
    };
    folder.is_some_and(|it| matches!(&*it, "spec" | "test" | "acceptance"))
}

/// Refuses if nothing is known about where an item is used: it belongs to no environment, and to no module whose name is known.
pub(super) fn without_module(db: &dyn Db, item: Item<'_>) -> Result<(), RefusedRename> {
    let file = item.file(db);
    let is_known = environment_of(db, file).root(db).is_some() || module_file(db, file).is_some();
    match is_known {
        true => Ok(()),
        false => refuse(format!(
            "`{}` belongs to no environment, and to no module whose name is known: its uses are not known",
            item.name(db)
        )),
    }
}

/// Refuses if a level of the data that may name a class or a parameter is outside of the environment.
pub(super) fn data_outside(db: &dyn Db, environment: Environment, name: &str) -> Result<(), RefusedRename> {
    let module = name.split("::").next().unwrap_or_default();
    for layer in [Layer::Environment, Layer::Module(module.into())] {
        let (Some(config), Some(Ok(levels))) =
            (config_file(db, environment, &layer), hiera_levels(db, environment, layer.clone()))
        else {
            continue;
        };
        let Some(root) = config.path(db).parent() else { continue };
        let outside = levels.iter().flat_map(|it| it.files.iter().flatten()).find(|it| !it.is_in(root));
        if let Some(pattern) = outside {
            return refuse(format!(
                "`{}` reads data in `{}`, outside of the environment, which may name it",
                shown_path(db, environment, config),
                pattern.folder()
            ));
        }
    }
    Ok(())
}

/// Whether the text at a place is a longer name that refers to something else. Code and data refer to the variables and
/// parameters of a class in ways that edits cover; in Ruby, in templates written in code, and in files that nothing is known to
/// read, only names of definitions are known.
fn is_other_name(db: &dyn Db, file: File, text: &str, at: usize, name: &str, context: StringContext) -> bool {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let rest = text[at..].find(|it| !is_part(it)).map_or(&text[at..], |end| &text[at..at + end]);
    let longer = rest.trim_end_matches(':');
    if longer.len() == name.len() {
        return false;
    }
    let is_known = context != StringContext::Template
        && (crate::token::is_code(db, file) || hiera_file(db, file).is_some());
    let kinds = [NameKind::Class, NameKind::Define, NameKind::Function, NameKind::TypeAlias];
    let is_defined = |it: &str| kinds.iter().any(|kind| semantics::definition(db, file, *kind, it).is_some());
    // `a::b::c` may be a definition, or a variable of the class `a::b`.
    is_known
        || is_defined(longer)
        || longer.rsplit_once("::").is_some_and(|(class, _)| class.len() > name.len() && is_defined(class))
}

/// Whether a place that no edit reaches names something else that has the same name: the class `a::b`, the type `A::B`, the function
/// `a::b`, and the key in data of the parameter `b` of the class `a`.
fn is_other_symbol(db: &dyn Db, file: File, at: TextSize, name: &str) -> bool {
    let is_named = |it: &str| normalized(unrooted(it)) == normalized(name);
    tokens(db, file).iter().filter(|it| it.range.contains(at)).any(|token| {
        match Symbol::of(db, file, token) {
            Some(Symbol::Item(it)) => is_named(it.name(db)),
            Some(Symbol::Variable(class, None, variable)) => {
                is_named(&format!("{}::{variable}", class.name(db)))
            }
            Some(Symbol::DataKey(key)) => is_named(&key),
            _ => false,
        }
    })
}

/// Whether a file in Ruby may read a variable by its full name, or look up the key of a parameter. True for other files.
fn may_name_variable(db: &dyn Db, file: File, variable: &Symbol<'_>) -> bool {
    may_read_variables(db, file)
        || is_function(db, file)
            && is_parameter_of_item(db, variable)
            && ["lookup", "hiera"].iter().any(|it| source_text(db, file).text().contains(it))
}

/// Whether a file may read variables of manifests. Of Ruby files, facts, types and providers don't, and other code only through a
/// scope.
pub(super) fn may_read_variables(db: &dyn Db, file: File) -> bool {
    const READERS: [&str; 5] = ["scope", "lookupvar", "to_hash", "self[", "has_variable?"];
    file.path(db).extension() != Some("rb")
        || is_function(db, file) && READERS.iter().any(|it| source_text(db, file).text().contains(it))
}

/// Whether a file in Ruby may belong to code that runs while a catalog is compiled.
fn is_function(db: &dyn Db, file: File) -> bool {
    const OTHERS: [&str; 3] = ["/lib/facter/", "/lib/puppet/type/", "/lib/puppet/provider/"];
    !OTHERS.iter().any(|it| file.path(db).as_str().contains(it))
}

/// Whether a place names a variable: `$a::b`, `scope['a::b']`.
fn is_variable(db: &dyn Db, file: File, text: &str, at: usize, name: &str) -> bool {
    const READERS: [&str; 4] = ["scope[", "lookupvar(", "lookupvar ", "has_variable?("];
    let (before, after) = (text[..at].trim_end_matches("::"), &text[at + name.len()..]);
    if let Some(quote) = before.chars().next_back().filter(|it| matches!(it, '\'' | '"'))
        && READERS.iter().any(|it| before[..before.len() - 1].ends_with(it))
    {
        return after.starts_with(quote);
    }
    if before.ends_with('$') && !after.starts_with("::") || before.ends_with("${") && after.starts_with('}') {
        return true;
    }
    let end = TextSize::try_from(at + name.len()).unwrap_or_default();
    let is_it = |class: &str, variable: &str| normalized(name) == normalized(&format!("{class}::{variable}"));
    tokens(db, file).iter().any(|it| match &it.named {
        Named::Qualified(class, variable) => it.range.end() == end && is_it(unrooted(class), variable),
        _ => false,
    })
}

pub(super) fn comments(db: &dyn Db, file: File) -> Vec<TextRange> {
    if !crate::token::is_code(db, file) {
        return Vec::new();
    }
    marotte_hir::parse(db, file).comments().iter().map(|it| it.range).collect()
}

pub(super) fn is_line_comment(file: File, db: &dyn Db, text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    !crate::token::is_code(db, file) && line.trim_start().starts_with('#')
}

/// The offsets at which a name occurs as a whole word, ignoring case.
pub(super) fn whole_names(text: &str, name: &str) -> Vec<usize> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let (bytes, name_bytes) = (text.as_bytes(), name.as_bytes());
    let mut found = Vec::new();
    for (at, window) in bytes.windows(name_bytes.len().max(1)).enumerate() {
        if !window.eq_ignore_ascii_case(name_bytes) || !text.is_char_boundary(at) {
            continue;
        }
        let before = text[..at].trim_end_matches("::");
        let is_start = !before.ends_with(is_part) || (before.len() == at && !text[..at].ends_with(is_part));
        let is_end = !text[at + name.len()..].starts_with(is_part);
        if is_start && is_end {
            found.push(at);
        }
    }
    found
}

/// The edits of `@param` in the comment above a definition.
pub(super) fn documented(db: &dyn Db, item: Item<'_>, old: &str, new: &str) -> Vec<TextEdit> {
    let file = item.file(db);
    let text = source_text(db, file).text();
    let Some(full) = crate::definition::full_range(db, item) else { return Vec::new() };
    let mut end = text[..usize::from(full.start())].rfind('\n').map_or(0, |it| it + 1);
    let mut edits = Vec::new();
    while end > 0 {
        let start = text[..end - 1].rfind('\n').map_or(0, |it| it + 1);
        let line = &text[start..end];
        if !line.trim_start().starts_with('#') {
            break;
        }
        if let Some(tag) = line.find("@param") {
            let rest = &line[tag..];
            let found = whole_names(rest, old).into_iter().find(|at| !rest[..*at].trim_end().ends_with(','));
            let words = rest.split_whitespace().filter(|it| !it.starts_with('['));
            let is_it = words.take(3).any(|it| it.trim_start_matches('$') == old);
            if let (Some(at), true) = (found, is_it) {
                let at = TextSize::try_from(start + tag + at).unwrap_or_default();
                let range = TextRange::at(at, TextSize::try_from(old.len()).unwrap_or_default());
                edits.push(TextEdit { place: FileRange { file, range }, text: new.to_owned() });
            }
        }
        end = start;
    }
    edits
}

/// A place in the form that users read: `manifests/site.pp:3`.
pub(super) fn place(db: &dyn Db, file: File, at: TextSize) -> String {
    let line = source_text(db, file).line_index().position(at).line;
    format!("{}:{line}", shown_path(db, environment_of(db, file), file))
}
