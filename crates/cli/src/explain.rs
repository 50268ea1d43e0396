use std::fmt::Write as _;
use std::io::Write as _;

use marotte_diagnostics::issues::{self, ISSUES};
use marotte_diagnostics::output::Color;
use marotte_diagnostics::rules::{self, RULES, Rule};

use crate::Status;
use crate::args::{ExplainArgs, ExplainFormat};
use crate::failure::Failure;
use crate::terminal::styled;

mod function;

/// The word before the name of a function.
const FUNCTION: &str = "function";

/// Prints a rule's page, or all rules; or a function's, or all functions.
pub(crate) fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    let color = args.color.on_stdout();
    let text = match (&args.rule, &args.function) {
        (Some(word), name) if word == FUNCTION => {
            function::explain(name.as_deref(), args.output_format, color)?
        }
        (Some(rule), Some(_)) => {
            return Err(Failure::Message(format!(
                "nothing is named behind `{rule}`; `{FUNCTION} NAME` is explained"
            )));
        }
        (None, _) => list(args.output_format, color),
        (Some(name), None) => {
            let rule =
                rules::rule(name).or_else(|| issues::issue(name)).ok_or_else(|| rules::unknown(name))?;
            match args.output_format {
                ExplainFormat::Text => page(rule, color),
                ExplainFormat::Markdown => rule.page.to_owned(),
                ExplainFormat::Json => format!("{:#}\n", json(rule)),
            }
        }
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Clean)
}

fn list(format: ExplainFormat, color: Color) -> String {
    let mut text = String::new();
    match format {
        ExplainFormat::Json => {
            let all: Vec<_> = RULES.iter().chain(ISSUES).map(json).collect();
            return format!("{:#}\n", serde_json::Value::Array(all));
        }
        ExplainFormat::Markdown => {
            text.push_str("| Rule | Level | What it reports |\n| --- | --- | --- |\n");
            for rule in RULES.iter().chain(ISSUES) {
                let _ = writeln!(text, "| `{}` | {} | {} |", rule.name, rule.level, rule.summary);
            }
        }
        ExplainFormat::Text => {
            let width = RULES.iter().chain(ISSUES).map(|rule| rule.name.len()).max().unwrap_or_default();
            for rule in RULES.iter().chain(ISSUES) {
                let name = styled(color, "1", &format!("{:width$}", rule.name));
                let _ = writeln!(text, "{name}  {:7}  {}", rule.level.name(), rule.summary);
            }
        }
    }
    text
}

fn json(rule: &Rule) -> serde_json::Value {
    serde_json::json!({
        "rule": rule.name,
        "level": rule.level.name(),
        "summary": rule.summary,
        "issue": rule.issue,
        "since": rule.since,
        "page": rule.page,
    })
}

/// A page for a terminal: headings stand out, code is set off, and the marks around both are gone.
fn page(rule: &Rule, color: Color) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in rule.page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            let _ = writeln!(text, "    {}", styled(color, "36", line));
        } else if let Some(heading) = line.strip_prefix('#') {
            let _ = writeln!(text, "{}", styled(color, "1", heading.trim_start_matches('#').trim_start()));
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    let issue = rule.issue.map(|issue| format!(", Puppet's {issue}")).unwrap_or_default();
    let _ =
        writeln!(text, "\n{}", styled(color, "2", &format!("{}{issue}, since {}", rule.level, rule.since)));
    text
}
