use std::io::Write as _;

use marotte_host::Findings;
use marotte_ruby_eval::program::template_source;

use crate::Status;
use crate::args::ErbDumpArgs;
use crate::evaluation::show;
use crate::failure::Failure;
use crate::template::{Finder, all_exist, context, given};
use crate::terminal::print;

/// Prints the Ruby programs that templates compile to.
pub(super) fn run(args: &ErbDumpArgs) -> Result<Status, Failure> {
    let (system, context) = context(args.templates_in.module_path.as_deref())?;
    let finder = Finder { system, context: &context };
    let (templates, missing) = match given(args.source.as_ref(), &args.templates)? {
        Some(template) => (vec![template], Vec::new()),
        None => finder.templates(&args.templates)?,
    };
    let header = templates.len() > 1 && !args.no_header;
    let mut out = Vec::new();
    let mut status = Status::Clean;
    for template in &templates {
        let mut findings = Findings::new(&context);
        let Some(text) = template.text(&mut findings) else {
            show(findings.diagnostics(), &findings, args.templates_in.color.on_stderr())?;
            status = Status::Findings;
            continue;
        };
        if header {
            writeln!(out, "--- {}", template.name)?;
        }
        let source = template_source(text.as_bytes());
        writeln!(out, "{}", String::from_utf8_lossy(&source))?;
    }
    print(&String::from_utf8_lossy(&out))?;
    all_exist(&missing)?;
    Ok(status)
}
