//! The table of results.

use std::fmt::Write as _;

use serde::Serialize;

use crate::Result;

/// The bound on a value.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Bound {
    /// No bound: the value is only for comparison.
    None,
    /// A lower bound: for a speed, or a ratio to a peer.
    AtLeast(f64),
    /// An upper bound: for a time or a size.
    AtMost(f64),
}

impl Bound {
    fn is_met(self, value: f64) -> bool {
        match self {
            Bound::None => true,
            Bound::AtLeast(least) => value >= least,
            Bound::AtMost(most) => value <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Bound::None => String::new(),
            Bound::AtLeast(least) => format!(">= {least}"),
            Bound::AtMost(most) => format!("<= {most}"),
        }
    }
}

#[derive(Serialize)]
struct Row {
    what: String,
    value: f64,
    unit: &'static str,
    bound: Bound,
    met: bool,
    note: String,
}

/// All values of a run, in the order of measurement.
#[derive(Default)]
pub(super) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Adds a value to the report.
    pub(super) fn add(&mut self, what: &str, value: f64, unit: &'static str, bound: Bound, note: &str) {
        let met = bound.is_met(value);
        self.rows.push(Row { what: what.to_owned(), value, unit, bound, met, note: note.to_owned() });
    }

    /// Formats the values as a table for people.
    pub(super) fn table(&self) -> String {
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for Row { what, value, unit, bound, met, note } in &self.rows {
            let digits = if *value < 10.0 { 2 } else { 1 };
            let mark = if *met { "" } else { "MISSED" };
            // Writing into a string cannot fail.
            let _ = write!(
                text,
                "{what:width$}  {value:9.digits$} {unit:10}  {:9} {mark:6}  {note}",
                bound.text()
            );
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Formats the values for programs: an array of objects.
    pub(super) fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(&self.rows)?)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Report};

    #[test]
    fn missed_bounds_are_marked() {
        let mut report = Report::default();
        report.add("speed", 80.0, "MB/s", Bound::AtLeast(75.0), "a note");
        report.add("memory of it", 81.25, "MB", Bound::AtMost(80.0), "");
        report.add("for comparison", 4.0, "s", Bound::None, "");
        assert_eq!(
            report.table(),
            "speed                80.0 MB/s        >= 75             a note\n\
             memory of it         81.2 MB          <= 80     MISSED\n\
             for comparison       4.00 s"
        );
    }

    #[test]
    fn json_holds_the_same() {
        let mut report = Report::default();
        report.add("memory", 81.5, "MB", Bound::AtMost(80.0), "");
        let json: serde_json::Value = serde_json::from_str(&report.json().expect("JSON")).expect("JSON");
        assert_eq!(json[0]["met"], false);
        assert_eq!(json[0]["bound"]["at_most"], 80.0);
    }
}
