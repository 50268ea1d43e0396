use super::{
    DOUBTFUL, because, because_of, because_of_all, count, declared, details, elsewhere, fault, ignored,
    names, plain, summary,
};
use crate::{Report, Verdict};

/// The maximum size of a comment in bytes, which is less than services accept (65,536 characters on GitHub).
const LIMIT: usize = 60_000;

/// The number of bytes that are reserved for the sentences at the end.
const END: usize = 6_000;

/// The maximum number of bytes that are shown of a line.
const WIDTH: usize = 400;

/// The maximum number of lines that are shown of a change.
const LINES: usize = 60;

/// The maximum number of causes of unknown parts that are shown.
const CAUSES: usize = 10;

/// A text that grows up to a limit.
struct Page {
    text: String,
}

/// Writes a comment on a merge request.
pub(super) fn write(report: &Report) -> String {
    let mut page = Page { text: String::new() };
    let (mut errors, mut changes) = (0, report.omitted);
    let title = format!("## Impact from {} to {}\n\n", code(&report.before), code(&report.after));
    page.text.push_str(&title);
    page.text.push_str(&format!("{}.\n", summary(&report.counts())));
    for doubt in report.doubts.iter().take(CAUSES) {
        page.text.push_str(&format!("\n**Not fully known:** {}\n", escaped(doubt)));
    }
    for it in ignored(report).take(CAUSES) {
        page.text.push_str(&format!("\n{}\n", escaped(&it)));
    }
    if let more @ 1.. = report.ignored.len().saturating_sub(CAUSES) {
        page.text.push_str(&format!("\n{} left out changes.\n", count(more, "more rule")));
    }
    for it in elsewhere(report) {
        page.text.push_str(&format!("\n{}\n", escaped(&it)));
    }
    for failing in &report.failing {
        let nodes = count(failing.nodes.len(), "node");
        let words = failing.verdict.words();
        let cause = caused(because(&failing.causes));
        let head = format!("\n### {nodes} {words}\n\n{}{cause}\n", names(report, &failing.nodes, code));
        let before = if failing.verdict == Verdict::CompilesNow { "before: " } else { "" };
        let faults = failing.faults.iter().map(|it| vec![format!("{before}{}", fault(it))]);
        errors += page.section(&head, faults.collect());
    }
    for group in &report.groups {
        let nodes = count(group.nodes.len(), "node");
        let names = names(report, &group.nodes, code) + &caused(because_of_all(group));
        let head = match group.is_certain {
            true => format!("\n### {nodes} changed\n\n{names}\n"),
            false => format!("\n### {nodes} perhaps changed\n\nThis {DOUBTFUL}: {names}\n"),
        };
        let listed = group.changes.iter().map(|grouped| {
            let place = declared(grouped).map(|it| format!("  # {it}")).unwrap_or_default();
            let mut lines = vec![format!("{}{place}", plain(&grouped.change.to_string()))];
            lines.extend(because_of(grouped, group).map(|it| format!("    {it}")));
            let all = details(&grouped.change);
            let more = all.len().saturating_sub(LINES);
            lines.extend(all.into_iter().take(LINES).map(|it| format!("    {it}")));
            lines.extend((more > 0).then(|| format!("    … {more} more lines")));
            lines
        });
        changes += page.section(&head, listed.collect());
    }
    let mut text = page.text;
    for (left_out, what) in [(errors, "error"), (changes, "change")] {
        if left_out > 0 {
            text.push_str(&format!("\n{} not shown here.\n", are(left_out, what)));
        }
    }
    if !report.unknown.is_empty() {
        text.push_str("\nNot known, because of\n\n");
        for (cause, nodes) in report.unknown.iter().take(CAUSES) {
            let names = names(report, nodes, code);
            let number = count(nodes.len(), "node");
            let line = format!("- {} on {number}: {names}\n", code(&cut(cause, WIDTH / 4)));
            text.push_str(&line);
        }
        if let more @ 1.. = report.unknown.len().saturating_sub(CAUSES) {
            text.push_str(&format!("- {}\n", count(more, "more cause")));
        }
    }
    text
}

/// Returns the reason in the form that follows the names of nodes: `, because …`; empty if the reason is unknown.
fn caused(because: Option<String>) -> String {
    because.map(|it| format!(", {}", escaped(&it))).unwrap_or_default()
}

fn are(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 more {what} is"),
        number => format!("{number} more {what}s are"),
    }
}

impl Page {
    /// Adds a section with pieces of code, as far as there is room. Returns the number of pieces that are left out.
    fn section(&mut self, head: &str, pieces: Vec<Vec<String>>) -> usize {
        let pieces: Vec<String> = pieces
            .into_iter()
            .map(|lines| lines.iter().map(|it| cut(it, WIDTH) + "\n").collect::<String>())
            .collect();
        let fence = fence(&pieces);
        let frame = head.len() + 2 * fence.len() + "\ndiff\n\n".len();
        let mut room = (LIMIT - END).saturating_sub(self.text.len() + frame);
        let (mut shown, mut left_out) = (String::new(), 0);
        for piece in &pieces {
            if piece.len() > room {
                left_out += 1;
                continue;
            }
            room -= piece.len();
            shown.push_str(piece);
        }
        if !shown.is_empty() {
            self.text.push_str(&format!("{head}\n{fence}diff\n{shown}{fence}\n"));
        }
        left_out
    }
}

/// Returns the fence of a code block: longer than any fence in its text.
fn fence(pieces: &[String]) -> String {
    let runs = pieces.iter().flat_map(|it| it.split(|it| it != '`')).map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

/// Truncates a line to a number of bytes.
fn cut(line: &str, width: usize) -> String {
    if line.len() <= width {
        return line.to_owned();
    }
    let end = (0..=width).rev().find(|it| line.is_char_boundary(*it)).unwrap_or_default();
    format!("{}…", &line[..end])
}

/// Formats a name as inline code.
fn code(name: &str) -> String {
    format!("`{}`", cut(&plain(name), WIDTH / 4).replace('`', "'"))
}

/// Escapes a sentence for Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for it in cut(&plain(text), WIDTH).chars() {
        match it {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '@' | '|' | '~' | '!' => {
                escaped.push('\\');
                escaped.push(it);
            }
            it => escaped.push(it),
        }
    }
    escaped
}
