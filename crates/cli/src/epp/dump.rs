use std::io::Write as _;

use marotte_eval::Settings;
use marotte_host::{Findings, read_program};
use marotte_syntax::{Mode, parse, pn};

use crate::Status;
use crate::args::{DumpFormat, EppDumpArgs};
use crate::evaluation::show;
use crate::failure::Failure;
use crate::template::{Finder, Template, all_exist, context, given};
use crate::terminal::print;

/// Prints the syntax trees of templates. For a template with errors, its errors are printed rather than its tree,
/// unless both are requested.
pub(super) fn run(args: &EppDumpArgs) -> Result<Status, Failure> {
    let (system, context) = context(args.templates_in.module_path.as_deref())?;
    let finder = Finder { system, context: &context };
    let (templates, missing) = match given(args.source.as_ref(), &args.templates)? {
        Some(template) => (vec![template], Vec::new()),
        None => finder.templates(&args.templates)?,
    };
    let header = templates.len() > 1 && !args.no_header;
    let mut status = Status::Clean;
    for template in &templates {
        if !dump(args, template, header, &context)? {
            status = Status::Findings;
        }
    }
    all_exist(&missing)?;
    Ok(status)
}

/// Prints one tree; returns whether the text has no errors.
fn dump(
    args: &EppDumpArgs,
    template: &Template,
    header: bool,
    context: &marotte_host::EvaluationContext,
) -> Result<bool, Failure> {
    let mut findings = Findings::new(context);
    let source = template.source();
    let sound = read_program(context, &Settings::default(), &source, &mut findings).is_some();
    show(findings.diagnostics(), &findings, args.templates_in.color.on_stderr())?;
    if !sound && !args.no_validate {
        return Ok(false);
    }
    let parsed =
        parse(template.code.as_deref().unwrap_or_default(), Mode { template: true, ..Mode::default() });
    let tree = pn::to_pn(&parsed.program);
    let mut out = Vec::new();
    if header {
        writeln!(out, "--- {}", template.name)?;
    }
    match (args.format, args.pretty) {
        (DumpFormat::Pn, false) => writeln!(out, "{tree}")?,
        (DumpFormat::Pn, true) => writeln!(out, "{}", tree.pretty())?,
        (DumpFormat::Json, false) => writeln!(out, "{}", tree.json())?,
        (DumpFormat::Json, true) => writeln!(out, "{}", tree.json_pretty())?,
    }
    print(&String::from_utf8_lossy(&out))?;
    Ok(sound)
}
