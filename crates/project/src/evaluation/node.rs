use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::Facts;

/// The version of the reference whose answers are given: `$clientversion`.
const VERSION: &str = "8.11.0";

/// The environment of a node that nobody has put into another.
const ENVIRONMENT: &str = "production";

/// The name of a node whose facts say none.
const UNNAMED: &str = "localhost";

/// The node that is evaluated for: what the top scope shows of it, under the names that `puppet apply` has (C14, I9).
#[derive(Clone, Debug)]
pub struct NodeInput {
    /// Its name in certificates.
    pub certname: Str,
    /// The name of its environment.
    pub environment: Str,
    /// `$facts`; each is a variable, too.
    pub facts: Arc<Hash>,
    trusted: Value,
    server_facts: Value,
}

impl NodeInput {
    /// A node with these facts. Its name is that of the facts, or what they say.
    pub fn new(facts: Facts) -> NodeInput {
        let certname = facts.name.or_else(|| named(&facts.values)).unwrap_or_else(|| UNNAMED.into());
        let mut values = Arc::unwrap_or_clone(facts.values);
        let local: [(&str, Value); 3] = [
            ("clientcert", Value::String(certname.clone())),
            ("clientversion", VERSION.into()),
            ("clientnoop", false.into()),
        ];
        for (name, value) in local {
            if values.get_str(name).is_none() {
                values.insert(name.into(), value);
            }
        }
        let server_facts = [("environment", ENVIRONMENT.into())];
        NodeInput {
            trusted: trusted(&certname),
            certname,
            environment: ENVIRONMENT.into(),
            facts: Arc::new(values),
            server_facts: hash(server_facts),
        }
    }

    /// A variable of the top scope.
    pub(super) fn variable(&self, name: &str) -> Option<Value> {
        match name {
            "facts" => Some(Value::Hash(Arc::clone(&self.facts))),
            "trusted" => Some(self.trusted.clone()),
            "server_facts" => Some(self.server_facts.clone()),
            "environment" => Some(Value::String(self.environment.clone())),
            _ => self.facts.get_str(name).cloned(),
        }
    }

    /// The names of all variables that it answers.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        let own = ["facts", "trusted", "server_facts", "environment"].into_iter();
        own.chain(self.facts.keys().filter_map(Value::as_str))
    }
}

impl Default for NodeInput {
    fn default() -> NodeInput {
        NodeInput::new(Facts::default())
    }
}

/// The name that facts say.
fn named(facts: &Hash) -> Option<Str> {
    let text = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    let networking = match facts.get_str("networking") {
        Some(Value::Hash(networking)) => networking.get_str("fqdn"),
        _ => None,
    };
    let candidates = [facts.get_str("clientcert"), networking, facts.get_str("fqdn")];
    candidates.into_iter().flatten().find_map(text)
}

/// `$trusted` of a node that evaluates for itself: nobody else has vouched for it.
fn trusted(certname: &Str) -> Value {
    let (hostname, domain) = match certname.split_once('.') {
        Some((hostname, domain)) => (hostname, domain.into()),
        None => (&**certname, Value::Undef),
    };
    let empty = || Value::Hash(Arc::default());
    hash([
        ("authenticated", "local".into()),
        ("certname", Value::String(certname.clone())),
        ("extensions", empty()),
        ("hostname", hostname.into()),
        ("domain", domain),
        ("external", empty()),
    ])
}

fn hash<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Hash(Arc::new(entries.into_iter().map(|(name, value)| (name.into(), value)).collect()))
}
