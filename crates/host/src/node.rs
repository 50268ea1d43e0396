use std::sync::Arc;

use indexmap::IndexSet;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::{Facts, Same};

/// The emulated version of the reference: `$clientversion`.
const VERSION: &str = "8.11.0";

/// The default environment of a node.
const ENVIRONMENT: &str = "production";

/// The name of a node whose facts contain none.
const UNNAMED: &str = "localhost";

/// The node of an evaluation: its contribution to the top scope, under the names that `puppet apply` uses (C14, I9).
#[derive(Clone, Debug)]
pub struct NodeInput {
    /// The node's certificate name.
    pub certname: Str,
    /// The name of its environment.
    pub environment: Str,
    /// `$facts`; each is a variable, too.
    pub facts: Arc<Hash>,
    /// The classes that a node classifier assigns, with their parameters.
    pub classes: Vec<(Str, Hash)>,
    trusted: Value,
    server_facts: Arc<Hash>,
    /// Variables that a node classifier sets in addition to the facts.
    parameters: Hash,
}

/// The answer of a node classifier.
#[derive(Clone, Debug, Default)]
pub struct Classification {
    /// The environment, if the classifier assigns one.
    pub environment: Option<Str>,
    /// The classes, with their parameters.
    pub classes: Vec<(Str, Hash)>,
    /// Variables of the top scope.
    pub parameters: Hash,
}

impl Classification {
    /// Parses the answer of a classifier: `classes` (a list of names, or a hash with parameters), `parameters`, `environment`.
    ///
    /// # Errors
    /// If one of these has another type.
    pub fn from_hash(answer: &Hash) -> Result<Classification, String> {
        let mut it = Classification::default();
        let name = |value: &Value| match value {
            Value::String(name) => Ok(name.clone()),
            other => Err(format!("the name of a class is a string, not {}", other.kind_name())),
        };
        match answer.get_str("classes") {
            None | Some(Value::Undef) => {}
            Some(Value::Array(names)) => {
                it.classes =
                    names.iter().map(|it| Ok((name(it)?, Hash::default()))).collect::<Result<_, String>>()?;
            }
            Some(Value::Hash(classes)) => {
                for (class, parameters) in classes.iter() {
                    let parameters = match parameters {
                        Value::Hash(parameters) => Hash::clone(parameters),
                        Value::Undef => Hash::default(),
                        other => {
                            let kind = other.kind_name();
                            return Err(format!("the parameters of a class are a hash, not {kind}"));
                        }
                    };
                    it.classes.push((name(class)?, parameters));
                }
            }
            Some(other) => {
                return Err(format!("`classes` is an array or a hash, not {}", other.kind_name()));
            }
        }
        match answer.get_str("parameters") {
            None | Some(Value::Undef) => {}
            Some(Value::Hash(parameters)) => it.parameters = Hash::clone(parameters),
            Some(other) => return Err(format!("`parameters` is a hash, not {}", other.kind_name())),
        }
        match answer.get_str("environment") {
            None | Some(Value::Undef) => {}
            Some(Value::String(environment)) => it.environment = Some(environment.clone()),
            Some(other) => return Err(format!("`environment` is a string, not {}", other.kind_name())),
        }
        Ok(it)
    }
}

/// The facts that every node has, whoever describes it.
const LOCAL_FACTS: [&str; 3] = ["clientcert", "clientversion", "clientnoop"];

impl NodeInput {
    /// Whether nothing is known of the node's machine: no facts were given.
    pub fn lacks_facts(&self) -> bool {
        self.facts.iter().all(|(name, _)| name.as_str().is_some_and(|it| LOCAL_FACTS.contains(&it)))
    }

    /// Creates a node with these facts. Its name is `facts.name`, or else taken from the facts themselves.
    pub fn new(facts: Facts) -> NodeInput {
        let certname = facts.name.or_else(|| named(&facts.values)).unwrap_or_else(|| UNNAMED.into());
        let mut values = Arc::unwrap_or_clone(facts.values);
        let local = [Value::String(certname.clone()), VERSION.into(), false.into()];
        for (name, value) in LOCAL_FACTS.into_iter().zip(local) {
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
            classes: Vec::new(),
            server_facts: Arc::new(entries(server_facts)),
            parameters: Hash::default(),
        }
    }

    /// The node as seen by a server that has verified its certificate. The server's facts become `$server_facts`, together with
    /// the environment, and variables of the top scope.
    #[must_use]
    pub fn remote(mut self, server_facts: &Hash) -> NodeInput {
        let (hostname, domain) = self.certname.split_once('.').unwrap_or((&self.certname, ""));
        self.trusted = hash([
            ("authenticated", "remote".into()),
            ("certname", Value::String(self.certname.clone())),
            ("extensions", Value::Hash(Arc::default())),
            ("external", Value::Hash(Arc::default())),
            ("hostname", hostname.into()),
            ("domain", domain.into()),
        ]);
        let mut all = server_facts.clone();
        all.insert("environment".into(), Value::String(self.environment.clone()));
        self.server_facts = Arc::new(all);
        self
    }

    /// Adds entries to `$trusted`.
    #[must_use]
    pub fn with_trusted(mut self, more: &Hash) -> NodeInput {
        if let Value::Hash(known) = &self.trusted {
            let mut all = Hash::clone(known);
            for (name, value) in more.iter() {
                all.insert(name.clone(), value.clone());
            }
            self.trusted = Value::Hash(Arc::new(all));
        }
        self
    }

    /// Applies the answer of a classifier.
    #[must_use]
    pub fn classified(mut self, classification: Classification) -> NodeInput {
        let Classification { environment, classes, parameters } = classification;
        self.environment = environment.unwrap_or(self.environment);
        let mut server_facts = Arc::unwrap_or_clone(self.server_facts);
        server_facts.insert("environment".into(), Value::String(self.environment.clone()));
        self.server_facts = Arc::new(server_facts);
        self.classes = classes;
        self.parameters = parameters;
        self
    }

    /// A variable of the top scope.
    pub(crate) fn variable(&self, name: &str) -> Option<Value> {
        match name {
            "facts" => Some(Value::Hash(Arc::clone(&self.facts))),
            "trusted" => Some(self.trusted.clone()),
            "server_facts" => Some(Value::Hash(Arc::clone(&self.server_facts))),
            "environment" => Some(Value::String(self.environment.clone())),
            _ => [&self.parameters, &*self.facts, &*self.server_facts]
                .into_iter()
                .find_map(|it| it.get_str(name).cloned()),
        }
    }

    /// All variables of the top scope, in the order in which the reference sets them.
    pub(super) fn variables(&self) -> Vec<(Str, Value)> {
        let set = [&self.parameters, &*self.facts, &*self.server_facts].into_iter().flat_map(Hash::keys);
        let last = ["environment", "trusted", "server_facts", "facts"].map(Str::from);
        let names: IndexSet<Str> = set
            .filter_map(|it| it.as_str().map(Str::from))
            .filter(|it| !last.contains(it))
            .chain(last.clone())
            .collect();
        names.into_iter().filter_map(|name| self.variable(&name).map(|value| (name, value))).collect()
    }

    /// The names of the facts, and of the variables that every node has.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        let own = ["facts", "trusted", "server_facts", "environment"].into_iter();
        own.chain(self.facts.keys().filter_map(Value::as_str))
    }
}

impl Same for NodeInput {
    fn is_same(&self, other: &NodeInput) -> bool {
        let NodeInput { certname, environment, facts, classes, trusted, server_facts, parameters } = self;
        *certname == other.certname
            && *environment == other.environment
            && facts.is_same(&other.facts)
            && classes.is_same(&other.classes)
            && trusted.is_same(&other.trusted)
            && server_facts.is_same(&other.server_facts)
            && parameters.is_same(&other.parameters)
    }
}

impl Default for NodeInput {
    fn default() -> NodeInput {
        NodeInput::new(Facts::default())
    }
}

/// The node name in the facts.
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

/// `$trusted` of a node that compiles its own catalog: nothing has verified its name.
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

fn hash<const N: usize>(given: [(&str, Value); N]) -> Value {
    Value::Hash(Arc::new(entries(given)))
}

fn entries<const N: usize>(given: [(&str, Value); N]) -> Hash {
    given.into_iter().map(|(name, value)| (name.into(), value)).collect()
}
