//! The rules, one file for each, in the folder of its group. A rule reports nothing about what is unknown.

pub(crate) mod data;
pub(crate) mod files;
pub(crate) mod migration;
pub(crate) mod names;
mod resources;
pub(crate) mod types;

use std::sync::LazyLock;

use marotte_db::Db;
use marotte_db::{File, Settings};
use marotte_diagnostics::rules::{self, RULES, Rule, Subject};
use marotte_diagnostics::{Diagnostic, RuleSet};
use marotte_hir::items;

use crate::context::Context;
use crate::data::DataContext;
use crate::findings::Findings;
use crate::rules::types::misread_interpolation;

/// A function that examines something, and the rules that it reports. It runs only if one of them is requested, so that
/// the queries that nobody else needs don't run, either.
type Check<F> = (F, &'static [&'static Rule]);

/// A check of one item.
type ItemCheck = Check<fn(&mut Context<'_, '_>)>;

/// A check of one file of data, or of one `hiera.yaml`.
type DataCheck = Check<fn(&mut DataContext<'_, '_>)>;

/// The rules that examine one item at a time.
const OF_ITEMS: [&[ItemCheck]; 5] =
    [names::OF_ITEMS, types::OF_ITEMS, resources::OF_ITEMS, data::OF_ITEMS, migration::OF_ITEMS];

/// The rules that examine one data file at a time.
const OF_DATA: [&[DataCheck]; 2] = [data::OF_DATA, migration::OF_DATA];

/// The rules that examine one `hiera.yaml` at a time.
const OF_CONFIGURATIONS: [&[DataCheck]; 2] = [data::OF_CONFIGURATIONS, migration::OF_CONFIGURATIONS];

/// The rules about a document as a whole, which says whether the other rules can run.
const OF_DOCUMENTS: &[&Rule] = &[rules::INVALID_DATA_FILE, rules::INVALID_HIERA_CONFIG];

/// The rules about the comments that silence rules.
const OF_COMMENTS: &[&Rule] = &[rules::UNUSED_SUPPRESSION, rules::UNKNOWN_SUPPRESSION];

/// The parts of a tree that the requested rules read in addition to the texts of the files that they examine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Only these texts.
    Text,
    /// The custom facts of modules.
    Facts,
    /// All definitions and files of the tree.
    Tree,
}

/// Returns what the requested rules read in addition to the texts of the files that they examine.
pub fn needs(requested: RuleSet) -> Needs {
    static BY_NEED: LazyLock<[(Needs, RuleSet); 2]> = LazyLock::new(|| {
        let with = |need| (need, RULES.iter().copied().filter(|it| needs_of(it) == need).collect());
        [with(Needs::Tree), with(Needs::Facts)]
    });
    let found = BY_NEED.iter().find(|(_, rules)| requested.overlaps(rules));
    found.map_or(Needs::Text, |(need, _)| *need)
}

fn needs_of(rule: &Rule) -> Needs {
    if [rules::DUPLICATE_ATTRIBUTE, rules::INVALID_DATA_FILE, rules::INVALID_HIERA_CONFIG].contains(&rule) {
        Needs::Text
    } else if rule == rules::LEGACY_FACT {
        Needs::Facts
    } else if rule == rules::INVALID_RUBY {
        Needs::Tree
    } else {
        match rule.subject {
            Subject::Meaning | Subject::Tree => Needs::Tree,
            Subject::Text | Subject::Style | Subject::File | Subject::Evaluation => Needs::Text,
        }
    }
}

/// The rules that each of some checks reports, in the order of the checks.
fn reported<F>(checks: &[&[Check<F>]]) -> Box<[RuleSet]> {
    checks.iter().copied().flatten().map(|(_, reports)| reports.iter().copied().collect()).collect()
}

/// The checks that report a requested rule, given the rules that each of them [reports](reported).
fn wanted<F>(
    db: &dyn Db,
    checks: &'static [&'static [Check<F>]],
    reported: &'static [RuleSet],
) -> impl Iterator<Item = &'static Check<F>> {
    let rules = Settings::get(db).rules(db);
    let checks = checks.iter().copied().flatten().zip(reported);
    checks.filter(move |(_, reported)| rules.overlaps(reported)).map(|(check, _)| check)
}

/// Whether a requested rule looks at data files or at a `hiera.yaml`, or at what code looks up in them.
pub(crate) fn reads_data(rules: RuleSet) -> bool {
    if needs(rules) == Needs::Tree {
        return true;
    }
    let reports = OF_DATA.into_iter().chain(OF_CONFIGURATIONS).flatten().map(|(_, reports)| *reports);
    reports.chain([OF_DOCUMENTS, OF_COMMENTS]).any(|it| rules.contains_any(it))
}

/// Adds the findings about the meaning of a data file.
pub(crate) fn check_data(context: &mut DataContext<'_, '_>) {
    static REPORTED: LazyLock<Box<[RuleSet]>> = LazyLock::new(|| reported(&OF_DATA));
    wanted(context.db, &OF_DATA, &REPORTED).for_each(|(check, _)| context.within_effort(check));
}

/// Adds the findings about the meaning of a `hiera.yaml`.
pub(crate) fn check_configuration(context: &mut DataContext<'_, '_>) {
    static REPORTED: LazyLock<Box<[RuleSet]>> = LazyLock::new(|| reported(&OF_CONFIGURATIONS));
    wanted(context.db, &OF_CONFIGURATIONS, &REPORTED).for_each(|(check, _)| check(context));
}

/// Adds the findings about the meaning of a code file.
pub(crate) fn check(db: &dyn Db, file: File, findings: &mut Vec<Diagnostic>) {
    static REPORTED: LazyLock<Box<[RuleSet]>> = LazyLock::new(|| reported(&OF_ITEMS));
    let checks: Vec<_> = wanted(db, &OF_ITEMS, &REPORTED).collect();
    if checks.is_empty() {
        return;
    }
    let mut found = Findings::default();
    for item in items(db, file).iter().filter(|it| !it.is_only_definitions(db)) {
        let mut context = Context::new(db, *item, &mut found);
        for (check, _) in &checks {
            db.unwind_if_revision_cancelled();
            context.within_effort(check);
        }
    }
    let uninterpolated = misread_interpolation::uninterpolated_texts(db, file, &found);
    if !uninterpolated.is_empty() {
        // The text is another than the one that was meant.
        found.retain(|it| it.rule == rules::MISREAD_INTERPOLATION || !uninterpolated.contains(&it.range));
    }
    findings.extend(found.into_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise, a rule that is selected would report nothing.
    #[test]
    fn every_rule_about_meaning_is_reported_by_a_check() {
        let of_items = OF_ITEMS.into_iter().flatten().map(|(_, reports)| *reports);
        let of_data = OF_DATA.into_iter().chain(OF_CONFIGURATIONS).flatten().map(|(_, reports)| *reports);
        let reported: Vec<&Rule> = of_items.chain(of_data).flatten().copied().collect();
        for rule in RULES.iter().filter(|it| it.subject == Subject::Meaning) {
            // `ruby_code` examines templates and plugins, which have no items.
            let is_of_ruby = rule == &rules::REMOVED_RUBY_METHOD;
            assert!(reported.contains(rule) || OF_DOCUMENTS.contains(rule) || is_of_ruby, "{rule}");
        }
        assert!(reported.iter().all(|it| RULES.contains(it)));
    }
}
