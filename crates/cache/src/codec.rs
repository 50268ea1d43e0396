//! Numbers, texts and lists as bytes.

/// Writes fields one after the other.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number, seven bits to a byte, the lowest first.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn length(&mut self, length: usize) {
        self.number(length as u64);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

/// Reads fields. None at the first that is not there.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// The length of a list: each of its elements has a byte at least, so that nothing large is reserved for a few bytes.
    pub(crate) fn length(&mut self) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        (length <= self.0.len()).then_some(length)
    }

    pub(crate) fn raw(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        self.raw(length)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.length()?;
        (0..length).map(|_| element(self)).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        for number in [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX] {
            let mut writer = Writer::default();
            writer.number(number);
            assert_eq!(Reader(&writer.0).number(), Some(number));
            assert_eq!(Reader(&writer.0[..writer.0.len() - 1]).number(), None);
        }
        assert_eq!(Reader(&[0xff; 11]).number(), None);
    }

    #[test]
    fn a_list_is_never_longer_than_its_bytes() {
        let mut writer = Writer::default();
        writer.number(u64::MAX);
        assert_eq!(Reader(&writer.0).bytes(), None);
        assert_eq!(Reader(&[3, 1]).list(Reader::byte), None);
    }
}
