//! `unreachable-level`: a level of a `hiera.yaml` that matches no file, or reads the files of an earlier one.

use camino::Utf8Path;
use foldhash::{HashMap, HashSet};
use marotte_db::{Db, Environment, FileStatus, is_left_out, listing, module_folder};
use marotte_diagnostics::{Rule, rules};
use marotte_hiera::config::{FilePattern, Level, Levels, Reader};
use marotte_hiera::data::Step;
use marotte_resolve::data_files::{config_file, hiera_levels};
use marotte_resolve::spelling::{Names, nearest};

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
    /// Why patterns in a folder match no file, for those with interpolations and for others.
    missing: HashMap<(&'a str, bool), Option<String>>,
    /// The files in a folder that no level reads.
    unread: HashMap<&'a Utf8Path, Names>,
}

fn reads_nothing<'a>(
    context: &mut DataContext<'_, '_>,
    levels: &'a Levels,
    (level, patterns): (&Level, &'a [FilePattern]),
    folders: &mut Folders<'a>,
) {
    // Templates for new modules contain levels for later use.
    let is_of_environment = context.module().is_none();
    let mut first: Option<(&FilePattern, String)> = None;
    for pattern in patterns {
        let Some(what) = missing(context, pattern, folders) else { return };
        first.get_or_insert((pattern, what));
    }
    let is_meant = |it| is_misspelled_file(context.db, levels, it, folders);
    if (is_of_environment || patterns.iter().any(is_meant))
        && let Some((pattern, what)) = first
        && !is_kept_elsewhere(level, &what)
    {
        let range = context.range_at(level.place.iter().chain(&pattern.place));
        let message = format!("the level `{}` can read no file: {what}", level.name);
        let finding = context.report(RULE, range, message);
        finding.label = Some("nothing is here".to_owned());
    }
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
        (is_missing(folder) && (!is_for_some || is_misspelled_folder(db, folder)))
            .then(|| format!("there is no folder `{shown}`"))
    };
    known.or_insert_with(find).clone()
}

/// Whether the path of a missing file is certainly a misspelling of one beside it that no level reads.
fn is_misspelled_file<'a>(
    db: &dyn Db,
    levels: &Levels,
    pattern: &'a FilePattern,
    folders: &mut Folders<'a>,
) -> bool {
    let Some(path) = pattern.path().map(|it| Utf8Path::new(&**it)) else { return false };
    let (Some(name), Some(around)) = (path.file_name(), path.parent()) else { return false };
    let unread = folders.unread.entry(around).or_insert_with(|| {
        let beside = listing(db, db.files().file(db, around)).iter().filter(|it| !it.is_directory);
        beside.map(|it| &it.name).filter(|it| levels.of_file(&around.join(it)).is_none()).cloned().collect()
    });
    unread.slip(name, |_| true).is_some()
}

/// Whether a missing folder has almost the name of an existing one.
fn is_misspelled_folder(db: &dyn Db, folder: &Utf8Path) -> bool {
    let (Some(name), Some(around)) = (folder.file_name(), folder.parent()) else { return false };
    let beside = listing(db, db.files().file(db, around)).iter().filter(|it| it.is_directory);
    nearest(name, beside.map(|it| &*it.name)).is_some()
}

/// Whether a path is in a module that isn't available: some sites keep their data in one.
fn is_in_absent_module(db: &dyn Db, environment: Environment, path: &Utf8Path) -> bool {
    let modules = environment.module_path(db).iter().filter_map(|folder| path.strip_prefix(folder).ok());
    let mut names = modules.filter_map(|rest| rest.components().next());
    names.any(|name| module_folder(db, environment, name.as_str().to_lowercase().into()).is_none())
}
