use marotte_pcore::dialect::Dialect;

/// A control repository with one node, and its catalog as compiled by the reference.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// The first line of the scenario in the chapter, from 1.
    pub line: usize,
    /// Files by their paths in the environment.
    pub files: Vec<(String, String)>,
    /// The facts, as YAML.
    pub facts: Option<String>,
    /// The answer of a node classifier, as YAML.
    pub classification: Option<String>,
    /// The dialect of the manifests, if it isn't that of the reference.
    pub dialect: Option<&'static Dialect>,
    /// The settings: `strict`, `strict_variables`.
    pub settings: Vec<(String, String)>,
    /// The recorded answer of the reference.
    pub recorded: Option<String>,
    /// Whether it contains all faults, rather than the first one.
    pub all_faults: bool,
    /// The different answer of marotte, with the reason.
    pub differs: Option<String>,
    /// The answer of marotte, if Ruby computes a part of the recorded one.
    pub without_ruby: Option<String>,
}

/// Returns the scenarios of a chapter.
pub fn scenarios(text: &str) -> Vec<Scenario> {
    let mut all: Vec<Scenario> = Vec::new();
    let mut settings = Vec::new();
    let mut open = false;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(list) = line.strip_prefix("<!-- settings: ").and_then(|it| it.strip_suffix(" -->")) {
            let pairs = list.split(',').filter_map(|it| it.trim().split_once('='));
            settings = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        }
        if let Some(own) = line.strip_prefix("⚑ ") {
            if let Some(last) = all.last_mut() {
                last.differs = Some(own.to_owned());
            }
            continue;
        }
        if line == "<!-- same repository -->"
            && let Some(last) = all.last()
        {
            open = true;
            let (files, facts) = (last.files.clone(), last.facts.clone());
            let classification = last.classification.clone();
            let settings = settings.clone();
            all.push(Scenario {
                line: index + 1,
                files,
                facts,
                classification,
                settings,
                ..Scenario::default()
            });
            continue;
        }
        let Some(info) = line.strip_prefix("```").filter(|it| !it.is_empty()) else { continue };
        if info == "rows" {
            let rows = lines.by_ref().take_while(|(_, line)| *line != "```");
            let rows = rows.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            all.extend(rows.map(|(index, line)| row(index + 1, line, &settings)));
            continue;
        }
        let body: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|it| *it != "```").collect();
        let body = body.join("\n");
        if !open && info != "without-ruby" {
            open = true;
            all.push(Scenario { line: index + 1, settings: settings.clone(), ..Scenario::default() });
        }
        let Some(scenario) = all.last_mut() else { continue };
        match info.split_once(' ').unwrap_or((info, "manifests/site.pp")) {
            ("facts", _) => scenario.facts = Some(body),
            ("classification", _) => scenario.classification = Some(body),
            (kind @ ("catalog" | "faults"), _) => {
                scenario.recorded = Some(body);
                scenario.all_faults = kind == "faults";
                open = false;
            }
            ("without-ruby", _) => {
                scenario.without_ruby = Some(body);
                open = false;
            }
            (_, path) => {
                scenario.files.retain(|(known, _)| known != path);
                scenario.files.push((path.to_owned(), body + "\n"));
            }
        }
    }
    all
}

/// Parses a line with a manifest and its answer.
fn row(line: usize, text: &str, settings: &[(String, String)]) -> Scenario {
    let (text, differs) = match text.rsplit_once(" ⚑ ") {
        Some((text, own)) => (text, Some(own.to_owned())),
        None => (text, None),
    };
    let (manifest, recorded) = match text.rsplit_once(" → ") {
        Some((manifest, recorded)) => (manifest, Some(recorded.replace(" · ", "\n"))),
        None => (text, None),
    };
    let settings = settings.to_vec();
    Scenario { line, settings, recorded, differs, ..Scenario::of(manifest) }
}

impl Scenario {
    /// A scenario with only a main manifest; `⏎` is the end of a line.
    pub fn of(manifest: &str) -> Scenario {
        let site = ("manifests/site.pp".to_owned(), manifest.replace('⏎', "\n") + "\n");
        Scenario { files: vec![site], ..Scenario::default() }
    }

    /// Returns the answer that marotte must give.
    pub fn expected(&self) -> Option<String> {
        if self.without_ruby.is_some() {
            return self.without_ruby.clone();
        }
        match &self.differs {
            Some(own) => own.rsplit_once(" — because ").map(|(result, _)| result.replace(" ⏎ ", "\n")),
            None => self.recorded.clone(),
        }
    }
}
