use marotte_host::{Findings, read_erb};

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
        let text = template.text(&mut findings);
        let read = text.and_then(|text| read_erb(&template.name, text, &mut findings));
        show(findings.diagnostics(), &findings, color)?;
        Ok(read.is_some())
    };
    let mut sound = match given(None, &args.templates)? {
        Some(template) => is_sound(&template)?,
        None => true,
    };
    for name in &args.templates {
        let (found, absent) = finder.templates(std::slice::from_ref(name))?;
        missing.extend(absent);
        for template in &found {
            sound &= is_sound(template)?;
        }
        if !sound && !args.continue_on_error {
            break;
        }
    }
    all_exist(&missing)?;
    Ok(if sound { Status::Clean } else { Status::Findings })
}
