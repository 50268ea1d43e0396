//! Variables that one branch sets under another name than all its sibling branches do.
//!
//! Other files may read the variables of a class, so a name alone proves nothing. But where every other branch of a choice sets
//! `$package_name`, and one sets `$pakage_name` instead, which nothing in the module reads, the missing name was meant.

use std::collections::BTreeMap;

use marotte_db::Db;
use marotte_db::{File, files_below, module_file, module_folder, source_text};
use marotte_hir::ExprId;
use marotte_hir::body::Body;
use marotte_infer::branches::{branches, set};
use marotte_resolve::call::NamedCall;
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
pub(crate) fn misnamed(body: &Body) -> Vec<Misnamed<'_>> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in body.assigned() {
        *times.entry(name.as_str()).or_default() += 1;
    }
    let choices = body.exprs().filter_map(|(_, expr)| branches(expr));
    let is_parameter = |name: &str| body.parameters.iter().any(|it| it.name == name);
    let mut found = Vec::new();
    for choice in choices {
        let ways: Vec<Vec<(ExprId, &str)>> = choice.iter().map(|block| assigned(body, block)).collect();
        let goes_on: Vec<bool> = choice.iter().map(|block| !fails(body, block)).collect();
        for (index, way) in ways.iter().enumerate() {
            let others: Vec<&Vec<(ExprId, &str)>> = ways
                .iter()
                .zip(&goes_on)
                .enumerate()
                .filter(|(at, (_, goes_on))| *at != index && **goes_on)
                .map(|(_, it)| it.0)
                .collect();
            let Some((first, rest)) = others.split_first() else { continue };
            let sets = |way: &[(ExprId, &str)], name: &str| way.iter().any(|it| it.1 == name);
            let missing = first.iter().map(|it| it.1).filter(|name| {
                !sets(way, name) && rest.iter().all(|it| sets(it, name)) && !is_parameter(name)
                    // Nothing else sets it either.
                    && times.get(name) == Some(&ways.iter().flatten().filter(|it| it.1 == *name).count())
            });
            for meant in missing {
                let is_it = |it: &&(ExprId, &str)| times.get(it.1) == Some(&1) && is_near(it.1, meant);
                if let Some((at, name)) = way.iter().find(is_it) {
                    found.push(Misnamed { at: *at, name, meant });
                }
            }
        }
    }
    found
}

/// The variables that a block sets, on any of its branches.
fn assigned<'b>(body: &'b Body, block: &[ExprId]) -> Vec<(ExprId, &'b str)> {
    set(body, block).into_iter().map(|(at, name, _)| (at, name)).collect()
}

/// Whether evaluation doesn't continue after a block.
fn fails(body: &Body, block: &[ExprId]) -> bool {
    block.iter().any(|id| {
        NamedCall::of(body.expr(*id)).is_some_and(|it| matches!(it.plain_name(), "fail" | "return"))
    })
}

/// Whether two names differ by one typo, or only in their underscores.
fn is_near(name: &str, meant: &str) -> bool {
    const SHORTEST: usize = 5;
    let plain = |name: &str| name.replace('_', "");
    let (name, meant) = (plain(name), plain(meant));
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
