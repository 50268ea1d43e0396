//! `marotte ruby`.

mod report;
mod tree;

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::{DiskSystem, System};
use serde_json::{Value as Json, json};

use crate::Status;
use crate::args::{RubyArgs, RubyFormat};
use crate::failure::Failure;
use crate::terminal::{print, print_json};
use tree::{Evaluated, Item};

/// Reports where each function and template of some trees is evaluated.
pub(crate) fn run(args: &RubyArgs) -> Result<Status, Failure> {
    let system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let paths = match args.paths.is_empty() {
        true => vec![Utf8PathBuf::from(".")],
        false => args.paths.clone(),
    };
    let items = tree::items(&*system, &paths)?;
    match args.format {
        RubyFormat::Full => print(&report::full(&items))?,
        RubyFormat::Concise => print(&report::concise(&items))?,
        RubyFormat::Json => print_json(&format!("{:#}\n", json(&items)))?,
    }
    let has = |evaluated| items.iter().any(|it| it.evaluated == evaluated);
    Ok(match (has(Evaluated::Never), has(Evaluated::InWorker)) {
        (true, _) => Status::Findings,
        (false, true) => Status::Incomplete,
        (false, false) => Status::Clean,
    })
}

fn json(items: &[Item]) -> Json {
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
    json!({ "items": items.iter().map(item).collect::<Vec<Json>>(), "totals": Json::Object(totals.collect()) })
}
