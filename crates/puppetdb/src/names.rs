//! The names of nodes, page by page.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::answer::{OfNode, elements};
use crate::client::{Answer, Client};
use crate::error::{Error, Problem};

/// The query in PQL for all nodes that are neither deactivated nor expired.
pub const ACTIVE_NODES: &str = "nodes[certname] { node_state = \"active\" }";

/// The endpoint for queries that name their own entity.
const ROOT: &str = "/pdb/query/v4";

/// The maximum number of names in a page.
const PAGE: usize = 5_000;

impl Client {
    /// Returns the names of the nodes that a query selects, sorted and without repetitions. The query is in PQL, or in PuppetDB's
    /// own language as JSON.
    ///
    /// # Errors
    /// If the answer can't be read to the end, or if its rows don't have `certname`.
    pub fn names(&self, query: &str) -> Result<BTreeSet<String>, Error> {
        let sent = match serde_json::from_str(query) {
            Ok(Json::Array(ast)) => Json::Array(ast),
            _ => Json::from(query),
        };
        if has_pages(query) {
            let answer = self.post(ROOT, &json!({ "query": sent }))?;
            return Ok(self.read_names(&answer)?.into_iter().collect());
        }
        let mut rows: Vec<String> = Vec::new();
        let mut total = None;
        loop {
            // The last row of a page is the first of the next one, unless rows were removed meanwhile.
            let offset = rows.len().saturating_sub(1);
            let (page, all) = self.page(&sent, offset)?;
            let is_same = match rows.last() {
                None => true,
                Some(last) => page.first() == Some(last) && total == Some(all),
            };
            if !is_same {
                return Err(self.error(Problem::Changed));
            }
            let overlap = usize::from(!rows.is_empty());
            let new = page.len().saturating_sub(overlap);
            rows.extend(page.into_iter().skip(overlap));
            total = Some(all);
            let count = rows.len() as u64;
            if count == all {
                let names: BTreeSet<String> = rows.into_iter().collect();
                // Each node has one row. If one has two, others may be missing.
                return match query == ACTIVE_NODES && names.len() as u64 != all {
                    true => Err(self.error(Problem::Repeated)),
                    false => Ok(names),
                };
            }
            if new == 0 || count > all {
                return Err(self.error(Problem::Incomplete(count, Some(all))));
            }
        }
    }

    /// Returns some rows of a query, and the total number of rows.
    fn page(&self, query: &Json, offset: usize) -> Result<(Vec<String>, u64), Error> {
        let query = json!({
            "query": query,
            "order_by": [{ "field": "certname" }],
            "limit": PAGE,
            "offset": offset,
            "include_total": true,
        });
        let answer = self.post(ROOT, &query)?;
        let names = self.read_names(&answer)?;
        match answer.total {
            Some(total) => Ok((names, total)),
            None => Err(self.error(Problem::Incomplete(names.len() as u64, None))),
        }
    }

    fn read_names(&self, answer: &Answer) -> Result<Vec<String>, Error> {
        let rows = elements(&answer.text).ok_or_else(|| self.error(answer.is_not_json()))?;
        let names: Option<Vec<String>> =
            rows.iter().map(|it| Some(serde_json::from_str::<OfNode>(it).ok()?.certname)).collect();
        names.ok_or_else(|| self.error(Problem::Shape("names, as `nodes[certname] { … }` gives them")))
    }
}

/// Whether a query may have its own limit or offset, which PuppetDB would ignore in a paged query.
fn has_pages(query: &str) -> bool {
    let mut words = query.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.any(|it| it.eq_ignore_ascii_case("limit") || it.eq_ignore_ascii_case("offset"))
}

/// Returns the condition that a row belongs to one of these nodes.
pub(crate) fn is_one_of(names: &[&str]) -> Json {
    json!(["in", "certname", ["array", names]])
}
