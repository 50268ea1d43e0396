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

/// Whether two names differ by one typo, or only in their underscores. Asked for many pairs of names, few of which are near.
pub(crate) fn is_near(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 5;
    let letters = |name: &str| name.bytes().filter(|it| *it != b'_').count();
    let (long, short) = (letters(name).max(letters(meant)), letters(name).min(letters(meant)));
    if short < SHORTEST || long - short > 1 {
        return false;
    }
    let plain = |name: &str| name.replace('_', "");
    let has_digit = |name: &str| name.bytes().any(|it| it.is_ascii_digit());
    // One typo leaves the first letter as it is, or the last one.
    let ends = |name: &str| {
        let mut letters = name.bytes().filter(|it| *it != b'_');
        (letters.next(), letters.next_back())
    };
    let ((first, last), (meant_first, meant_last)) = (ends(name), ends(meant));
    (first == meant_first || last == meant_last)
        && !has_digit(name)
        && !has_digit(meant)
        && osa::distance(plain(name).chars(), plain(meant).chars()) <= 1
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
