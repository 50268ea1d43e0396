//! The reasons why the rules about unused code report nothing about a tree, so that a run can say so.

use camino::Utf8Path;
use marotte_db::{Db, Environment, EnvironmentSet, File, Settings, source_text};
use marotte_diagnostics::{Rule, rules};
use marotte_resolve::puppetfile::puppetfile;
use marotte_text::{Str, TextSize};

use super::mentions::Kind;
use super::read::{environment_mentions, first_unknown, has_all_data};
use super::{Tree, definitions, is_in_module};

/// Things of which no rule says whether they are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjudged {
    /// The things: `unused classes`.
    pub what: &'static str,
    /// The reason.
    pub reason: Reason,
}

/// A reason why anything may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A module of the `Puppetfile` is not here.
    Module(Str),
    /// The `Puppetfile` may list other modules.
    Puppetfile,
    /// Not all files of the tree were read.
    Unread,
    /// The name is computed at this place: a file, and the number of a line, which is None if the file has errors.
    Computed(File, Option<u32>),
    /// Data elsewhere may name classes.
    Data,
    /// A node classifier assigns the classes.
    Classifier,
}

/// Returns what the requested rules about unused code leave out as a whole.
pub fn unjudged(db: &dyn Db) -> Vec<Unjudged> {
    const NAMED: [&Rule; 6] = [
        rules::UNUSED_CLASS,
        rules::UNUSED_DEFINED_TYPE,
        rules::UNUSED_FUNCTION,
        rules::UNUSED_TYPE,
        rules::UNUSED_TEMPLATE,
        rules::UNUSED_FILE,
    ];
    let requested = Settings::get(db).rules(db);
    let mut found = Vec::new();
    if NAMED.iter().any(|it| requested.contains(it)) {
        for environment in EnvironmentSet::get(db).environments(db) {
            let has_root = environment.root(db).is_some() && !is_in_module(db, *environment);
            if has_root {
                of_environment(db, *environment, |it| requested.contains(it), &mut found);
            }
        }
    }
    found
}

fn of_environment(
    db: &dyn Db,
    environment: Environment,
    is_requested: impl Fn(&Rule) -> bool,
    found: &mut Vec<Unjudged>,
) {
    let root = environment.root(db).unwrap_or(Utf8Path::new("/"));
    let tree = Tree { db, environment, root, findings: Default::default() };
    let own = definitions::own_files(&tree);
    if own.is_empty() && tree.own_modules().is_empty() {
        return;
    }
    let mut add = |what, reason| found.push(Unjudged { what, reason });
    if tree.may_be_used_elsewhere() {
        let missing = puppetfile(db, environment).and_then(|(_, it)| {
            let mut modules = it.modules.iter().filter(|it| !it.has_author);
            modules.find(|it| environment.modules(db).folder(&it.name).is_none())
        });
        return add("unused code", missing.map_or(Reason::Puppetfile, |it| Reason::Module(it.name.clone())));
    }
    let (mentions, is_complete) = environment_mentions(db, environment);
    if !is_complete {
        return add("unused code", Reason::Unread);
    }
    let classes = is_requested(rules::UNUSED_CLASS);
    let defined_types = is_requested(rules::UNUSED_DEFINED_TYPE);
    let files = is_requested(rules::UNUSED_TEMPLATE) || is_requested(rules::UNUSED_FILE);
    for (kind, what, is_wanted) in [
        (Kind::Class, "unused classes", classes),
        (Kind::Define, "unused defined types", defined_types),
        (Kind::Function, "unused functions", is_requested(rules::UNUSED_FUNCTION)),
        (Kind::Path, "unused templates and files", files),
    ] {
        if is_wanted
            && mentions.is_unknown(kind)
            && let Some((file, at)) = first_unknown(db, environment, kind)
        {
            add(what, Reason::Computed(file, at.map(|it| line(db, file, it))));
        }
    }
    if mentions.is_unknown(Kind::Data) && !has_all_data(db, environment) {
        if classes || defined_types {
            add("unused classes and defined types", Reason::Data);
        }
    } else if classes && !mentions.is_unknown(Kind::Class) && !definitions::is_classified(&tree, &own) {
        add("unused classes", Reason::Classifier);
    }
}

/// The number of the line of an offset, from 1.
fn line(db: &dyn Db, file: File, at: TextSize) -> u32 {
    source_text(db, file).line_index().line(at) + 1
}
