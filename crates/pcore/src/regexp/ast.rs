//! A parsed pattern, with all options resolved.

use super::class::NOT_WORD;

/// A piece of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A sequence of adjacent characters.
    Literal { text: String, ignore_case: bool },
    /// One character of a set, in the syntax of the `regex` crate; `class.rs` explains how it contains `\w`.
    Class { set: String, ignore_case: bool, negated: bool },
    /// A position between characters.
    Anchor(Anchor),
    /// A non-capturing group.
    Group(Box<Node>),
    /// A capture group; the order of groups is that of their numbers.
    Capture(Box<Node>),
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`.
    Look { behind: bool, negative: bool, node: Box<Node> },
    /// `(?>…)`.
    Atomic(Box<Node>),
    /// The text that one of these groups matched last.
    Backref { groups: Vec<usize>, ignore_case: bool },
    /// `(?(1)…|…)`.
    Conditional { group: usize, then: Box<Node>, otherwise: Box<Node> },
    /// A quantifier; without `max`, it is unlimited.
    Repeat { node: Box<Node>, min: u32, max: Option<u32>, greed: Greed },
    /// A sequence; an empty one is the empty pattern.
    Concat(Vec<Node>),
    /// Alternatives, separated by `|`.
    Alternation(Vec<Node>),
    /// `\R`.
    LineBreak,
    /// `\X`.
    Cluster,
}

/// The greediness of a quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// A position between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// `^`.
    LineStart,
    /// `$`.
    LineEnd,
    /// `\A`.
    Start,
    /// `\z`.
    End,
    /// `\Z`.
    EndOrLastNewline,
    /// `\b`, `\B`, with the letters of Unicode or of ASCII.
    SearchStart,
    /// `\b`, `\B`, by Unicode's letters or by those of ASCII.
    WordBoundary { negated: bool, ascii: bool },
    /// `\K`.
    Keep,
}

impl Node {
    /// The minimum number of characters that it matches.
    pub(super) fn min_len(&self) -> usize {
        match self {
            Node::Literal { text, ignore_case: false } => text.chars().count(),
            // A character may match several that fold to it.
            Node::Literal { .. } | Node::Class { .. } | Node::LineBreak | Node::Cluster => 1,
            Node::Anchor(_) | Node::Look { .. } | Node::Backref { .. } => 0,
            Node::Group(node) | Node::Capture(node) | Node::Atomic(node) => node.min_len(),
            Node::Conditional { then, otherwise, .. } => then.min_len().min(otherwise.min_len()),
            Node::Repeat { node, min, .. } => node.min_len().saturating_mul(*min as usize),
            Node::Concat(nodes) => nodes.iter().fold(0, |sum, node| sum.saturating_add(node.min_len())),
            Node::Alternation(nodes) => nodes.iter().map(Node::min_len).min().unwrap_or(0),
        }
    }

    /// An upper bound of the engine's size in bytes: twice the measured size of each kind of node (a class of all letters is
    /// 50 KB, a group 300 bytes).
    pub(super) fn size_bound(&self) -> usize {
        let sum =
            |nodes: &[Node]| nodes.iter().fold(500, |sum: usize, it| sum.saturating_add(it.size_bound()));
        match self {
            Node::Literal { text, ignore_case: false } => 100usize.saturating_mul(text.len() + 1),
            // One character may fold to several, and several to one.
            Node::Literal { text, ignore_case: true } => 2_000usize.saturating_mul(text.len() + 1),
            Node::Class { set, ignore_case, .. } => class_bound(set, *ignore_case),
            Node::Anchor(_) | Node::LineBreak | Node::Backref { .. } => 5_000,
            Node::Cluster => 400_000,
            Node::Group(node) | Node::Capture(node) | Node::Atomic(node) | Node::Look { node, .. } => {
                node.size_bound().saturating_add(1_000)
            }
            Node::Conditional { then, otherwise, .. } => {
                then.size_bound().saturating_add(otherwise.size_bound()).saturating_add(1_000)
            }
            Node::Repeat { node, min, max, .. } => {
                let times = max.unwrap_or(*min).saturating_add(1) as usize;
                node.size_bound().saturating_add(500).saturating_mul(times)
            }
            Node::Concat(nodes) | Node::Alternation(nodes) => sum(nodes),
        }
    }

    /// Whether it contains a capture group.
    pub(super) fn captures(&self) -> bool {
        self.any(&|node| matches!(node, Node::Capture(_)))
    }

    /// The node that a repeated group captures as often as possible: the `x` of `(x*)` and `(x?)`, and the
    /// `(x)` of `((x)*)` and `((x)?)`. `None` for other nodes, or if `x` contains a capture group.
    pub(super) fn captured_run(&self) -> Option<&Node> {
        let Node::Capture(inner) = self else { return None };
        let Node::Repeat { node, min: 0, max, greed: Greed::Greedy } = &**inner else { return None };
        let repeated = if let Node::Capture(inner) = &**node { inner } else { node };
        (matches!(max, None | Some(1)) && repeated.min_len() > 0 && !repeated.captures()).then_some(node)
    }

    /// Whether it refers to a group: a back-reference or a condition.
    pub(super) fn refers(&self) -> bool {
        self.any(&|node| matches!(node, Node::Backref { .. } | Node::Conditional { .. }))
    }

    /// Returns it without its capture groups, which matches the same texts. `None` if it depends on groups, or on where a
    /// match starts.
    pub(super) fn without_captures(&self) -> Option<Node> {
        let is_simple =
            !self.refers() && !self.keeps() && !self.any(&|node| matches!(node, Node::Look { .. }));
        is_simple.then(|| self.ungrouped())
    }

    fn ungrouped(&self) -> Node {
        let inner = |node: &Node| Box::new(node.ungrouped());
        let all = |nodes: &[Node]| nodes.iter().map(Node::ungrouped).collect();
        match self {
            Node::Capture(node) | Node::Group(node) => Node::Group(inner(node)),
            Node::Atomic(node) => Node::Atomic(inner(node)),
            Node::Repeat { node, min, max, greed } => {
                Node::Repeat { node: inner(node), min: *min, max: *max, greed: *greed }
            }
            Node::Concat(nodes) => Node::Concat(all(nodes)),
            Node::Alternation(nodes) => Node::Alternation(all(nodes)),
            _ => self.clone(),
        }
    }

    /// Whether it contains a `\K`.
    pub(super) fn keeps(&self) -> bool {
        self.any(&|node| matches!(node, Node::Anchor(Anchor::Keep)))
    }

    /// Whether it, or a part of it, is of a kind.
    fn any(&self, kind: &dyn Fn(&Node) -> bool) -> bool {
        if kind(self) {
            return true;
        }
        match self {
            Node::Literal { .. }
            | Node::Class { .. }
            | Node::Anchor(_)
            | Node::Backref { .. }
            | Node::LineBreak
            | Node::Cluster => false,
            Node::Capture(node) | Node::Group(node) | Node::Atomic(node) => node.any(kind),
            Node::Look { node, .. } | Node::Repeat { node, .. } => node.any(kind),
            Node::Conditional { then, otherwise, .. } => then.any(kind) || otherwise.any(kind),
            Node::Concat(nodes) | Node::Alternation(nodes) => nodes.iter().any(|node| node.any(kind)),
        }
    }

    /// Whether it is permitted in a look-behind: Onigmo requires each alternative to have a fixed length, and permits
    /// neither look-ahead nor atomic groups, nor captures in a negative look-behind.
    pub(super) fn fits_look_behind(&self, negative: bool) -> bool {
        match self {
            Node::Group(node) => node.fits_look_behind(negative),
            Node::Alternation(nodes) => nodes.iter().all(|node| node.fixed_len(negative).is_some()),
            node => node.fixed_len(negative).is_some(),
        }
    }

    fn fixed_len(&self, negative: bool) -> Option<usize> {
        match self {
            Node::Literal { text, .. } => Some(text.chars().count()),
            Node::Class { .. } => Some(1),
            Node::Anchor(Anchor::End | Anchor::EndOrLastNewline) => None,
            Node::Anchor(_) => Some(0),
            Node::Look { behind, negative: inner, .. } => (*behind && (negative || !inner)).then_some(0),
            Node::Group(node) => node.fixed_len(negative),
            Node::Capture(node) if !negative => node.fixed_len(negative),
            Node::Repeat { node, min, max, .. } => {
                let len = node.fixed_len(negative)?;
                (Some(*min) == *max).then(|| len.saturating_mul(*min as usize))
            }
            Node::Concat(nodes) => nodes.iter().map(|node| node.fixed_len(negative)).sum(),
            Node::Alternation(nodes) => {
                let mut lengths = nodes.iter().map(|node| node.fixed_len(negative));
                let first = lengths.next()??;
                lengths.all(|len| len == Some(first)).then_some(first)
            }
            Node::Capture(..)
            | Node::Atomic(_)
            | Node::Backref { .. }
            | Node::Conditional { .. }
            | Node::LineBreak
            | Node::Cluster => None,
        }
    }
}

/// An upper bound of the engine's size for a set, in the syntax of the `regex` crate.
fn class_bound(set: &str, ignore_case: bool) -> usize {
    const LARGEST: usize = 100_000;
    let is_ascii = |digits: &str| matches!(u32::from_str_radix(digits, 16), Ok(0..0x80));
    let mut escapes = set.split(r"\x{").skip(1);
    let has_others = set.contains(['^', NOT_WORD])
        || set.contains(r"\p")
        || escapes.any(|it| !it.split('}').next().is_some_and(is_ascii));
    match (has_others, ignore_case) {
        (false, false) => 500 + 40 * set.len(),
        // Two letters fold to some outside of ASCII.
        (false, true) => 8_000 + 80 * set.len(),
        // A range of characters has a dozen of ranges of bytes.
        (true, false) if !set.contains(r"\p") => LARGEST.min(1_000 * (set.len() + 1)),
        (true, _) => LARGEST,
    }
}
