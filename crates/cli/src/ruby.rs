//! `marotte ruby`.

mod report;
mod tree;

use std::io::{self, Write as _};
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::system::{ConfinedSystem, Outward};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;
use marotte_project::discovery;
use serde_json::{Value as Json, json};

use crate::Status;
use crate::args::{RubyArgs, RubyFormat};
use crate::failure::Failure;
use crate::terminal::{print, print_json};
use tree::{Evaluated, Item, Tree};

/// Reports where each function and template of some trees is evaluated.
pub(crate) fn run(args: &RubyArgs) -> Result<Status, Failure> {
    let system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let paths = match args.paths.is_empty() {
        true => vec![Utf8PathBuf::from(".")],
        false => args.paths.clone(),
    };
    // Links out of the tree are followed, but nothing of the files there is shown.
    let absolute: Vec<Utf8PathBuf> = paths.iter().map(|it| system.absolute(it)).collect();
    let roots = discovery::roots(&*system, &absolute, &[]);
    let system = ConfinedSystem::new(system, roots, Outward::Followed);
    let tree = tree::tree(&system, &paths)?;
    let items = &tree.items;
    match args.format {
        RubyFormat::Full => print(&report::full(items))?,
        RubyFormat::Concise => print(&report::concise(items))?,
        RubyFormat::Json => print_json(&format!("{:#}\n", json(&tree)))?,
    }
    for (path, problem) in &tree.unread {
        let text = format!("error: {path} cannot be read: {problem}");
        writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
    }
    let has = |evaluated| items.iter().any(|it| it.evaluated == evaluated);
    Ok(match (has(Evaluated::Never), has(Evaluated::InWorker)) {
        _ if !tree.unread.is_empty() => Status::Error,
        (true, _) => Status::Findings,
        (false, true) => Status::Incomplete,
        (false, false) => Status::Clean,
    })
}

fn json(tree: &Tree) -> Json {
    let Tree { items, unread } = tree;
    let item = |it: &Item| {
        let needs = it.needs.iter().map(|need| {
            json!({ "construct": need.construct, "file": need.path, "line": need.line, "of_server": need.of_server })
        });
        json!({
            "kind": it.kind.name(),
            "name": it.name,
            "file": it.path,
            "evaluated": it.evaluated.name(),
            "needs": needs.collect::<Vec<Json>>(),
        })
    };
    let totals = report::totals(items).into_iter().map(|(kind, counts)| {
        let counts = counts.into_iter().map(|(evaluated, count)| (evaluated.name().to_owned(), count.into()));
        (kind.name().to_owned(), Json::Object(counts.collect()))
    });
    let unread = unread.iter().map(|(path, problem)| json!({ "file": path, "reason": problem.to_string() }));
    json!({
        "items": items.iter().map(item).collect::<Vec<Json>>(),
        "totals": Json::Object(totals.collect()),
        "unread": unread.collect::<Vec<Json>>(),
    })
}
