use zlib_rs::{DeflateConfig, InflateConfig, ReturnCode, compress_bound, compress_slice, decompress_slice};

/// A compressed text: facts of thousands of nodes are kept until each node is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    bytes: Box<[u8]>,
    /// The length of the text if the bytes are compressed.
    len: Option<usize>,
}

impl Packed {
    /// Compresses a text.
    pub(crate) fn new(text: &str) -> Packed {
        let mut buffer = vec![0; compress_bound(text.len())];
        match compress_slice(&mut buffer, text.as_bytes(), DeflateConfig::new(1)) {
            (packed, ReturnCode::Ok) => Packed { bytes: (*packed).into(), len: Some(text.len()) },
            _ => Packed { bytes: text.as_bytes().into(), len: None },
        }
    }

    /// Decompresses the text.
    pub(crate) fn text(&self) -> String {
        let Some(len) = self.len else { return String::from_utf8_lossy(&self.bytes).into_owned() };
        let mut buffer = vec![0; len];
        decompress_slice(&mut buffer, &self.bytes, InflateConfig::default());
        String::from_utf8(buffer).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in [String::new(), "a".to_owned(), "facts ".repeat(10_000), "ä€".repeat(7)] {
            assert_eq!(Packed::new(&text).text(), text);
        }
        assert!(Packed::new(&"facts ".repeat(10_000)).bytes.len() < 1_000);
    }
}
