//! Partly computed titles: the texts that they may evaluate to.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Segment};
use marotte_infer::declarations::value_of;
use marotte_text::Str;

/// The maximum depth of interpolations of variables that themselves hold interpolated strings.
const DEEPEST: usize = 8;
/// The maximum number of strings and interpolations that a pattern is composed of: variables that hold interpolated strings may
/// double at each level.
const MOST_PARTS: usize = 1_000;
/// The maximum number of bytes of an interpolated string, with the strings that are interpolated.
const MOST_BYTES: usize = 4 << 10;

/// A text with gaps, each of which matches any text: `"${base}/shop.conf"` ends with `/shop.conf`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TitlePattern {
    /// The texts before, between and after the gaps: one more than there are gaps.
    texts: Vec<String>,
}

impl TitlePattern {
    /// Returns the pattern of an expression, as far as its body determines the value.
    pub(crate) fn of(body: &Body, id: ExprId) -> TitlePattern {
        if let Expr::String(text) = body.expr(value_of(body, id)) {
            return TitlePattern { texts: vec![text.to_string()] };
        }
        let mut composition = Composition {
            body,
            parts: MOST_PARTS,
            bytes: MOST_BYTES,
            whole: TitlePattern { texts: vec![String::new()] },
        };
        composition.add(id, DEEPEST);
        composition.whole
    }

    #[expect(clippy::expect_used, reason = "there is always one text more than there are gaps")]
    fn end(&mut self) -> &mut String {
        self.texts.last_mut().expect("a text")
    }

    fn add_gap(&mut self) {
        /// The maximum number of texts. Patterns with more of them aren't more precise.
        const MOST: usize = 32;
        self.texts.push(String::new());
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
    /// A pattern without any text at one of its ends does not say what it is there. The texts between the gaps of one of them are also
    /// in the other, in its texts or in its gaps: `"${dir}/${file}.sh"` is like `"${dir}/repo-${name}.sh"`, which is not like
    /// `"${dir}/repo_${name}.sh"`.
    pub(crate) fn is_alike(&self, other: &TitlePattern) -> bool {
        self.may_meet(other)
            && self.first().is_empty() == other.first().is_empty()
            && self.last().is_empty() == other.last().is_empty()
            && (self.covers(other) || other.covers(self))
    }

    /// Whether each title of another pattern is one of this pattern, as far as literal texts decide.
    fn covers(&self, other: &TitlePattern) -> bool {
        // A title never contains it.
        const GAP: &str = "\0";
        self.may_be(&other.texts.join(GAP))
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

/// The pattern of an interpolated string while it is composed. What exceeds a limit is a gap.
struct Composition<'b> {
    body: &'b Body,
    /// The number of parts that are still followed.
    parts: usize,
    /// The number of bytes that are still added.
    bytes: usize,
    whole: TitlePattern,
}

impl Composition<'_> {
    fn add(&mut self, id: ExprId, depth: usize) {
        let Some(fewer) = self.parts.checked_sub(1) else { return self.whole.add_gap() };
        self.parts = fewer;
        let body = self.body;
        match body.expr(value_of(body, id)) {
            Expr::String(text) => self.add_text(text),
            Expr::Interpolated(segments) if depth > 0 => {
                for segment in segments {
                    match segment {
                        Segment::Text(text) => self.add_text(text),
                        Segment::Expr(inner) => self.add(*inner, depth - 1),
                    }
                    // One gap stands for all that follows.
                    if self.parts == 0 {
                        return self.whole.add_gap();
                    }
                }
            }
            _ => self.whole.add_gap(),
        }
    }

    fn add_text(&mut self, text: &str) {
        match self.bytes.checked_sub(text.len()) {
            Some(fewer) => {
                self.bytes = fewer;
                self.whole.end().push_str(text);
            }
            None => self.whole.add_gap(),
        }
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
    use marotte_hir::body::{Body, Expr};
    use marotte_hir::lower;
    use marotte_syntax::{Mode, parse};

    use super::{MOST_BYTES, TitlePattern};

    /// The pattern of the last interpolated string of a program.
    fn last_of(text: &str) -> TitlePattern {
        let lowered = lower(&parse(text, Mode::default()).program);
        let body: &Body = &lowered.main;
        let strings = body.exprs().filter(|(_, it)| matches!(it, Expr::Interpolated(_)));
        TitlePattern::of(body, strings.last().expect("a string").0)
    }

    /// Variables, each of which holds the one before this many times.
    fn doubled(first: &str, depth: usize, times: usize) -> String {
        let line = |it: usize| format!("$x{} = \"{}\"\n", it + 1, format!("${{x{it}}}").repeat(times));
        format!("$x0 = {first}\n{}", (0..depth).map(line).collect::<String>())
    }

    #[test]
    fn strings_of_variables_are_composed() {
        assert_eq!(
            last_of("$a = 'x' $b = \"${a}-\" $c = \"/${b}${d}.${a}\""),
            TitlePattern::with(&["/x-", ".x"])
        );
        assert_eq!(last_of(&doubled("'ab'", 3, 2)).text(), Some("ab".repeat(8).as_str()));
        assert_eq!(last_of("$a = \"${b}1\" $c = \"${a}${a}2\""), TitlePattern::with(&["", "1", "12"]));
    }

    /// Without limits, this takes 20⁸ steps and the second 2 GB.
    #[test]
    fn what_doubles_is_a_gap() {
        let pattern = last_of(&doubled("$facts['a']", 8, 20));
        assert!(pattern.is_anything() && pattern.text().is_none());
        let pattern = last_of(&doubled(&format!("'{}'", "a".repeat(1_000)), 7, 8));
        assert!(pattern.texts.iter().map(String::len).sum::<usize>() <= MOST_BYTES, "{pattern:?}");
        assert!(pattern.may_be(&"a".repeat(10_000)) && !pattern.may_be("b"));
        // What precedes the limit is known, and what follows it is not.
        let pattern = last_of(&format!("{}$y = \"b${{x7}}c\"", doubled("$a", 7, 8)));
        assert_eq!((pattern.first(), pattern.last()), ("b", ""));
    }

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
        for (one, other, expected) in [
            (&["", "repo-", ".sh"][..], &["", "repo_", ".sh"][..], false),
            (&["", "repo-", ".sh"], &["", "", ".sh"], true),
            (&["", "x/repo-", ".sh"], &["", "repo-", ".sh"], true),
            (&["", "repo-", ".sh"], &["", "repo-", "-", ".sh"], true),
            (&["", "repo-", ".sh"], &["", "repo-", ".py"], false),
            (&["", "repo-", ""], &["", "repo-", ".sh"], false),
            (&["app-", ""], &["app-web-", ""], true),
        ] {
            assert_eq!(pattern(one).is_alike(&pattern(other)), expected, "{one:?} {other:?}");
            assert_eq!(pattern(other).is_alike(&pattern(one)), expected, "{other:?} {one:?}");
        }
    }
}
