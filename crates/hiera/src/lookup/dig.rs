use marotte_pcore::value::Value;

use super::{Invocation, LookupResult};
use crate::explain::{Event, StepKind};
use crate::key::Segment;
use crate::{LookupError, LookupHost};

impl<O: LookupHost + ?Sized> Invocation<'_, O> {
    /// Digs in a value. `None` if it doesn't contain the segments.
    pub(crate) fn dig(
        &mut self,
        key: &str,
        segments: &[Segment],
        value: Value,
    ) -> LookupResult<Option<Value>, O> {
        if segments.is_empty() {
            return Ok(Some(value));
        }
        let step = || (StepKind::SubLookup(segments.to_vec()), None);
        self.with(step, |it| {
            let mut value = value;
            for segment in segments {
                let found = it.with(|| (StepKind::Segment, None), |it| it.dig_one(key, segment, &value))?;
                let Some(found) = found else { return Ok(None) };
                value = found;
            }
            Ok(Some(value))
        })
    }

    fn dig_one(&mut self, key: &str, segment: &Segment, value: &Value) -> LookupResult<Option<Value>, O> {
        let found = match (value, segment) {
            (Value::Undef, _) => None,
            (Value::Array(elements), Segment::Number(number)) => {
                let index = number.to_i64().and_then(|it| usize::try_from(it).ok());
                index.and_then(|it| elements.get(it)).cloned()
            }
            (Value::Hash(hash), _) => hash.get(&segment.value()).cloned(),
            (other, _) => {
                return Err(LookupError::new(format!(
                    "Data Provider type mismatch: Got {} when a hash-like object was expected to access value using '{segment}' from key '{key}'",
                    other.kind_name()
                ))
                .into());
            }
        };
        let name = segment.to_string();
        match &found {
            Some(value) => self.note(Event::Found, &name, Some(value)),
            None => self.note(Event::NotFound, &name, None),
        }
        Ok(found)
    }
}
