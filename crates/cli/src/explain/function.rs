//! `marotte explain function`: the built-in functions.

use std::fmt::Write as _;

use marotte_diagnostics::output::Color;
use marotte_eval::functions::{self, ALL, Body, Builtin, Effects, Overload};
use rapidfuzz::distance::osa;
use serde_json::json;

use crate::args::ExplainFormat;
use crate::failure::Failure;
use crate::terminal::{styled, wrapped};

/// A function's signatures and documentation, or all functions.
pub(super) fn explain(name: Option<&str>, format: ExplainFormat, color: Color) -> Result<String, Failure> {
    let Some(name) = name else { return Ok(list(format, color)) };
    let function = functions::builtin(name).ok_or_else(|| unknown(name))?;
    Ok(match format {
        ExplainFormat::Json => format!("{:#}\n", object(function)),
        ExplainFormat::Markdown => markdown(function),
        ExplainFormat::Text => wrapped(&text(function, color)),
    })
}

fn unknown(name: &str) -> String {
    let mut message = format!("there is no function `{name}`");
    let near = ALL.iter().map(|it| (osa::distance(name.chars(), it.name.chars()), it.name)).min();
    if let Some((_, nearest)) = near.filter(|(distance, _)| *distance <= (name.chars().count() / 3).max(1)) {
        let _ = write!(message, "; did you mean `{nearest}`?");
    }
    message
}

fn list(format: ExplainFormat, color: Color) -> String {
    let mut text = String::new();
    match format {
        ExplainFormat::Json => {
            return format!("{:#}\n", serde_json::Value::from_iter(ALL.iter().map(|it| object(it))));
        }
        ExplainFormat::Markdown => {
            text.push_str("| Function | What it does |\n| --- | --- |\n");
            for it in ALL {
                let _ = writeln!(text, "| `{}` | {} |", it.name, summary(it));
            }
        }
        ExplainFormat::Text => {
            let width = ALL.iter().map(|it| it.name.len()).max().unwrap_or_default();
            for it in ALL {
                let name = styled(color, "1", &format!("{:width$}", it.name));
                let _ = writeln!(text, "{name}  {}", summary(it));
            }
        }
    }
    text
}

/// The first line of the documentation.
fn summary(function: &Builtin) -> &'static str {
    function.doc.lines().next().unwrap_or_default()
}

/// The overloads that accept arguments; others only explain errors.
fn overloads(function: &Builtin) -> impl Iterator<Item = &'static Overload> {
    function.overloads.iter().filter(|it| matches!(it.body, Body::Run(_)))
}

fn signature(function: &Builtin, overload: &Overload) -> String {
    let block = match overload.block {
        None => String::new(),
        Some(block) if overload.parameters.is_empty() => format!("{block} &$block"),
        Some(block) => format!(", {block} &$block"),
    };
    let returns = overload.returns.map(|it| format!(" >> {it}")).unwrap_or_default();
    format!("{}({}{block}){returns}", function.name, overload.parameters)
}

/// Describes the effects and dependencies of a function apart from its result.
fn effects(it: Effects) -> &'static str {
    match it {
        Effects::Pure => "computes its result from its arguments alone",
        Effects::ControlFlow => "ends the block, function or iteration around it",
        Effects::Scope => "reads or sets variables around it, or defines what is known by name",
        Effects::Logs => "logs",
        Effects::Reads => "reads files, settings, facts or the clock",
        Effects::Runs => "runs commands",
        Effects::ReadsCatalog => "reads the catalog",
        Effects::ChangesCatalog => "changes the catalog",
    }
}

fn object(function: &Builtin) -> serde_json::Value {
    let signatures: Vec<_> = overloads(function).map(|it| signature(function, it)).collect();
    json!({
        "function": function.name,
        "signatures": signatures,
        "types": function.types,
        "summary": summary(function),
        "documentation": function.doc,
        "effect": effects(function.effects),
    })
}

fn markdown(function: &Builtin) -> String {
    let mut text = format!("# {}\n\n```puppet\n", function.name);
    for it in function.types.lines() {
        let _ = writeln!(text, "{it}");
    }
    for it in overloads(function) {
        let _ = writeln!(text, "{}", signature(function, it));
    }
    let _ = writeln!(text, "```\n\n{}\n\nThis function {}.", function.doc, effects(function.effects));
    text
}

fn text(function: &Builtin, color: Color) -> String {
    let mut text = format!("{}\n\n", styled(color, "1", function.name));
    for line in function.types.lines() {
        let _ = writeln!(text, "    {}", styled(color, "36", line));
    }
    for it in overloads(function) {
        let _ = writeln!(text, "    {}", styled(color, "36", &signature(function, it)));
    }
    let _ = writeln!(text, "\n{}\n", function.doc);
    let _ =
        writeln!(text, "{}", styled(color, "2", &format!("This function {}.", effects(function.effects))));
    text
}
