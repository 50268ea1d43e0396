//! `marotte rule`, and the formats of rules.

use std::fmt::Write as _;
use std::io::Write as _;

use marotte_diagnostics::output::Color;
use marotte_diagnostics::rules::{self, RULES, Rule};
use marotte_diagnostics::{Group, Level};

use crate::Status;
use crate::args::{ExplainFormat, RuleArgs};
use crate::failure::Failure;
use crate::terminal::{styled, wrapped};

/// Prints a rule's page, or all rules.
pub(crate) fn run(args: &RuleArgs) -> Result<Status, Failure> {
    let color = args.color.on_stdout();
    let text = match &args.rule {
        None => list(RULES.iter(), args.format, color),
        Some(name) => page(rules::rule(name).ok_or_else(|| rules::unknown(name))?, args.format, color),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Clean)
}

/// Lists these rules, a line or an object each.
pub(crate) fn list(
    rules: impl Iterator<Item = &'static Rule> + Clone,
    format: ExplainFormat,
    color: Color,
) -> String {
    let mut text = String::new();
    match format {
        ExplainFormat::Json => {
            let all: Vec<_> = rules.map(json).collect();
            return format!("{:#}\n", serde_json::Value::Array(all));
        }
        ExplainFormat::Markdown => {
            text.push_str("| Rule | Level | What it reports |\n| --- | --- | --- |\n");
            for rule in rules {
                let _ = writeln!(text, "| `{}` | {} | {} |", rule.name, level(rule), rule.summary);
            }
        }
        ExplainFormat::Text => {
            let width = rules.clone().map(|rule| rule.name.len()).max().unwrap_or_default();
            for rule in rules {
                let name = styled(color, "1", &format!("{:width$}", rule.name));
                let _ = writeln!(text, "{name}  {:7}  {}", level(rule), rule.summary);
            }
        }
    }
    text
}

/// The default level of a rule for people.
fn level(rule: &Rule) -> &'static str {
    if rule.level == Level::Ignore { "off" } else { rule.level.name() }
}

/// The rules of a group, with a sentence about them and how to turn them on. As JSON, only the rules.
pub(crate) fn group(group: &Group, format: ExplainFormat, color: Color) -> String {
    let rules = list(group.rules.iter().copied(), format, color);
    let name = group.name;
    let usage = format!(
        "`{name}` is a group of {} rules: `--select {name}` reports nothing else, `--warn {name}` reports them in addition. \
         Rules that are off are reported only on request.",
        group.rules.len()
    );
    match format {
        ExplainFormat::Json => rules,
        ExplainFormat::Markdown => format!("# {name}\n\n{}\n\n{usage}\n\n{rules}", group.summary),
        ExplainFormat::Text => {
            let heading = styled(color, "1", name);
            format!("{heading}\n\n{}\n{rules}", wrapped(&format!("{}\n\n{usage}\n", group.summary)))
        }
    }
}

/// The page of a rule.
pub(crate) fn page(rule: &Rule, format: ExplainFormat, color: Color) -> String {
    match format {
        ExplainFormat::Text => wrapped(&shown(rule, color)),
        ExplainFormat::Markdown => rule.page.to_owned(),
        ExplainFormat::Json => format!("{:#}\n", json(rule)),
    }
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

/// Formats for a terminal: headings are emphasized, code is indented, and the markup of both is removed.
fn shown(rule: &Rule, color: Color) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in rule.page.lines() {
        if let Some(info) = line.strip_prefix("```") {
            in_code = !in_code;
            if let Some(path) = info.split(' ').find_map(|it| it.strip_prefix("path=")) {
                let _ = writeln!(text, "    {}", styled(color, "2", &format!("# {path}")));
            }
        } else if in_code {
            let _ = writeln!(text, "    {}", styled(color, "36", line));
        } else if let Some(heading) = line.strip_prefix('#') {
            let _ = writeln!(text, "{}", styled(color, "1", heading.trim_start_matches('#').trim_start()));
        } else {
            let _ = writeln!(text, "{}", without_links(line));
        }
    }
    let issue = rule.issue.map(|issue| format!(", Puppet's {issue}")).unwrap_or_default();
    let _ =
        writeln!(text, "\n{}", styled(color, "2", &format!("{}{issue}, since {}", level(rule), rule.since)));
    text
}

/// Replaces links by their texts.
fn without_links(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, link)) = rest.split_once('[') {
        text.push_str(before);
        let parts = link.split_once("](").and_then(|(name, target)| Some((name, target.split_once(')')?)));
        match parts {
            Some((name, (target, behind))) if !name.contains(']') && !target.contains(' ') => {
                text.push_str(name);
                rest = behind;
            }
            _ => {
                text.push('[');
                rest = link;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_shown_by_their_names() {
        assert_eq!(without_links("see [a rule](a.md), or [b](b.md)."), "see a rule, or b.");
        assert_eq!(
            without_links("`Array[Integer]`, `x[1](2` and [c](c.md)"),
            "`Array[Integer]`, `x[1](2` and c"
        );
    }
}
