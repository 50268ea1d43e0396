//! `marotte rule`, and the formats of rules.

use std::fmt::Write as _;
use std::io::Write as _;

use marotte_diagnostics::output::Color;
use marotte_diagnostics::rules::{self, RULES, Rule};
use marotte_diagnostics::{Group, Level, NamedSet};

use crate::Status;
use crate::args::{ExplainFormat, RuleArgs};
use crate::failure::Failure;
use crate::terminal::{styled, wrapped};

/// Prints a rule's page, or all rules.
pub(crate) fn run(args: &RuleArgs) -> Result<Status, Failure> {
    let color = args.color.on_stdout();
    let text = match &args.rule {
        None => list(RULES.iter().copied(), args.format, color),
        Some(name) => page(rules::rule(name).ok_or_else(|| rules::unknown(name))?, args.format, color),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Clean)
}

/// Lists rules by their groups, one per line; in JSON, one object for each rule.
pub(crate) fn list(
    rules: impl Iterator<Item = &'static Rule> + Clone,
    format: ExplainFormat,
    color: Color,
) -> String {
    if format == ExplainFormat::Json {
        let all: Vec<_> = rules.map(json).collect();
        return format!("{:#}\n", serde_json::Value::Array(all));
    }
    let width = rules.clone().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    let groups = Group::ALL.into_iter().chain([Group::Evaluation]);
    let is_headed = groups.clone().filter(|group| rules.clone().any(|it| it.group == *group)).count() > 1;
    for group in groups {
        let mut rules = rules.clone().filter(|it| it.group == group).peekable();
        if rules.peek().is_none() {
            continue;
        }
        if is_headed {
            let blank = if text.is_empty() { "" } else { "\n" };
            let _ = match format {
                ExplainFormat::Markdown => writeln!(text, "{blank}## {group}\n\n{}\n", group.summary()),
                _ => {
                    let name = styled(color, "1", &format!("{group}:"));
                    writeln!(text, "{blank}{name}  {}", group.summary())
                }
            };
        }
        if format == ExplainFormat::Markdown {
            text.push_str("| Rule | Level | What it reports |\n| --- | --- | --- |\n");
        }
        for rule in rules {
            let _ = match format {
                ExplainFormat::Markdown => {
                    writeln!(text, "| `{}` | {} | {} |", rule.name, level(rule), rule.summary)
                }
                _ => {
                    let name = styled(color, "1", &format!("{:width$}", rule.name));
                    writeln!(text, "  {name}  {:7}  {}", level(rule), rule.summary)
                }
            };
        }
    }
    text
}

/// The default level of a rule for people.
fn level(rule: &Rule) -> &'static str {
    if rule.level == Level::Ignore { "off" } else { rule.level.name() }
}

/// Returns the rules of a set, with an introduction and the way to enable them. In JSON, only the rules.
pub(crate) fn set(set: &NamedSet, format: ExplainFormat, color: Color) -> String {
    let rules = list(set.rules.iter().copied(), format, color);
    let name = set.name;
    let usage = format!(
        "`{name}` names {} rules: `--select {name}` reports nothing else, `--warn {name}` reports them in addition. \
         Rules that are off are reported only on request.",
        set.rules.len()
    );
    match format {
        ExplainFormat::Json => rules,
        ExplainFormat::Markdown => format!("# {name}\n\n{}\n\n{usage}\n\n{rules}", set.summary),
        ExplainFormat::Text => {
            let heading = styled(color, "1", name);
            format!("{heading}\n\n{}\n{rules}", wrapped(&format!("{}\n\n{usage}\n", set.summary)))
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
        "group": rule.group.name(),
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
