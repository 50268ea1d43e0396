mod graph;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{
    DOUBTFUL, because, because_of, because_of_all, count, declared, details, elsewhere, fault, ignored,
    names, plain, summary,
};
use crate::{Counts, Group, GroupedChange, Report, Verdict};

const STYLE: &str = include_str!("html/style.css");
const FILTER: &str = include_str!("html/filter.js");

/// Writes a self-contained page that makes no requests. Each node is named once; groups refer to nodes by numbers.
pub(super) fn write(report: &Report) -> String {
    let title = escaped(&format!("Impact from {} to {}", report.before, report.after));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}.</p>\n",
        escaped(&summary(&report.counts())),
    );
    // Writing into a string cannot fail.
    for doubt in &report.doubts {
        let _ = writeln!(page, "<p class=\"doubt\"><strong>Not fully known:</strong> {}</p>", escaped(doubt));
    }
    for it in ignored(report) {
        let _ = writeln!(page, "<p>{}</p>", escaped(&it));
    }
    for it in elsewhere(report) {
        let _ = writeln!(page, "<p>{}</p>", escaped(&it));
    }
    table(&report.counts(), &mut page);
    graph::write(report, &mut page);
    form(report, &mut page);
    for failing in &report.failing {
        let head = format!("{} {}", count(failing.nodes.len(), "node"), failing.verdict.words());
        section(report, &head, &failing.nodes, "class=\"failing\"", &mut page);
        let before = if failing.verdict == Verdict::CompilesNow { "before: " } else { "" };
        for it in &failing.faults {
            let text = escaped(&format!("{before}{}", fault(it)));
            let _ = writeln!(page, "<div class=\"change fault\">{text}</div>");
        }
        cause(because(&failing.causes), &mut page);
        page.push_str("</section>\n");
    }
    for (number, group) in report.groups.iter().enumerate() {
        let nodes = count(group.nodes.len(), "node");
        let head = match group.is_certain {
            true => format!("{nodes} changed"),
            false => format!("{nodes} perhaps changed: this {DOUBTFUL}"),
        };
        section(report, &head, &group.nodes, &format!("class=\"group\" id=\"group-{number}\""), &mut page);
        cause(because_of_all(group), &mut page);
        group.changes.iter().for_each(|it| change(it, group, &mut page));
        page.push_str("</section>\n");
    }
    if report.omitted > 0 {
        let _ = writeln!(page, "<p>{} are not grouped.</p>", count(report.omitted, "more change"));
    }
    for (cause, nodes) in &report.unknown {
        section(
            report,
            &format!("{} not fully known", count(nodes.len(), "node")),
            nodes,
            "class=\"group\"",
            &mut page,
        );
        let text = escaped(&format!("because of {cause}"));
        let _ = writeln!(page, "<div class=\"change\">{text}</div>\n</section>");
    }
    let all: Vec<&str> = report.nodes.iter().map(|it| &*it.name).collect();
    // What would end the script is written as an escape, which JSON reads as the same.
    let all = serde_json::to_string(&all).unwrap_or_default().replace('<', "\\u003c");
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"names\">{all}</script>\n<script>\n{FILTER}</script>\n</body>\n</html>\n"
    );
    page
}

/// Writes the number of nodes of each verdict.
fn table(counts: &Counts, page: &mut String) {
    page.push_str("<table>\n");
    for verdict in Verdict::ALL {
        let number = match verdict {
            Verdict::FailsNow => counts.failing_now,
            Verdict::Changed => counts.changed,
            Verdict::CompilesNow => counts.failing_before,
            Verdict::FailsStill => counts.failing_still,
            Verdict::NotFullyKnown => counts.not_fully_known,
            Verdict::Unchanged => counts.unchanged,
        };
        let _ = writeln!(page, "<tr><th>{}</th><td>{number}</td></tr>", verdict.words());
        if let (Verdict::Changed, partly @ 1..) = (verdict, counts.partly_known) {
            let _ = writeln!(page, "<tr><th>… of them not fully known</th><td>{partly}</td></tr>");
        }
    }
    page.push_str("</table>\n");
}

/// Writes the form that filters groups: by nodes, classes, types of resources, or any words.
fn form(report: &Report, page: &mut String) {
    let changes = || report.groups.iter().flat_map(|it| &it.changes);
    let classes = changes().filter_map(|it| it.origin.class.as_deref()).collect();
    let types = changes().filter_map(|it| it.change.resource()).map(|it| &*it.type_name).collect();
    page.push_str("<form>\n<label>Node <input id=\"node\" type=\"search\"></label>\n");
    select("Class", "class", classes, page);
    select("Type", "type", types, page);
    page.push_str("<label>Words <input id=\"text\" type=\"search\"></label>\n");
    page.push_str("<output id=\"count\"></output>\n</form>\n");
}

/// Writes a field to select one of several names.
fn select(label: &str, id: &str, names: BTreeSet<&str>, page: &mut String) {
    let _ = write!(page, "<label>{label} <select id=\"{id}\"><option value=\"\">all</option>");
    for it in names {
        let _ = write!(page, "<option>{}</option>", escaped(it));
    }
    page.push_str("</select></label>\n");
}

/// Writes the beginning of a section, with the nodes that it applies to.
fn section(report: &Report, head: &str, nodes: &[u32], attributes: &str, page: &mut String) {
    let _ = writeln!(
        page,
        "<section {attributes} data-nodes=\"{}\">\n<h2>{}</h2>\n<details><summary>{}</summary><div class=\"names\"></div></details>",
        ranges(nodes),
        escaped(head),
        escaped(&names(report, nodes, plain)),
    );
}

/// Writes the edits that caused changes.
fn cause(because: Option<String>, page: &mut String) {
    if let Some(it) = because {
        let _ = writeln!(page, "<p class=\"cause\">{}</p>", escaped(&it));
    }
}

fn change(grouped: &GroupedChange, group: &Group, page: &mut String) {
    let change = &*grouped.change;
    let kind = change.resource().map(|it| escaped(&it.type_name)).unwrap_or_default();
    let text = plain(&change.to_string());
    let place = declared(grouped).map(|it| format!(" <small>{}</small>", escaped(&it))).unwrap_or_default();
    let in_class = grouped.origin.class.as_deref().map(escaped).unwrap_or_default();
    let _ = write!(
        page,
        "<div class=\"change\" data-type=\"{kind}\" data-class=\"{in_class}\"><code class=\"{}\">{}</code>{place}",
        class(&text),
        escaped(&text)
    );
    cause(because_of(grouped, group), page);
    let details = details(change);
    if !details.is_empty() {
        page.push_str("<pre>");
        for line in details {
            let _ = writeln!(page, "<span class=\"{}\">{}</span>", class(&line), escaped(&line));
        }
        page.push_str("</pre>");
    }
    page.push_str("</div>\n");
}

/// Returns the style class of a line.
fn class(line: &str) -> &'static str {
    match line.as_bytes().first() {
        Some(b'+') => "added",
        Some(b'-') => "removed",
        _ => "other",
    }
}

/// Formats numbers in ascending order, with runs of consecutive numbers as `first-last`.
fn ranges(numbers: &[u32]) -> String {
    let mut text = String::new();
    for run in numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        let separator = if text.is_empty() { "" } else { "," };
        let _ = match run {
            [first, .., last] => write!(text, "{separator}{first}-{last}"),
            [only] => write!(text, "{separator}{only}"),
            [] => Ok(()),
        };
    }
    text
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }

    #[test]
    fn nothing_of_a_catalog_is_markup() {
        assert_eq!(escaped("<a b='\"'>&\u{1b}"), "&lt;a b=&#39;&quot;&#39;&gt;&amp;\u{fffd}");
    }
}
