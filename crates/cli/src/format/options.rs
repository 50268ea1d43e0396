//! The combined options of flags, environment and configuration files.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::ReadError;
use marotte_diagnostics::output::Color;
use marotte_format::{LineEnding, Options};

use super::editorconfig::EditorConfigs;
use crate::args::FormatArgs;
use crate::config::{Config, FormatConfig};

/// The settings for formatting files and for reports.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) check: bool,
    pub(super) diff: bool,
    pub(super) quiet: bool,
    /// Whether it is not an error that there are no files to format.
    pub(super) allow_empty: bool,
    /// Whether hidden files, and those that `.gitignore` and `.ignore` files list, are skipped.
    pub(super) ignores: bool,
    pub(super) color: Color,
    line_width: Option<u16>,
    lines: Option<RangeInclusive<usize>>,
    config: FormatConfig,
    editor: EditorConfigs,
}

impl Settings {
    pub(super) fn new(args: &FormatArgs, config: Config, system: Arc<dyn System>) -> Self {
        Settings {
            check: args.check,
            diff: args.diff,
            quiet: args.quiet.or(config.quiet).unwrap_or_default(),
            allow_empty: args.allow_empty.or(config.allow_empty).unwrap_or_default(),
            ignores: !args.no_ignore.or(config.no_ignore).unwrap_or_default(),
            color: args.color.or(config.color).unwrap_or_default().on_stdout(),
            line_width: args.line_width,
            lines: args.range.as_ref().map(|lines| lines.0.clone()),
            config: config.format,
            editor: EditorConfigs::new(system),
        }
    }

    /// Whether files are written.
    pub(super) fn writes(&self) -> bool {
        !self.check && !self.diff
    }

    /// The lines to format, if not all.
    pub(super) fn lines(&self) -> Option<&RangeInclusive<usize>> {
        self.lines.as_ref()
    }

    /// Returns the `.editorconfig` files that were needed for layouts so far, and could not be read, with the reasons.
    pub(super) fn unread(&self) -> BTreeMap<Utf8PathBuf, ReadError> {
        self.editor.unread()
    }

    /// Returns the layout for the file at an absolute path: a flag takes precedence over `marotte.toml`, which takes precedence
    /// over `.editorconfig`.
    pub(super) fn of(&self, path: &Utf8Path) -> Options {
        let options = layout(&self.config, &self.editor, path);
        Options { line_width: self.line_width.unwrap_or(options.line_width), ..options }
    }
}

/// Returns the layout for the file at an absolute path: `marotte.toml` takes precedence over `.editorconfig`.
pub(crate) fn layout(file: &FormatConfig, editor: &EditorConfigs, path: &Utf8Path) -> Options {
    let editor = editor.of(path);
    let default = Options::default();
    let line_ending = file.line_ending.map(|it| it.0);
    Options {
        line_width: file.line_width.or(editor.line_width).unwrap_or(default.line_width),
        indent_width: file.indent_width.or(editor.indent_width).unwrap_or(default.indent_width),
        tabs: file.tabs.or(editor.tabs).unwrap_or(default.tabs),
        line_ending: line_ending.or(editor.line_ending).unwrap_or(LineEnding::Auto),
    }
}
