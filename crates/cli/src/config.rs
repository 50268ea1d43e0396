//! `marotte.toml`: the options of the command line under the same names.

#[cfg(test)]
mod arbitrary;
#[cfg(test)]
mod schema;
mod sources;

use std::fmt::{self, Display};
use std::io::{self, Write as _};
use std::ops::RangeInclusive;
use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{DirectoryEntry, normalize};
use marotte_diagnostics::output::Format;
use marotte_diagnostics::{Choice, Paths, Settings, printable};
use marotte_format::LineEnding;
use marotte_pcore::dialect::Dialect;
use rapidfuzz::distance::osa;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::{Size, TargetVersion};
use crate::failure::Failure;
use crate::terminal::When;
pub(crate) use sources::{candidates, sources};

const FILE_NAME: &str = "marotte.toml";

/// The maximum size in bytes, longer than any real configuration.
const MAX_SIZE: u64 = 1 << 20;

/// The content of a configuration file; empty, if there is none.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Config {
    pub(crate) output_format: Option<Format>,
    pub(crate) color: Option<When>,
    pub(crate) select: Option<Vec<String>>,
    pub(crate) ignore: Option<Vec<String>>,
    pub(crate) warn: Option<Vec<String>>,
    pub(crate) error: Option<Vec<String>>,
    /// The folder of the file. None if there is no file.
    pub(crate) folder: Option<Utf8PathBuf>,
    /// Files that are not checked.
    pub(crate) exclude: Option<Paths>,
    /// Additional files that are not checked.
    pub(crate) extend_exclude: Paths,
    /// The settings for some of the files.
    pub(crate) overrides: Vec<Override>,
    /// Another configuration with the values of keys that are missing here.
    pub(crate) extends: Option<Extended>,
    /// The version of Puppet whose changes are reported.
    pub(crate) target_version: Option<TargetVersion>,
    pub(crate) statistics: Option<bool>,
    pub(crate) quiet: Option<bool>,
    pub(crate) verbose: Option<bool>,
    pub(crate) allow_empty: Option<bool>,
    pub(crate) exit_zero: Option<bool>,
    pub(crate) third_party: Option<bool>,
    pub(crate) unsafe_fixes: Option<bool>,
    /// The path, relative to the folder of the file.
    pub(crate) baseline: Option<Utf8PathBuf>,
    pub(crate) no_ignore: Option<bool>,
    pub(crate) tasks: Option<bool>,
    pub(crate) max_file_size: Option<Size>,
    pub(crate) dialect: Option<&'static str>,
    pub(crate) module_path: Option<String>,
    pub(crate) threads: Option<u16>,
    pub(crate) format: FormatConfig,
    pub(crate) impact: ImpactConfig,
}

/// The value of `extends`.
#[derive(Debug, PartialEq)]
pub(crate) struct Extended {
    /// The path, as written.
    path: Utf8PathBuf,
    /// The line and the column of the value, from 1.
    place: (u32, u32),
}

/// The content of the table `[impact]`: changes that reports count but don't show.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ImpactConfig {
    /// Patterns of resources and attributes, as written.
    pub(crate) ignore: Option<Vec<String>>,
    pub(crate) ignore_tags: Option<Vec<String>>,
    pub(crate) ignore_whitespace: Option<bool>,
    pub(crate) ignore_array_order: Option<bool>,
}

impl ImpactConfig {
    /// Merges two configurations. This one takes precedence.
    fn over(self, other: ImpactConfig) -> ImpactConfig {
        ImpactConfig {
            ignore: self.ignore.or(other.ignore),
            ignore_tags: self.ignore_tags.or(other.ignore_tags),
            ignore_whitespace: self.ignore_whitespace.or(other.ignore_whitespace),
            ignore_array_order: self.ignore_array_order.or(other.ignore_array_order),
        }
    }
}

/// The content of a table `[[overrides]]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Override {
    pub(crate) paths: Paths,
    pub(crate) choices: Vec<(Choice, String)>,
}

/// The content of the table `[format]`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FormatConfig {
    pub(crate) line_width: Option<u16>,
    pub(crate) indent_width: Option<u8>,
    /// Whether levels of indentation are tabs.
    pub(crate) tabs: Option<bool>,
    pub(crate) line_ending: Option<Ending>,
}

impl FormatConfig {
    /// Merges two configurations. This one takes precedence.
    fn over(self, other: FormatConfig) -> FormatConfig {
        FormatConfig {
            line_width: self.line_width.or(other.line_width),
            indent_width: self.indent_width.or(other.indent_width),
            tabs: self.tabs.or(other.tabs),
            line_ending: self.line_ending.or(other.line_ending),
        }
    }
}

/// A line ending, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ending(pub(crate) LineEnding);

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Ending(match text {
            "auto" => LineEnding::Auto,
            "lf" => LineEnding::Lf,
            "crlf" => LineEnding::CrLf,
            _ => return Err(format!("`{text}` is none of `auto`, `lf`, `crlf`")),
        }))
    }
}

/// All top-level keys, for suggestions.
const KEYS: [&str; 27] = [
    "output-format",
    "color",
    "select",
    "ignore",
    "warn",
    "error",
    "exclude",
    "extend-exclude",
    "overrides",
    "extends",
    "target-version",
    "statistics",
    "quiet",
    "verbose",
    "allow-empty",
    "exit-zero",
    "third-party",
    "unsafe-fixes",
    "baseline",
    "no-ignore",
    "tasks",
    "max-file-size",
    "dialect",
    "module-path",
    "threads",
    "format",
    "impact",
];

/// The keys of the table `[impact]`.
const IMPACT_KEYS: [&str; 4] = ["ignore", "ignore-tags", "ignore-whitespace", "ignore-array-order"];

/// The keys of the table `[format]`.
const FORMAT_KEYS: [&str; 4] = ["line-width", "indent-width", "indent-style", "line-ending"];

/// The keys of a table `[[overrides]]`.
const OVERRIDE_KEYS: [&str; 4] = ["paths", "ignore", "warn", "error"];

/// The maximum length of a chain of configurations that extend each other.
const MOST_EXTENDED: usize = 8;

/// Reads the named file, or otherwise the nearest one at or above a path.
pub(crate) fn load(
    system: &dyn System,
    named: Option<&Utf8Path>,
    from: &Utf8Path,
) -> Result<Config, Failure> {
    let path = match named {
        Some(path) => system.absolute(path),
        None => match nearest(system, from) {
            Some(path) => path,
            None => return Ok(Config::default()),
        },
    };
    read(system, &path).map_err(|it| Failure::Message(it.to_string()))
}

/// Reads a file, and those that it extends.
pub(crate) fn read(system: &dyn System, path: &Utf8Path) -> Result<Config, Refused> {
    read_recording(system, path, &mut Vec::new())
}

/// Like [`read`], and adds the path of each file before it is read, also if there are errors.
fn read_recording(
    system: &dyn System,
    path: &Utf8Path,
    paths: &mut Vec<Utf8PathBuf>,
) -> Result<Config, Refused> {
    if !paths.iter().any(|it| it == path) {
        paths.push(path.to_owned());
    }
    let own = path.parent().unwrap_or(path).to_owned();
    let mut config = Config { folder: Some(own.clone()), ..read_within(system, path, &own)? };
    let mut path = path.to_owned();
    let mut place = None;
    for _ in 0..MOST_EXTENDED {
        let Some(extended) = config.extends.take() else { return Ok(config) };
        place = Some(extended.place);
        let next = normalize(&path.parent().unwrap_or(&path).join(extended.path));
        paths.push(next.clone());
        let read = read_within(system, &next, &own).map_err(|it| match it.place {
            Some(_) => it,
            None => Refused { path: path.clone(), place, message: it.message },
        });
        config = config.over(read?);
        if config.extends.is_some() {
            path = next;
        }
    }
    let message =
        format!("more than {MOST_EXTENDED} configurations extend each other, or one extends itself");
    Err(Refused { path, place: config.extends.map(|it| it.place).or(place), message })
}

/// Reads a file. Errors don't quote a file that isn't in the folder of the first configuration, through links or because the
/// configuration names it: a tree may name any file.
fn read_within(system: &dyn System, path: &Utf8Path, own: &Utf8Path) -> Result<Config, Refused> {
    let real = |path: &Utf8Path| system.canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let target = real(path);
    if target.starts_with(real(own)) {
        return read_one(system, path);
    }
    let refused = |message: String| Refused { path: path.to_owned(), place: None, message };
    if target.extension() != Some("toml") {
        return Err(refused(format!("{path} leads to {target}, which is not a `.toml` file")));
    }
    read_one(system, path)
        .map_err(|_| refused(format!("{path} leads to {target}, which is not a valid configuration")))
}

fn read_one(system: &dyn System, path: &Utf8Path) -> Result<Config, Refused> {
    let refused = |message: String| Refused { path: path.to_owned(), place: None, message };
    let bytes =
        system.read(path, MAX_SIZE).map_err(|error| refused(format!("cannot read {path}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| refused(format!("{path} is not UTF-8")))?;
    let mut config = parse(&text, path.parent().unwrap_or(path)).map_err(|problem| {
        let place = Some(problem.place(&text));
        Refused { path: path.to_owned(), place, message: problem.message }
    })?;
    config.baseline = config.baseline.map(|it| path.parent().unwrap_or(path).join(it));
    Ok(config)
}

/// Returns the configuration for untrusted trees, which is empty. Prints a note if a configuration is ignored.
pub(crate) fn passed_over(system: &dyn System, from: &Utf8Path) -> io::Result<Config> {
    if let Some(path) = nearest(system, from) {
        let text =
            format!("note: {path} is not read, because of `--untrusted`; `--config` names one that is");
        writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
    }
    Ok(Config::default())
}

/// Reads options from another source with the same names: an editor.
pub(crate) fn from_json(
    set: &serde_json::Map<String, serde_json::Value>,
    folder: &Utf8Path,
) -> Result<Config, String> {
    let text = toml::to_string(set).map_err(|error| error.to_string())?;
    let mut config = parse(&text, folder).map_err(|problem| {
        let before = text.get(..problem.offset).unwrap_or_default();
        let setting = before.rsplit('\n').next().and_then(|it| it.split_once(" =")).map(|it| it.0);
        setting.map_or(problem.message.clone(), |it| format!("`{it}`: {}", problem.message))
    })?;
    config.module_path = config.module_path.map(|path| {
        let absolute = |it: &str| match it.starts_with(['/', '$']) || it.is_empty() {
            true => it.to_owned(),
            false => folder.join(it).into_string(),
        };
        path.split(':').map(absolute).collect::<Vec<_>>().join(":")
    });
    Ok(config)
}

/// The error for a file that is not a valid configuration.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) path: Utf8PathBuf,
    /// The line and the column, from 1.
    pub(crate) place: Option<(u32, u32)>,
    pub(crate) message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, "{}:{line}:{column}: {}", self.path, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Config {
    /// Merges two configurations. This one takes precedence.
    pub(crate) fn over(self, other: Config) -> Config {
        Config {
            output_format: self.output_format.or(other.output_format),
            color: self.color.or(other.color),
            select: self.select.or(other.select),
            ignore: self.ignore.or(other.ignore),
            warn: self.warn.or(other.warn),
            error: self.error.or(other.error),
            folder: self.folder.or(other.folder),
            exclude: self.exclude.or(other.exclude),
            extend_exclude: other.extend_exclude.and(self.extend_exclude),
            // The last one wins.
            overrides: other.overrides.into_iter().chain(self.overrides).collect(),
            extends: other.extends,
            target_version: self.target_version.or(other.target_version),
            statistics: self.statistics.or(other.statistics),
            quiet: self.quiet.or(other.quiet),
            verbose: self.verbose.or(other.verbose),
            exit_zero: self.exit_zero.or(other.exit_zero),
            unsafe_fixes: self.unsafe_fixes.or(other.unsafe_fixes),
            baseline: self.baseline.or(other.baseline),
            no_ignore: self.no_ignore.or(other.no_ignore),
            tasks: self.tasks.or(other.tasks),
            max_file_size: self.max_file_size.or(other.max_file_size),
            dialect: self.dialect.or(other.dialect),
            module_path: self.module_path.or(other.module_path),
            threads: self.threads.or(other.threads),
            allow_empty: self.allow_empty.or(other.allow_empty),
            third_party: self.third_party.or(other.third_party),
            format: self.format.over(other.format),
            impact: self.impact.over(other.impact),
        }
    }
}

/// The nearest configuration at or above a path, also if it cannot be read: it is not passed over.
pub(crate) fn nearest(system: &dyn System, from: &Utf8Path) -> Option<Utf8PathBuf> {
    let from = system.absolute(from);
    let is_here = |it: &DirectoryEntry| it.name == FILE_NAME;
    // A link to nothing is only looked for here: the folders above are not listed.
    let is_dangling = |path: &Utf8Path| {
        path.parent() == Some(&from) && system.list(&from).is_ok_and(|it| it.iter().any(is_here))
    };
    let mut paths = from.ancestors().map(|folder| folder.join(FILE_NAME));
    paths.find(|path| system.metadata(path).is_ok() || is_dangling(path))
}

/// An error, with the byte offset at which it occurs.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    offset: usize,
    message: String,
}

impl Problem {
    /// The line and the column, from 1.
    fn place(&self, text: &str) -> (u32, u32) {
        place(text, self.offset)
    }
}

/// The line and the column of an offset, from 1.
fn place(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

pub(crate) fn parse(text: &str, folder: &Utf8Path) -> Result<Config, Problem> {
    let table = DeTable::parse(text).map_err(|error| Problem {
        offset: error.span().map_or(0, |span| span.start),
        message: error.message().to_owned(),
    })?;
    let mut config = Config::default();
    for (key, value) in table.get_ref() {
        let key: &Spanned<_> = key;
        match key.get_ref().as_ref() {
            "output-format" => config.output_format = Some(word(value)?),
            "color" => config.color = Some(word(value)?),
            "select" => config.select = Some(rules(value, Choice::Select)?),
            "ignore" => config.ignore = Some(rules(value, Choice::Ignore)?),
            "warn" => config.warn = Some(rules(value, Choice::Warn)?),
            "error" => config.error = Some(rules(value, Choice::Error)?),
            "exclude" => config.exclude = Some(paths(value, folder)?),
            "extend-exclude" => config.extend_exclude = paths(value, folder)?,
            "overrides" => config.overrides = overrides(value, folder)?,
            "extends" => {
                let place = place(text, value.span().start);
                config.extends = Some(Extended { path: word(value)?, place });
            }
            "target-version" => config.target_version = Some(word_or_number(value)?),
            "statistics" => config.statistics = Some(boolean(value)?),
            "quiet" => config.quiet = Some(boolean(value)?),
            "verbose" => config.verbose = Some(boolean(value)?),
            "allow-empty" => config.allow_empty = Some(boolean(value)?),
            "third-party" => config.third_party = Some(boolean(value)?),
            "exit-zero" => config.exit_zero = Some(boolean(value)?),
            "unsafe-fixes" => config.unsafe_fixes = Some(boolean(value)?),
            "baseline" => config.baseline = Some(word(value)?),
            "no-ignore" => config.no_ignore = Some(boolean(value)?),
            "tasks" => config.tasks = Some(boolean(value)?),
            "max-file-size" => config.max_file_size = Some(word_or_number(value)?),
            "dialect" => config.dialect = Some(dialect(value)?),
            "module-path" => config.module_path = Some(word(value)?),
            "threads" => config.threads = Some(number_within(value, 0..=u16::MAX)?),
            "format" => config.format = format(value)?,
            "impact" => config.impact = impact(value)?,
            unknown => {
                return Err(Problem { offset: key.span().start, message: unknown_key(unknown, &KEYS) });
            }
        }
    }
    Ok(config)
}

fn format(value: &Spanned<DeValue<'_>>) -> Result<FormatConfig, Problem> {
    let table = value.get_ref().as_table().ok_or_else(|| wrong(value, "a table is expected here"))?;
    let mut config = FormatConfig::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "line-width" => config.line_width = Some(number_within(value, 1..=u16::MAX)?),
            "indent-width" => config.indent_width = Some(number_within(value, 1..=16)?),
            "indent-style" => config.tabs = Some(is_tab(value)?),
            "line-ending" => config.line_ending = Some(word(value)?),
            unknown => {
                let message = unknown_key(unknown, &FORMAT_KEYS);
                return Err(Problem { offset: key.span().start, message });
            }
        }
    }
    Ok(config)
}

fn impact(value: &Spanned<DeValue<'_>>) -> Result<ImpactConfig, Problem> {
    let table = value.get_ref().as_table().ok_or_else(|| wrong(value, "a table is expected here"))?;
    let mut config = ImpactConfig::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "ignore" => config.ignore = Some(words(value)?),
            "ignore-tags" => config.ignore_tags = Some(words(value)?),
            "ignore-whitespace" => config.ignore_whitespace = Some(boolean(value)?),
            "ignore-array-order" => config.ignore_array_order = Some(boolean(value)?),
            unknown => {
                let message = unknown_key(unknown, &IMPACT_KEYS);
                return Err(Problem { offset: key.span().start, message });
            }
        }
    }
    Ok(config)
}

/// Reads the tables `[[overrides]]`.
fn overrides(value: &Spanned<DeValue<'_>>, folder: &Utf8Path) -> Result<Vec<Override>, Problem> {
    let expected = || wrong(value, "a list of tables is expected here");
    let mut overrides = Vec::new();
    for table in value.get_ref().as_array().ok_or_else(expected)? {
        let keys = table.get_ref().as_table().ok_or_else(|| wrong(table, "a table is expected here"))?;
        let (mut named, mut choices) = (None, Vec::new());
        for (key, value) in keys {
            let choice = match key.get_ref().as_ref() {
                "paths" => {
                    named = Some(paths(value, folder)?);
                    continue;
                }
                "ignore" => Choice::Ignore,
                "warn" => Choice::Warn,
                "error" => Choice::Error,
                unknown => {
                    let message = unknown_key(unknown, &OVERRIDE_KEYS);
                    return Err(Problem { offset: key.span().start, message });
                }
            };
            choices.extend(rules(value, choice)?.into_iter().map(|it| (choice, it)));
        }
        // As in the whole file: first what is ignored, then what is a warning, then what is an error.
        choices.sort_by_key(|(choice, _)| *choice as u8);
        let paths = named.ok_or_else(|| wrong(table, "`paths` is missing: it names the files"))?;
        overrides.push(Override { paths, choices });
    }
    Ok(overrides)
}

/// Patterns of paths below a folder.
fn paths(value: &Spanned<DeValue<'_>>, folder: &Utf8Path) -> Result<Paths, Problem> {
    let patterns = words(value)?;
    Paths::new(folder.as_str(), &patterns).map_err(|(index, message)| {
        let place = value.get_ref().as_array().and_then(|it| it.get(index)).unwrap_or(value);
        wrong(place, format!("this is not a pattern of paths: {message}"))
    })
}

fn is_tab(value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    match word::<String>(value)?.as_str() {
        "space" => Ok(false),
        "tab" => Ok(true),
        other => Err(wrong(value, format!("`{other}` is none of `space`, `tab`"))),
    }
}

fn number_within<T>(value: &Spanned<DeValue<'_>>, range: RangeInclusive<T>) -> Result<T, Problem>
where
    T: FromStr<Err: ToString> + PartialOrd + Display,
{
    let expected = || format!("a number from {} to {} is expected here", range.start(), range.end());
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().map_err(|_| wrong(value, expected()))?,
        _ => return Err(wrong(value, expected())),
    };
    if range.contains(&number) { Ok(number) } else { Err(wrong(value, expected())) }
}

fn unknown_key(key: &str, keys: &[&str]) -> String {
    let spelled = key.to_lowercase().replace('_', "-");
    let nearest = keys.iter().map(|known| (osa::distance(spelled.chars(), known.chars()), known)).min();
    match nearest {
        Some((distance, known)) if distance <= (key.chars().count() / 3).max(1) => {
            format!("there is no setting `{key}`; did you mean `{known}`?")
        }
        _ => format!("there is no setting `{key}`; there are {}", keys.join(", ")),
    }
}

fn wrong(value: &Spanned<DeValue<'_>>, message: impl ToString) -> Problem {
    Problem { offset: value.span().start, message: message.to_string() }
}

fn word<T: FromStr<Err: ToString>>(value: &Spanned<DeValue<'_>>) -> Result<T, Problem> {
    let text = value.get_ref().as_str().ok_or_else(|| wrong(value, "a string is expected here"))?;
    text.parse().map_err(|error: T::Err| wrong(value, error))
}

fn word_or_number<T: FromStr<Err: ToString>>(value: &Spanned<DeValue<'_>>) -> Result<T, Problem> {
    match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().map_err(|error: T::Err| wrong(value, error)),
        _ => word(value),
    }
}

fn dialect(value: &Spanned<DeValue<'_>>) -> Result<&'static str, Problem> {
    let known = |name: &str| Dialect::by_name(name).map(|it| it.name);
    let names = || Dialect::all().map(|it| format!("`{}`", it.name)).join(", ");
    let name: String = word(value)?;
    known(&name).ok_or_else(|| wrong(value, format!("there is no dialect `{name}`; there are {}", names())))
}

fn words(value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Problem> {
    let list =
        value.get_ref().as_array().ok_or_else(|| wrong(value, "a list of strings is expected here"))?;
    list.iter().map(word).collect()
}

/// Names of rules and of sets of rules, and patterns.
fn rules(value: &Spanned<DeValue<'_>>, choice: Choice) -> Result<Vec<String>, Problem> {
    let names = words(value)?;
    for (place, name) in value.get_ref().as_array().into_iter().flatten().zip(&names) {
        Settings::new([(choice, name.as_str())]).map_err(|error| wrong(place, error))?;
    }
    Ok(names)
}

fn boolean(value: &Spanned<DeValue<'_>>) -> Result<bool, Problem> {
    value.get_ref().as_bool().ok_or_else(|| wrong(value, "`true` or `false` is expected here"))
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn parsed(text: &str) -> Result<Config, Problem> {
        parse(text, Utf8Path::new("/a"))
    }

    fn problem(text: &str) -> String {
        let problem = parsed(text).unwrap_err();
        let place = Some(problem.place(text));
        Refused { path: "m.toml".into(), place, message: problem.message }.to_string()
    }

    #[test]
    fn options_have_the_names_of_the_flags() {
        let config =
            parsed("output-format = 'json'\nwarn = ['style', 'tree']\ntasks = true\nmax-file-size = '1k'\n")
                .unwrap();
        let expected = Config {
            output_format: Some(Format::Json),
            warn: Some(vec!["style".to_owned(), "tree".to_owned()]),
            tasks: Some(true),
            max_file_size: Some(Size(1024)),
            ..Config::default()
        };
        assert_eq!(config, expected);
        assert_eq!(parsed("max-file-size = 99\nthreads = 2").unwrap().max_file_size, Some(Size(99)));
    }

    #[test]
    fn every_key_is_known_to_the_parser() {
        for key in KEYS {
            let known = |value: &str| parsed(&format!("{key} = {value}")).is_ok();
            assert!(
                ["true", "[]", "{}", "1", "8", "'always'", "'json'", "'spec'"].into_iter().any(known),
                "{key}"
            );
        }
    }

    #[test]
    fn the_layout_has_a_table_of_its_own() {
        let config =
            parsed("[format]\nline-width = 100\nindent-style = 'tab'\nline-ending = 'lf'\n").unwrap();
        let ending = Some(Ending(LineEnding::Lf));
        let expected =
            FormatConfig { line_width: Some(100), indent_width: None, tabs: Some(true), line_ending: ending };
        assert_eq!(config.format, expected);
        assert_eq!(
            problem("[format]\nindent-width = 0"),
            "m.toml:2:16: a number from 1 to 16 is expected here"
        );
        assert_eq!(
            problem("[format]\nline_width = 9"),
            "m.toml:2:1: there is no setting `line_width`; did you mean `line-width`?"
        );
        assert_eq!(problem("format = 1"), "m.toml:1:10: a table is expected here");
    }

    #[test]
    fn files_are_excluded_and_judged_apart() {
        let config = parsed(
            "exclude = ['vendor']\n[[overrides]]\npaths = ['spec/**']\nerror = ['tree']\nignore = ['all']\n",
        );
        let config = config.unwrap();
        assert!(config.exclude.unwrap().contains("/a/x/vendor/y.pp"));
        let choices = vec![(Choice::Ignore, "all".to_owned()), (Choice::Error, "tree".to_owned())];
        assert_eq!(config.overrides[0].choices, choices);
        assert!(config.overrides[0].paths.contains("/a/spec/b.pp"));
        let message = "m.toml:1:17: this is not a pattern of paths: ";
        assert!(problem("exclude = ['a', '[']").starts_with(message), "{}", problem("exclude = ['a', '[']"));
        assert_eq!(
            problem("[[overrides]]\npath = []"),
            "m.toml:2:1: there is no setting `path`; did you mean `paths`?"
        );
        assert_eq!(
            problem("overrides = [{ warn = ['all'] }]"),
            "m.toml:1:14: `paths` is missing: it names the files"
        );
        assert_eq!(problem("overrides = 1"), "m.toml:1:13: a list of tables is expected here");
    }

    #[test]
    fn a_configuration_extends_another() {
        let system = MemorySystem::with_files([
            ("/marotte.toml", "quiet = true\nwarn = ['style']\nextend-exclude = ['x']\n"),
            ("/a/marotte.toml", "extends = '../marotte.toml'\nwarn = ['tree']\nextend-exclude = ['y']\n"),
            ("/b/marotte.toml", "quiet = true\nextends = 'marotte.toml'\n"),
            ("/c/marotte.toml", "extends = 'other.toml'\n"),
            ("/d/marotte.toml", "extends = 'one.toml'\n"),
            ("/d/one.toml", "quiet = true\n\nextends = 'two.toml'\n"),
            ("/d/two.toml", "extends = 'one.toml'\n"),
            ("/e/marotte.toml", "extends = 'one.toml'\n"),
            ("/f/marotte.toml", "extends = '../marotte.toml'\nwarn = []\n"),
            ("/e/one.toml", "tasks = 1\n"),
        ]);
        let config = load(&system, None, "/a".into()).unwrap();
        assert_eq!((config.quiet, config.warn), (Some(true), Some(vec!["tree".to_owned()])));
        assert!(config.extend_exclude.contains("/x/1.pp") && config.extend_exclude.contains("/a/y"));
        assert!(!config.extend_exclude.contains("/y"));
        // An empty list replaces a list.
        assert_eq!(load(&system, None, "/f".into()).unwrap().warn, Some(vec![]));
        let refused = |from: &str| load(&system, None, from.into()).unwrap_err().to_string();
        assert_eq!(
            refused("/b"),
            "/b/marotte.toml:2:11: more than 8 configurations extend each other, or one extends itself"
        );
        assert!(
            refused("/c").starts_with("/c/marotte.toml:1:11: cannot read /c/other.toml: "),
            "{}",
            refused("/c")
        );
        assert!(refused("/d").contains("one extends itself"), "{}", refused("/d"));
        assert!(refused("/d").starts_with("/d/two.toml:1:11: "), "{}", refused("/d"));
        assert_eq!(refused("/e"), "/e/one.toml:1:9: `true` or `false` is expected here");
    }

    #[test]
    fn an_unknown_key_is_located_and_the_nearest_one_named() {
        let text = "color = 'auto'\n  exit_zero = true\n";
        assert_eq!(problem(text), "m.toml:2:3: there is no setting `exit_zero`; did you mean `exit-zero`?");
        assert!(
            problem("zzz = 1").starts_with("m.toml:1:1: there is no setting `zzz`; there are output-format,")
        );
    }

    #[test]
    fn a_wrong_value_is_located() {
        for value in ["'4'", "-1", "65536", "1.5"] {
            let message = "m.toml:1:11: a number from 0 to 65535 is expected here";
            assert_eq!(problem(&format!("threads = {value}")), message);
        }
        assert_eq!(problem("tasks = 1"), "m.toml:1:9: `true` or `false` is expected here");
        assert_eq!(problem("warn = 'a'"), "m.toml:1:8: a list of strings is expected here");
        assert_eq!(problem("warn = ['a', 1]"), "m.toml:1:14: a string is expected here");
        assert_eq!(problem("color = 'red'"), "m.toml:1:9: `red` is none of `auto`, `always`, `never`");
    }

    #[test]
    fn a_rule_that_does_not_exist_is_located() {
        for key in ["select", "ignore", "warn", "error"] {
            let message = problem(&format!("quiet = true\n{key} = [\n  'style',\n  'nosuch-rule',\n]\n"));
            assert_eq!(message, "m.toml:4:3: there is no rule `nosuch-rule`");
        }
        assert_eq!(
            problem("warn = ['duplicat-key']"),
            "m.toml:1:9: there is no rule `duplicat-key`; did you mean `duplicate-key`?"
        );
        assert_eq!(problem("warn = ['zzz-*']"), "m.toml:1:9: no rule fits `zzz-*`");
        assert_eq!(
            problem("[[overrides]]\npaths = ['a']\nerror = ['nosuch-rule']\n"),
            "m.toml:3:10: there is no rule `nosuch-rule`"
        );
        assert_eq!(
            problem("ignore = ['unreadable-file']"),
            "m.toml:1:11: `unreadable-file` cannot be ignored: it reports that something was not checked"
        );
    }

    #[test]
    fn the_nearest_file_is_found_upward() {
        let system = MemorySystem::with_files([
            ("/marotte.toml", "quiet = true"),
            ("/a/marotte.toml", "quiet = false"),
            ("/a/b/x.pp", ""),
            ("/c/x.pp", ""),
        ]);
        let quiet = |from: &str| load(&system, None, from.into()).unwrap().quiet;
        assert_eq!(quiet("/a/b/x.pp"), Some(false));
        assert_eq!(quiet("c"), Some(true));
        assert_eq!(load(&system, Some("marotte.toml".into()), "/a".into()).unwrap().quiet, Some(true));
        assert!(load(&system, Some("other.toml".into()), "/a".into()).is_err());
    }
}
