//! Pseudorandom numbers that a seed repeats.

/// SplitMix64, a generator of pseudorandom numbers.
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to before `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next().checked_rem(end).unwrap_or_default()
    }

    /// Returns any byte.
    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    /// Returns an index of a list with this length; 0 if it is empty.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    /// Returns one of several texts.
    pub(crate) fn choose<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all.get(self.index(all.len())).copied().unwrap_or_default()
    }
}
