//! Exported resources and answers to queries, from PuppetDB.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use marotte_catalog::rich_data::rich_data;
use marotte_eval::{Filter, StoredResource};
use marotte_host::Store;
use marotte_pcore::value::Value;
use marotte_puppetdb::{Client, ExportedResource};
use serde_json::{Value as Json, json};

use super::answers::Answers;

/// The store of exported resources of a run. Each query is sent once: all nodes, and both sides of a comparison, get the same
/// answer.
pub(super) struct PuppetdbStore {
    client: AssertUnwindSafe<Arc<Client>>,
    exported: Answers<Arc<[StoredResource]>>,
    queries: Answers<Value>,
}

impl PuppetdbStore {
    pub(super) fn new(client: Arc<Client>) -> PuppetdbStore {
        let client = AssertUnwindSafe(client);
        PuppetdbStore { client, exported: Answers::default(), queries: Answers::default() }
    }
}

impl fmt::Debug for PuppetdbStore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("PuppetdbStore").field("client", &*self.client).finish_non_exhaustive()
    }
}

impl Store for PuppetdbStore {
    fn exported(&self, type_name: &str, filter: Option<&Filter>) -> Result<Arc<[StoredResource]>, String> {
        let condition = filter.map(condition).transpose()?;
        let question = json!([type_name, condition]).to_string();
        self.exported.get(question, || {
            let found =
                self.client.exported(type_name, condition.as_ref()).map_err(|error| error.to_string())?;
            let stored = |it: ExportedResource| {
                let ExportedResource { certname, title, parameters } = it;
                StoredResource { certname, title, parameters }
            };
            Ok(found.into_iter().map(stored).collect())
        })
    }

    fn query(&self, query: &Value) -> Result<Value, String> {
        let query = data(query)?;
        self.queries.get(query.to_string(), || self.client.query(&query).map_err(|error| error.to_string()))
    }
}

/// Converts a filter to PuppetDB's language, as PuppetDB's own terminus does.
fn condition(filter: &Filter) -> Result<Json, String> {
    let equal = |name: &str, value: &Value| {
        let field = match name {
            "tag" | "title" => json!(name),
            name => json!(["parameter", name]),
        };
        Ok::<_, String>(json!(["=", field, data(value)?]))
    };
    Ok(match filter {
        Filter::Equal(name, value) => equal(name, value)?,
        Filter::NotEqual(name, value) => json!(["not", equal(name, value)?]),
        Filter::And(left, right) => json!(["and", condition(left)?, condition(right)?]),
        Filter::Or(left, right) => json!(["or", condition(left)?, condition(right)?]),
    })
}

/// A value as JSON.
fn data(value: &Value) -> Result<Json, String> {
    fn is_data(value: &Value) -> bool {
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
            Value::Array(elements) => elements.iter().all(is_data),
            Value::Hash(hash) => hash.iter().all(|(key, value)| key.as_str().is_some() && is_data(value)),
            _ => false,
        }
    }
    match is_data(value) {
        true => Ok(rich_data(value)),
        false => Err(format!("PuppetDB cannot be asked about {}", value.kind_name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected queries are those of Puppet's terminus for PuppetDB (`build_expression`).
    #[test]
    fn filters_are_those_of_the_terminus() {
        let equal = |name: &str, value: Value| Box::new(Filter::Equal(name.into(), value));
        let filter = Filter::And(
            Box::new(Filter::Or(equal("tag", "a".into()), equal("title", "b".into()))),
            Box::new(Filter::NotEqual("port".into(), Value::from(3))),
        );
        let wanted = json!([
            "and",
            ["or", ["=", "tag", "a"], ["=", "title", "b"]],
            ["not", ["=", ["parameter", "port"], 3]],
        ]);
        assert_eq!(condition(&filter), Ok(wanted));
        assert!(condition(&Filter::Equal("x".into(), Value::Default)).is_err());
    }
}
