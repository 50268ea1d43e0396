//! Queries for exported resources, and arbitrary queries.

use marotte_hiera::data::parse_json;
use marotte_pcore::value::Value;
use marotte_text::Str;
use serde_json::{Value as Json, json};

use crate::answer::elements;
use crate::client::{Answer, Client};
use crate::error::{Error, Problem};
use crate::facts::hash;

/// A resource that a node exports.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedResource {
    /// The name of the node.
    pub certname: Str,
    /// The title of the resource.
    pub title: Str,
    /// The parameters of the resource.
    pub parameters: Vec<(Str, Value)>,
}

impl Client {
    /// Returns the resources of a type that nodes export and for which a condition holds, sorted by title and node.
    ///
    /// # Errors
    /// If not all of them can be read, or if PuppetDB rejects the condition.
    pub fn exported(
        &self,
        type_name: &str,
        condition: Option<&Json>,
    ) -> Result<Vec<ExportedResource>, Error> {
        let own = [json!(["=", "type", type_name]), json!(["=", "exported", true])];
        let all: Vec<Json> = [json!("and")].into_iter().chain(own).chain(condition.cloned()).collect();
        let answer = self.post("/pdb/query/v4/resources", &json!({ "query": all, "include_total": true }))?;
        let rows = elements(&answer.text).ok_or_else(|| self.error(answer.is_not_json()))?;
        let count = rows.len() as u64;
        if answer.total != Some(count) {
            return Err(self.error(Problem::Incomplete(count, answer.total)));
        }
        let found: Option<Vec<ExportedResource>> = rows.into_iter().map(resource).collect();
        let mut found = found.ok_or_else(|| self.error(Problem::Shape("exported resources")))?;
        found.sort_by(|one, other| (&one.title, &one.certname).cmp(&(&other.title, &other.certname)));
        Ok(found)
    }

    /// Returns the answer to a query, in PQL or PuppetDB's own language.
    ///
    /// # Errors
    /// If it can't be read to the end, or if PuppetDB rejects the query.
    pub fn query(&self, query: &Json) -> Result<Value, Error> {
        let answer: Answer = self.post("/pdb/query/v4", &json!({ "query": query }))?;
        let document = parse_json(&answer.text).map_err(|_| self.error(answer.is_not_json()))?;
        match document.value {
            Value::Array(rows) => Ok(Value::Array(rows)),
            _ => Err(self.error(answer.is_not_json())),
        }
    }
}

fn resource(row: &str) -> Option<ExportedResource> {
    let document = parse_json(row).ok()?;
    let row = hash(&document.value)?;
    let text = |name: &str| row.get_str(name)?.as_str().map(Str::from);
    let parameters = match row.get_str("parameters") {
        None | Some(Value::Undef) => Vec::new(),
        Some(parameters) => {
            let entries = hash(parameters)?.iter();
            entries
                .map(|(name, value)| Some((name.as_str()?.into(), value.clone())))
                .collect::<Option<_>>()?
        }
    };
    Some(ExportedResource { certname: text("certname")?, title: text("title")?, parameters })
}
