//! Runs and times the cases, in a separate process.

use std::hint::black_box;
use std::io::read_to_string;
use std::sync::Arc;
use std::time::Duration;

use marotte_eval::{Interpreter, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::{interpolated, string_new};
use marotte_pcore::infer::{common, infer};
use marotte_pcore::new::{Context, ConversionHost, MOST_ELEMENTS, new};
use marotte_pcore::relation::{assignable, instance_of};
use marotte_pcore::time::{LocalOffset, Timestamp};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;
use marotte_syntax::{Mode, parse};
use rustix::time::{ClockId, clock_gettime};

use super::cases::{Case, Operation};
use crate::bench::measure::median;
use crate::{Result, console};

/// The minimum duration of a sample, so that the resolution of the clock doesn't matter.
const SAMPLE: Duration = Duration::from_millis(20);

/// The number of samples; the median is reported.
const SAMPLES: usize = 7;

/// Times the cases from standard input, and prints the seconds that each one takes once, as JSON.
pub(crate) fn run() -> Result<()> {
    let cases: Vec<Case> = serde_json::from_str(&read_to_string(std::io::stdin())?)?;
    let seconds = cases.iter().map(seconds).collect::<Result<Vec<f64>>>()?;
    console::say(&serde_json::to_string(&seconds)?);
    Ok(())
}

/// Returns the processor time of this process: other work on the machine isn't included.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    // Neither is ever negative.
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn seconds(case: &Case) -> Result<f64> {
    let values = values(case)?;
    // Once before: reveals errors, and warms the caches.
    once(case.operation, &values)?;
    let times = |count: u32| -> Result<Duration> {
        let start = processor_time();
        for _ in 0..count {
            black_box(once(case.operation, black_box(&values))?);
        }
        Ok(processor_time().saturating_sub(start))
    };
    let mut count = 1;
    while times(count)? < SAMPLE {
        count *= 2;
    }
    let samples = (0..SAMPLES).map(|_| Ok(times(count)?.as_secs_f64() / f64::from(count)));
    Ok(median(samples.collect::<Result<_>>()?))
}

/// Returns the values of a case.
pub(super) fn values(case: &Case) -> Result<Arc<[Value]>> {
    let parsed = parse(&case.source, Mode::default());
    let source = UnitSource::Text("case".into(), case.source.as_str().into());
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(Settings::default(), &NoRequests, &mut effects);
    let unit = Unit { lowered: Arc::new(lower(&parsed.program)), source };
    match interpreter.run_unit(&unit) {
        Ok(Value::Array(values)) => Ok(values.to_vec().into()),
        Ok(_) => Err(format!("`{}` is not an array", case.what).into()),
        Err(error) => Err(format!("`{}`: {}", case.what, error.message).into()),
    }
}

/// Runs a case once, and returns a number that depends on the result, so that nothing is optimized away.
pub(super) fn once(operation: Operation, values: &[Value]) -> Result<usize> {
    let dialect = Dialect::puppet8();
    Ok(match (operation, values) {
        (Operation::Assignable, [Value::Type(a), Value::Type(b)]) => assignable(dialect, a, b).into(),
        (Operation::Instance, [Value::Type(a), value]) => instance_of(dialect, a, value).into(),
        (Operation::Common, [Value::Type(a), Value::Type(b)]) => size_of(common(dialect, a, b)),
        (Operation::Infer, [value]) => size_of(infer(dialect, value)),
        (Operation::Convert, [Value::Type(target), arguments @ ..]) => size_of(new(
            &Context { dialect, outside: &Nowhere, most_elements: MOST_ELEMENTS },
            target,
            arguments,
        )?),
        (Operation::Format, _) => {
            let mut length = 0;
            for value in values {
                length += string_new(dialect, value, None)?.len();
            }
            length
        }
        (Operation::FormatBy, [formats, values @ ..]) => {
            let mut length = 0;
            for value in values {
                length += string_new(dialect, value, Some(formats))?.len();
            }
            length
        }
        (Operation::Interpolate, _) => values.iter().map(|it| interpolated(dialect, it).len()).sum(),
        _ => return Err("these values do not fit the operation".into()),
    })
}

/// Keeps the compiler from optimizing away the computation of a value.
fn size_of<T>(value: T) -> usize {
    size_of_val(&black_box(value))
}

/// An outside in UTC, at the beginning of time, where texts denote no types.
struct Nowhere;

impl ConversionHost for Nowhere {
    fn now(&self) -> Timestamp {
        Timestamp::from_nanoseconds(0)
    }

    fn local_offset(&self) -> LocalOffset {
        LocalOffset::UTC
    }

    fn parse_type(&self, text: &str) -> std::result::Result<Type, String> {
        Err(format!("no type: {text}"))
    }
}
