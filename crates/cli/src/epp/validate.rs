use marotte_eval::Settings;
use marotte_host::{Findings, read_program};

use crate::Status;
use crate::args::EppValidateArgs;
use crate::evaluation::show;
use crate::failure::Failure;
use crate::template::{Finder, Template, all_exist, context, given};

/// Reports errors in the texts of templates; after the first template with errors, the others are skipped unless
/// requested.
pub(super) fn run(args: &EppValidateArgs) -> Result<Status, Failure> {
    let (system, context) = context(args.templates_in.module_path.as_deref())?;
    let finder = Finder { system, context: &context };
    let color = args.templates_in.color.on_stderr();
    let mut missing = Vec::new();
    let is_sound = |template: &Template| -> Result<bool, Failure> {
        let mut findings = Findings::new(&context);
        let source = template.source();
        let read = read_program(&context, &Settings::default(), &source, &mut findings);
        show(findings.diagnostics(), &findings, color)?;
        Ok(read.is_some())
    };
    let mut sound = match given(None, &args.templates)? {
        Some(template) => is_sound(&template)?,
        None => true,
    };
    let mut ends = false;
    for name in &args.templates {
        let (found, absent) = finder.templates(std::slice::from_ref(name))?;
        missing.extend(absent);
        for template in &found {
            let is_sound = is_sound(template)?;
            // A text in another encoding is not analyzed: the others are checked.
            ends |= !is_sound && template.code.is_ok();
            sound &= is_sound;
        }
        if ends && !args.continue_on_error {
            break;
        }
    }
    all_exist(&missing)?;
    Ok(if sound { Status::Clean } else { Status::Findings })
}
