//! Partly computed titles: the texts that they may evaluate to.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Segment};
use marotte_infer::declarations::value_of;
use marotte_text::Str;

/// A text with gaps, each of which matches any text: `"${base}/shop.conf"` ends with `/shop.conf`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TitlePattern {
    /// The texts before, between and after the gaps: one more than there are gaps.
    texts: Vec<String>,
}

impl TitlePattern {
    /// Returns the pattern of an expression, as far as its body determines the value.
    pub(crate) fn of(body: &Body, id: ExprId) -> TitlePattern {
        /// The maximum depth of interpolations of variables that themselves hold interpolated strings.
        const DEEPEST: usize = 8;
        Self::within(body, id, DEEPEST)
    }

    fn within(body: &Body, id: ExprId, depth: usize) -> TitlePattern {
        let id = value_of(body, id);
        match body.expr(id) {
            Expr::String(text) => TitlePattern { texts: vec![text.to_string()] },
            Expr::Interpolated(segments) if depth > 0 => {
                let mut whole = TitlePattern { texts: vec![String::new()] };
                for segment in segments {
                    match segment {
                        Segment::Text(text) => whole.end().push_str(text),
                        Segment::Expr(inner) => whole.append(Self::within(body, *inner, depth - 1)),
                    }
                }
                whole
            }
            _ => TitlePattern { texts: vec![String::new(), String::new()] },
        }
    }

    #[expect(clippy::expect_used, reason = "there is always one text more than there are gaps")]
    fn end(&mut self) -> &mut String {
        self.texts.last_mut().expect("a text")
    }

    fn append(&mut self, other: TitlePattern) {
        /// The maximum number of gaps. Patterns with more of them aren't more precise.
        const MOST: usize = 32;
        let mut texts = other.texts.into_iter();
        if let Some(first) = texts.next() {
            self.end().push_str(&first);
        }
        self.texts.extend(texts);
        if self.texts.len() > MOST {
            self.texts.drain(1..self.texts.len() - 1);
        }
    }

    /// The text before the first gap.
    pub(crate) fn first(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// The text after the last gap.
    pub(crate) fn last(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// The text, if it has no gaps.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.texts[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the pattern with each literal part replaced.
    pub(crate) fn map(&self, change: impl Fn(&str) -> Str) -> TitlePattern {
        TitlePattern { texts: self.texts.iter().map(|it| change(it).to_string()).collect() }
    }

    /// Whether the pattern matches any text.
    pub(crate) fn is_anything(&self) -> bool {
        self.texts.iter().all(String::is_empty)
    }

    /// Whether the literal parts are long enough to recognize the text.
    pub(crate) fn is_telling(&self) -> bool {
        self.texts.iter().flat_map(|it| it.chars()).filter(|it| it.is_alphanumeric()).count() > 2
    }

    /// Whether a text may be one of each of two patterns: what they begin and end with agrees.
    pub(crate) fn may_meet(&self, other: &TitlePattern) -> bool {
        if let Some(text) = self.text() {
            return other.may_be(text);
        }
        if let Some(text) = other.text() {
            return self.may_be(text);
        }
        let (start, end) = (self.first(), self.last());
        let (other_start, other_end) = (other.first(), other.last());
        (start.starts_with(other_start) || other_start.starts_with(start))
            && (end.ends_with(other_end) || other_end.ends_with(end))
    }

    /// Whether two patterns may be of the same title, and say so: they begin with text that agrees, and end with text that agrees.
    /// A pattern without any text at one of its ends does not say what it is there.
    pub(crate) fn is_alike(&self, other: &TitlePattern) -> bool {
        self.may_meet(other)
            && self.first().is_empty() == other.first().is_empty()
            && self.last().is_empty() == other.last().is_empty()
    }

    /// Whether a text may be one.
    pub(crate) fn may_be(&self, text: &str) -> bool {
        let [first, between @ .., last] = &self.texts[..] else { return self.text() == Some(text) };
        let Some(rest) = text.strip_prefix(first.as_str()).and_then(|it| it.strip_suffix(last.as_str()))
        else {
            return false;
        };
        let mut rest = rest;
        for text in between {
            let Some(at) = rest.find(text.as_str()) else { return false };
            rest = &rest[at + text.len()..];
        }
        true
    }
}

#[cfg(test)]
impl TitlePattern {
    /// A pattern of these texts, with gaps between them.
    pub(crate) fn with(texts: &[&str]) -> TitlePattern {
        TitlePattern { texts: texts.iter().map(|it| (*it).to_owned()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::TitlePattern;

    #[test]
    fn gaps_stand_for_anything() {
        let pattern = TitlePattern::with;
        for (texts, text, expected) in [
            (&["/etc/", ".conf"][..], "/etc/web.conf", true),
            (&["/etc/", ".conf"], "/etc/web.cfg", false),
            (&["/etc/", ".conf"], "/etc/.conf", true),
            (&["ab", "ba"], "aba", false),
            (&["", "-", ""], "a-b", true),
            (&["", "-", ""], "ab", false),
            (&["web"], "web", true),
            (&["web"], "web1", false),
            (&["", ""], "anything", true),
        ] {
            assert_eq!(pattern(texts).may_be(text), expected, "{texts:?} {text}");
        }
        for (one, other, expected) in [
            (&["/etc/", ".conf"][..], &["/etc/web", ""][..], true),
            (&["/etc/", ".conf"], &["/etc/", ".cfg"], false),
            (&["app-", ""], &["app_", ""], false),
            (&["app-", ""], &["app-web"], true),
            (&["", "-a"], &["x", ""], true),
        ] {
            assert_eq!(pattern(one).may_meet(&pattern(other)), expected, "{one:?} {other:?}");
            assert_eq!(pattern(other).may_meet(&pattern(one)), expected, "{other:?} {one:?}");
        }
        assert!(pattern(&["", ""]).is_anything() && !pattern(&["", "x"]).is_anything());
    }
}
