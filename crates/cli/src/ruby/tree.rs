//! The functions and templates of a tree, with the constructs that they need.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{ReadError, WalkEntry, WalkOptions, WalkProblem, is_ignore_file};
use marotte_ruby_eval::survey::{Defined, Survey, survey};
use regex::Regex;

use crate::failure::Failure;

/// The maximum size of a file, in bytes.
const LIMIT: u64 = 4 << 20;

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A function of the 4.x API.
    Function,
    /// A function of the 3.x API.
    LegacyFunction,
    /// A template in ERB.
    Template,
    /// Another file of Ruby code, which functions may load. Not reported.
    Library,
}

impl Kind {
    /// Returns the name in the output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::LegacyFunction => "3.x function",
            Kind::Template => "template",
            Kind::Library => "library",
        }
    }

    /// Returns the kind of a file, and its name in code. None for files of other languages.
    fn of(path: &Utf8Path) -> Option<(Kind, String)> {
        let text = path.as_str();
        let below = |folder: &str| text.rsplit_once(folder).map(|(before, rest)| (before, rest.to_owned()));
        let stem = |rest: &str| rest.strip_suffix(".rb").map(|it| it.replace('/', "::"));
        if path.extension() == Some("erb") {
            let name = below("/templates/").map_or_else(
                || text.to_owned(),
                |(before, rest)| format!("{}/{rest}", before.rsplit('/').next().unwrap_or_default()),
            );
            return Some((Kind::Template, name));
        }
        if let Some((_, rest)) = below("/lib/puppet/functions/") {
            return Some((Kind::Function, stem(&rest)?));
        }
        if let Some((_, rest)) = below("/lib/puppet/parser/functions/") {
            return Some((Kind::LegacyFunction, stem(&rest)?));
        }
        let (_, rest) = below("/lib/")?;
        Some((Kind::Library, rest.strip_suffix(".rb")?.to_owned()))
    }
}

/// The place where an item is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evaluated {
    /// The interpreter evaluates it, according to the survey of its code.
    Here,
    /// A worker of `--allow ruby` evaluates it.
    InWorker,
    /// The item can't be evaluated at all.
    Never,
}

impl Evaluated {
    /// Returns the name in the output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Evaluated::Here => "here",
            Evaluated::InWorker => "ruby",
            Evaluated::Never => "never",
        }
    }
}

/// A construct that is not implemented.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) construct: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) line: u32,
    /// Whether workers don't support it either, because it is a part of a server.
    pub(crate) of_server: bool,
}

/// A function or template.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) evaluated: Evaluated,
    pub(crate) needs: Vec<Place>,
}

/// The functions and templates of a tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The functions and templates, ordered by path.
    pub(crate) items: Vec<Item>,
    /// The paths that could not be read, although functions or templates may be there, with the reasons.
    pub(crate) unread: Vec<(Utf8PathBuf, WalkProblem)>,
}

/// The text in place of a construct in a file outside of the tree.
const HIDDEN: &str = "something outside of the tree, which is not shown";

/// A file with the result of its survey.
struct Surveyed {
    kind: Kind,
    name: String,
    /// Whether the file is outside of the tree, so that nothing of its text is shown.
    is_outside: bool,
    /// The survey. If the file can't be parsed as Ruby: the line, the reason, and whether only this parser rejects it.
    survey: Result<Survey, (u32, String, bool)>,
}

/// Finds the functions and templates below some paths.
pub(crate) fn tree(system: &dyn System, paths: &[Utf8PathBuf]) -> Result<Tree, Failure> {
    let mut files = BTreeMap::new();
    let mut unread = BTreeMap::new();
    for path in paths {
        let root = system.absolute(path);
        if system.is_file(&root) {
            files.insert(root.clone(), path.clone());
            continue;
        }
        if !system.is_directory(&root) {
            return Err(Failure::no_path(path));
        }
        let shown = |found: &Utf8Path| {
            let below = found.strip_prefix(&root).unwrap_or(found);
            if path == "." && !below.as_str().is_empty() { below.to_owned() } else { path.join(below) }
        };
        system.walk(&root, WalkOptions::default(), &mut |entry| match entry {
            WalkEntry::Directory(_) | WalkEntry::LinkedList(_) => {}
            WalkEntry::File { path, .. } => drop(files.insert(path.clone(), shown(&path))),
            WalkEntry::Problem { path, problem } => {
                if let (Some(_), WalkProblem::Unreadable(_), false) =
                    (Kind::of(&path), &problem, system.is_directory(&path))
                {
                    // To read it fails, which is reported with the functions and templates that need it.
                    files.insert(path.clone(), shown(&path));
                } else if matters(&path, &problem) {
                    unread.insert(path.clone(), (shown(&path), problem));
                }
            }
        });
    }
    let mut texts = BTreeMap::new();
    for (path, shown) in files {
        let Some((kind, name)) = Kind::of(&path) else { continue };
        let text = system.read(&path, LIMIT).map_err(|error| (1, error.to_string(), false));
        texts.insert(path, (kind, name, shown, text));
    }
    let mut defined = Defined::default();
    for (kind, _, _, text) in texts.values() {
        if let (false, Ok(text)) = (*kind == Kind::Template, text) {
            define(&mut defined, &String::from_utf8_lossy(text));
        }
    }
    let mut surveyed = BTreeMap::new();
    for (path, (kind, name, shown, text)) in texts {
        let survey = text.and_then(|text| {
            let mut own = defined.clone();
            if kind == Kind::Template {
                define(&mut own, &String::from_utf8_lossy(&text));
            }
            survey(path.as_str(), &text, kind == Kind::Template, &own)
                .map_err(|error| (error.line, error.message, error.is_refusal))
        });
        let is_outside = system.is_outside(&path);
        surveyed.insert(path, (shown, Surveyed { kind, name, is_outside, survey }));
    }
    let reported = surveyed.iter().filter(|(_, (_, it))| it.kind != Kind::Library);
    let items = reported.map(|(path, (shown, it))| item(path, shown, it, &surveyed)).collect();
    Ok(Tree { items, unread: unread.into_values().collect() })
}

/// Whether functions or templates may be at a path that could not be visited, or whether it decides which ones are listed.
fn matters(path: &Utf8Path, problem: &WalkProblem) -> bool {
    match problem {
        // What a loop leads to is found under other paths.
        WalkProblem::Loop(_) | WalkProblem::NotAFolder => false,
        WalkProblem::LeavesTree | WalkProblem::TooMuch => true,
        WalkProblem::NotUtf8 => Kind::of(path).is_some(),
        // A link to nothing, a socket, a device.
        WalkProblem::Unreadable(ReadError::NotFound | ReadError::NotAFile) => is_ignore_file(path),
        WalkProblem::Unreadable(_) => true,
    }
}

fn item(
    path: &Utf8Path,
    shown: &Utf8Path,
    file: &Surveyed,
    all: &BTreeMap<Utf8PathBuf, (Utf8PathBuf, Surveyed)>,
) -> Item {
    let mut needs = Vec::new();
    let (mut seen, mut open) = (BTreeSet::from([path]), vec![path]);
    let mut is_broken = false;
    while let Some(path) = open.pop() {
        let Some((shown, it)) = all.get(path) else { continue };
        let place = |construct: String, line, of_server| {
            let construct = if it.is_outside { HIDDEN.to_owned() } else { construct };
            Place { construct, path: shown.clone(), line, of_server }
        };
        match &it.survey {
            Ok(survey) => {
                let own = survey.needs.iter();
                needs.extend(own.map(|need| place(need.construct.clone(), need.line, need.of_server)));
                let libraries = survey.requires.iter().filter_map(|name| library(path, name, all));
                open.extend(libraries.filter(|it| seen.insert(it)));
            }
            Err((line, message, is_refusal)) => {
                is_broken |= !is_refusal;
                needs.push(place(message.clone(), *line, false));
            }
        }
    }
    let needs_worker = needs.iter().any(|it| !it.of_server);
    let lacks_server = needs.iter().any(|it| it.of_server);
    let evaluated = match (is_broken || lacks_server, needs_worker) {
        (true, _) => Evaluated::Never,
        (false, true) => Evaluated::InWorker,
        (false, false) => Evaluated::Here,
    };
    Item { kind: file.kind, name: file.name.clone(), path: shown.to_owned(), evaluated, needs }
}

/// Returns the file of the tree that `require` or `require_relative` of a name in a file loads.
fn library<'a>(
    from: &Utf8Path,
    name: &str,
    all: &'a BTreeMap<Utf8PathBuf, (Utf8PathBuf, Surveyed)>,
) -> Option<&'a Utf8Path> {
    let name = name.trim_end_matches(".rb");
    let beside = from.parent().map(|it| marotte_db::system::normalize(&it.join(format!("{name}.rb"))));
    if let Some((path, _)) = beside.and_then(|it| all.get_key_value(&it)) {
        return Some(path);
    }
    let end = format!("/lib/{name}.rb");
    all.keys().find(|it| it.as_str().ends_with(&end)).map(|it| it.as_path())
}

/// Records the names that a text defines.
fn define(defined: &mut Defined, text: &str) {
    static METHOD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)\bdef\s+(?:[\w:]+\.)?(\w+[?!=]?)|(?:attr_\w+|alias|alias_method|define_method)\W+(\w+[?!=]?)").ok()
    });
    static CONSTANT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)\b(?:class|module)\s+(?:\w+::)*([A-Z]\w*)|\b([A-Z]\w*)\s*\|?\|?=[^=~>]").ok()
    });
    let names = |pattern: &Option<Regex>| -> Vec<String> {
        let found = pattern.iter().flat_map(|it| it.captures_iter(text));
        found.filter_map(|it| it.get(1).or(it.get(2)).map(|it| it.as_str().to_owned())).collect()
    };
    defined.methods.extend(names(&METHOD));
    defined.constants.extend(names(&CONSTANT));
}
