use super::directive::Directive;
use super::selection::{Format, Formats};
use super::sprintf::convert;
use super::{
    FormatError, TEXT_LIMIT, array, binary, boolean, float, hash, integer, object, string, time, types, undef,
};
use crate::dialect::Dialect;
use crate::value::Value;

/// The writer of formatted values.
pub(super) struct Writer<'d> {
    pub(super) dialect: &'d Dialect,
}

/// The indentation of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indentation {
    pub(super) level: usize,
    /// Whether the value is the first one in its container.
    pub(super) first: bool,
    /// Whether containers start on their own lines.
    pub(super) is_indenting: bool,
}

impl Default for Indentation {
    fn default() -> Indentation {
        Indentation { level: 0, first: true, is_indenting: false }
    }
}

impl Indentation {
    /// Returns this indentation, with indenting enabled if the format enables it.
    pub(super) fn indenting(self, format: &Directive) -> Indentation {
        Indentation { is_indenting: self.is_indenting || format.alternative, ..self }
    }

    /// Returns the indentation of the elements of a container.
    pub(super) fn deeper(self, is_indenting: bool) -> Indentation {
        Indentation { level: self.level + 1, first: true, is_indenting }
    }

    /// Appends a new line if a container must start on one.
    pub(super) fn start(self, out: &mut String) {
        if self.is_indenting && self.level > 0 && !self.first {
            out.push('\n');
            self.pad(out);
        }
    }

    /// Appends the blanks of this level.
    pub(super) fn pad(self, out: &mut String) {
        out.extend(std::iter::repeat_n("  ", self.level));
    }
}

impl<'d> Writer<'d> {
    pub(super) fn new(dialect: &'d Dialect) -> Writer<'d> {
        Writer { dialect }
    }

    /// Appends a value in its format.
    pub(super) fn write(
        &self,
        out: &mut String,
        value: &Value,
        formats: &Formats,
        indentation: Indentation,
    ) -> Result<(), FormatError> {
        if out.len() > TEXT_LIMIT {
            return Err(FormatError::TooLong);
        }
        if let Value::Iterator(iterator) = value {
            let elements: Result<Vec<Value>, FormatError> = (0..)
                .map_while(|at| iterator.get(at).map(|it| (at, it)))
                .map(|(at, it)| if at > TEXT_LIMIT { Err(FormatError::TooLong) } else { Ok(it) })
                .collect();
            return self.write(out, &Value::Array(elements?.into()), formats, indentation);
        }
        let Some(format) = formats.of(self.dialect, value) else { return Ok(()) };
        match value {
            Value::Array(elements) => array::write(self, out, elements, format, formats, indentation),
            Value::Hash(hash) => hash::write(self, out, hash, format, formats, indentation),
            _ => self.write_single(out, value, &format.directive, indentation),
        }
    }

    /// Appends a value that contains no others, or that formats them on its own.
    pub(super) fn write_single(
        &self,
        out: &mut String,
        value: &Value,
        directive: &Directive,
        indentation: Indentation,
    ) -> Result<(), FormatError> {
        let texts = &self.dialect.texts;
        match value {
            Value::Undef => undef::format(out, directive),
            Value::Default => undef::format_default(out, directive),
            Value::Boolean(value) => boolean::format(out, *value, directive),
            Value::Integer(value) if *value == 0.into() && self.dialect.texts.prefix_of_nought => {
                integer::format_nought(out, directive)
            }
            Value::Integer(value) => integer::format(out, value, directive),
            Value::Float(value) => float::format(out, *value, directive, texts),
            Value::String(text) => string::format(out, text, directive),
            Value::Regexp(regexp) => types::format_regexp(out, regexp, directive, texts),
            Value::Type(it) => types::format(out, it, directive, self.dialect),
            Value::Binary(binary) => binary::format(out, binary, directive),
            Value::Uri(uri) => types::format_uri(out, uri, directive),
            Value::Object(_) => object::write(out, value, directive, indentation),
            Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) | Value::SemVerRange(_) => {
                time::format(out, value, directive, texts)
            }
            Value::Sensitive(_) if directive.letter == 's' => {
                convert(out, &directive.text, &string::value(texts.redacted))
            }
            Value::Sensitive(_) if directive.letter == 'p' => {
                convert(out, &directive.with_letter('s'), &string::value(texts.redacted_programmatic))
            }
            Value::Sensitive(_)
            | Value::Callable(_)
            | Value::Iterator(_)
            | Value::Unknown(_)
            | Value::Array(_)
            | Value::Hash(_) => convert(out, &directive.text, value),
        }
    }

    /// Appends an element of a container: nested containers use the formats of the whole value, other elements those of
    /// the container's format.
    pub(super) fn write_nested(
        &self,
        out: &mut String,
        value: &Value,
        format: &Format,
        formats: &Formats,
        indentation: Indentation,
    ) -> Result<(), FormatError> {
        let formats = match value {
            Value::Array(_) | Value::Hash(_) => formats,
            Value::Object(object) if !object::has_type_parameters(object) => formats,
            _ => format.nested.as_ref().unwrap_or(Formats::in_containers()),
        };
        self.write(out, value, formats, indentation)
    }
}
