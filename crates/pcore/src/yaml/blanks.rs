//! Blanks that YAML 1.2 requires, but the reference doesn't.
//!
//! The reference's parser implements version 1.1 of the grammar. Inside brackets, braces and quotes, it ignores
//! indentation; a comment may directly follow a token with an unambiguous end, as in `'a'# b`; and the name of an
//! anchor ends at the first character other than a letter, digit, `_` or `-`, as in `*a: b`. Our parser rejects lines
//! that are indented less than their container, and such comments, and includes the colon in the name. Blanks have no
//! meaning in these places, so they are inserted, and the text is parsed again.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The maximum number of bytes that are parsed again, so that a long text with many such places doesn't take long.
const BUDGET: usize = 8 << 20;

/// The blanks to insert into a text.
#[derive(Debug)]
pub struct Blanks {
    /// The numbers of blanks, by the byte before which they are inserted.
    counts: BTreeMap<usize, usize>,
    budget: usize,
}

/// A parser error that missing blanks may cause.
#[derive(Clone, Copy, Debug)]
pub enum Fault<'m> {
    /// A syntax error with its message.
    Syntax(&'m str),
    /// An alias without an anchor.
    UnknownAlias,
}

impl Default for Blanks {
    fn default() -> Blanks {
        Blanks { counts: BTreeMap::new(), budget: BUDGET }
    }
}

impl Blanks {
    /// Inserts the blanks that are missing according to an error at a byte. Returns whether there are any, so that
    /// parsing again is worthwhile.
    pub fn repair(&mut self, text: &str, fault: Fault<'_>, at: usize) -> bool {
        let Some((before, behind)) = text.split_at_checked(at) else { return false };
        let missing = match fault {
            Fault::Syntax(message) => missing(message, before, behind),
            Fault::UnknownAlias => key_end(behind).map(|end| (at + end, 1)).into_iter().collect(),
        };
        let Some(budget) = self.budget.checked_sub(text.len()) else { return false };
        self.budget = budget;
        let known = self.counts.len();
        self.counts.extend(missing);
        self.counts.len() > known
    }

    /// Returns the text with the blanks inserted.
    pub fn apply<'t>(&self, text: &'t str) -> Spaced<'t> {
        if self.counts.is_empty() {
            return Spaced { text: Cow::Borrowed(text), added: Vec::new() };
        }
        let (mut spaced, mut done) = (String::with_capacity(text.len()), 0);
        let mut added = Vec::with_capacity(self.counts.len());
        for (&at, &blanks) in &self.counts {
            spaced.push_str(text.get(done..at).unwrap_or_default());
            let total = spaced.len() - at + blanks;
            added.push(Added { start: spaced.len(), at, total });
            spaced.extend(std::iter::repeat_n(' ', blanks));
            done = at;
        }
        spaced.push_str(text.get(done..).unwrap_or_default());
        Spaced { text: Cow::Owned(spaced), added }
    }
}

/// Returns the blanks that are missing according to a syntax error, given the text before and after it.
fn missing(message: &str, before: &str, behind: &str) -> Vec<(usize, usize)> {
    if message == "comments must be separated from other tokens by whitespace" {
        return behind.starts_with('#').then_some((before.len(), 1)).into_iter().collect();
    }
    // These errors are reported at a position where the key can no longer have a colon, which may be several lines below it.
    if matches!(message, "simple key expect ':'" | "simple key expected") {
        let mut stars = before.rmatch_indices('*').map(|(at, _)| at);
        let key = stars.find_map(|at| starts_line(&before[..at]).then_some(at + key_end(&before[at..])?));
        return key.map(|end| (end, 1)).into_iter().collect();
    }
    let starts = match message {
        "invalid indentation" | "invalid indentation in flow construct" => {
            vec![before.rfind('\n').map_or(0, |it| it + 1)]
        }
        // This error is about a line of the quoted text that starts there.
        "invalid indentation in quoted scalar" => {
            let quoted = &behind[..quoted_length(behind)];
            quoted.match_indices('\n').map(|(index, _)| before.len() + index + 1).collect()
        }
        _ => return Vec::new(),
    };
    let blanks = before.lines().map(block_width).max().unwrap_or(0) + 1;
    // The first line isn't inside anything.
    starts.into_iter().filter(|it| *it > 0).map(|start| (start, blanks)).collect()
}

/// Whether the last line of this source contains only what may precede a key.
fn starts_line(source: &str) -> bool {
    let line = source.rsplit('\n').next().unwrap_or_default();
    block_width(line) == line.len()
}

/// Returns the end of an alias at the start of a source, if it is a key, with a colon directly after it.
fn key_end(source: &str) -> Option<usize> {
    let name = alias_name(source)?;
    let end = '*'.len_utf8() + name.len();
    (!name.is_empty() && source[end..].starts_with(':')).then_some(end)
}

/// Returns the name of the alias at the start of a source.
pub fn alias_name(source: &str) -> Option<&str> {
    let name = source.strip_prefix('*')?;
    let end = name.find(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != '-');
    Some(&name[..end.unwrap_or(name.len())])
}

/// A text with inserted blanks.
#[derive(Debug)]
pub struct Spaced<'t> {
    /// The text without the removed blanks.
    pub text: Cow<'t, str>,
    /// The insertions, in order.
    added: Vec<Added>,
}

/// An insertion of blanks.
#[derive(Debug)]
struct Added {
    /// The byte at which they start.
    start: usize,
    /// The byte of the original before which they were inserted.
    at: usize,
    /// The number of bytes inserted so far, including these.
    total: usize,
}

impl Spaced<'_> {
    /// Returns the byte of the original that corresponds to a byte of the text; for inserted blanks, the byte before
    /// which they were inserted.
    pub fn original(&self, byte: usize) -> usize {
        let count = self.added.partition_point(|it| it.start <= byte);
        match count.checked_sub(1).and_then(|last| self.added.get(last)) {
            Some(it) => byte.saturating_sub(it.total).max(it.at),
            None => byte,
        }
    }
}

/// Returns the rightmost column at which blocks can start in a line: after blanks and the indicators of sequences and
/// mappings.
fn block_width(line: &str) -> usize {
    line.bytes().take_while(|it| b" -?:".contains(it)).count()
}

/// Returns the length in bytes of the quoted text at the start of a source, including the quotes; the total length if
/// it is unclosed.
pub fn quoted_length(source: &str) -> usize {
    let (quote, mut is_escaped) = (source.bytes().next(), false);
    let mut bytes = source.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        if quote == Some(b'"') {
            if byte == b'"' && !is_escaped {
                return at + 1;
            }
            is_escaped = byte == b'\\' && !is_escaped;
        } else if byte == b'\'' && bytes.next_if(|(_, it)| *it == b'\'').is_none() {
            // Two quotes are an escaped one.
            return at + 1;
        }
    }
    source.len()
}
