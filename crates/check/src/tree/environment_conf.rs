//! `invalid-environment-conf`: lines and settings of an `environment.conf` that Puppet refuses or ignores
//! (`Puppet::Settings::EnvironmentConf`), and paths in it that lead nowhere.

use std::collections::BTreeMap;

use camino::Utf8Path;
use marotte_db::{Db, File, listing, source_text};
use marotte_diagnostics::{Diagnostic, Level, Related, rules};
use marotte_resolve::environment_conf::{ENVIRONMENT_FILE, LineKind, SETTINGS, Setting, lines};
use marotte_resolve::spelling::{nearest, slip};
use marotte_text::{TextRange, TextSize};

/// The settings of Puppet that values of an `environment.conf` refer to, as `$name`.
const REFERENCES: [&str; 8] = [
    "basemodulepath",
    "codedir",
    "confdir",
    "environment",
    "environmentpath",
    "modulepath",
    "ssldir",
    "vardir",
];

/// Returns the errors in an `environment.conf`; none for other files.
pub fn check_environment_conf(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let path = file.path(db);
    let source = source_text(db, file);
    let Some(root) = path.parent().filter(|_| path.file_name() == Some(ENVIRONMENT_FILE)) else {
        return Vec::new();
    };
    if source.error().is_some() {
        return Vec::new();
    }
    let mut configuration = Configuration { db, file, root, findings: Vec::new() };
    let mut known: BTreeMap<&str, TextRange> = BTreeMap::new();
    for line in lines(source.text()) {
        match line.kind {
            LineKind::Invalid => configuration.invalid(line.range, &source.text()[line.range]),
            LineKind::Section("main") => {}
            LineKind::Section(name) => {
                let message = format!("Puppet ignores the settings of section `{name}`");
                configuration.report(Level::Warning, line.range, message, "only `main` is read");
            }
            LineKind::Setting(setting) if setting.is_main => {
                if let Some(first) = known.get(setting.name) {
                    configuration.repeated(&setting, *first);
                } else {
                    known.insert(setting.name, setting.name_range);
                    configuration.setting(&setting);
                }
            }
            LineKind::Setting(_) => {}
        }
    }
    configuration.findings
}

/// The usual names of folders with modules.
const USUAL_FOLDERS: [&str; 3] = ["modules", "site-modules", "thirdparty"];

struct Configuration<'db> {
    db: &'db dyn Db,
    file: File,
    /// The folder of the environment.
    root: &'db Utf8Path,
    findings: Vec<Diagnostic>,
}

impl Configuration<'_> {
    fn report(&mut self, level: Level, range: TextRange, message: String, label: &str) {
        let rule = rules::INVALID_ENVIRONMENT_CONF;
        let mut finding = Diagnostic::new(rule, level, self.file.id(self.db), range, message);
        finding.label = Some(label.to_owned());
        self.findings.push(finding);
    }

    fn note(&mut self, note: &str) {
        if let Some(finding) = self.findings.last_mut() {
            finding.notes.push(note.to_owned());
        }
    }

    /// Reports a line that Puppet cannot read.
    fn invalid(&mut self, range: TextRange, line: &str) {
        let message = "this line is neither a setting nor a section nor a comment".to_owned();
        let label = if line.starts_with([';', '/']) {
            "a comment starts with `#`"
        } else {
            "expected `name = value`"
        };
        self.report(Level::Error, range, message, label);
        self.note("Puppet refuses the environment because of such a line");
    }

    fn repeated(&mut self, setting: &Setting<'_>, first: TextRange) {
        let message = format!("`{}` is set twice, and Puppet takes the first value", setting.name);
        self.report(Level::Warning, setting.name_range, message, "ignored");
        let file = self.file.id(self.db);
        if let Some(finding) = self.findings.last_mut() {
            finding.related.push(Related { file, range: first, message: "set here first".to_owned() });
        }
    }

    fn setting(&mut self, setting: &Setting<'_>) {
        match setting.name {
            "modulepath" => self.module_path(setting),
            "manifest" => self.manifest(setting),
            "environment_timeout" if !is_duration(setting.value) => {
                let message =
                    "`environment_timeout` is `unlimited` or a number with `s`, `m`, `h`, `d` or `y`"
                        .to_owned();
                self.report(Level::Error, setting.value_range, message, "not a duration");
                self.note("Puppet refuses the environment because of it");
            }
            name if !SETTINGS.iter().any(|it| it.0 == name) => {
                let message = format!("an `{ENVIRONMENT_FILE}` has no setting `{name}`");
                let meant = nearest(name, SETTINGS.iter().map(|it| it.0));
                let label = meant.map_or_else(|| "ignored".to_owned(), |it| format!("did you mean `{it}`?"));
                self.report(Level::Warning, setting.name_range, message, &label);
                self.note("Puppet ignores it, with a warning in the log of the server");
                return;
            }
            _ => {}
        }
        self.references(setting);
        self.file_options(setting);
    }

    /// Reports `$name` where Puppet has no such setting.
    fn references(&mut self, setting: &Setting<'_>) {
        for (at, _) in setting.value.match_indices('$') {
            let rest = &setting.value[at + 1..];
            let end = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(rest.len());
            let name = &rest[..end];
            if REFERENCES.contains(&name) {
                continue;
            }
            // Puppet has hundreds of settings, of which others make sense in few places.
            let Some(meant) = nearest(name, REFERENCES) else { continue };
            let range = part(setting, at, 1 + end);
            let message = format!("Puppet has no setting `{name}`");
            self.report(Level::Error, range, message, &format!("did you mean `${meant}`?"));
            self.note("Puppet refuses the environment because of it");
        }
    }

    /// Reports braces, in which Puppet expects the owner, the group or the mode of a file.
    fn file_options(&mut self, setting: &Setting<'_>) {
        let Some(start) = setting.value.find('{') else { return };
        let Some(length) = setting.value[start..].find('}').filter(|it| *it > 1) else { return };
        let inner = &setting.value[start + 1..start + length];
        let is_option = |it: &str| {
            it.split_once('=').is_some_and(|(name, value)| {
                matches!(name.trim(), "owner" | "group" | "mode")
                    && !value.trim().is_empty()
                    && value.trim().chars().all(|it| it.is_alphanumeric() || it == '_')
            })
        };
        if inner.split(',').all(is_option) {
            return;
        }
        let range = part(setting, start, length + 1);
        let message = "Puppet takes braces in a setting for the owner, group or mode of a file".to_owned();
        let label = if setting.value[..start].ends_with('$') { "write `$name`" } else { "not an option" };
        self.report(Level::Error, range, message, label);
        self.note("Puppet refuses the environment because of them");
    }

    /// Reports the folders of modules that do not exist, if one with a similar name has modules.
    fn module_path(&mut self, setting: &Setting<'_>) {
        /// The number of folders that are looked at.
        const MOST: usize = 100;
        let parts: Vec<&str> = setting.value.split(':').take(MOST).collect();
        let mut at = 0;
        for written in &parts {
            let (start, length) = (at, written.len());
            at += length + 1;
            let meant = self.near_path(written.trim(), |folder, name, is_directory| {
                is_directory && !parts.contains(&name) && self.has_modules(&folder.join(name))
            });
            // What r10k installs is not in the repository.
            let meant = meant.or_else(|| {
                let is_absent = |it: &str| {
                    let entries = listing(self.db, self.db.files().file(self.db, self.root));
                    entries.iter().all(|entry| entry.name != it)
                };
                let is_singular = |it: &&str| it.strip_suffix('s') == Some(written.trim());
                let usual = slip(written.trim(), USUAL_FOLDERS)
                    .or_else(|| USUAL_FOLDERS.into_iter().find(is_singular))?;
                (is_absent(written.trim()) && !parts.iter().any(|it| it.trim() == usual))
                    .then(|| usual.to_owned())
            });
            if let Some(meant) = meant {
                self.missing(part(setting, start, length), "folder", written.trim(), &meant);
            }
        }
    }

    fn manifest(&mut self, setting: &Setting<'_>) {
        let is_manifest =
            |_: &Utf8Path, name: &str, is_directory: bool| is_directory || name.ends_with(".pp");
        if let Some(meant) = self.near_path(setting.value, is_manifest) {
            let range = setting.value_range;
            self.missing(range, "file or folder", setting.value, &meant);
        }
    }

    fn missing(&mut self, range: TextRange, what: &str, written: &str, meant: &str) {
        let message = format!("the environment has no {what} `{written}`");
        self.report(Level::Warning, range, message, &format!("did you mean `{meant}`?"));
    }

    /// The path that a relative path means that leads nowhere: its first missing part is replaced by the closest name that `may_be`
    /// accepts, given its folder and whether it is a folder itself.
    fn near_path(&self, path: &str, may_be: impl Fn(&Utf8Path, &str, bool) -> bool) -> Option<String> {
        let is_plain =
            !path.is_empty() && !path.starts_with('/') && !path.contains(['$', '*', '?', '[', '{', '\\']);
        if !is_plain {
            return None;
        }
        let mut folder = self.root.to_owned();
        let mut before: Vec<&str> = Vec::new();
        for name in path.split('/').filter(|it| !matches!(*it, "" | ".")) {
            if name == ".." {
                return None;
            }
            let entries = listing(self.db, self.db.files().file(self.db, &folder));
            if !entries.iter().any(|it| it.name == name) {
                let near = entries.iter().filter(|it| may_be(&folder, &it.name, it.is_directory));
                before.push(nearest(name, near.map(|it| it.name.as_str()))?);
                return Some(before.join("/"));
            }
            before.push(name);
            folder.push(name);
        }
        None
    }

    /// Whether a folder has modules, judging by the names of what is in its subfolders.
    fn has_modules(&self, folder: &Utf8Path) -> bool {
        /// The number of subfolders that are looked at.
        const MOST: usize = 20;
        const OF_MODULES: [&str; 6] = ["manifests", "lib", "functions", "types", "tasks", "metadata.json"];
        let entries = |folder: &Utf8Path| listing(self.db, self.db.files().file(self.db, folder));
        let folders = entries(folder).iter().filter(|it| it.is_directory).take(MOST);
        folders.into_iter().any(|it| {
            let inner = entries(&folder.join(&it.name));
            inner.iter().any(|it| OF_MODULES.contains(&it.name.as_str()))
        })
    }
}

/// The range of a part of a setting's value.
fn part(setting: &Setting<'_>, at: usize, length: usize) -> TextRange {
    let value = setting.value;
    TextRange::at(
        setting.value_range.start() + TextSize::of(&value[..at]),
        TextSize::of(&value[at..at + length]),
    )
}

/// Whether a text is a time to live (`Puppet::Settings::TTLSetting`).
fn is_duration(value: &str) -> bool {
    let number = value.strip_suffix(['y', 'd', 'h', 'm', 's']).unwrap_or(value);
    value == "unlimited" || !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
}
