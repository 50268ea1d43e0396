use crate::programs::{Chapter, Program};

/// A repository, with questions about it.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The paths and texts.
    pub files: Vec<(String, String)>,
    /// The questions, in order.
    pub questions: Vec<Question>,
}

/// A question about a repository.
#[derive(Clone, Debug)]
pub enum Question {
    /// The result of a program.
    Program(Program),
    /// The output of the command: its arguments are the source.
    Command(Program),
}

/// Returns the sections of a chapter.
pub fn sections(text: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut section = Section::default();
    let mut settings = "";
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut block = || -> Vec<&str> {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            block.collect()
        };
        if line.starts_with("## ") {
            sections.push(std::mem::take(&mut section));
            settings = "";
        } else if line.starts_with("<!-- settings: ") {
            settings = line;
        } else if line == "```rows" {
            // Empty lines preserve the line numbers.
            let rows = format!("{settings}\n```rows\n{}\n```\n", block().join("\n"));
            let programs = Chapter::new(&rows).programs();
            section.questions.extend(programs.into_iter().map(|mut it| {
                it.line += index - 1;
                Question::Program(it)
            }));
        } else if line == "```explain" {
            let source = block().join(" ");
            let line = index + 2;
            let program = Program { line, ..Program::of(&source) };
            section.questions.push(Question::Command(program));
        } else if line == "```result" {
            let result = block().join("\n");
            if let Some(Question::Command(program)) = section.questions.last_mut() {
                program.result = Some(result);
            }
        } else if let Some(own) = line.strip_prefix("⚑ ") {
            if let Some(Question::Command(program)) = section.questions.last_mut() {
                program.differs = Some(own.to_owned());
            }
        } else if let Some((_, path)) = line.strip_prefix("```").and_then(|it| it.split_once(' ')) {
            let text: String = block().iter().map(|line| format!("{line}\n")).collect();
            section.files.retain(|(known, _)| known != path);
            section.files.push((path.to_owned(), text));
        }
    }
    sections.push(section);
    sections
}
