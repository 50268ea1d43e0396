//! Deep merging, like that of the library `deep_merge`, which the reference uses.

use std::cmp::Ordering;
use std::sync::Arc;

use indexmap::IndexSet;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::value::{Hash, Value};

use crate::LookupError;

/// The maximum length of a text that a prefix is removed from, in bytes.
const LIMIT: usize = 256 << 20;

/// The options of a deep merge.
pub(super) struct Options {
    /// The prefix of elements that remove others: the text, and the regular expression that matches it at the start of lines.
    knockout: Option<(Value, Result<Regexp, String>)>,
    sort_arrays: bool,
    merge_hash_arrays: bool,
    overwrite_arrays: bool,
    extend_arrays: bool,
}

/// The relation between the merged value and the value that it is merged into. If the lower value is missing, the
/// library merges the upper value into a copy of itself, which shares its parts with the original: an element removed
/// from one is removed from the other while the library iterates over it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// The values are independent.
    Distinct,
    /// One value is a copy of the other and shares its parts.
    Copy,
    /// Both values are the same object.
    Same,
}

impl Relation {
    fn of_parts(self) -> Relation {
        match self {
            Relation::Distinct => Relation::Distinct,
            Relation::Copy | Relation::Same => Relation::Same,
        }
    }
}

impl Options {
    pub(super) fn read(options: &Hash) -> Result<Options, LookupError> {
        let flag = |name: &str| options.get_str(name).is_some_and(Value::is_truthy);
        let knockout = match options.get_str("knockout_prefix") {
            Some(prefix @ Value::String(text)) => {
                if text.is_empty() {
                    return Err(LookupError::other(
                        "knockout_prefix cannot be an empty string in deep_merge!",
                    ));
                }
                // An invalid prefix matters only if there is a text to match.
                let pattern = Regexp::new(&format!("^{text}")).map_err(|error| error.to_string());
                Some((prefix.clone(), pattern))
            }
            _ => None,
        };
        Ok(Options {
            knockout,
            sort_arrays: flag("sort_merged_arrays"),
            merge_hash_arrays: flag("merge_hash_arrays"),
            overwrite_arrays: flag("overwrite_arrays"),
            extend_arrays: flag("extend_existing_arrays"),
        })
    }

    /// Merges the upper value into the lower one.
    pub(super) fn merge(&self, upper: &Value, lower: &Value) -> Result<Value, LookupError> {
        self.merge_related(upper, lower, Relation::Distinct)
    }

    fn merge_related(&self, upper: &Value, lower: &Value, relation: Relation) -> Result<Value, LookupError> {
        match (upper, lower) {
            (Value::Undef, _) => Ok(lower.clone()),
            _ if !lower.is_truthy() => Ok(upper.clone()),
            (Value::Hash(upper), _) => self.merge_hash(upper, lower, relation),
            (Value::Array(elements), _) => self.merge_array(upper, elements, lower, relation),
            (_, Value::Array(elements)) if self.extend_arrays => Ok(pushed(elements, upper)),
            _ => self.overwrite(upper),
        }
    }

    fn merge_hash(&self, upper: &Arc<Hash>, lower: &Value, relation: Relation) -> Result<Value, LookupError> {
        let mut merged = match lower {
            Value::Hash(lower) => (**lower).clone(),
            Value::Array(elements) if self.extend_arrays => {
                // The library does so once for each entry.
                let mut lower = elements.to_vec();
                lower.extend(upper.iter().map(|_| Value::Hash(Arc::clone(upper))));
                return Ok(Value::Array(lower.into()));
            }
            // A hash without entries overwrites nothing.
            lower if upper.is_empty() => return Ok(lower.clone()),
            _ => return self.overwrite(&Value::Hash(Arc::clone(upper))),
        };
        for (key, value) in upper.iter() {
            let result = match merged.get(key) {
                Some(below) if below.is_truthy() => {
                    let below = below.clone();
                    self.merge_related(value, &below, relation.of_parts())?
                }
                _ => self.merge_related(value, value, Relation::Copy)?,
            };
            merged.insert(key.clone(), result);
        }
        Ok(Value::Hash(Arc::new(merged)))
    }

    fn merge_array(
        &self,
        upper_value: &Value,
        upper: &[Value],
        lower: &Value,
        relation: Relation,
    ) -> Result<Value, LookupError> {
        if self.overwrite_arrays {
            return Ok(upper_value.clone());
        }
        let mut upper = upper.to_vec();
        let mut lower = lower.clone();
        if let Some((prefix, _)) = &self.knockout
            && upper.contains(prefix)
        {
            lower = match lower {
                Value::Array(_) => Value::Array(Vec::new().into()),
                Value::Hash(_) => Value::Hash(Arc::default()),
                Value::String(_) => "".into(),
                _ => Value::Undef,
            };
            if relation == Relation::Same {
                upper.clear();
            }
            upper.retain(|it| it != prefix);
        }
        let Value::Array(lower) = lower else {
            return self.overwrite(&Value::Array(upper.into()));
        };
        let mut lower = lower.to_vec();
        if self.knockout.is_some() {
            if relation == Relation::Same {
                self.knock_out_itself(&mut upper)?;
                lower.clone_from(&upper);
            } else {
                let mut kept = Vec::with_capacity(upper.len());
                for it in upper {
                    match self.knocked_out(&it)? {
                        Some(named) => lower.retain(|below| *below != named && *below != it),
                        None => kept.push(it),
                    }
                }
                upper = kept;
            }
        }
        let all_hashes = |elements: &[Value]| elements.iter().all(|it| matches!(it, Value::Hash(_)));
        let mut merged = if self.merge_hash_arrays && all_hashes(&upper) && all_hashes(&lower) {
            let mut merged = Vec::with_capacity(lower.len().max(upper.len()));
            let empty = Value::Hash(Arc::default());
            for (index, below) in lower.iter().enumerate() {
                let above = upper.get(index).unwrap_or(&empty);
                merged.push(self.merge_related(above, below, relation.of_parts())?);
            }
            merged.extend(upper.iter().skip(lower.len()).cloned());
            merged
        } else {
            let elements: IndexSet<Value> = lower.into_iter().chain(upper).collect();
            elements.into_iter().collect()
        };
        if self.sort_arrays {
            sort(&mut merged)?;
        }
        Ok(Value::Array(merged.into()))
    }

    /// Returns the value that an element removes. `None` if it removes nothing.
    fn knocked_out(&self, element: &Value) -> Result<Option<Value>, LookupError> {
        let (Some((_, pattern)), Value::String(text)) = (&self.knockout, element) else { return Ok(None) };
        let pattern = pattern.as_ref().map_err(|error| LookupError::other(error.clone()))?;
        let named = pattern.replace(text, "", true, LIMIT);
        let named = named.map_err(|error| LookupError::other(error.to_string()))?;
        Ok((named != **text).then(|| Value::String(named.into())))
    }

    /// Removes the elements of an array that its own elements knock out, during iteration: as Ruby's `delete_if` does
    /// if its block deletes as well.
    fn knock_out_itself(&self, elements: &mut Vec<Value>) -> Result<(), LookupError> {
        let (mut read, mut written) = (0, 0);
        while read < elements.len() {
            let it = elements[read].clone();
            if let Some(named) = self.knocked_out(&it)? {
                elements.retain(|other| *other != named && *other != it);
            } else {
                elements[written] = it;
                written += 1;
            }
            read += 1;
        }
        if written < elements.len() && written < read {
            elements.drain(written..read.min(elements.len()));
        }
        Ok(())
    }

    /// Returns the replacement for a value that nothing can be merged into.
    fn overwrite(&self, upper: &Value) -> Result<Value, LookupError> {
        match upper {
            Value::String(_) => match self.knocked_out(upper)? {
                Some(_) => Ok("".into()),
                None => Ok(upper.clone()),
            },
            // The library compares the array with itself after changing it, so it never returns an empty text.
            Value::Array(elements) if self.knockout.is_some() => {
                let mut kept = Vec::with_capacity(elements.len());
                for it in elements.iter() {
                    if self.knocked_out(it)?.is_none() {
                        kept.push(it.clone());
                    }
                }
                Ok(Value::Array(kept.into()))
            }
            other => Ok(other.clone()),
        }
    }
}

fn pushed(elements: &[Value], last: &Value) -> Value {
    Value::Array(elements.iter().chain([last]).cloned().collect())
}

/// Sorts like Ruby: only numbers with numbers, texts with texts, and arrays with arrays can be compared.
fn sort(elements: &mut [Value]) -> Result<(), LookupError> {
    if let Some((first, rest)) = elements.split_first()
        && let Some(other) = rest.iter().find(|it| compare(first, it).is_none())
    {
        return Err(LookupError::other(format!(
            "comparison of {} with {} failed",
            first.kind_name(),
            other.kind_name()
        )));
    }
    elements.sort_by(|left, right| compare(left, right).unwrap_or(Ordering::Equal));
    Ok(())
}

fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Value::Integer(left), Value::Integer(right)) => Some(left.to_big().cmp(&right.to_big())),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Integer(left), Value::Float(right)) => left.to_f64().partial_cmp(right),
        (Value::Float(left), Value::Integer(right)) => left.partial_cmp(&right.to_f64()),
        (Value::Array(left), Value::Array(right)) => {
            for (left, right) in left.iter().zip(right.iter()) {
                match compare(left, right)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(left.len().cmp(&right.len()))
        }
        (left, right) => (left == right).then_some(Ordering::Equal),
    }
}
