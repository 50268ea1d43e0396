//! The contents of the files that agents fetch for resources: those which `source => 'puppet:///modules/…'` names.
//!
//! They are looked up as the reference's file server does (`Puppet::FileServing`), each in a query of its own, so that an
//! evaluation with contents depends on these files, too.

mod request;
mod search;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use marotte_catalog::{Catalog, Contents, Fetched, FetchedFile};
use marotte_db::Db;
use marotte_text::Str;

pub(crate) use request::Request;
use request::{Named, named};

use crate::Run;

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The source that agents use, and its files.
    Found(Str, Arc<BTreeMap<Str, FetchedFile>>),
    /// The contents are not in the code tree, or cannot be read: the source, with the reason if it isn't obvious.
    Elsewhere(Str),
}

/// Looks up the contents of the files that the resources of a catalog name.
pub fn contents<P>(db: &dyn Db, run: Run, catalog: &Catalog<P>) -> Contents {
    looked_up(db, run, catalog, |_| ())
}

/// Like [`contents`]. `ask` is called with each request, once.
pub(crate) fn looked_up<P>(
    db: &dyn Db,
    run: Run,
    catalog: &Catalog<P>,
    mut ask: impl FnMut(&Request),
) -> Contents {
    let mut contents = Contents::default();
    if catalog.lacks_imports {
        contents.elsewhere.insert(Contents::IMPORTS.into());
    }
    let mut asked = HashSet::new();
    for resource in &catalog.resources {
        for Named { request, is_hidden } in named(resource) {
            let request = match request {
                Ok(request) => request,
                Err(reason) => {
                    contents.elsewhere.insert(reason);
                    continue;
                }
            };
            match answer(db, run, request.clone()) {
                Answer::Found(source, files) => contents.fetched.push(Fetched {
                    resource: resource.reference.clone(),
                    source: source.clone(),
                    is_hidden,
                    files: Arc::clone(files),
                }),
                Answer::Elsewhere(reason) => {
                    contents.elsewhere.insert(reason.clone());
                }
            }
            if !asked.contains(&request) {
                ask(&request);
                asked.insert(request);
            }
        }
    }
    contents
}

/// The answer to a request. Nodes that make the same request share it.
#[salsa::tracked(returns(ref))]
pub(crate) fn answer(db: &dyn Db, run: Run, request: Request) -> Answer {
    search::search(db, run, &request)
}
