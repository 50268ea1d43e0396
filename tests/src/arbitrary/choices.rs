//! Choices that bytes make, so that a fuzzer that changes bytes changes what is generated.

/// The bytes that are not used yet. When all are used, each choice is the first one.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'b>(&'b [u8]);

impl<'b> Choices<'b> {
    /// Creates choices from bytes.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices(bytes)
    }

    /// Whether all bytes are used.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a number from 0 to before `end`, which is at most 256; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.next()).checked_rem(end).unwrap_or_default()
    }

    /// Returns one of several values.
    pub fn choose<T: Copy + Default>(&mut self, all: &[T]) -> T {
        all.get(self.below(all.len())).copied().unwrap_or_default()
    }

    /// Whether one of so many choices is taken.
    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) + 1 == many
    }
}

/// Returns pseudorandom bytes (SplitMix64) that a seed repeats.
pub fn bytes_of(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).to_le_bytes()
    };
    let mut bytes: Vec<u8> = std::iter::repeat_with(&mut next).take(length.div_ceil(8)).flatten().collect();
    bytes.truncate(length);
    bytes
}
