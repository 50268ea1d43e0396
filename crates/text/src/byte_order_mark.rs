use std::fmt;

/// A byte order mark: a prefix of a text that indicates its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteOrderMark {
    /// The name of the encoding.
    pub encoding: &'static str,
    /// The bytes of the mark.
    pub bytes: &'static [u8],
}

/// All marks; of two with a common prefix, the longer one comes first.
const MARKS: [ByteOrderMark; 10] = [
    ByteOrderMark { encoding: "UTF-32", bytes: &[0x00, 0x00, 0xFE, 0xFF] },
    ByteOrderMark { encoding: "UTF-32", bytes: &[0xFF, 0xFE, 0x00, 0x00] },
    ByteOrderMark { encoding: "GB-18030", bytes: &[0x84, 0x31, 0x95, 0x33] },
    ByteOrderMark { encoding: "UTF-EBCDIC", bytes: &[0xDD, 0x73, 0x66, 0x73] },
    ByteOrderMark { encoding: "SCSU", bytes: &[0x0E, 0xFE, 0xFF] },
    ByteOrderMark { encoding: "UTF-8", bytes: &[0xEF, 0xBB, 0xBF] },
    ByteOrderMark { encoding: "UTF-1", bytes: &[0xF7, 0x64, 0x4C] },
    ByteOrderMark { encoding: "BOCU", bytes: &[0xFB, 0xEE, 0x28] },
    ByteOrderMark { encoding: "UTF-16", bytes: &[0xFE, 0xFF] },
    ByteOrderMark { encoding: "UTF-16", bytes: &[0xFF, 0xFE] },
];

impl ByteOrderMark {
    /// Returns the mark that a text starts with. Only the UTF-8 mark can occur in a text that is valid UTF-8.
    pub fn of(text: &[u8]) -> Option<ByteOrderMark> {
        MARKS.into_iter().find(|mark| text.starts_with(mark.bytes))
    }
}

/// The bytes in hexadecimal, separated by blanks.
impl fmt::Display for ByteOrderMark {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.bytes.iter().enumerate() {
            let blank = if at > 0 { " " } else { "" };
            write!(out, "{blank}{byte:02X}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ByteOrderMark;

    /// A text, and the expected encoding and bytes of its mark.
    type Row = (&'static [u8], Option<(&'static str, &'static str)>);

    #[test]
    fn marks_are_known_by_their_first_bytes() {
        let rows: [Row; 12] = [
            (b"\xFF\xFEa\0", Some(("UTF-16", "FF FE"))),
            (b"\xFE\xFF\0a", Some(("UTF-16", "FE FF"))),
            (b"\xFF\xFE\0\0a", Some(("UTF-32", "FF FE 00 00"))),
            (b"\0\0\xFE\xFFa", Some(("UTF-32", "00 00 FE FF"))),
            (b"\xF7\x64\x4Ca", Some(("UTF-1", "F7 64 4C"))),
            (b"\xDD\x73\x66\x73", Some(("UTF-EBCDIC", "DD 73 66 73"))),
            (b"\x0E\xFE\xFF", Some(("SCSU", "0E FE FF"))),
            (b"\xFB\xEE\x28", Some(("BOCU", "FB EE 28"))),
            (b"\x84\x31\x95\x33", Some(("GB-18030", "84 31 95 33"))),
            (b"\xEF\xBB\xBFa", Some(("UTF-8", "EF BB BF"))),
            (b"a\xFF\xFE", None),
            (b"\xFF", None),
        ];
        for (bytes, expected) in rows {
            let found = ByteOrderMark::of(bytes).map(|it| (it.encoding, it.to_string()));
            assert_eq!(found.as_ref().map(|(name, bytes)| (*name, &**bytes)), expected);
        }
    }
}
