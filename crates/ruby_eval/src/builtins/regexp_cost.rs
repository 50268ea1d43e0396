//! The costs of regular expressions in steps: of compiling them, and of searches. Both are estimated by the source, in which
//! the cost of a construct is hardly ever too low.

use marotte_pcore::regexp::backtrack_limit;

/// The cost of searches for an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchCost {
    /// Whether a search may have to read on after the end of the match that it finds.
    reads_ahead: bool,
    /// Whether it has groups: only slower engines find them.
    has_groups: bool,
    /// The number of repetitions without end.
    repetitions: usize,
}

impl SearchCost {
    /// The cost of searches for the expression of a source.
    pub(crate) fn of(source: &str) -> SearchCost {
        let mut cost = SearchCost { reads_ahead: false, has_groups: false, repetitions: 0 };
        let mut chars = source.chars().peekable();
        let mut in_class = 0_usize;
        while let Some(it) = chars.next() {
            match it {
                '\\' => {
                    // A back-reference is compared with the text ahead.
                    cost.reads_ahead |= chars.next().is_some_and(|it| matches!(it, '1'..='9' | 'k'));
                }
                '[' => in_class += 1,
                ']' => in_class = in_class.saturating_sub(1),
                _ if in_class > 0 => {}
                '|' => cost.reads_ahead = true,
                '(' if chars.peek() == Some(&'?') => cost.reads_ahead |= !starts_plainly(chars.clone()),
                '(' => cost.has_groups = true,
                ')' => cost.reads_ahead |= chars.peek().is_some_and(|it| matches!(it, '*' | '+' | '?' | '{')),
                '*' | '+' => cost.repetitions += 1,
                '{' if is_open(chars.clone()) => cost.repetitions += 1,
                _ => {}
            }
        }
        cost
    }

    /// The steps of a search that has read a part of the `rest` of a text.
    pub(crate) fn steps(self, searched: usize, rest: usize, backtracks: bool) -> usize {
        if backtracks {
            let work = match self.repetitions {
                0 => return 1 + searched / 8,
                1 => rest.saturating_mul(searched + 1),
                _ => rest.saturating_mul(rest),
            };
            return 1 + work.min(backtrack_limit(rest)) / 100 + rest / 64;
        }
        let read = if self.reads_ahead { rest } else { searched };
        1 + read / if self.has_groups { 16 } else { 64 }
    }
}

/// Whether a group that starts with `?` is one without effects on what follows: `(?:`, `(?<name>`, `(?i)`.
fn starts_plainly(mut rest: impl Iterator<Item = char>) -> bool {
    match (rest.next(), rest.next(), rest.next()) {
        (_, Some('<'), Some('=' | '!')) => false,
        (_, Some(':' | '<' | '\'' | '-' | 'a'..='z' | '#'), _) => true,
        _ => false,
    }
}

/// Whether a repetition `{…}` has no end: `{2,}`.
fn is_open(rest: impl Iterator<Item = char>) -> bool {
    let counts: String = rest.take_while(|it| *it != '}').take(20).collect();
    counts.ends_with(',') && counts.starts_with(|it: char| it.is_ascii_digit())
}

/// The steps for compiling an expression.
pub(crate) fn compilation(source: &str) -> usize {
    /// The steps for the smallest expression.
    const LEAST: usize = 400;
    /// The steps for the largest one that compiles.
    const MOST: usize = 1_000_000;
    // The sizes of the open groups so far, and that of the last part, which may be repeated.
    let (mut open, mut sum, mut last) = (Vec::new(), 0_usize, 0_usize);
    let mut chars = source.chars();
    let mut in_class = 0_usize;
    while let Some(it) = chars.next() {
        let size = match it {
            '\\' => {
                // Classes of characters beyond ASCII are large.
                let is_large = chars.next().is_some_and(|it| matches!(it, 'w' | 'W' | 'p' | 'P' | 'h' | 'X'));
                if is_large { 20 } else { 2 }
            }
            '(' if in_class == 0 => {
                open.push(sum.saturating_add(last));
                (sum, last) = (2, 0);
                continue;
            }
            ')' if in_class == 0 => {
                last = last.saturating_add(sum);
                sum = open.pop().unwrap_or(0);
                continue;
            }
            '{' if in_class == 0 => {
                last = last.saturating_mul(times(chars.as_str()).max(1));
                continue;
            }
            _ => 1,
        };
        let continues_class = in_class > 0;
        match it {
            '[' => in_class += 1,
            ']' => in_class = in_class.saturating_sub(1),
            _ => {}
        }
        if !continues_class {
            sum = sum.saturating_add(last);
            last = 0;
        }
        last = last.saturating_add(size);
    }
    let all = open.into_iter().fold(sum.saturating_add(last), usize::saturating_add);
    (LEAST + source.len() * 4 + all.saturating_mul(2)).min(MOST)
}

/// The greatest number in a repetition `{2,30}`.
fn times(rest: &str) -> usize {
    let counts = rest.split('}').next().unwrap_or_default();
    counts.split(',').filter_map(|it| it.trim().parse().ok()).max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_may_read_ahead_are_told() {
        for source in [r"\w+", "(a)(b*)", "(?<name>a+)=", "[a|(?=)*]+", r"a\|b", "(?i:a)"] {
            assert!(!SearchCost::of(source).reads_ahead, "{source}");
        }
        for source in ["a|b", "(a*)*b", "a(?=b)", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?:ab)?", "(?>a)"] {
            assert!(SearchCost::of(source).reads_ahead, "{source}");
        }
        assert_eq!(SearchCost::of(r"a*b+c{2,}d{2,3}\*[*]").repetitions, 3);
    }

    #[test]
    fn repetitions_are_counted_in_each_other() {
        assert!(compilation("^abc(d|e)x*$") < 1_000);
        assert!(compilation(r"\w{20}") > 1_000);
        assert!(compilation("[a-z]{500}") > 4_000);
        assert!(compilation("((a{0,1000}){0,1000}){0,1000}") >= 1_000_000);
        assert!(compilation(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}") < 1_000);
        assert!(compilation(&"(".repeat(1_000)) < 10_000);
    }
}
