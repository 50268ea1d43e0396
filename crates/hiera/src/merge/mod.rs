//! Merge strategies, which combine the values of several levels (G7).

mod deep;

use std::sync::Arc;

use indexmap::IndexSet;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::mismatch::assert_instance_of;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::{DATA, PatternType, StructElement, Type, TypeKind};
use marotte_pcore::value::{Hash, Value};

use crate::LookupError;

/// A strategy with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// The kind of the strategy.
    pub kind: StrategyKind,
    /// The options, as given.
    pub options: Arc<Hash>,
}

/// The merge strategies, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyKind {
    /// No strategy was chosen: the first value applies.
    Default,
    /// The first value applies.
    First,
    /// All values, flattened, without duplicates.
    Unique,
    /// Hashes are merged at the top level; the first value of a key applies.
    Hash,
    /// Hashes and arrays are merged recursively.
    Deep,
    /// Like `Deep`, with any options that version 3 sets.
    UnconstrainedDeep,
    /// Like `UnconstrainedDeep`, with the last value first.
    ReverseDeep,
}

impl StrategyKind {
    /// The list of all strategies.
    pub const ALL: [StrategyKind; 7] = [
        StrategyKind::Default,
        StrategyKind::First,
        StrategyKind::Unique,
        StrategyKind::Hash,
        StrategyKind::Deep,
        StrategyKind::UnconstrainedDeep,
        StrategyKind::ReverseDeep,
    ];

    /// Returns the name of the strategy.
    pub fn name(self) -> &'static str {
        match self {
            StrategyKind::Default => "default",
            StrategyKind::First => "first",
            StrategyKind::Unique => "unique",
            StrategyKind::Hash => "hash",
            StrategyKind::Deep => "deep",
            StrategyKind::UnconstrainedDeep => "unconstrained_deep",
            StrategyKind::ReverseDeep => "reverse_deep",
        }
    }

    fn named(name: &str) -> Option<StrategyKind> {
        StrategyKind::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether the first value that is found is the result.
    fn takes_first(self) -> bool {
        matches!(self, StrategyKind::Default | StrategyKind::First)
    }
}

impl Strategy {
    /// Creates a strategy without options.
    pub fn of_kind(kind: StrategyKind) -> Strategy {
        Strategy { kind, options: Arc::default() }
    }

    /// Returns the strategy that a value names: a string, or a hash with the name under `strategy`.
    ///
    /// # Errors
    /// If no strategy has the name, or if it doesn't have such options.
    pub fn of_value(dialect: &Dialect, merge: Option<&Value>) -> Result<Strategy, LookupError> {
        let (name, options) = match merge {
            None | Some(Value::Undef | Value::Boolean(false)) => {
                return Ok(Strategy::of_kind(StrategyKind::Default));
            }
            Some(Value::Hash(options)) => match options.get_str("strategy") {
                None | Some(Value::Undef) => {
                    return Err(LookupError::other(
                        "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
                    ));
                }
                Some(name) if options.len() == 1 => (name, None),
                Some(name) => (name, Some(options)),
            },
            Some(name) => (name, None),
        };
        let Some(kind) = name.as_str().and_then(StrategyKind::named) else {
            let name = marotte_pcore::format::interpolated(dialect, name);
            return Err(LookupError::other(format!("Unknown merge strategy: '{name}'")));
        };
        let Some(options) = options else { return Ok(Strategy::of_kind(kind)) };
        if let Some(expected) = options_type(kind) {
            let given = Value::Hash(Arc::clone(options));
            assert_instance_of(dialect, "The merge options", &expected, &given)
                .map_err(|wrong| LookupError::other(wrong.to_string()))?;
        }
        Ok(Strategy { kind, options: Arc::clone(options) })
    }

    /// Converts `merge_behavior` of version 3; `None` if it doesn't merge deeply.
    pub(crate) fn of_version3(behavior: &str, deep_options: &Hash) -> Option<Strategy> {
        let kind = match behavior {
            "deep" => StrategyKind::ReverseDeep,
            "deeper" => StrategyKind::UnconstrainedDeep,
            _ => return None,
        };
        let mut options: Hash = [("strategy".into(), kind.name().into())].into_iter().collect();
        for (key, value) in deep_options.iter() {
            options.insert(key.clone(), value.clone());
        }
        Some(Strategy { kind, options: Arc::new(options) })
    }

    /// Whether the first value that is found is the result.
    pub fn takes_first(&self) -> bool {
        self.kind.takes_first()
    }

    /// Returns the options other than the name.
    pub(crate) fn shown_options(&self) -> Option<Hash> {
        let others = self.options.iter().filter(|(key, _)| key.as_str() != Some("strategy"));
        let others: Hash = others.map(|(key, value)| (key.clone(), value.clone())).collect();
        (!others.is_empty()).then_some(others)
    }

    /// Returns the result for a value that is the only possible one.
    pub(crate) fn single(&self, value: Value) -> Value {
        match (self.kind, value) {
            (StrategyKind::Unique, Value::Array(elements)) => unique(elements.iter().cloned()),
            (_, value) => value,
        }
    }

    /// Returns the initial result for the first of several values.
    pub(crate) fn first(&self, value: Value) -> Value {
        match self.kind {
            StrategyKind::Unique => {
                let mut elements = Vec::new();
                flatten(&value, &mut elements);
                Value::Array(elements.into())
            }
            _ => value,
        }
    }

    /// Merges the values found so far with the value of a lower level.
    ///
    /// # Errors
    /// If they can't be merged.
    pub fn merge(&self, dialect: &Dialect, upper: &Value, lower: &Value) -> Result<Value, LookupError> {
        if let Some(expected) = value_type(self.kind) {
            for (subject, value) in
                [("The first element of the merge", upper), ("The second element of the merge", lower)]
            {
                assert_instance_of(dialect, subject, &expected, value)
                    .map_err(|wrong| LookupError::other(wrong.to_string()))?;
            }
        }
        match self.kind {
            StrategyKind::Default | StrategyKind::First => Ok(upper.clone()),
            StrategyKind::Unique => {
                let mut elements = Vec::new();
                flatten(upper, &mut elements);
                flatten(lower, &mut elements);
                Ok(unique(elements.into_iter()))
            }
            StrategyKind::Hash => Ok(match (upper, lower) {
                (Value::Hash(upper), Value::Hash(lower)) => {
                    let mut merged = (**lower).clone();
                    for (key, value) in upper.iter() {
                        merged.insert(key.clone(), value.clone());
                    }
                    Value::Hash(Arc::new(merged))
                }
                _ => upper.clone(),
            }),
            StrategyKind::Deep | StrategyKind::UnconstrainedDeep => {
                deep::Options::read(&self.options)?.merge(upper, lower)
            }
            StrategyKind::ReverseDeep => deep::Options::read(&self.options)?.merge(lower, upper),
        }
    }
}

fn unique(elements: impl Iterator<Item = Value>) -> Value {
    let elements: IndexSet<Value> = elements.collect();
    Value::Array(elements.into_iter().collect())
}

fn flatten(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|it| flatten(it, into)),
        other => into.push(other.clone()),
    }
}

/// The type of the values that a strategy merges. `None` if it merges any values.
fn value_type(kind: StrategyKind) -> Option<Type> {
    match kind {
        StrategyKind::Unique => {
            Some(Type::variant([TypeKind::Scalar.into(), Type::array(DATA.clone(), None)]))
        }
        StrategyKind::Hash => Some(Type::hash(Type::string(), DATA.clone(), None)),
        _ => None,
    }
}

/// The type of the options of a strategy. `None` if it accepts any options.
fn options_type(kind: StrategyKind) -> Option<Type> {
    let element = |name: &str, value: TypeKind| StructElement {
        name: name.into(),
        optional: true,
        value: Type::optional(value.into()),
    };
    let name = Regexp::new(kind.name());
    let pattern = PatternType { patterns: name.into_iter().collect() };
    let mut elements = vec![element("strategy", TypeKind::Pattern(pattern))];
    match kind {
        StrategyKind::UnconstrainedDeep | StrategyKind::ReverseDeep => return None,
        StrategyKind::Deep => {
            let text = Type::string().kind().clone();
            elements.push(element("knockout_prefix", text));
            for name in ["merge_debug", "merge_hash_arrays", "sort_merged_arrays"] {
                elements.push(element(name, TypeKind::Boolean(None)));
            }
        }
        _ => {}
    }
    Some(TypeKind::Struct(elements.into()).into())
}
