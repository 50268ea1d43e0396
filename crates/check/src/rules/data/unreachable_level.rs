//! `unreachable-level`: a level of a `hiera.yaml` that matches no file, or reads the files of an earlier one.

use camino::Utf8Path;
use marotte_db::{Db, Environment, FileStatus, is_left_out, listing, module_folder};
use marotte_diagnostics::{Rule, rules};
use marotte_hiera::config::{FilePattern, Level, Reader};
use marotte_hiera::data::Step;
use marotte_resolve::data_files::{config_file, hiera_levels};
use marotte_resolve::spelling::{nearest, slip};

use crate::data::DataContext;

const RULE: &Rule = rules::UNREACHABLE_LEVEL;

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let (db, environment, layer) = (context.db, context.environment, context.layer.clone());
    let Some(Ok(levels)) = hiera_levels(db, environment, layer) else { return };
    for (index, level) in levels.iter().enumerate() {
        // Defaults of a configuration aren't the author's mistake.
        if !is_written(context, level) {
            continue;
        }
        let Some(patterns) = &level.files else { continue };
        for (at, pattern) in patterns.iter().enumerate() {
            let within = patterns[..at].iter().map(|it| (level, it));
            let before = levels[..index].iter().filter(|it| is_beside(it, level));
            let before = before.flat_map(|it| it.files.iter().flatten().map(move |pattern| (it, pattern)));
            if let Some((earlier_level, earlier)) =
                before.chain(within).find(|(_, it)| it.full() == pattern.full())
            {
                repeats(context, (level, pattern), (earlier_level, earlier));
            }
        }
        // Templates for new modules contain levels for later use.
        let is_of_environment = context.module().is_none();
        if patterns.iter().all(|it| missing(context, it).is_some())
            && (is_of_environment || patterns.iter().any(|it| is_misspelled_file(db, levels, it)))
            && let Some((pattern, what)) = patterns.iter().find_map(|it| Some((it, missing(context, it)?)))
            && !is_kept_elsewhere(level, &what)
        {
            let range = context.range_at(level.place.iter().chain(&pattern.place));
            let message = format!("the level `{}` can read no file: {what}", level.name);
            let finding = context.report(RULE, range, message);
            finding.label = Some("nothing is here".to_owned());
        }
    }
}

/// Whether the words in a level with a missing file suggest data that isn't kept next to the code.
fn is_kept_elsewhere(level: &Level, missing: &str) -> bool {
    const WORDS: [&str; 5] = ["private", "secret", "credential", "password", "local"];
    let says = |text: &str| WORDS.iter().any(|it| text.to_lowercase().contains(it));
    says(&level.name) || says(missing)
}

/// Whether a level is explicit in the configuration.
fn is_written(context: &DataContext<'_, '_>, level: &Level) -> bool {
    let Step::Key(hierarchy) = &level.place[0] else { return false };
    context.entries().any(|it| it.key == &**hierarchy)
}

/// Whether two levels are of the same hierarchy and read in the same way. Lookup functions also depend on options.
fn is_beside(a: &Level, b: &Level) -> bool {
    a.place[0] == b.place[0] && a.reader == b.reader && matches!(a.reader, Reader::Document(_))
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
fn missing(context: &DataContext<'_, '_>, pattern: &FilePattern) -> Option<String> {
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
    let folder = Utf8Path::new(&**pattern.folder());
    let shown = shown(folder).filter(|it| !it.is_empty())?;
    // git doesn't keep empty folders, and files for particular nodes may be added later.
    let is_for_some = pattern.full().contains("%{");
    (is_missing(folder) && (!is_for_some || is_misspelled_folder(db, folder)))
        .then(|| format!("there is no folder `{shown}`"))
}

/// Whether the path of a missing file is certainly a misspelling of one beside it that no level reads.
fn is_misspelled_file(db: &dyn Db, levels: &[Level], pattern: &FilePattern) -> bool {
    let Some(path) = pattern.path().map(|it| Utf8Path::new(&**it)) else { return false };
    let (Some(name), Some(around)) = (path.file_name(), path.parent()) else { return false };
    let is_read = |name: &str| {
        let path = around.join(name);
        levels.iter().flat_map(|it| it.files.iter().flatten()).any(|it| it.may_be(path.as_str()))
    };
    let beside = listing(db, db.files().file(db, around)).iter().filter(|it| !it.is_directory);
    slip(name, beside.map(|it| &*it.name).filter(|it| !is_read(it))).is_some()
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
