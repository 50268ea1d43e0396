//! `marotte parse`: the syntax tree, as text.

mod tree;

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::DiskSystem;
use marotte_diagnostics::output::{self, Format};
use marotte_diagnostics::{Diagnostic, FileId, Level, Sources, syntax};
use marotte_syntax::{Mode, pn};
use marotte_text::{ByteOrderMark, LineIndex};

use crate::Status;
use crate::args::{ParseArgs, TreeFormat};
use crate::failure::Failure;
use crate::terminal::print;
use crate::text::{self, ARGUMENT, Code, STDIN};

/// Prints the trees of files, of an argument, or of standard input.
///
/// For a text with errors, its errors are printed rather than its tree, unless both are requested.
pub(crate) fn run(args: &ParseArgs) -> Result<Status, Failure> {
    let inputs = inputs(args)?;
    let several = inputs.len() > 1;
    let mut status = Status::Clean;
    let mut out = Vec::new();
    for input in &inputs {
        let mode = Mode { template: input.template, tasks: args.tasks, ..Mode::default() };
        let parse = marotte_syntax::parse(&input.text, mode);
        let findings = parse.errors.iter().map(|error| syntax::diagnostic(INPUT, error, &input.text));
        let mark = input.mark.map(|mark| syntax::byte_order_mark(INPUT, mark));
        let findings: Vec<Arc<Diagnostic>> = mark.into_iter().chain(findings).map(Arc::new).collect();
        let refused = findings.iter().any(|finding| finding.level == Level::Error);
        if !findings.is_empty() {
            flush(&mut out)?;
            let color = args.color.on_stderr();
            output::write(Format::Full, &findings, input, color, &mut io::stderr().lock())?;
        }
        if refused {
            status = Status::Findings;
            if !args.no_validate {
                continue;
            }
        }
        match args.format {
            // Like `puppet parser dump`: a manifest's name directly before its tree. `puppet epp dump` names templates
            // only if there are several.
            TreeFormat::Pn if input.is_file && !input.template => write!(out, "--- {}", input.name)?,
            TreeFormat::Pn | TreeFormat::Tree if several => writeln!(out, "--- {}", input.name)?,
            _ => {}
        }
        match args.format {
            TreeFormat::Tree => tree::write(&parse.program, input, &mut out)?,
            TreeFormat::Pn if args.pretty => writeln!(out, "{}", pn::to_pn(&parse.program).pretty())?,
            TreeFormat::Pn => writeln!(out, "{}", pn::to_pn(&parse.program))?,
            TreeFormat::Json if args.pretty => writeln!(out, "{}", pn::to_pn(&parse.program).json_pretty())?,
            TreeFormat::Json => writeln!(out, "{}", pn::to_pn(&parse.program).json())?,
        }
    }
    flush(&mut out)?;
    Ok(status)
}

/// Prints the text written so far.
fn flush(out: &mut Vec<u8>) -> io::Result<()> {
    let text = std::mem::take(out);
    print(&String::from_utf8_lossy(&text))
}

/// The id of the only file.
const INPUT: FileId = FileId(0);

/// A text to parse.
struct Input {
    name: String,
    text: String,
    /// A byte order mark in place of the text.
    mark: Option<ByteOrderMark>,
    lines: LineIndex,
    template: bool,
    is_file: bool,
}

impl Input {
    fn new(name: &str, code: Code, template: bool, is_file: bool) -> Self {
        let mark = code.as_ref().err().copied();
        let text = code.unwrap_or_default();
        Input { name: name.to_owned(), lines: LineIndex::new(&text), text, mark, template, is_file }
    }
}

impl Sources for Input {
    fn path(&self, _: FileId) -> &str {
        &self.name
    }

    fn text(&self, _: FileId) -> &str {
        &self.text
    }

    fn line_index(&self, _: FileId) -> &LineIndex {
        &self.lines
    }
}

fn inputs(args: &ParseArgs) -> Result<Vec<Input>, Failure> {
    if let Some(source) = &args.source {
        return Ok(vec![Input::new(ARGUMENT, Ok(source.clone()), args.epp, false)]);
    }
    let named_stdin = args.files.iter().any(|file| file == "-");
    if args.files.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::Message(
            "there is nothing to parse: name a file, or give a text with `-e`".to_owned(),
        ));
    }
    if args.files.is_empty() || named_stdin && args.files.len() == 1 {
        return Ok(vec![Input::new(STDIN, text::read_stdin()?, args.epp, false)]);
    }
    let system = DiskSystem::new()?;
    let read = |path: &Utf8Path| {
        let text = text::read_code(&system, path)?;
        let template = args.epp || path.extension() == Some("epp");
        Ok(Input::new(path.as_str(), text, template, true))
    };
    args.files.iter().map(|path| read(path)).collect()
}
