//! Variables that one branch sets under another name than all its sibling branches do.
//!
//! Other files may read the variables of a class, so a name alone proves nothing. But where every other branch of a choice sets
//! `$package_name`, and one sets `$pakage_name` instead, which nothing in the module reads, the missing name was meant.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashSet};
use marotte_db::Db;
use marotte_db::{File, files_below, module_file, module_folder, source_text};
use marotte_eval::functions::Leaves;
use marotte_hir::ExprId;
use marotte_hir::body::Body;
use marotte_infer::branches::{branches, set};
use marotte_infer::flow::leaving_call;
use marotte_resolve::spelling::Typos;
use marotte_text::Str;
use rapidfuzz::distance::osa;

/// A variable with a probably misspelled name.
pub(crate) struct Misnamed<'b> {
    /// The expression that sets it.
    pub(crate) at: ExprId,
    pub(crate) name: &'b str,
    /// The name that the sibling branches set.
    pub(crate) meant: &'b str,
}

/// The variables of a body that one branch sets under another name than all its siblings do.
pub(crate) fn misnamed<'b>(body: &'b Body) -> Vec<Misnamed<'b>> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in body.assigned() {
        *times.entry(name.as_str()).or_default() += 1;
    }
    let choices = body.exprs().filter_map(|(_, expr)| branches(expr));
    let is_parameter = |name: &str| body.parameters.iter().any(|it| it.name == name);
    let mut found = Vec::new();
    for choice in choices {
        let ways: Vec<Way<'_>> = choice.iter().map(|block| Way::new(body, block)).collect();
        let (mut totals, mut setting): (HashMap<&str, usize>, HashMap<&str, usize>) = Default::default();
        for way in &ways {
            way.assigned.iter().for_each(|(_, name)| *totals.entry(name).or_default() += 1);
            if way.goes_on {
                way.distinct.iter().for_each(|name| *setting.entry(name).or_default() += 1);
            }
        }
        let going_on = ways.iter().filter(|it| it.goes_on).count();
        let mut firsts = ways.iter().enumerate().filter(|(_, it)| it.goes_on);
        // The variables that all ways set, except one at most, and that nothing else sets.
        let usual = |(index, way): (usize, &Way<'b>)| {
            let is_usual = |name: &&str| {
                setting[name] + 1 >= going_on && times.get(name) == totals.get(name) && !is_parameter(name)
            };
            let names: Vec<&str> = way.assigned.iter().map(|it| it.1).filter(is_usual).collect();
            (index, names)
        };
        let Some(first) = firsts.next().map(usual) else { continue };
        let second = firsts.next().map(usual);
        for (index, way) in ways.iter().enumerate() {
            let Some((_, names)) = Some(&first).filter(|it| it.0 != index).or(second.as_ref()) else {
                continue;
            };
            let others = going_on - usize::from(way.goes_on);
            for meant in names.iter().filter(|it| setting[**it] == others && !way.distinct.contains(**it)) {
                let is_it = |it: &&(ExprId, &str)| times.get(it.1) == Some(&1) && is_near(it.1, meant);
                if let Some((at, name)) = way.assigned.iter().find(is_it) {
                    found.push(Misnamed { at: *at, name, meant });
                }
            }
        }
    }
    found
}

/// One of the branches of a choice.
struct Way<'b> {
    /// The variables that it sets, on any of its own branches.
    assigned: Vec<(ExprId, &'b str)>,
    distinct: HashSet<&'b str>,
    /// Whether evaluation continues after it.
    goes_on: bool,
}

impl<'b> Way<'b> {
    fn new(body: &'b Body, block: &[ExprId]) -> Self {
        let assigned: Vec<_> = set(body, block).into_iter().map(|(at, name, _)| (at, name)).collect();
        let distinct = assigned.iter().map(|it| it.1).collect();
        Way { assigned, distinct, goes_on: !fails(body, block) }
    }
}

/// Whether evaluation doesn't continue after a block.
fn fails(body: &Body, block: &[ExprId]) -> bool {
    let leaves_body = |(_, leaves)| matches!(leaves, Leaves::Program | Leaves::Body);
    block.iter().any(|id| leaving_call(body.expr(*id)).is_some_and(leaves_body))
}

/// The variables that a body assigns, which are searched for nearly equal names.
pub(crate) struct AssignedNames<'b> {
    /// In the order of their first assignments, each once.
    names: Vec<&'b Str>,
    /// Their letters without underscores.
    typos: Typos,
}

impl<'b> AssignedNames<'b> {
    /// Indexes the variables of a body.
    pub(crate) fn new(body: &'b Body) -> AssignedNames<'b> {
        let mut seen = HashSet::default();
        let names: Vec<&Str> = body.assigned().map(|it| it.1).filter(|it| seen.insert(*it)).collect();
        let letters: Vec<String> = names.iter().map(|it| without_underscores(it)).collect();
        AssignedNames { names, typos: Typos::new(letters.iter().map(String::as_str)) }
    }

    /// The other variables whose names are nearly equal to this one, in the order of their first assignments.
    pub(crate) fn near(&self, name: &str) -> impl Iterator<Item = &'b Str> {
        let near = self.typos.near(&without_underscores(name)).into_iter();
        near.filter_map(|at| self.names.get(at).copied()).filter(move |it| *it != name && is_near(name, it))
    }
}

fn without_underscores(name: &str) -> String {
    name.replace('_', "")
}

/// Whether two names differ by one typo, or only in their underscores.
fn is_near(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 5;
    let (name, meant) = (without_underscores(name), without_underscores(meant));
    let has_digit = |name: &str| name.bytes().any(|it| it.is_ascii_digit());
    name.len().min(meant.len()) >= SHORTEST
        && !has_digit(&name)
        && !has_digit(&meant)
        && osa::distance(name.chars(), meant.chars()) <= 1
}

/// Whether the module of a file mentions a variable anywhere except where it is set once. Callers depend on the answer only.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_named_in_module(db: &dyn Db, file: File, name: Str) -> bool {
    let environment = marotte_db::environment_of(db, file);
    let Some(folder) = module_file(db, file).and_then(|it| module_folder(db, environment, it.module.clone()))
    else {
        return true;
    };
    let parts = [
        ("manifests", "pp"),
        ("functions", "pp"),
        ("templates", "epp"),
        ("templates", "erb"),
        ("data", "yaml"),
        ("lib", "rb"),
    ];
    let paths = parts.iter().flat_map(|(part, extension)| files_below(db, &folder.join(part), extension));
    let uses: usize =
        paths.map(|path| times_named(source_text(db, db.files().file(db, &path)).text(), &name)).sum();
    uses > 1
}

/// The number of occurrences of a word in a text.
fn times_named(text: &str, word: &str) -> usize {
    let is_part = |it: Option<char>| it.is_some_and(|it| it == '_' || it.is_alphanumeric());
    let is_whole = |at: &usize| {
        !is_part(text[..*at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    };
    text.match_indices(word).map(|it| it.0).filter(is_whole).count()
}
