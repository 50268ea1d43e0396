//! The expected answer for a source: a tree, or issues.

use std::fmt;

use super::Notation;

/// The answer for a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The tree; `None` if there are errors.
    pub tree: Option<Notation>,
    /// Errors and warnings in order of position.
    pub issues: Vec<Issue>,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Issue {
    /// The line and column, from 1; `None` if the reference reports none.
    pub position: Option<(u32, u32)>,
    /// The reference's issue code, or the name of marotte's rule if the reference has no code.
    pub code: String,
    /// Whether it is a warning, which doesn't make the source invalid.
    pub warning: bool,
    /// The position at which marotte reports it, if it isn't `position`.
    pub own: Option<(u32, u32)>,
}

impl Expectation {
    /// Whether an answer meets this expectation: the same tree and the same issues. An issue that is expected without a
    /// position may be anywhere.
    pub fn is_met_by(&self, answer: &Expectation) -> bool {
        if self.tree != answer.tree || self.issues.len() != answer.issues.len() {
            return false;
        }
        let mut left = answer.issues.clone();
        // Those with a position first, so that the others can't take their matches.
        let (placed, free): (Vec<_>, Vec<_>) = self.issues.iter().partition(|issue| issue.place().is_some());
        placed.into_iter().chain(free).all(|expected| {
            let found = left.iter().position(|issue| expected.is_met_by(issue));
            found.map(|at| left.swap_remove(at)).is_some()
        })
    }

    /// Whether the source is accepted: without errors.
    pub fn accepts(&self) -> bool {
        self.issues.iter().all(|issue| issue.warning)
    }

    /// Records the positions at which marotte reports these issues, if it reports exactly these. Returns whether it does.
    pub fn note_places(&mut self, answer: &Expectation) -> bool {
        let mut left = answer.issues.clone();
        let mut noted = self.clone();
        for issue in &mut noted.issues {
            let same = |other: &Issue| other.code == issue.code && other.warning == issue.warning;
            let Some(at) = left.iter().position(same) else { return false };
            let place = left.remove(at).position;
            issue.own = place.filter(|_| place != issue.position);
        }
        let same = left.is_empty() && self.tree == answer.tree;
        if same {
            *self = noted;
        }
        same
    }

    /// Sorts the issues in the order in which chapters show them.
    pub fn sorted(mut self) -> Self {
        self.issues.sort();
        self
    }
}

impl Issue {
    /// Returns the position at which marotte must report it; `None` if any.
    fn place(&self) -> Option<(u32, u32)> {
        self.own.or(self.position)
    }

    fn is_met_by(&self, answer: &Issue) -> bool {
        self.code == answer.code
            && self.warning == answer.warning
            && (self.place().is_none() || self.place() == answer.position)
    }

    /// Parses `CODE line:column`, `warning CODE line:column`, `CODE line:column ↦ line:column`, or the same without
    /// position. `None` for other texts.
    pub fn read(text: &str) -> Option<Self> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let warning = words.first() == Some(&"warning");
        if warning {
            words.remove(0);
        }
        let (code, position, own) = match words.as_slice() {
            [code] => (code, None, None),
            [code, position] => (code, Some(read_place(position)?), None),
            [code, "↦", own] => (code, None, Some(read_place(own)?)),
            [code, position, "↦", own] => (code, Some(read_place(position)?), Some(read_place(own)?)),
            _ => return None,
        };
        Some(Issue { position, code: (*code).to_owned(), warning, own })
    }
}

fn read_place(text: &str) -> Option<(u32, u32)> {
    let (line, column) = text.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// Formats as in an `issues` fence.
impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.warning { "warning " } else { "" }, self.code)?;
        if let Some((line, column)) = self.position {
            write!(f, " {line}:{column}")?;
        }
        match self.own {
            Some((line, column)) => write!(f, " ↦ {line}:{column}"),
            None => Ok(()),
        }
    }
}

/// Formats for failure messages: the tree, then the issues.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tree) = &self.tree {
            writeln!(f, "  {tree}")?;
        }
        for issue in &self.issues {
            writeln!(f, "  {issue}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issues(lines: &[&str]) -> Expectation {
        Expectation { tree: None, issues: lines.iter().map(|line| Issue::read(line).unwrap()).collect() }
    }

    #[test]
    fn an_issue_reads_as_it_prints() {
        for text in ["X", "X 1:2", "warning X 10:20", "X ↦ 1:2", "X 1:2 ↦ 3:4"] {
            assert_eq!(Issue::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Issue::read("X 1"), None);
        assert_eq!(Issue::read(""), None);
        assert_eq!(Issue::read("X 1:2 3"), None);
    }

    #[test]
    fn a_missing_position_is_met_by_any() {
        assert!(issues(&["X"]).is_met_by(&issues(&["X 4:2"])));
        assert!(issues(&["X", "X 1:1"]).is_met_by(&issues(&["X 1:1", "X 4:2"])));
        assert!(!issues(&["X 4:2"]).is_met_by(&issues(&["X"])));
    }

    #[test]
    fn an_own_place_is_the_one_that_counts() {
        assert!(issues(&["X 1:1 ↦ 1:7"]).is_met_by(&issues(&["X 1:7"])));
        assert!(!issues(&["X 1:1 ↦ 1:7"]).is_met_by(&issues(&["X 1:1"])));
    }

    #[test]
    fn places_are_noted_where_the_issues_are_the_same() {
        let mut expected = issues(&["X 1:1", "X 1:4", "Y"]);
        assert!(expected.note_places(&issues(&["X 1:1", "X 1:5", "Y 2:1"])));
        assert_eq!(expected, issues(&["X 1:1", "X 1:4 ↦ 1:5", "Y ↦ 2:1"]));
        assert!(!expected.note_places(&issues(&["X 1:4", "X 1:5"])));
    }

    #[test]
    fn code_severity_and_number_matter() {
        assert!(!issues(&["X 1:1"]).is_met_by(&issues(&["Y 1:1"])));
        assert!(!issues(&["X 1:1"]).is_met_by(&issues(&["warning X 1:1"])));
        assert!(!issues(&["X 1:1"]).is_met_by(&issues(&["X 1:1", "X 1:1"])));
        assert!(!issues(&[]).is_met_by(&issues(&["X 1:1"])));
    }
}
