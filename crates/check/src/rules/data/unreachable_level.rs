//! `unreachable-level`: a level of a `hiera.yaml` that matches no file, or reads the files of an earlier one.

use std::cell::OnceCell;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::{HashMap, HashSet};
use marotte_db::{Db, Environment, FileStatus, is_left_out, listing, module_folder};
use marotte_diagnostics::{Rule, rules};
use marotte_hiera::config::{FilePattern, Level, Levels, Reader};
use marotte_hiera::data::Step;
use marotte_resolve::data_files::{config_file, hiera_levels};
use marotte_resolve::puppetfile::installs_absent;
use marotte_resolve::spelling::{Names, nearest};
use marotte_text::TextRange;

use crate::data::DataContext;

const RULE: &Rule = rules::UNREACHABLE_LEVEL;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment, layer) = (context.db, context.environment, context.layer.clone());
    let Some(Ok(levels)) = hiera_levels(db, environment, layer) else { return };
    let hierarchies: HashSet<&str> = context.entries().map(|it| it.key).collect();
    let mut read: HashMap<Files<'_>, (&Level, &FilePattern)> = HashMap::default();
    let mut folders = Folders::default();
    for level in levels.iter() {
        let Some(patterns) = &level.files else { continue };
        let Step::Key(hierarchy) = &level.place[0] else { continue };
        let files = |pattern| Files { hierarchy, reader: &level.reader, pattern };
        // Defaults of a configuration aren't the author's mistake.
        if hierarchies.contains(&**hierarchy) {
            let mut within: HashMap<&str, &FilePattern> = HashMap::default();
            for pattern in patterns {
                // Lookup functions also depend on options.
                let before = read.get(&files(pattern.full())).copied();
                let before = before.filter(|_| matches!(level.reader, Reader::Document(_)));
                let here = *within.entry(pattern.full()).or_insert(pattern);
                let here = (!std::ptr::eq(here, pattern)).then_some((level, here));
                if let Some(earlier) = before.or(here) {
                    repeats(context, (level, pattern), earlier);
                }
            }
            reads_nothing(context, levels, (level, patterns), &mut folders);
        }
        for pattern in patterns {
            read.entry(files(pattern.full())).or_insert((level, pattern));
        }
    }
}

/// The files that a level reads. Levels of the same hierarchy for which these are equal read the same values.
#[derive(PartialEq, Eq, Hash)]
struct Files<'a> {
    hierarchy: &'a str,
    reader: &'a Reader,
    pattern: &'a str,
}

/// Facts about folders that many levels name.
#[derive(Default)]
struct Folders<'a> {
    /// Whether one of them exists.
    has_any: OnceCell<bool>,
    /// Why patterns in a folder match no file, for those with interpolations and for others.
    missing: HashMap<(&'a str, bool), Option<String>>,
    /// The misspelled paths that have been reported: several levels may be below one.
    reported: HashSet<Utf8PathBuf>,
    /// The files in a folder that no level names.
    unread: HashMap<&'a Utf8Path, Names>,
}

fn reads_nothing<'a>(
    context: &mut DataContext<'_, '_>,
    levels: &'a Levels,
    (level, patterns): (&Level, &'a [FilePattern]),
    folders: &mut Folders<'a>,
) {
    let mut is_reported = false;
    if patterns.iter().any(|it| is_installed(context, it)) {
        return;
    }
    for pattern in patterns {
        // Whatever else the level reads, this was meant to be read.
        let Some(slip) = misspelled(context, levels, pattern, folders) else { continue };
        is_reported = true;
        if is_kept_elsewhere(level, &slip.what) || !folders.reported.insert(slip.absent) {
            continue;
        }
        let path = context.range_at(level.place.iter().chain(&pattern.place));
        let range = slip.folder.and_then(|it| datadir(context, level, &it)).unwrap_or(path);
        let message = format!("the level `{}` can read no file at this path: {}", level.name, slip.what);
        let finding = context.report(RULE, range, message);
        finding.label = Some(format!("did you mean `{}`?", slip.meant));
    }
    // Data of which nothing is here is elsewhere.
    if is_reported || !folders.has_any.get_or_init(|| has_any_folder(context.db, levels)) {
        return;
    }
    // Templates for new modules contain levels for later use.
    let is_of_environment = context.module().is_none();
    let mut first: Option<(&FilePattern, String)> = None;
    for pattern in patterns {
        let Some(what) = missing(context, pattern, folders) else { return };
        first.get_or_insert((pattern, what));
    }
    if is_of_environment
        && let Some((pattern, what)) = first
        && !is_kept_elsewhere(level, &what)
    {
        let range = context.range_at(level.place.iter().chain(&pattern.place));
        let message = format!("the level `{}` can read no file: {what}", level.name);
        let finding = context.report(RULE, range, message);
        finding.label = Some("nothing is here".to_owned());
    }
}

/// Whether one of the folders with data exists.
fn has_any_folder(db: &dyn Db, levels: &Levels) -> bool {
    let mut patterns = levels.iter().flat_map(|it| it.files.iter().flatten());
    patterns.any(|it| db.files().file(db, Utf8Path::new(&**it.folder())).status(db) != FileStatus::Missing)
}

/// Whether the `Puppetfile` installs the folder of a pattern: data in a repository of its own, listed like a module.
fn is_installed(context: &DataContext<'_, '_>, pattern: &FilePattern) -> bool {
    let (db, environment) = (context.db, context.environment);
    let folder = pattern.folder();
    let below = environment.root(db).and_then(|root| Utf8Path::new(&**folder).strip_prefix(root).ok());
    below.is_some_and(|it| it.iter().any(|name| installs_absent(db, environment, &name.to_lowercase())))
}

/// Whether the words in a level with a missing file suggest data that isn't kept next to the code.
fn is_kept_elsewhere(level: &Level, missing: &str) -> bool {
    const WORDS: [&str; 5] = ["private", "secret", "credential", "password", "local"];
    let says = |text: &str| WORDS.iter().any(|it| text.to_lowercase().contains(it));
    says(&level.name) || says(missing)
}

fn repeats(
    context: &mut DataContext<'_, '_>,
    (level, pattern): (&Level, &FilePattern),
    (earlier_level, earlier): (&Level, &FilePattern),
) {
    let range = context.range_at(level.place.iter().chain(&pattern.place));
    let before = context.range_at(earlier_level.place.iter().chain(&earlier.place));
    let related = context.related(before, "it is read here first");
    let message = format!("the level `{}` reads what `{}` has read", level.name, earlier_level.name);
    let finding = context.report(RULE, range, message);
    finding.label = Some("read twice".to_owned());
    finding.related.push(related);
}

/// A path of a level with a misspelled file or folder.
struct Slip {
    /// The reason why it leads nowhere.
    what: String,
    /// The misspelled file or folder.
    absent: Utf8PathBuf,
    /// The name of the folder, if it is one.
    folder: Option<String>,
    /// The name that is meant.
    meant: String,
}

/// Returns the slip in a pattern that matches no file, if it is certainly one: the file or folder that is meant is there.
fn misspelled<'a>(
    context: &DataContext<'_, '_>,
    levels: &Levels,
    pattern: &'a FilePattern,
    folders: &mut Folders<'a>,
) -> Option<Slip> {
    let what = missing(context, pattern, folders)?;
    let db = context.db;
    if let Some(meant) = misspelled_file(db, levels, pattern, folders) {
        let absent = Utf8PathBuf::from(pattern.path()?.as_str());
        return Some(Slip { what, absent, folder: None, meant });
    }
    let (absent, meant) = misspelled_folder(db, Utf8Path::new(&**pattern.folder()))?;
    let folder = absent.file_name().map(str::to_owned);
    Some(Slip { what, absent: absent.to_owned(), folder, meant })
}

/// The range of the folder of a level's data, or of that of all levels, if it has a part of this name.
fn datadir(context: &DataContext<'_, '_>, level: &Level, name: &str) -> Option<TextRange> {
    let key = |it: &str| Step::Key(it.into());
    let own: Vec<Step> = level.place.iter().cloned().chain([key("datadir")]).collect();
    [own, vec![key("defaults"), key("datadir")]].into_iter().find_map(|steps| {
        let document = context.document;
        let start = Some((&document.value, &document.places));
        let (value, places) = steps.iter().fold(start, |at, step| {
            let (value, places) = at?;
            step.lead(value, places)
        })?;
        value.as_str()?.split('/').any(|it| it == name).then_some(places.range)
    })
}

/// The missing path because of which a pattern matches no file. None if it may match one, or if that cannot be decided.
fn missing<'a>(
    context: &DataContext<'_, '_>,
    pattern: &'a FilePattern,
    folders: &mut Folders<'a>,
) -> Option<String> {
    let db = context.db;
    let root = config_file(db, context.environment, context.layer)?.path(db).parent()?.to_owned();
    let shown = |path: &Utf8Path| path.strip_prefix(&root).ok().map(|it| it.to_string());
    let is_missing = |path: &Utf8Path| {
        db.files().file(db, path).status(db) == FileStatus::Missing
            && !is_left_out(db, path)
            && !is_in_absent_module(db, context.environment, path)
    };
    if let Some(path) = pattern.path() {
        let path = Utf8Path::new(&**path);
        let shown = shown(path)?;
        return is_missing(path).then(|| format!("there is no `{shown}`"));
    }
    // git doesn't keep empty folders, and files for particular nodes may be added later.
    let is_for_some = pattern.full().contains("%{");
    let known = folders.missing.entry((pattern.folder(), is_for_some));
    let find = || {
        let folder = Utf8Path::new(&**pattern.folder());
        let shown = shown(folder).filter(|it| !it.is_empty())?;
        (is_missing(folder) && (!is_for_some || misspelled_folder(db, folder).is_some()))
            .then(|| format!("there is no folder `{shown}`"))
    };
    known.or_insert_with(find).clone()
}

/// The file that the path of a missing one certainly means: one beside it that no other level names.
fn misspelled_file<'a>(
    db: &dyn Db,
    levels: &Levels,
    pattern: &'a FilePattern,
    folders: &mut Folders<'a>,
) -> Option<String> {
    let path = pattern.path().map(|it| Utf8Path::new(&**it))?;
    let (name, around) = (path.file_name()?, path.parent()?);
    let unread = folders.unread.entry(around).or_insert_with(|| {
        // A level with interpolations alone, such as `%{facts.os.family}.yaml`, may read any file.
        let paths = levels.iter().flat_map(|it| it.files.iter().flatten()).filter_map(FilePattern::path);
        let read: HashSet<&str> = paths.map(|it| &**it).collect();
        let beside = listing(db, db.files().file(db, around)).iter().filter(|it| !it.is_directory);
        beside.map(|it| &it.name).filter(|it| !read.contains(around.join(it).as_str())).cloned().collect()
    });
    // Versions have files of their own.
    let digits = |it: &str| -> String { it.chars().filter(char::is_ascii_digit).collect() };
    unread.slip(name, |it| digits(it) == digits(name)).map(str::to_owned)
}

/// The folder, among a missing one and those above it, that has almost the name of an existing one, and that name.
fn misspelled_folder<'p>(db: &dyn Db, folder: &'p Utf8Path) -> Option<(&'p Utf8Path, String)> {
    let is_there = |it: &Utf8Path| db.files().file(db, it).status(db) != FileStatus::Missing;
    let absent = folder.ancestors().take_while(|it| !is_there(it)).last()?;
    let (name, around) = (absent.file_name()?, absent.parent()?);
    let beside = listing(db, db.files().file(db, around)).iter().filter(|it| it.is_directory);
    Some((absent, nearest(name, beside.map(|it| &*it.name))?.to_owned()))
}

/// Whether a path is in a module that isn't available: some sites keep their data in one.
fn is_in_absent_module(db: &dyn Db, environment: Environment, path: &Utf8Path) -> bool {
    let modules = environment.module_path(db).iter().filter_map(|folder| path.strip_prefix(folder).ok());
    let mut names = modules.filter_map(|rest| rest.components().next());
    names.any(|name| module_folder(db, environment, name.as_str().to_lowercase().into()).is_none())
}
