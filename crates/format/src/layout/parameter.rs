//! The layout of parameter lists.

use marotte_syntax::ast::Parameter;

use super::list::List;
use crate::doc::Mark;
use crate::writer::Writer;

/// The maximal width of a type that takes part in the alignment of names.
const WIDEST_ALIGNED_TYPE: u32 = 50;

/// The maximal width of a name that takes part in the alignment of defaults.
const WIDEST_ALIGNED_NAME: u32 = 100;

/// The parts of a parameter that are aligned.
struct Row {
    /// The position after the type, with the type's width.
    type_: Option<(Mark, u32)>,
    /// Whether the type is too wide to be aligned, or takes several lines.
    is_wide: bool,
    /// The width of the name.
    name: u32,
    /// The position after the name, if a default value follows.
    default: Option<Mark>,
}

impl Writer<'_> {
    /// Writes parameters in parentheses or between bars. On lines of their own, names and equals signs are aligned.
    pub(super) fn parameters(&mut self, parameters: &[Parameter], list: List) {
        let mut rows = Vec::new();
        self.list(list, parameters.iter(), |writer, parameter| rows.push(writer.parameter(parameter)));
        let types = rows.iter().filter_map(|row| row.type_);
        let type_width = types.map(|(_, width)| width).max();
        // Among parameters with types, one without a type is not aligned.
        if type_width.is_some() {
            rows.iter_mut().for_each(|row| row.is_wide |= row.type_.is_none());
        }
        let name_end = |row: &Row| match (row.type_, type_width) {
            (Some(_), Some(width)) => width + 1 + row.name,
            _ => row.name,
        };
        let aligned = rows.iter().filter(|row| row.default.is_some() && !row.is_wide);
        let equals = aligned.map(name_end).max().unwrap_or(0);
        for row in &rows {
            if let (Some((pad, width)), Some(widest)) = (row.type_, type_width) {
                self.doc.set_pad(pad, widest - width);
            }
            if let Some(pad) = row.default.filter(|_| !row.is_wide) {
                self.doc.set_pad(pad, equals - name_end(row));
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter) -> Row {
        let mut row = Row { type_: None, is_wide: false, name: 0, default: None };
        if let Some(type_expr) = &parameter.type_expr {
            let mark = self.start_cell();
            self.expression(type_expr);
            row.type_ = self.end_cell(mark, WIDEST_ALIGNED_TYPE);
            row.is_wide = row.type_.is_none();
            self.doc.space();
        }
        let mark = self.start_cell();
        if parameter.captures_rest {
            self.token();
        }
        self.token();
        row.name = self.doc.width_since(mark).unwrap_or(0);
        row.is_wide |= row.name > WIDEST_ALIGNED_NAME;
        if let Some(value) = &parameter.value {
            row.default = Some(self.doc.pad(mark));
            self.spaced_token();
            self.value(value);
        }
        row
    }
}
