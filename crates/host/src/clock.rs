use std::time::{SystemTime, UNIX_EPOCH};

use marotte_pcore::time::{LocalOffset, Timestamp};

/// The source of the current time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Clock {
    /// The machine's clock and time zone.
    #[default]
    System,
    /// A fixed point in time, in UTC.
    Fixed(Timestamp),
}

impl Clock {
    /// The time that it shows.
    pub fn now(self) -> Timestamp {
        match self {
            Clock::Fixed(now) => now,
            Clock::System => {
                let nanoseconds = |it: u128| i128::try_from(it).unwrap_or(i128::MAX);
                Timestamp::from_nanoseconds(match SystemTime::now().duration_since(UNIX_EPOCH) {
                    Ok(after) => nanoseconds(after.as_nanos()),
                    Err(before) => -nanoseconds(before.duration().as_nanos()),
                })
            }
        }
    }

    pub(crate) fn local_offset(self) -> LocalOffset {
        match self {
            Clock::Fixed(_) => LocalOffset::UTC,
            Clock::System => LocalOffset { seconds: jiff::Zoned::now().offset().seconds() },
        }
    }
}
