//! Writes a parsed pattern in the syntax of the engines.
//!
//! `regex` matches in linear time, so it gets each pattern that it can express; look-around, back-references,
//! possessive and atomic groups go to `fancy-regex`. Three of Ruby's anchors differ from those of `regex` only for some
//! texts: `^` and `\Z` if the text ends in a newline, `\b` if it has a zero-width joiner or one of six digits. The
//! exact translation, with look-around, is only used for such texts. Besides, most texts have one line: if `^` is
//! translated to their start and `$` to their end, the engines don't search elsewhere. Hence there are three
//! translations.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::ast::{Anchor, Greed, Node};
use super::class::{ASCII_WORD, LATIN_WORD, NOT_WORD, NOTHING, UNICODE_WORD, WORD, push_char};
use super::error::Fault;
use super::fold::MULTIPLE;

/// The texts for which a translation is correct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    /// Texts without newlines and zero-width joiners.
    Line,
    /// Texts that don't end in a newline and have no zero-width joiners.
    Lines,
    All,
}

/// A pattern in the syntax of the engines.
pub(super) struct Translation {
    pub(super) pattern: String,
    /// Whether it needs the backtracking engine.
    pub(super) backtracks: bool,
    /// Whether the translations differ for texts with newlines.
    pub(super) lines_matter: bool,
    /// Whether the exact translation differs for texts that end in a newline.
    pub(super) newline_matters: bool,
    /// Whether the exact translation differs for texts with zero-width joiners.
    pub(super) joiner_matters: bool,
    /// The number in Ruby of each group of the translation, in order, starting with the whole match.
    pub(super) groups: Vec<usize>,
}

/// Translates a pattern to the syntax of the regex engines.
pub(super) fn translate(node: &Node, texts: Texts) -> Result<Translation, Fault> {
    let mut emitter = Emitter {
        texts,
        out: Translation {
            pattern: String::new(),
            backtracks: false,
            lines_matter: false,
            newline_matters: false,
            joiner_matters: false,
            groups: vec![0],
        },
        in_look_behind: false,
        group: 0,
    };
    emitter.node(node, false)?;
    if !emitter.out.groups.is_sorted() && node.refers() {
        return Err(Fault::unsupported(0, "a reference to a group, and a repeated group that may be empty,"));
    }
    Ok(emitter.out)
}

/// Extended grapheme clusters, with the regular expression of Unicode's annex 29.
const CLUSTER: &str = concat!(
    r"(?>\x{D}\x{A}|[\p{gcb=Control}\x{D}\x{A}]|",
    r"[\p{gcb=Prepend}]*(?:",
    r"(?:[\p{gcb=L}]*(?:[\p{gcb=V}]+|[\p{gcb=LV}][\p{gcb=V}]*|[\p{gcb=LVT}])[\p{gcb=T}]*|[\p{gcb=L}]+|[\p{gcb=T}]+)",
    r"|[\p{gcb=Regional_Indicator}][\p{gcb=Regional_Indicator}]",
    r"|[\p{Extended_Pictographic}](?:[\p{gcb=Extend}]*[\x{200D}][\p{Extended_Pictographic}])*",
    r"|[^\p{gcb=Control}\x{D}\x{A}])",
    r"[\p{gcb=Extend}\x{200D}\p{gcb=SpacingMark}]*",
    r"|[\x{0}-\x{10FFFF}])"
);

struct Emitter {
    texts: Texts,
    out: Translation,
    in_look_behind: bool,
    /// The number of the last capture group, in Ruby's order.
    group: usize,
}

impl Emitter {
    fn push(&mut self, text: &str) {
        self.out.pattern.push_str(text);
    }

    /// Writes a node; `followed` means that the pattern after it always matches at least one character.
    fn node(&mut self, node: &Node, followed: bool) -> Result<(), Fault> {
        match node {
            Node::Literal { text, ignore_case: false } => self.chars(text.chars()),
            Node::Literal { text, ignore_case: true } => self.folded(text)?,
            Node::Class { set, ignore_case, negated } => self.class(set, *ignore_case, *negated),
            Node::Anchor(anchor) => self.anchor(*anchor, followed),
            Node::Group(node) => {
                self.push("(?:");
                self.node(node, followed)?;
                self.push(")");
            }
            Node::Capture(node) => {
                self.group += 1;
                self.out.groups.push(self.group);
                self.push("(");
                self.node(node, followed)?;
                self.push(")");
            }
            Node::Look { behind, negative, node } => self.look(*behind, *negative, node)?,
            Node::Atomic(node) => {
                self.out.backtracks = true;
                self.push("(?>");
                self.node(node, followed)?;
                self.push(")");
            }
            Node::Backref { groups, ignore_case } => self.backref(groups, *ignore_case),
            Node::Conditional { group, then, otherwise } => {
                self.out.backtracks = true;
                self.push(&format!("(?({group})(?:"));
                self.node(then, followed)?;
                self.push(")|(?:");
                self.node(otherwise, followed)?;
                self.push("))");
            }
            Node::Repeat { node, min, max, greed } => self.repeat(node, *min, *max, *greed, followed)?,
            Node::Concat(nodes) => {
                let mut follows = vec![followed; nodes.len()];
                for at in (1..nodes.len()).rev() {
                    follows[at - 1] = follows[at] || nodes[at].min_len() > 0;
                }
                for (node, followed) in nodes.iter().zip(follows) {
                    self.grouped(node, followed)?;
                }
            }
            Node::Alternation(nodes) => {
                for (at, node) in nodes.iter().enumerate() {
                    if at > 0 {
                        self.push("|");
                    }
                    self.node(node, followed)?;
                }
            }
            Node::LineBreak => {
                self.out.backtracks = true;
                self.push(r"(?>\x{D}\x{A}|[\x{A}-\x{D}\x{85}\x{2028}\x{2029}])");
            }
            Node::Cluster => {
                self.out.backtracks = true;
                self.push(CLUSTER);
            }
        }
        Ok(())
    }

    /// Writes a node so that its neighbours don't become part of it.
    fn grouped(&mut self, node: &Node, followed: bool) -> Result<(), Fault> {
        if !matches!(node, Node::Alternation(_)) {
            return self.node(node, followed);
        }
        self.push("(?:");
        self.node(node, followed)?;
        self.push(")");
        Ok(())
    }

    fn chars(&mut self, chars: impl IntoIterator<Item = char>) {
        for c in chars {
            push_char(&mut self.out.pattern, c);
        }
    }

    fn anchor(&mut self, anchor: Anchor, followed: bool) {
        let exact = self.texts == Texts::All;
        self.out.lines_matter |= matches!(anchor, Anchor::LineStart | Anchor::LineEnd);
        match anchor {
            Anchor::Start => self.push(r"\A"),
            Anchor::End => self.push(r"\z"),
            Anchor::LineStart if self.texts == Texts::Line => {
                self.out.newline_matters |= !followed;
                self.push(r"\A");
            }
            Anchor::LineEnd if self.texts == Texts::Line => self.push(r"\z"),
            Anchor::LineEnd => self.push("(?m:$)"),
            // No line starts after the last newline.
            Anchor::LineStart if followed => self.push("(?m:^)"),
            Anchor::LineStart => {
                self.out.newline_matters = true;
                self.out.backtracks |= exact;
                self.push(if exact { r"(?:\A|(?m:^)(?!\z))" } else { "(?m:^)" });
            }
            Anchor::EndOrLastNewline => {
                self.out.newline_matters = true;
                self.out.backtracks |= exact;
                self.push(if exact { r"(?=\x{A}?\z)" } else { r"\z" });
            }
            Anchor::SearchStart => {
                self.out.backtracks = true;
                self.push(r"\G");
            }
            Anchor::Keep => {
                self.out.backtracks = true;
                self.push(r"\K");
            }
            Anchor::WordBoundary { negated, ascii: false } if !exact => {
                self.out.joiner_matters = true;
                self.push(if negated { r"\B" } else { r"\b" });
            }
            Anchor::WordBoundary { negated, ascii } => {
                self.out.joiner_matters |= !ascii;
                self.out.backtracks = true;
                let set = if ascii { ASCII_WORD.into() } else { format!("{UNICODE_WORD}{LATIN_WORD}") };
                let (before, after) = if negated { ('=', '!') } else { ('!', '=') };
                self.push(&format!("(?:(?<=[{set}])(?{before}[{set}])|(?<![{set}])(?{after}[{set}]))"));
            }
        }
    }

    fn look(&mut self, behind: bool, negative: bool, node: &Node) -> Result<(), Fault> {
        self.out.backtracks = true;
        let outer = self.in_look_behind;
        self.in_look_behind |= behind;
        self.push(if behind { "(?<" } else { "(?" });
        self.push(if negative { "!" } else { "=" });
        self.node(node, false)?;
        self.push(")");
        self.in_look_behind = outer;
        Ok(())
    }

    /// If there are several groups, Onigmo uses the last one whose text matches here.
    fn backref(&mut self, groups: &[usize], ignore_case: bool) {
        self.out.backtracks = true;
        let flag = if ignore_case { "i" } else { "" };
        let references: Vec<String> =
            groups.iter().rev().map(|group| format!("(?{flag}:\\{group})")).collect();
        self.push(&format!("(?>{})", references.join("|")));
    }

    fn repeat(
        &mut self,
        node: &Node,
        min: u32,
        max: Option<u32>,
        greed: Greed,
        followed: bool,
    ) -> Result<(), Fault> {
        if let (Node::Literal { text, ignore_case: true }, Some(max)) = (node, max) {
            // Onigmo unrolls such text, so that its letters fold together.
            if max == min && min > 1 && text.len() * min as usize <= MAX_WRITTEN_OUT {
                return self.folded(&text.repeat(min as usize));
            }
        }
        let captures = node.captures();
        if max == Some(0) {
            // The engines would reset the groups.
            if captures {
                self.push(&format!("(?:{NOTHING}"));
                self.grouped(node, followed)?;
                self.push(")?");
            }
            return Ok(());
        }
        if node.keeps() {
            return Err(Fault::unsupported(0, "quantifier of \\K"));
        }
        if is_place(node) {
            // Repeating a position has no effect.
            self.push(if min == 0 && greed == Greed::Lazy { "(?:|" } else { "(?:" });
            self.node(node, followed)?;
            self.push(if min == 0 && greed != Greed::Lazy { "|)" } else { ")" });
            return Ok(());
        }
        if let (None, Greed::Greedy, Some(repeated)) = (max, greed, node.captured_run()) {
            // The last iteration captures the empty text after all others.
            self.group += 1;
            let group = self.group;
            self.repeat(repeated, 0, None, Greed::Greedy, followed)?;
            self.out.groups.push(group);
            self.push("()");
            return Ok(());
        }
        if max.is_none() && captures && node.min_len() == 0 {
            // Onigmo's last iteration captures the empty text; that of the engines doesn't.
            return Err(Fault::groups("unlimited repetition of a group that captures and may be empty"));
        }
        if greed == Greed::Possessive {
            self.out.backtracks = true;
            self.push("(?>");
        }
        self.push("(?:");
        self.node(node, followed && node.min_len() > 0)?;
        self.push(")");
        match (min, max) {
            (0, None) => self.push("*"),
            (1, None) => self.push("+"),
            (0, Some(1)) => self.push("?"),
            (min, None) => self.push(&format!("{{{min},}}")),
            (min, Some(max)) if min == max => self.push(&format!("{{{min}}}")),
            (min, Some(max)) => self.push(&format!("{{{min},{max}}}")),
        }
        match greed {
            Greed::Greedy => {}
            Greed::Lazy => self.push("?"),
            Greed::Possessive => self.push(")"),
        }
        Ok(())
    }
}

/// The length in bytes up to which Onigmo unrolls repeated text.
const MAX_WRITTEN_OUT: usize = 100;

/// Whether it matches a position rather than text, which `fancy-regex` can't repeat.
fn is_place(node: &Node) -> bool {
    match node {
        Node::Anchor(_) | Node::Look { .. } => true,
        Node::Group(node) => is_place(node),
        Node::Concat(nodes) => nodes.iter().all(is_place),
        Node::Repeat { node, .. } => is_place(node),
        _ => false,
    }
}

/// The additional matches of a letter if case is ignored.
impl Emitter {
    fn class(&mut self, set: &str, ignore_case: bool, negated: bool) {
        let plain = |set: &str| set.replace(WORD, ASCII_SET).replace(NOT_WORD, NOT_ASCII_SET);
        if !ignore_case {
            return self.push(&plain(set));
        }
        let sequences = if negated || self.in_look_behind { Vec::new() } else { multiple_in(&plain(set)) };
        if !sequences.is_empty() {
            self.push("(?:");
        }
        if set.contains([WORD, NOT_WORD]) {
            self.class_with_word(set);
        } else {
            self.push(&format!("(?i:{set})"));
        }
        for sequence in &sequences {
            self.push("|(?i:");
            self.chars(sequence.chars());
            self.push(")");
        }
        if !sequences.is_empty() {
            self.push(")");
        }
    }

    /// Writes a set that contains `\w`, which doesn't fold, and characters that do. Only `k` and `s` fold to letters
    /// outside of ASCII, so they are handled individually.
    fn class_with_word(&mut self, set: &str) {
        const FOLDED: &str = "kKsS\u{17F}\u{212A}";
        let unfolded = set.replace(WORD, "[0-9A-JL-RT-Z_a-jl-rt-z]");
        let ascii = set.replace(WORD, ASCII_SET).replace(NOT_WORD, r"[^0-9A-Z_a-z\x{17F}\x{212A}]");
        let beyond = unfolded.replace(NOT_WORD, "[^0-9A-JL-RT-Z_a-jl-rt-z]");
        let [ascii, beyond] = [ascii, beyond].map(|set| members(&format!("(?i:{set})")));
        self.push("(?:(?i:[");
        self.push(&unfolded.replace(NOT_WORD, NOT_ASCII_SET));
        self.push("--[ks]])");
        for c in FOLDED.chars() {
            let folding = if c.is_ascii() { &ascii } else { &beyond };
            if folding.as_ref().is_some_and(|it| contains(it, c)) {
                self.push("|");
                self.chars([c]);
            }
        }
        self.push(")");
    }

    /// Writes adjacent characters whose case is ignored, some of which may together be the folding of one.
    fn folded(&mut self, text: &str) -> Result<(), Fault> {
        let mut chars: Vec<char> = Vec::new();
        for c in text.chars() {
            match MULTIPLE.iter().find(|(multiple, _)| *multiple == c && !self.in_look_behind) {
                Some((_, folded)) => chars.extend(folded.chars()),
                None => chars.push(c),
            }
        }
        let mut rest = &chars[..];
        while !rest.is_empty() {
            let single = if self.in_look_behind {
                rest.len()
            } else {
                (0..rest.len()).find(|at| sequence_at(&rest[*at..]).next().is_some()).unwrap_or(rest.len())
            };
            if single > 0 {
                self.push("(?i:");
                self.chars(rest[..single].iter().copied());
                self.push(")");
            }
            rest = &rest[single..];
            let cluster = cluster_len(rest);
            if cluster > 0 {
                self.cluster(&rest[..cluster])?;
            }
            rest = &rest[cluster..];
        }
        Ok(())
    }

    /// Writes every way to match a short text with characters that fold to it.
    fn cluster(&mut self, chars: &[char]) -> Result<(), Fault> {
        /// The number of ways doubles with every one or two characters.
        const MAX_CLUSTER: usize = 12;
        if chars.len() > MAX_CLUSTER {
            return Err(Fault::unsupported(
                0,
                "ignoring the case of so many letters that ligatures stand for",
            ));
        }
        let Some((&first, rest)) = chars.split_first() else { return Ok(()) };
        self.push("(?:(?i:");
        self.chars([first]);
        self.push(")");
        self.cluster(rest)?;
        let found: Vec<(char, usize)> = sequence_at(chars).collect();
        for (c, len) in found {
            self.push("|");
            self.chars([c]);
            self.cluster(&chars[len..])?;
        }
        self.push(")");
        Ok(())
    }
}

const ASCII_SET: &str = "[0-9A-Z_a-z]";
const NOT_ASCII_SET: &str = "[^0-9A-Z_a-z]";

/// Returns the foldings of a set's characters that consist of several characters.
fn multiple_in(set: &str) -> Vec<&'static str> {
    let Some(members) = members(set) else { return Vec::new() };
    let mut found: Vec<&str> =
        MULTIPLE.iter().filter(|(c, _)| contains(&members, *c)).map(|(_, folded)| *folded).collect();
    found.dedup();
    found
}

/// Returns the characters of a set. Far cheaper than compiling it.
fn members(set: &str) -> Option<ClassUnicode> {
    match regex_syntax::parse(set).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(it)) => Some(it),
        HirKind::Class(Class::Bytes(it)) => it.to_unicode_class(),
        HirKind::Literal(it) => {
            let text = std::str::from_utf8(&it.0).ok()?;
            Some(ClassUnicode::new(text.chars().map(|c| ClassUnicodeRange::new(c, c))))
        }
        _ => None,
    }
}

fn contains(members: &ClassUnicode, c: char) -> bool {
    let ranges = members.ranges();
    let after = ranges.partition_point(|it| it.end() < c);
    ranges.get(after).is_some_and(|it| it.start() <= c)
}

/// Returns the characters whose folding is a prefix of a text, with its length.
fn sequence_at(chars: &[char]) -> impl Iterator<Item = (char, usize)> + '_ {
    MULTIPLE.iter().filter_map(move |(multiple, folded)| {
        let len = folded.chars().count();
        let same = len <= chars.len() && folded.chars().zip(chars).all(|(a, b)| same_letter(a, *b));
        same.then_some((*multiple, len))
    })
}

fn same_letter(folded: char, c: char) -> bool {
    folded == c || c.to_lowercase().eq([folded])
}

/// Returns the number of characters in sequences that begin at the start, or inside such a sequence.
fn cluster_len(chars: &[char]) -> usize {
    let mut end = 0;
    let mut at = 0;
    while at < chars.len() && at <= end {
        let longest = sequence_at(&chars[at..]).map(|(_, len)| at + len).max().unwrap_or(0);
        if at == end && longest == 0 {
            break;
        }
        end = end.max(longest);
        at += 1;
    }
    end
}
