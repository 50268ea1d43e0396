//! What names mean, and whether one that means nothing here might mean something elsewhere.

use camino::Utf8PathBuf;
use marotte_db::{
    Db, Environment, File, FileStatus, environment_of, is_left_out, module_file, module_folder,
};
use marotte_hir::{
    Item, Name, NameKind, definition_files, is_readable, main_definitions, module_definitions, resolve,
};
use marotte_text::{Str, normalized, unrooted};

use crate::manifests::manifests;
use crate::metadata::metadata;
use crate::rules::location::is_refused;
use crate::rules::wrong_autoload_path::is_told_of;

/// What is known about a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup<'db> {
    /// It means this.
    Found(Item<'db>),
    /// It means nothing: wherever it could be defined, it is not.
    Missing,
    /// It may be defined where nobody can look: in a module or a file that is not here, or in a file that cannot be read.
    Unknown,
}

/// Looks for the definition of a name, as seen from a file.
pub(crate) fn look_up<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Lookup<'db> {
    let environment = environment_of(db, from);
    let found = |item, is_readable| if is_readable { Lookup::Found(item) } else { Lookup::Unknown };
    if let Some(it) = resolve(db, from, kind, name) {
        return found(it.item, it.is_readable);
    }
    let name = normalized(name);
    let module = module_of(&name);
    if module_folder(db, environment, module.into()).is_none() {
        return if let Some(item) = beside_another(db, environment, kind, &name) {
            found(item, is_readable(db, item.file(db)))
        } else if may_be_elsewhere(db, from, environment, module) {
            Lookup::Unknown
        } else {
            Lookup::Missing
        };
    }
    // It may be known from a file that is loaded for another name.
    if let Some(item) = module_definitions(db, environment, module.into()).get(&(kind, Name::of(db, &name))) {
        return found(*item, is_readable(db, item.file(db)));
    }
    let files = definition_files(db, environment, kind, &name);
    // What Puppet says is wrong with the file that it reads then, not with the name. So it is with a file that is for this name,
    // and has another.
    let is_hidden = files.iter().enumerate().any(|(index, path)| {
        let file = db.files().file(db, path);
        match file.status(db) {
            FileStatus::Exists => {
                !is_readable(db, file) || is_refused(db, file) || (index == 0 && is_told_of(db, file))
            }
            FileStatus::Missing => is_left_out(db, path),
            FileStatus::NotAFile => false,
        }
    });
    if is_hidden || may_be_of_tests(db, from, module) || main_manifest_is_broken(db, environment) {
        Lookup::Unknown
    } else {
        Lookup::Missing
    }
}

/// A definition whose name only begins like those of the module that it stands in, as `foo_key` in `foo`: the reference takes it, and
/// whoever has used something else of its file has it, too.
fn beside_another<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    if !matches!(kind, NameKind::Class | NameKind::Define) {
        return None;
    }
    let modules = environment.modules(db).iter().filter(|(it, _)| name.starts_with(&***it));
    let mut found = modules.filter_map(|(module, _)| {
        module_definitions(db, environment, module.clone()).get(&(kind, Name::of(db, name))).copied()
    });
    found.find(|it| !is_refused(db, it.file(db)))
}

/// The module that a name belongs to, in the form in which names are compared.
pub(crate) fn module_of(name: &str) -> &str {
    name.split("::").next().unwrap_or_default()
}

/// The definition that a name means, if that is certain and all of its file is understood.
pub(crate) fn known<'db>(db: &'db dyn Db, from: File, kind: NameKind, name: &str) -> Option<Item<'db>> {
    match look_up(db, from, kind, name) {
        Lookup::Found(item) => Some(item),
        Lookup::Missing | Lookup::Unknown => None,
    }
}

/// The classes that a class inherits from.
pub(crate) struct Ancestors<'db> {
    /// The parent first, then the parent's, each once.
    pub(crate) classes: Vec<Item<'db>>,
    /// What comes after the last of them.
    pub(crate) end: AncestorsEnd<'db>,
}

/// What comes after the last class that a class inherits from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AncestorsEnd<'db> {
    /// Nothing: it inherits from no other.
    Nothing,
    /// A class that is not known, or too many to go on.
    Unknown,
    /// One that was there before: the class itself, or one of those that it inherits from.
    Circle(Item<'db>),
}

/// The class that a class inherits from, if it is known.
#[salsa::tracked(returns(copy))]
fn parent<'db>(db: &'db dyn Db, class: Item<'db>) -> Option<Item<'db>> {
    known(db, class.file(db), NameKind::Class, class.signature(db).parent.as_ref()?)
}

/// Looks for the classes that a class inherits from.
pub(crate) fn ancestors<'db>(db: &'db dyn Db, class: Item<'db>) -> Ancestors<'db> {
    /// More than people write; every class of a long chain is asked for its ancestors.
    const MOST: usize = 100;
    let mut classes = Vec::new();
    let mut at = class;
    let end = loop {
        // Nothing to remember: the query would only be one more to look at after each edit.
        if at.signature(db).parent.is_none() {
            break AncestorsEnd::Nothing;
        }
        let Some(parent) = parent(db, at) else { break AncestorsEnd::Unknown };
        if parent == class || classes.contains(&parent) {
            break AncestorsEnd::Circle(parent);
        }
        if classes.len() == MOST {
            break AncestorsEnd::Unknown;
        }
        classes.push(parent);
        at = parent;
    };
    Ancestors { classes, end }
}

#[salsa::tracked(returns(copy))]
fn main_manifest_is_broken(db: &dyn Db, environment: Environment) -> bool {
    manifests(db, environment).any(|file| !is_readable(db, file))
}

/// Whether a module that is not here might exist: nobody said where all modules are, git leaves it alone, or a module that is
/// here needs one that is not.
pub(crate) fn may_be_elsewhere(db: &dyn Db, from: File, environment: Environment, module: &str) -> bool {
    let is_left_out = |folder: &Utf8PathBuf| is_left_out(db, &folder.join(module));
    if !environment.is_complete(db)
        || is_of_tests(db, from)
        || environment.module_path(db).iter().any(is_left_out)
    {
        return true;
    }
    let own = module_file(db, from).map(|it| it.module.clone());
    own.and_then(|own| metadata(db, environment, own))
        .is_some_and(|it| it.dependencies.iter().any(|it| it == module))
}

/// Whether names that belong to no module (resource types, functions of the 3.x API, facts) might be defined by a module
/// that is not here.
pub(crate) fn lacks_modules(db: &dyn Db, from: File, environment: Environment) -> bool {
    let is_missing = |name: &Str| module_folder(db, environment, name.clone()).is_none();
    !environment.is_complete(db)
        || is_of_tests(db, from)
        || module_file(db, from).is_some_and(|it| {
            let metadata = metadata(db, environment, it.module.clone());
            metadata.is_some_and(|it| it.dependencies.iter().any(is_missing))
        })
}

/// Whether a name may mean another module than the one that is here: tests bring their own, but for the one that they are about.
pub(crate) fn may_be_of_tests(db: &dyn Db, from: File, module: &str) -> bool {
    is_of_tests(db, from) && module_file(db, from).is_none_or(|it| it.module != module)
}

/// Whether a file belongs to the tests of a module, which have modules of their own.
fn is_of_tests(db: &dyn Db, from: File) -> bool {
    module_file(db, from).is_some_and(|it| it.folder() == Some("spec"))
}

/// The module that a name belongs to, if there is no such module here. Code for other platforms, or for what is installed
/// only somewhere, names modules that most trees do not have, and servers have modules besides those of an environment, so
/// that this is worth no more than a warning.
pub(crate) fn absent_module(db: &dyn Db, environment: Environment, name: &str) -> Option<String> {
    let name = normalized(name);
    let module = module_of(&name);
    module_folder(db, environment, module.into()).is_none().then(|| module.to_owned())
}

/// The name that was probably meant, among those that exist.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Who looks for it among more has other problems, and as many of them as there are names.
    const MOST: usize = 1000;
    let name = name.to_lowercase();
    let limit = (name.chars().count() / 3).max(1);
    let near = known.into_iter().take(MOST).filter(|it| may_be_near(&name, it, limit));
    let scored = near.map(|it| (strsim::damerau_levenshtein(&name, &it.to_lowercase()), it));
    scored.filter(|(distance, _)| *distance > 0 && *distance <= limit).min().map(|(_, it)| it)
}

/// The name that was surely meant, among those that exist: one slip of a letter away, and not just an ending or a letter in
/// front, which make names of their own. Worth telling where nobody knows which other names there are.
pub(crate) fn slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 5;
    let is_slip = |it: &&str| {
        name.len() >= SHORTEST
            && !it.starts_with(name)
            && !name.starts_with(*it)
            && !name.ends_with(*it)
            // One slip is at one end at most; this is asked much faster.
            && (name.bytes().next() == it.bytes().next() || name.bytes().last() == it.bytes().last())
            && may_be_near(name, it, 1)
            && strsim::damerau_levenshtein(name, it) == 1
    };
    known.into_iter().filter(is_slip).min()
}

/// Whether so few slips may lead from one name to the other, whose case does not matter, by nothing but the letters that they have.
/// Most names are ruled out by this, in a fraction of the time that their distance takes.
fn may_be_near(name: &str, other: &str, limit: usize) -> bool {
    /// In bytes.
    const LONGEST_LETTER: usize = 4;
    if name.len().abs_diff(other.len()) > limit * LONGEST_LETTER {
        return false;
    }
    if !name.is_ascii() || !other.is_ascii() {
        return true;
    }
    let mut letters = [0_i32; 128];
    for byte in name.bytes() {
        letters[usize::from(byte.to_ascii_lowercase())] += 1;
    }
    for byte in other.bytes() {
        letters[usize::from(byte.to_ascii_lowercase())] -= 1;
    }
    // A slip adds a letter, takes one away, or does both.
    let more: i32 = letters.iter().filter(|it| **it > 0).sum();
    let fewer: i32 = letters.iter().filter(|it| **it < 0).sum();
    [more, fewer].iter().all(|it| it.unsigned_abs() as usize <= limit)
}

/// Whether one of two names is the other with a letter more, or with two neighbours that changed places, but for its ends.
pub(crate) fn is_slip(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    one.chars().count().min(other.chars().count()) >= SHORTEST && is_letter_apart(one, other)
}

/// The well-known name that was surely meant, where names that are too short for [`slip`] are told by the letters within.
pub(crate) fn short_slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    const SHORTEST_KNOWN: usize = 4;
    let is_it = |it: &&str| it.len() >= SHORTEST_KNOWN && is_letter_apart(name, it);
    if name.len() < SHORTEST { None } else { known.into_iter().filter(is_it).min() }
}

fn is_letter_apart(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[same..], &other[same..]);
    let same_end = one_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let differ = (&one_rest[..one_rest.len() - same_end], &other_rest[..other_rest.len() - same_end]);
    let is_slip = match differ {
        ([more], []) | ([], [more]) => more.is_alphabetic() && *more != 's',
        ([a, b], [c, d]) => a == d && b == c && a.is_alphabetic() && b.is_alphabetic(),
        _ => false,
    };
    is_slip && same > 0 && same_end > 0
}

/// What a name without a module's would mean with that of the module whose file it stands in: names are never relative.
pub(crate) fn in_own_module<'db>(
    db: &'db dyn Db,
    from: File,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    let module = &module_file(db, from)?.module;
    known(db, from, kind, &format!("{module}::{}", unrooted(name)))
}

/// The definition that was surely meant by a name whose module is not here: the same in a module whose name is one slip of a
/// letter away.
pub(crate) fn in_misspelled_module<'db>(
    db: &'db dyn Db,
    from: File,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    let environment = environment_of(db, from);
    let name = normalized(name);
    let module = module_of(&name);
    if module_folder(db, environment, module.into()).is_some() {
        return None;
    }
    // What the metadata names is known by that name.
    let own = module_file(db, from).and_then(|it| metadata(db, environment, it.module.clone()));
    if own.is_some_and(|it| it.dependencies.iter().any(|it| it == module)) {
        return None;
    }
    let meant = slip(module, environment.modules(db).iter().map(|(it, _)| it.as_str()))?;
    known(db, from, kind, &format!("{meant}{}", &name[module.len()..]))
}

/// The definition of this kind whose name was probably meant.
pub(crate) fn nearest_definition<'db>(
    db: &'db dyn Db,
    environment: Environment,
    kind: NameKind,
    name: &str,
) -> Option<Item<'db>> {
    let name = normalized(name);
    let known = module_definitions(db, environment, module_of(&name).into())
        .iter()
        .chain(main_definitions(db, environment));
    let known: Vec<_> = known.filter(|((it, _), _)| *it == kind).map(|(_, item)| *item).collect();
    let nearest = nearest(&name, known.iter().map(|it| it.name(db).as_str()))?;
    known.iter().find(|it| it.name(db) == nearest).copied()
}
