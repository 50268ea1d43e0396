//! Chapters of `tests/faults`: a correct tree of code, and the findings after one change.
//!
//! The first block of a chapter is the tree, written as in [`checked`](crate::checked). Each block below it is a
//! separate change to that tree, under a heading that describes the change:
//!
//! ```text
//! # file: modules/ntp/manifests/init.pp
//!    class { 'ntp::config':
//! -    servers => $servers,
//! +    server  => $servers,
//!      ^^^^^^ unknown-parameter
//! ```
//!
//! A change replaces the lines that start with a blank or `-` by those that start with a blank or `+`; the replaced
//! lines must occur in the file once. `@@` separates the changes of a file, and a file that the tree doesn't have is
//! added. A block `diff` is a fault, and has exactly one line of carets. A block `diff right RULE` is a near miss of
//! the rule, and is correct.

use crate::checked::{Example, MAIN, expectation};

/// A chapter of faults in a tree.
#[derive(Debug)]
pub struct Chapter {
    /// The tree without faults.
    pub tree: Example,
    /// The changes to it.
    pub changes: Vec<Change>,
}

/// A change to a chapter's tree.
#[derive(Debug)]
pub struct Change {
    /// The heading of the change.
    pub heading: String,
    /// The line in the chapter, from 1.
    pub line: usize,
    /// The rule that it doesn't break; `None` for a fault.
    pub right: Option<String>,
    /// The change as written.
    pub text: String,
    /// The changed tree, or an error in the notation of the change.
    pub changed: Result<Example, String>,
}

impl Chapter {
    /// Reads a chapter.
    ///
    /// # Errors
    /// If a block is neither a tree nor a change.
    pub fn read(text: &str) -> Result<Chapter, String> {
        let mut chapter = Chapter { tree: Example::default(), changes: Vec::new() };
        let mut heading = String::new();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if line.starts_with('#') {
                line.trim_start_matches('#').trim().clone_into(&mut heading);
                continue;
            }
            let Some(info) = line.strip_prefix("```") else { continue };
            let block: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let text = block.join("\n");
            match info.split(' ').collect::<Vec<_>>()[..] {
                ["puppet"] if chapter.tree.files.is_empty() => chapter.tree = Example::read(&text),
                ["diff"] => chapter.change(&heading, number + 1, None, &block),
                ["diff", "right", rule] => chapter.change(&heading, number + 1, Some(rule), &block),
                _ => return Err(format!("line {}: a block that nobody reads: {info}", number + 1)),
            }
        }
        Ok(chapter)
    }

    fn change(&mut self, heading: &str, line: usize, right: Option<&str>, block: &[&str]) {
        let changed = changed(&self.tree, block);
        let changed = changed.and_then(|it| match it.expected.len() == usize::from(right.is_none()) {
            true => Ok(it),
            false => Err("a fault has one line of carets, and what is right none".to_owned()),
        });
        let (heading, right, text) = (heading.to_owned(), right.map(str::to_owned), block.join("\n"));
        self.changes.push(Change { heading, line, right, text, changed });
    }
}

/// Returns the tree after a change.
fn changed(tree: &Example, block: &[&str]) -> Result<Example, String> {
    let mut changed = Example { files: tree.files.clone(), dialect: tree.dialect, expected: Vec::new() };
    let mut path = MAIN;
    let mut hunk = Vec::new();
    for line in block {
        match line.strip_prefix("# file: ") {
            Some(next) => {
                replace(&mut changed, path, &std::mem::take(&mut hunk))?;
                path = next;
            }
            None if *line == "@@" => replace(&mut changed, path, &std::mem::take(&mut hunk))?,
            None => hunk.push(*line),
        }
    }
    replace(&mut changed, path, &hunk)?;
    Ok(changed)
}

/// Replaces some lines of a file, and records the expectations for the new ones.
fn replace(tree: &mut Example, path: &str, hunk: &[&str]) -> Result<(), String> {
    if hunk.is_empty() {
        return Ok(());
    }
    let (mut old, mut new, mut expected) = (String::new(), String::new(), Vec::new());
    for line in hunk {
        let (sign, rest) = line.split_at_checked(1).unwrap_or((" ", ""));
        if sign == " "
            && let Some(mut finding) = expectation(rest)
        {
            path.clone_into(&mut finding.path);
            finding.line = new.lines().count();
            expected.push(finding);
            continue;
        }
        if !["+", "-", " "].contains(&sign) {
            return Err(format!("a line that starts with none of `+`, `-` and a blank: {line}"));
        }
        for (text, _) in [(&mut old, "+"), (&mut new, "-")].into_iter().filter(|(_, other)| *other != sign) {
            text.push_str(rest);
            text.push('\n');
        }
    }
    let file = tree.files.entry(path.to_owned()).or_default();
    let starts: Vec<usize> = match (old.is_empty(), file.is_empty()) {
        (true, true) => vec![0],
        (true, false) => return Err(format!("nothing says where in {path} this belongs")),
        (false, _) => {
            let starts = file.match_indices(&old).map(|(start, _)| start);
            starts.filter(|start| file[..*start].is_empty() || file[..*start].ends_with('\n')).collect()
        }
    };
    let [start] = starts[..] else {
        return Err(format!("{path} has these lines {} times, not once:\n{old}", starts.len()));
    };
    let before = file[..start].lines().count();
    file.replace_range(start..start + old.len(), &new);
    if !tree.expected.is_empty() && tree.expected.iter().any(|it| it.path == path && it.line > before) {
        return Err(format!("the changes of {path} are not in the order of its lines"));
    }
    tree.expected.extend(expected.into_iter().map(|mut it| {
        it.line += before;
        it
    }));
    Ok(())
}
