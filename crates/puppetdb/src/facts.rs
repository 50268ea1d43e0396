//! Facts of nodes, page by page.

use std::collections::BTreeMap;
use std::sync::Arc;

use marotte_hiera::data::parse_json;
use marotte_pcore::value::{Hash, Value};
use serde_json::json;

use crate::answer::{OfNode, elements};
use crate::client::Client;
use crate::error::{Error, Problem};
use crate::names::is_one_of;
use crate::packed::Packed;

/// The number of nodes whose facts are requested at a time.
const PAGE: usize = 100;

/// The facts of a node as PuppetDB sent them, compressed.
#[derive(Clone, Debug)]
pub struct Factset(Packed);

/// The facts of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeFacts {
    /// The facts by their names.
    pub values: Hash,
    /// `$trusted`, as the server had it when it received the facts from the node. Puppet stores it as the fact `trusted`.
    pub trusted: Option<Arc<Hash>>,
}

impl Client {
    /// Returns the facts of nodes. Nodes without facts are not in the result.
    ///
    /// # Errors
    /// If the facts of any node can't be read.
    pub fn factsets(&self, names: &[&str]) -> Result<BTreeMap<String, Factset>, Error> {
        let mut found = BTreeMap::new();
        for names in names.chunks(PAGE) {
            self.some_factsets(names, &mut found)?;
        }
        Ok(found)
    }

    fn some_factsets(&self, names: &[&str], found: &mut BTreeMap<String, Factset>) -> Result<(), Error> {
        let query = json!({ "query": is_one_of(names), "include_total": true });
        let answer = match self.post("/pdb/query/v4/factsets", &query) {
            // Some nodes have facts of many megabytes.
            Err(Error { problem: Problem::TooLarge(_), .. }) if names.len() > 1 => {
                let (one, other) = names.split_at(names.len() / 2);
                self.some_factsets(one, found)?;
                return self.some_factsets(other, found);
            }
            other => other?,
        };
        let rows = elements(&answer.text).ok_or_else(|| self.error(answer.is_not_json()))?;
        for row in &rows {
            let name = serde_json::from_str::<OfNode>(row).map(|it| it.certname);
            let name = name.ok().filter(|it| names.contains(&it.as_str()));
            let name = name.ok_or_else(|| self.error(Problem::Shape("the facts of nodes")))?;
            if facts(row).is_none() || found.insert(name, Factset(Packed::new(row))).is_some() {
                return Err(self.error(Problem::Shape("the facts of nodes")));
            }
        }
        let count = rows.len() as u64;
        match answer.total {
            Some(total) if total == count => Ok(()),
            total => Err(self.error(Problem::Incomplete(count, total))),
        }
    }
}

impl Factset {
    /// Decompresses and returns the facts.
    pub fn facts(&self) -> NodeFacts {
        // They were read once before.
        facts(&self.0.text()).unwrap_or_default()
    }
}

/// Reads the facts in a row. None if the row has another structure.
fn facts(row: &str) -> Option<NodeFacts> {
    let document = parse_json(row).ok()?;
    let data = hash(hash(&document.value)?.get_str("facts")?)?.get_str("data")?;
    let Value::Array(data) = data else { return None };
    let mut all = NodeFacts::default();
    for fact in data.iter() {
        let fact = hash(fact)?;
        let (name, value) = (fact.get_str("name")?.as_str()?, fact.get_str("value")?);
        match (name, value) {
            // Puppet's server takes nothing else for what it has stored.
            ("trusted", Value::Hash(trusted))
                if ["authenticated", "certname", "extensions"]
                    .iter()
                    .all(|it| trusted.get_str(it).is_some()) =>
            {
                all.trusted = Some(Arc::clone(trusted));
            }
            ("_timestamp", _) => {}
            _ => {
                all.values.insert(name.into(), value.clone());
            }
        }
    }
    Some(all)
}

pub(crate) fn hash(value: &Value) -> Option<&Hash> {
    match value {
        Value::Hash(hash) => Some(hash),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(data: &str) -> Option<NodeFacts> {
        facts(&format!("{{\"certname\": \"n\", \"facts\": {{\"href\": \"/\", \"data\": {data}}}}}"))
    }

    #[test]
    fn trusted_facts_are_no_facts() {
        let trusted = r#"{"name": "trusted", "value": {"authenticated": "remote", "certname": "n", "extensions": {"pp_role": "db"}}}"#;
        let all = read(&format!("[{{\"name\": \"a\", \"value\": 1}}, {trusted}]")).unwrap();
        assert_eq!((all.values.len(), all.trusted.map(|it| it.len())), (1, Some(3)));
        // A node that sent such a fact itself.
        let all =
            read(r#"[{"name": "trusted", "value": "me"}, {"name": "_timestamp", "value": "x"}]"#).unwrap();
        assert_eq!((all.values.len(), all.trusted), (1, None));
    }

    #[test]
    fn numbers_of_any_size_are_kept() {
        let all =
            read(r#"[{"name": "a", "value": 123456789012345678901234567890}, {"name": "b", "value": 0.5}]"#);
        let all = all.unwrap();
        let shown = |name: &str| all.values.get_str(name).map(marotte_pcore::print::literal);
        assert_eq!(shown("a").as_deref(), Some("123456789012345678901234567890"));
        assert_eq!(shown("b").as_deref(), Some("0.5"));
    }

    #[test]
    fn other_rows_are_no_facts() {
        for data in ["{}", "[1]", r#"[{"name": 1, "value": 2}]"#, r#"[{"name": "a"}]"#, "null"] {
            assert_eq!(read(data), None, "{data}");
        }
    }
}
