//! A chapter: prose and examples, parsed from Markdown and written back with nothing else changed.

use std::fmt;

use super::{Expectation, Issue, Notation, cases};

/// The maximum width of a line in a `pn` fence, if the tree permits it.
const TREE_WIDTH: usize = 100;

/// A Markdown page with examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    blocks: Vec<Block>,
}

/// The language of an example's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The source is a manifest.
    Puppet,
    /// A manifest with plans.
    Tasks,
    /// The source is a template.
    Epp,
}

/// An example of a chapter.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The line of the chapter on which it starts, from 1.
    pub line: usize,
    /// The heading above it.
    pub heading: String,
    /// The language of the source.
    pub language: Language,
    /// The source of the example.
    pub source: String,
    /// Whether it is a row of a table, which shows one thing, rather than a separate fence.
    pub row: bool,
    /// The answer of the reference; `None` if it isn't recorded yet.
    pub expected: Option<Expectation>,
    /// The answer of marotte, if it deliberately differs.
    pub marotte: Option<Expectation>,
}

/// An error in a chapter, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterError {
    line: usize,
    message: String,
}

impl fmt::Display for ChapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ChapterError {}

#[derive(Clone, Debug, PartialEq)]
enum Block {
    /// The lines outside of fences.
    Prose(String),
    /// A fence that isn't an example.
    Other { info: String, body: String },
    /// A fence of source and the fences that follow it.
    Example(Case),
    /// A table of short examples.
    Table { line: usize, heading: String, language: Language, rows: Vec<cases::Row> },
}

impl Chapter {
    /// Parses a page.
    ///
    /// # Errors
    /// If a fence isn't closed, if an expectation can't be parsed, or if one doesn't follow an example.
    pub fn read(text: &str) -> Result<Self, ChapterError> {
        let mut blocks = Vec::new();
        let mut heading = String::new();
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        while let Some((line, content)) = lines.next() {
            let Some(info) = content.strip_prefix("```") else {
                if content.starts_with('#') {
                    heading = content.trim_start_matches('#').trim().to_owned();
                }
                match blocks.last_mut() {
                    Some(Block::Prose(prose)) => *prose += &format!("{content}\n"),
                    _ => blocks.push(Block::Prose(format!("{content}\n"))),
                }
                continue;
            };
            let mut body = String::new();
            loop {
                match lines.next() {
                    Some((_, "```")) => break,
                    Some((_, content)) => body += &format!("{content}\n"),
                    None => return Err(ChapterError { line, message: "the fence is not closed".to_owned() }),
                }
            }
            let fence = Fence { line, info: info.trim(), body };
            fence.add_to(&mut blocks, &heading)?;
        }
        Ok(Chapter { blocks })
    }

    /// Returns all examples, in order.
    ///
    /// # Errors
    /// If a table's source has an invalid placeholder.
    pub fn cases(&self) -> Result<Vec<Case>, ChapterError> {
        let mut found = Vec::new();
        for block in &self.blocks {
            match block {
                Block::Example(case) => found.push(case.clone()),
                Block::Table { line, heading, language, rows } => {
                    for row in rows.iter().filter(|row| !row.source.is_empty()) {
                        let source = cases::decode(&row.source).map_err(|name| ChapterError {
                            line: *line,
                            message: format!("`⟨{name}` stands for no character in `{}`", row.source),
                        })?;
                        found.push(Case {
                            line: *line,
                            heading: heading.clone(),
                            language: *language,
                            source,
                            row: true,
                            expected: row.expected.clone(),
                            marotte: row.marotte.clone(),
                        });
                    }
                }
                Block::Prose(_) | Block::Other { .. } => {}
            }
        }
        Ok(found)
    }

    /// Replaces the expectations of the cases: `answers` are the reference's and marotte's for each of
    /// [`Chapter::cases`]. Cases beyond the end of `answers` stay unchanged.
    pub fn fill(&mut self, answers: impl IntoIterator<Item = (Option<Expectation>, Option<Expectation>)>) {
        let mut answers = answers.into_iter();
        for block in &mut self.blocks {
            match block {
                Block::Example(case) => {
                    if let Some(answer) = answers.next() {
                        (case.expected, case.marotte) = answer;
                    }
                }
                Block::Table { rows, .. } => {
                    for row in rows.iter_mut().filter(|row| !row.source.is_empty()) {
                        if let Some(answer) = answers.next() {
                            (row.expected, row.marotte) = answer;
                        }
                    }
                }
                Block::Prose(_) | Block::Other { .. } => {}
            }
        }
    }
}

/// A fence as encountered.
struct Fence<'a> {
    line: usize,
    info: &'a str,
    body: String,
}

impl Fence<'_> {
    fn add_to(self, blocks: &mut Vec<Block>, heading: &str) -> Result<(), ChapterError> {
        let Fence { line, info, body } = self;
        let error = |message: &str| ChapterError { line, message: message.to_owned() };
        let language = |name: &str| match name {
            "puppet" | "cases" => Some(Language::Puppet),
            "puppet tasks" | "cases tasks" => Some(Language::Tasks),
            "epp" | "cases epp" => Some(Language::Epp),
            _ => None,
        };
        let heading = heading.to_owned();
        if let Some(language) = language(info) {
            blocks.push(if info.starts_with("cases") {
                let rows = cases::read(&body).map_err(|row| error(&format!("not a row: `{row}`")))?;
                Block::Table { line, heading, language, rows }
            } else {
                Block::Example(Case {
                    line,
                    heading,
                    language,
                    source: body,
                    row: false,
                    expected: None,
                    marotte: None,
                })
            });
            return Ok(());
        }
        let (kind, of_marotte) = match info.strip_suffix(" marotte") {
            Some(kind) => (kind, true),
            None => (info, false),
        };
        if kind != "pn" && kind != "issues" {
            blocks.push(Block::Other { info: info.to_owned(), body });
            return Ok(());
        }
        let case = example_before(blocks).ok_or_else(|| error("an expectation must follow an example"))?;
        let answer = if of_marotte { &mut case.marotte } else { &mut case.expected };
        let answer = answer.get_or_insert_default();
        if kind == "pn" {
            answer.tree = Some(Notation::read(&body).map_err(|reason| error(&reason.to_string()))?);
        } else {
            for text in body.lines() {
                answer.issues.push(Issue::read(text).ok_or_else(|| error("an issue is `CODE line:column`"))?);
            }
        }
        Ok(())
    }
}

/// Returns the example that an expectation at this position belongs to: the last block except blank lines, which are
/// dropped, since the page is written with one blank line between the fences of an example.
fn example_before(blocks: &mut Vec<Block>) -> Option<&mut Case> {
    if matches!(blocks.last(), Some(Block::Prose(prose)) if prose.trim().is_empty()) {
        blocks.pop();
    }
    match blocks.last_mut() {
        Some(Block::Example(case)) => Some(case),
        _ => None,
    }
}

impl Language {
    fn suffix(self) -> &'static str {
        match self {
            Language::Puppet => "",
            Language::Tasks => " tasks",
            Language::Epp => " epp",
        }
    }
}

/// Formats the chapter as Markdown.
impl fmt::Display for Chapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in &self.blocks {
            match block {
                Block::Prose(text) => f.write_str(text)?,
                Block::Other { info, body } => write_fence(f, info, body)?,
                Block::Example(case) => {
                    let info = if case.language == Language::Epp { "epp" } else { "puppet" };
                    let tasks = if case.language == Language::Tasks { " tasks" } else { "" };
                    write_fence(f, &format!("{info}{tasks}"), &case.source)?;
                    write_expectation(f, case.expected.as_ref(), "")?;
                    write_expectation(f, case.marotte.as_ref(), " marotte")?;
                }
                Block::Table { language, rows, .. } => {
                    write_fence(f, &format!("cases{}", language.suffix()), &cases::write(rows))?;
                }
            }
        }
        Ok(())
    }
}

fn write_fence(f: &mut fmt::Formatter<'_>, info: &str, body: &str) -> fmt::Result {
    write!(f, "```{info}\n{body}```\n")
}

fn write_expectation(f: &mut fmt::Formatter<'_>, answer: Option<&Expectation>, suffix: &str) -> fmt::Result {
    let Some(answer) = answer else { return Ok(()) };
    if let Some(tree) = &answer.tree {
        f.write_str("\n")?;
        write_fence(f, &format!("pn{suffix}"), &format!("{}\n", tree.layout(TREE_WIDTH)))?;
    }
    if !answer.issues.is_empty() || answer.tree.is_none() {
        let issues: String = answer.issues.iter().map(|issue| format!("{issue}\n")).collect();
        f.write_str("\n")?;
        write_fence(f, &format!("issues{suffix}"), &issues)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Numbers

Prose.

```puppet
$x = 1
```

```pn
(= (var \"x\") 1)
```

```issues
warning W 1:2
```

Then:

```text
not an example
```

```puppet
08 09
```

```issues
INVALID_OCTAL_NUMBER 1:1
```

```issues marotte
INVALID_OCTAL_NUMBER 1:1
INVALID_OCTAL_NUMBER 1:4
```

## Tables (A1)

```cases epp
a   ⇒  (epp)
b⏎
```
";

    #[test]
    fn a_page_reads_as_it_prints() {
        assert_eq!(Chapter::read(PAGE).unwrap().to_string(), PAGE);
    }

    #[test]
    fn examples_know_what_they_expect() {
        let cases = Chapter::read(PAGE).unwrap().cases().unwrap();
        assert_eq!(cases.len(), 4);
        assert_eq!((cases[0].line, cases[0].source.as_str()), (5, "$x = 1\n"));
        assert!(cases[0].expected.as_ref().is_some_and(|e| e.tree.is_some() && e.issues.len() == 1));
        assert_eq!(cases[1].marotte.as_ref().map(|e| e.issues.len()), Some(2));
        assert_eq!((cases[3].source.as_str(), cases[3].expected.as_ref()), ("b\n", None));
        assert_eq!((cases[3].language, cases[3].heading.as_str()), (Language::Epp, "Tables (A1)"));
    }

    #[test]
    fn answers_are_filled_in_by_order() {
        let mut chapter = Chapter::read("```puppet\n1\n```\n\ntext\n\n```cases\n2\n```\n").unwrap();
        let answer = |text: &str| Expectation { tree: Notation::read(text).ok(), issues: Vec::new() };
        chapter.fill([(Some(answer("1")), None), (Some(answer("2")), None)]);
        let expected = "```puppet\n1\n```\n\n```pn\n1\n```\n\ntext\n\n```cases\n2  ⇒  2\n```\n";
        assert_eq!(chapter.to_string(), expected);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (page, message) in [
            ("```puppet\n1\n", "line 1: the fence is not closed"),
            ("```pn\n1\n```\n", "line 1: an expectation must follow an example"),
            ("```puppet\n1\n```\ntext\n```pn\n1\n```\n", "line 5: an expectation must follow an example"),
            ("```puppet\n1\n```\n```pn\n(\n```\n", "line 4: the notation ends inside a string or bracket"),
            ("```puppet\n1\n```\n```issues\nX y z\n```\n", "line 4: an issue is `CODE line:column`"),
            ("```cases\n1  ⇒  (\n```\n", "line 1: not a row: `1  ⇒  (`"),
        ] {
            assert_eq!(Chapter::read(page).unwrap_err().to_string(), message);
        }
    }
}
