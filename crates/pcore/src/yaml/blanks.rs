//! Blanks that YAML 1.2 wants, and the reference does not.
//!
//! The reference's parser reads version 1.1 of the grammar. Within brackets, braces and quotes, it does not look at indentation; a
//! comment may follow what ends by itself directly, as in `'a'# b`; and a name of an anchor ends where no letter, digit, `_` or `-`
//! stands, as in `*a: b`. Ours refuses lines that stand farther to the left than what they are within, and such comments, and takes
//! the colon for a part of the name. Blanks mean nothing in these places, so they are put in, and the text is read again.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// How many bytes are read again at most, so that a long text with many such places does not take long.
const BUDGET: usize = 8 << 20;

/// The blanks that are put into a text.
#[derive(Debug)]
pub struct Blanks {
    /// How many, by the byte before which they are put.
    counts: BTreeMap<usize, usize>,
    budget: usize,
}

/// The error of a parser that missing blanks may cause.
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
    /// Puts blanks where an error at a byte misses them. Answers whether there are any, so that another try is worth it.
    pub fn mend(&mut self, text: &str, fault: Fault<'_>, at: usize) -> bool {
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

    /// The text with its blanks.
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

/// The blanks that a syntax error misses in what stands before and behind it.
fn missing(message: &str, before: &str, behind: &str) -> Vec<(usize, usize)> {
    if message == "comments must be separated from other tokens by whitespace" {
        return behind.starts_with('#').then_some((before.len(), 1)).into_iter().collect();
    }
    // These are told where the key can no longer have a colon, which may be lines below it.
    if matches!(message, "simple key expect ':'" | "simple key expected") {
        let mut stars = before.rmatch_indices('*').map(|(at, _)| at);
        let key = stars.find_map(|at| starts_line(&before[..at]).then_some(at + key_end(&before[at..])?));
        return key.map(|end| (end, 1)).into_iter().collect();
    }
    let starts = match message {
        "invalid indentation" | "invalid indentation in flow construct" => {
            vec![before.rfind('\n').map_or(0, |it| it + 1)]
        }
        // This one is about a line of the text in quotes that starts there.
        "invalid indentation in quoted scalar" => {
            let quoted = &behind[..quoted_length(behind)];
            quoted.match_indices('\n').map(|(index, _)| before.len() + index + 1).collect()
        }
        _ => return Vec::new(),
    };
    let blanks = before.lines().map(block_width).max().unwrap_or(0) + 1;
    // The first line is within nothing.
    starts.into_iter().filter(|it| *it > 0).map(|start| (start, blanks)).collect()
}

/// Whether nothing stands before the end of this source, on its line, that would not stand before a key.
fn starts_line(source: &str) -> bool {
    let line = source.rsplit('\n').next().unwrap_or_default();
    block_width(line) == line.len()
}

/// Where an alias ends that is a key, because a colon follows it directly, at the start of some source.
fn key_end(source: &str) -> Option<usize> {
    let name = alias_name(source)?;
    let end = '*'.len_utf8() + name.len();
    (!name.is_empty() && source[end..].starts_with(':')).then_some(end)
}

/// The name in the alias at the start of some source.
pub fn alias_name(source: &str) -> Option<&str> {
    let name = source.strip_prefix('*')?;
    let end = name.find(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != '-');
    Some(&name[..end.unwrap_or(name.len())])
}

/// A text into which blanks were put.
#[derive(Debug)]
pub struct Spaced<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// In order.
    added: Vec<Added>,
}

/// Blanks that were put in.
#[derive(Debug)]
struct Added {
    /// The byte at which they start.
    start: usize,
    /// The byte of the original before which they were put.
    at: usize,
    /// How many bytes were put in up to here, these included.
    total: usize,
}

impl Spaced<'_> {
    /// The byte of the original that stands at a byte of the text; of blanks that were put in, the one before which they are.
    pub fn original(&self, byte: usize) -> usize {
        let count = self.added.partition_point(|it| it.start <= byte);
        match count.checked_sub(1).and_then(|last| self.added.get(last)) {
            Some(it) => byte.saturating_sub(it.total).max(it.at),
            None => byte,
        }
    }
}

/// How far to the right blocks can start in a line: behind blanks and the signs of sequences and mappings.
fn block_width(line: &str) -> usize {
    line.bytes().take_while(|it| b" -?:".contains(it)).count()
}

/// The length in bytes of the text in quotes at the start of some source, quotes included; of all, if it does not end.
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
            // Two stand for one.
            return at + 1;
        }
    }
    source.len()
}
