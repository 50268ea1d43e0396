//! `invalid-metadata` and `metadata-field`: fields of a module's `metadata.json` without which Puppet does not load the module
//! (`Puppet::Module#load_metadata`), and those that the Forge refuses (`Puppet::ModuleTool::Metadata`).

use std::sync::LazyLock;

use camino::Utf8Path;
use marotte_db::{Db, File, module_file, source_text};
use marotte_diagnostics::{Diagnostic, FileId, Level, rules};
use marotte_hiera::data::{Inner, Places, Step, parse_json};
use marotte_pcore::semver::{SemVer, SemVerRange};
use marotte_pcore::value::Value;
use marotte_resolve::spelling::near;
use marotte_text::{Str, TextRange};
use regex::Regex;

/// The fields that Puppet needs.
const NEEDED: [&str; 5] = ["source", "author", "version", "license", "dependencies"];

/// The fields of a module's metadata that Puppet, the Forge and the PDK know.
const FIELDS: [&str; 20] = [
    "author",
    "checksums",
    "data_provider",
    "dependencies",
    "description",
    "issues_url",
    "license",
    "name",
    "operatingsystem_support",
    "pdk-version",
    "project_page",
    "requirements",
    "source",
    "summary",
    "tags",
    "template-ref",
    "template-url",
    "types",
    "version",
    "version_requirement",
];

/// The fields of a dependency, and of a requirement.
const OF_DEPENDENCIES: [&str; 4] = ["name", "repository", "version_range", "version_requirement"];

/// The fields of a supported operating system.
const OF_SYSTEMS: [&str; 2] = ["operatingsystem", "operatingsystemrelease"];

/// Returns the errors in the fields of a module's metadata; none for other files.
pub fn check_metadata(db: &dyn Db, file: File) -> Vec<Diagnostic> {
    let is_metadata = module_file(db, file).is_some_and(|it| it.path == Utf8Path::new("metadata.json"));
    let source = source_text(db, file);
    if !is_metadata || source.error().is_some() {
        return Vec::new();
    }
    let module = module_file(db, file).map(|it| it.module.clone()).unwrap_or_default();
    let mut fields = Fields { file: file.id(db), module, findings: Vec::new() };
    // What isn't a JSON object is reported as such.
    let Ok(document) = parse_json(source.text()) else { return Vec::new() };
    // Without any field, it counts as missing.
    if document.entries().is_none_or(|mut it| it.next().is_none()) {
        return Vec::new();
    }
    let field = |name: &str| {
        let found = Step::Key(name.into()).lead(&document.value, &document.places);
        found.filter(|(value, _)| **value != Value::Undef)
    };
    let start = TextRange::at(document.places.range.start(), 1.into());
    let misspelled = fields.misspelled(&document.value, &document.places, &FIELDS);
    fields.needed(start, |name| field(name).is_some() || misspelled.contains(&name));
    if !misspelled.contains(&"name") {
        fields.name(start, field("name"));
    }
    if let Some((version, places)) = field("version") {
        fields.version(version, places);
    }
    if let Some((dependencies, places)) = field("dependencies") {
        fields.dependencies(dependencies, places);
    }
    if let Some((requirements, places)) = field("requirements") {
        fields.requirements(requirements, places);
    }
    if let Some((Value::Array(systems), places)) = field("operatingsystem_support")
        && let Inner::Elements(inner) = &places.inner
    {
        for (system, places) in systems.iter().zip(inner.iter()) {
            fields.misspelled(system, places, &OF_SYSTEMS);
        }
    }
    fields.findings
}

struct Fields {
    file: FileId,
    /// The name of the module's folder.
    module: Str,
    findings: Vec<Diagnostic>,
}

impl Fields {
    /// Puppet leaves out the module, or fails.
    fn error(&mut self, range: TextRange, message: impl Into<String>, note: &str) {
        let finding = Diagnostic::new(rules::METADATA_FIELD, Level::Error, self.file, range, message.into());
        self.findings.push(finding);
        if let Some(finding) = self.findings.last_mut() {
            finding.notes.push(note.to_owned());
        }
    }

    /// Only tools for modules refuse it.
    fn warning(&mut self, range: TextRange, message: impl Into<String>, label: &str) {
        let mut finding =
            Diagnostic::new(rules::METADATA_FIELD, Level::Warning, self.file, range, message.into());
        finding.label = Some(label.to_owned());
        self.findings.push(finding);
    }

    fn needed(&mut self, start: TextRange, has: impl Fn(&str) -> bool) {
        let missing: Vec<String> = NEEDED.iter().filter(|it| !has(it)).map(|it| format!("`{it}`")).collect();
        let (Some(last), rest) = (missing.last(), &missing[..missing.len().saturating_sub(1)]) else {
            return;
        };
        let names = match rest {
            [] => last.clone(),
            _ => format!("{} and {last}", rest.join(", ")),
        };
        let note = "Puppet does not load such a module: none of its classes can be found";
        self.error(start, format!("the metadata of the module have no {names}"), note);
    }

    /// Reports the keys of an object that are not among the known fields, but close to one that the object lacks. Returns these fields.
    fn misspelled(
        &mut self,
        object: &Value,
        places: &Places,
        known: &'static [&'static str],
    ) -> Vec<&'static str> {
        let mut found = Vec::new();
        let missing: Vec<&str> =
            known.iter().copied().filter(|it| places.key(object, it).is_none()).collect();
        for (key, at, ..) in places.entries(object).into_iter().flatten() {
            let Some(name) = key.as_str().filter(|it| !known.contains(it)) else { continue };
            let Some(meant) = near(name, missing.iter().copied()) else { continue };
            let message = format!("the metadata of a module have no field `{name}`");
            self.warning(at, message, &format!("did you mean `{meant}`?"));
            if NEEDED.contains(&meant)
                && let Some(finding) = self.findings.last_mut()
            {
                finding.level = Level::Error;
                finding.notes.push(format!("without `{meant}`, Puppet does not load the module"));
            }
            found.push(meant);
        }
        found
    }

    fn name(&mut self, start: TextRange, name: Option<(&Value, &Places)>) {
        match name {
            None => self.warning(start, "the metadata of the module have no `name`", "no `name`"),
            // A module of a site has no author, and never gets to the Forge.
            Some((Value::String(name), _)) if *name == self.module => {}
            Some((Value::String(name), places)) => {
                self.full_name("the name of a module", name, places.range);
                self.folder(name, places.range);
            }
            Some((_, places)) => {
                self.error(
                    places.range,
                    "the name of a module is a string",
                    "Puppet fails as soon as it reads it",
                );
            }
        }
    }

    /// Puppet goes by the name of the folder, whatever the metadata say.
    fn folder(&mut self, name: &str, range: TextRange) {
        let Some((_, own)) = name.split_once(['-', '/']) else { return };
        let own = own.to_lowercase();
        if !own.is_empty() && own != self.module.as_str() && !self.module.contains('-') {
            let message =
                format!("the folder of this module is `{}`, and its metadata name it `{own}`", self.module);
            self.warning(range, message, "Puppet goes by the name of the folder");
        }
    }

    /// A name of a module with its author.
    fn full_name(&mut self, subject: &str, name: &str, range: TextRange) {
        static NAME: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"(?i)\A[a-z0-9]+[-/][a-z][a-z0-9_]*\z").ok());
        if NAME.as_ref().is_none_or(|it| it.is_match(name)) {
            return;
        }
        let message = format!("{subject} is written as `author-module`, and this is `{name}`");
        self.warning(range, message, "not a full name");
    }

    fn version(&mut self, version: &Value, places: &Places) {
        let is_valid = version.as_str().is_some_and(|it| SemVer::parse(it).is_ok());
        if !is_valid {
            self.warning(
                places.range,
                "the version of a module has three numbers, such as `1.2.0`",
                "not a semantic version",
            );
        }
    }

    fn dependencies(&mut self, dependencies: &Value, places: &Places) {
        let (Value::Array(dependencies), Inner::Elements(inner)) = (dependencies, &places.inner) else {
            let is_empty = matches!(dependencies, Value::Array(_));
            if !is_empty {
                let note = "Puppet does not load such a module: none of its classes can be found";
                self.error(places.range, "the dependencies of a module are an array", note);
            }
            return;
        };
        for (dependency, places) in dependencies.iter().zip(inner.iter()) {
            self.dependency(dependency, places);
        }
    }

    fn dependency(&mut self, dependency: &Value, places: &Places) {
        if !matches!(dependency, Value::Hash(_)) {
            let message = "a dependency is an object with `name` and `version_requirement`";
            return self.error(places.range, message, "Puppet fails as soon as it reads it");
        }
        let field = |name: &str| {
            let found = Step::Key(name.into()).lead(dependency, places);
            found.filter(|(value, _)| **value != Value::Undef)
        };
        let misspelled = self.misspelled(dependency, places, &OF_DEPENDENCIES);
        match field("name") {
            Some((Value::String(name), places)) => self.full_name("a dependency", name, places.range),
            Some((_, places)) => {
                self.error(
                    places.range,
                    "the name of a dependency is a string",
                    "Puppet fails as soon as it reads it",
                );
            }
            None if misspelled.contains(&"name") => {}
            None => {
                let note =
                    "Puppet fails as soon as the module calls a function or uses a type of another module";
                self.error(places.range, "this dependency has no `name`", note);
            }
        }
        if let Some((requirement, places)) = field("version_requirement") {
            self.version_requirement(requirement, places);
        }
    }

    /// What Puppet itself must be.
    fn requirements(&mut self, requirements: &Value, places: &Places) {
        let (Value::Array(all), Inner::Elements(inner)) = (requirements, &places.inner) else { return };
        for (requirement, places) in all.iter().zip(inner.iter()) {
            self.misspelled(requirement, places, &OF_DEPENDENCIES);
            let found = Step::Key("version_requirement".into()).lead(requirement, places);
            if let Some((range, places)) = found.filter(|(value, _)| **value != Value::Undef) {
                self.version_requirement(range, places);
            }
        }
    }

    fn version_requirement(&mut self, requirement: &Value, places: &Places) {
        let text = requirement.as_str();
        match text.map(SemVerRange::parse) {
            Some(Ok(range)) if range.is_empty() && text.is_some_and(|it| !it.trim().is_empty()) => self
                .warning(
                    places.range,
                    "no version meets this requirement: its bounds contradict each other",
                    "an empty range",
                ),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => self.warning(
                places.range,
                "a version requirement is a range of versions, such as `>= 1.2.0 < 2.0.0`",
                "not a range of versions",
            ),
        }
    }
}
