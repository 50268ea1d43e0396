//! The human-readable output of `marotte ruby`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use marotte_diagnostics::printable;

use super::tree::{Evaluated, Item, Kind};

/// Counts the items of each kind by the place where they are evaluated.
pub(super) fn totals(items: &[Item]) -> BTreeMap<Kind, BTreeMap<Evaluated, usize>> {
    let all = [Evaluated::Here, Evaluated::InWorker, Evaluated::Never].map(|it| (it, 0));
    let mut totals: BTreeMap<Kind, BTreeMap<Evaluated, usize>> = BTreeMap::new();
    for it in items {
        let counts = totals.entry(it.kind).or_insert_with(|| all.into_iter().collect());
        *counts.entry(it.evaluated).or_default() += 1;
    }
    totals
}

/// Lists each item that isn't evaluated here with its needs, and the totals.
pub(super) fn full(items: &[Item]) -> String {
    let mut text = String::new();
    for it in items.iter().filter(|it| it.evaluated != Evaluated::Here) {
        let how = match it.evaluated {
            Evaluated::Here => "is evaluated here",
            Evaluated::InWorker => "needs `--allow ruby`",
            Evaluated::Never => "is not evaluated",
        };
        let head = format!("{} {} {how}", it.kind.name(), it.name);
        let _ = writeln!(text, "{}", printable::line(&head));
        for need in &it.needs {
            let server = if need.of_server { " (a part of a server)" } else { "" };
            let line = format!("  {}:{}: {}{server}", need.path, need.line, need.construct);
            let _ = writeln!(text, "{}", printable::line(&line));
        }
    }
    text + &summary(items)
}

/// Lists each item on one line, and the totals.
pub(super) fn concise(items: &[Item]) -> String {
    let mut text = String::new();
    for it in items {
        let reason = it.needs.first().map(|it| format!(": {} ({}:{})", it.construct, it.path, it.line));
        let line = format!(
            "{}: {} {}: {}{}",
            it.path,
            it.kind.name(),
            it.name,
            it.evaluated.name(),
            reason.unwrap_or_default()
        );
        let _ = writeln!(text, "{}", printable::line(&line));
    }
    text + &summary(items)
}

fn summary(items: &[Item]) -> String {
    let mut text = String::new();
    for (kind, counts) in totals(items) {
        let count = |it| counts.get(&it).copied().unwrap_or_default();
        let all: usize = counts.values().sum();
        let (here, worker, never) =
            (count(Evaluated::Here), count(Evaluated::InWorker), count(Evaluated::Never));
        let name = kind.name();
        let _ = writeln!(
            text,
            "{all} {name}{}: {here} evaluated here, {worker} with `--allow ruby`, {never} not at all",
            if all == 1 { "" } else { "s" }
        );
    }
    if text.is_empty() {
        text.push_str("there are no functions or templates in Ruby\n");
    }
    text
}
