//! The graph of a page: which edits change which classes, on which nodes.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::escaped;
use crate::output::{count, names, plain};
use crate::{GroupedChange, Report};

/// The maximum number of boxes of a column. The last one stands for all others.
const BOXES: usize = 12;

/// The maximum number of characters of a label.
const LABEL: usize = 40;

/// The number of pixels of a box, from one box to the next, and from one column to the next.
const BOX: (usize, usize) = (310, 24);
const STEP: (usize, usize) = (390, 32);

/// The height of the row of titles.
const TITLES: usize = 30;

/// The titles of the columns.
const COLUMNS: [&str; 3] = ["Edits", "Classes", "Nodes"];

/// The attributes of a box that can be pressed.
const BUTTON: &str = " role=\"button\" tabindex=\"0\"";

const UNKNOWN_EDIT: &str = "unknown edits";
const NO_CLASS: &str = "outside of classes";

/// The boxes of a column, each with the nodes that it concerns.
type Column = IndexMap<String, BTreeSet<u32>, RandomState>;

/// Writes the graph as an image. Nothing if there are no groups of changes.
pub(super) fn write(report: &Report, page: &mut String) {
    if report.groups.is_empty() {
        return;
    }
    let mut columns: [Column; 3] = Default::default();
    let mut add = |column: usize, label: String, nodes: &[u32]| {
        columns[column].entry(label).or_default().extend(nodes);
    };
    for (number, group) in report.groups.iter().enumerate() {
        for label in distinct(&group.changes, edits) {
            add(0, label, &group.nodes);
        }
        for label in distinct(&group.changes, |it| vec![class(it)]) {
            add(1, label, &group.nodes);
        }
        add(2, number.to_string(), &group.nodes);
    }
    columns.iter_mut().for_each(|it| it.sort_by_cached_key(|_, nodes| Reverse(nodes.len())));

    // The thickness of a line is that of the nodes on it.
    let mut lines: [IndexMap<(usize, usize), BTreeSet<u32>, RandomState>; 2] = Default::default();
    let row = |column: usize, label: &str| {
        let all = &columns[column];
        all.get_index_of(label).map(|it| if all.len() > BOXES { it.min(BOXES - 1) } else { it })
    };
    for (number, group) in report.groups.iter().enumerate() {
        let to_nodes = row(2, &number.to_string());
        let pairs = |it: &GroupedChange| edits(it).into_iter().map(|edit| (edit, class(it))).collect();
        for (edit, class) in distinct(&group.changes, pairs) {
            let class = row(1, &class);
            for (line, ends) in lines.iter_mut().zip([(row(0, &edit), class), (class, to_nodes)]) {
                if let (Some(from), Some(to)) = ends {
                    line.entry((from, to)).or_default().extend(&group.nodes);
                }
            }
        }
    }

    let rows = columns.iter().map(|it| it.len().min(BOXES)).max().unwrap_or(0);
    let (width, height) = (2 * STEP.0 + BOX.0, TITLES + rows * STEP.1);
    // Writing into a string cannot fail.
    let _ = writeln!(
        page,
        "<div class=\"graph\"><svg viewBox=\"0 0 {width} {height}\" role=\"group\" aria-label=\"The edits, the classes that they change, and the nodes\">"
    );
    for (column, lines) in lines.iter().enumerate() {
        for ((from, to), nodes) in lines {
            let (x, end) = (column * STEP.0 + BOX.0, (column + 1) * STEP.0);
            let [from, to] = [from, to].map(|it| TITLES + it * STEP.1 + BOX.1 / 2);
            let middle = usize::midpoint(x, end);
            let _ = writeln!(
                page,
                "<path d=\"M{x} {from}C{middle} {from} {middle} {to} {end} {to}\" stroke-width=\"{}\"><title>{}</title></path>",
                nodes.len().ilog2() + 1,
                count(nodes.len(), "node")
            );
        }
    }
    for (column, boxes) in columns.iter().enumerate() {
        let x = column * STEP.0;
        let _ = writeln!(page, "<text x=\"{x}\" y=\"16\" class=\"title\">{}</text>", COLUMNS[column]);
        for (row, (label, nodes)) in boxes.iter().enumerate().take(BOXES) {
            if row + 1 == BOXES && boxes.len() > BOXES {
                let more = format!("{} more", boxes.len() + 1 - BOXES);
                write_box((x, row), "", &more, &more, page);
                continue;
            }
            let number = count(nodes.len(), "node");
            match column {
                0 => write_box((x, row), "", &last(label), &format!("{label}: {number}"), page),
                1 => {
                    let attribute = if label == NO_CLASS {
                        String::new()
                    } else {
                        format!(" data-class=\"{}\"{BUTTON}", escaped(label))
                    };
                    write_box((x, row), &attribute, &last(label), &format!("{label}: {number}"), page);
                }
                _ => {
                    let nodes: Vec<u32> = nodes.iter().copied().collect();
                    let text = format!("{number}: {}", names(report, &nodes, plain));
                    write_box(
                        (x, row),
                        &format!(" data-group=\"{label}\"{BUTTON}"),
                        &first(&text),
                        &text,
                        page,
                    );
                }
            }
        }
    }
    page.push_str("</svg></div>\n");
}

/// Writes a box at a position, with a text, and a longer one for whoever points at it.
fn write_box((x, row): (usize, usize), attributes: &str, text: &str, title: &str, page: &mut String) {
    let y = TITLES + row * STEP.1;
    let _ = writeln!(
        page,
        "<g{attributes}><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
        escaped(title),
        BOX.0,
        BOX.1,
        x + 8,
        y + 16,
        escaped(text)
    );
}

/// Returns what a function returns for the changes of a group, each once.
fn distinct<T: Ord>(changes: &[GroupedChange], of: impl Fn(&GroupedChange) -> Vec<T>) -> BTreeSet<T> {
    changes.iter().flat_map(of).collect()
}

fn edits(change: &GroupedChange) -> Vec<String> {
    match &change.causes[..] {
        [] => vec![UNKNOWN_EDIT.to_owned()],
        causes => causes.iter().map(ToString::to_string).collect(),
    }
}

fn class(change: &GroupedChange) -> String {
    change.origin.class.as_ref().map_or_else(|| NO_CLASS.to_owned(), ToString::to_string)
}

/// The end of a text, if it is too long for a box.
fn last(text: &str) -> String {
    let length = text.chars().count();
    match length > LABEL {
        true => std::iter::once('…').chain(text.chars().skip(length - LABEL + 1)).collect(),
        false => text.to_owned(),
    }
}

/// The start of a text, if it is too long for a box.
fn first(text: &str) -> String {
    match text.chars().count() > LABEL {
        true => text.chars().take(LABEL - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
