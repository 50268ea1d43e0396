use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts of the nodes.
///
/// A part has every `of`-th node of the list. The sizes of two parts differ by at most one node; nodes with similar names, which
/// often take equally long, are in different parts; and the index of a node in the list follows from its index in the part.
///
/// ```
/// use marotte_impact::partial::Shard;
///
/// let shard: Shard = "2/3".parse().unwrap();
/// assert_eq!(shard.take(vec!["a", "b", "c", "d", "e"]), ["b", "e"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The number of the part, from 1.
    number: u32,
    /// The total number of parts.
    of: u32,
}

/// The error for a text, or a pair of numbers, that doesn't denote a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardError(String);

impl fmt::Display for ShardError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ShardError {}

impl Shard {
    /// The maximum number of parts.
    pub const MOST: u32 = 10_000;

    /// Creates the part with a number, from 1, of a total number of parts.
    ///
    /// # Errors
    /// If the part doesn't exist, or if there are more than [`Shard::MOST`].
    pub fn new(number: u32, of: u32) -> Result<Shard, ShardError> {
        if of > Shard::MOST {
            return Err(ShardError(format!("{of} are more than {} parts", Shard::MOST)));
        }
        match (1..=of).contains(&number) {
            true => Ok(Shard { number, of }),
            false => Err(ShardError(format!("there is no part {number} of {of}: parts are counted from 1"))),
        }
    }

    /// Returns the number of the part, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the total number of parts.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns the items of this part.
    pub fn take<T>(self, all: Vec<T>) -> Vec<T> {
        let mine = |number: usize| number % to_usize(self.of) == to_usize(self.number - 1);
        all.into_iter().enumerate().filter(|(number, _)| mine(*number)).map(|(_, it)| it).collect()
    }

    /// Returns the number of items in this part, given the total number.
    pub(super) fn share(self, all: u32) -> u32 {
        all.saturating_sub(self.number - 1).div_ceil(self.of)
    }

    /// Returns the index among all items of the item at an index in this part.
    pub(super) fn place(self, own: u32) -> u64 {
        u64::from(own) * u64::from(self.of) + u64::from(self.number - 1)
    }

    /// Whether the numbers denote a part: a file may contain any numbers.
    pub(super) fn is_valid(self) -> bool {
        Shard::new(self.number, self.of).is_ok()
    }
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((digits(number)?, digits(of)?)));
        let error = || ShardError(format!("`{text}` is not a part of the nodes, such as `1/8`"));
        let (number, of) = numbers.ok_or_else(error)?;
        Shard::new(number, of)
    }
}

/// Parses a number without a sign.
fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|it| it.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_in_one_part_and_parts_are_equally_large() {
        for (all, of) in [(0, 1), (1, 1), (7, 3), (2, 5), (100, 8)] {
            let mut found = Vec::new();
            for number in 1..=of {
                let shard = Shard::new(number, of).unwrap();
                let own = shard.take((0..all).collect());
                assert_eq!(own.len(), to_usize(shard.share(all)), "{shard} of {all}");
                for (place, it) in own.iter().enumerate() {
                    assert_eq!(shard.place(u32::try_from(place).unwrap()), u64::from(*it));
                }
                found.extend(own);
            }
            found.sort_unstable();
            assert_eq!(found, (0..all).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn other_texts_are_no_parts() {
        assert_eq!("3/8".parse(), Shard::new(3, 8));
        for wrong in ["", "3", "/", "3/", "+3/8", "3/8/9", "3 /8", "-1/2", "99999999999/8", "a/b"] {
            let message = format!("`{wrong}` is not a part of the nodes, such as `1/8`");
            assert_eq!(wrong.parse::<Shard>().unwrap_err().to_string(), message);
        }
        let message = |text: &str| text.parse::<Shard>().unwrap_err().to_string();
        assert_eq!(message("0/8"), "there is no part 0 of 8: parts are counted from 1");
        assert_eq!(message("9/8"), "there is no part 9 of 8: parts are counted from 1");
        assert_eq!(message("1/10001"), "10001 are more than 10000 parts");
    }
}
