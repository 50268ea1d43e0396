//! Chapters of example programs.

/// A Markdown page with programs in blocks of rows, or in separate blocks followed by a block of results.
pub struct Chapter<'t> {
    text: &'t str,
}

/// A program, with the answer of the reference.
#[derive(Clone, Debug)]
pub struct Program {
    /// The first line of the program in the chapter, from 1.
    pub line: usize,
    /// The source of the program.
    pub source: String,
    /// The log, then the value or the error. `None` if nothing is recorded.
    pub result: Option<String>,
    /// The settings for running it: `strict`, `strict_variables`.
    pub settings: Vec<(String, String)>,
    /// The different result of marotte, with the reason.
    pub differs: Option<String>,
}

const ARROW: &str = " → ";
/// The start of a remark after a recorded result: marotte's different result, with the reason.
const DIFFERS: &str = " ⚑ ";

impl<'t> Chapter<'t> {
    /// Creates a chapter of this text.
    pub fn new(text: &'t str) -> Chapter<'t> {
        Chapter { text }
    }

    /// Returns the programs in order.
    pub fn programs(&self) -> Vec<Program> {
        let mut programs: Vec<Program> = Vec::new();
        let mut settings = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((_, line)) = lines.next() {
            if let Some(list) = line.strip_prefix("<!-- settings: ").and_then(|it| it.strip_suffix(" -->")) {
                let pairs = list.split(',').filter_map(|it| it.trim().split_once('='));
                settings = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            }
            match line {
                "```rows" => {
                    let rows = lines.by_ref().take_while(|(_, line)| *line != "```");
                    let rows = rows.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
                    programs.extend(rows.map(|(index, line)| row(index, line, &settings)));
                }
                "```puppet" => {
                    let mut block = lines.by_ref().take_while(|(_, line)| *line != "```").peekable();
                    let line = block.peek().map_or(0, |(index, _)| index + 1);
                    let source = block.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
                    let settings = settings.clone();
                    programs.push(Program { line, source, result: None, settings, differs: None });
                }
                "```result" => {
                    let block = lines.by_ref().take_while(|(_, line)| *line != "```");
                    let result = block.map(|(_, line)| line).collect::<Vec<_>>().join(" · ");
                    if let Some(program) = programs.last_mut() {
                        program.result = Some(result);
                    }
                }
                _ => {
                    // A remark under a block of results.
                    if let (Some(own), Some(program)) = (line.strip_prefix("⚑ "), programs.last_mut()) {
                        program.differs = Some(own.to_owned());
                    }
                }
            }
        }
        programs
    }
}

fn row(index: usize, line: &str, settings: &[(String, String)]) -> Program {
    let (line, differs) = match line.rsplit_once(DIFFERS) {
        Some((line, own)) => (line, Some(own.to_owned())),
        None => (line, None),
    };
    let (source, result) = match line.rsplit_once(ARROW) {
        Some((source, result)) => (source, Some(result.to_owned())),
        None => (line, None),
    };
    Program { line: index + 1, source: source.to_owned(), result, settings: settings.to_owned(), differs }
}

impl Program {
    /// Creates a program with the default settings, without a recorded result.
    pub fn of(source: &str) -> Program {
        Program { line: 1, source: source.to_owned(), result: None, settings: Vec::new(), differs: None }
    }

    /// Returns the result that marotte must have: its own if it deliberately differs (`⚑ result: reason`), otherwise
    /// the recorded one.
    pub fn expected(&self) -> Option<&str> {
        match &self.differs {
            Some(own) => own.rsplit_once(" — ").map(|(result, _)| result),
            None => self.result.as_deref(),
        }
    }
}
