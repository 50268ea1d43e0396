use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::MemorySystem;
use marotte_eval::{Effect, Interpreter, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_host::{CodeTree, EvaluationContext, Facts, LookupOptions, NodeInput, Policy, run_lookup};
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::literal;
use marotte_project::ProjectDatabase;
use marotte_syntax::{Mode, parse};

use super::Section;
use crate::programs::Program;

/// The path of a section's repository.
const ROOT: &str = "/repo";

impl Section {
    fn context(&self, facts: &str) -> EvaluationContext {
        let path = format!("{ROOT}/facts.json");
        let files =
            self.files.iter().map(|(path, text)| (format!("{ROOT}/{path}"), text.replace("‹repo›", ROOT)));
        let all: Vec<(String, String)> = files.chain([(path.clone(), facts.to_owned())]).collect();
        let system = MemorySystem::with_files(all.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let mut facts = Facts::read(&system, Utf8Path::new(&path)).unwrap_or_default();
        facts.name = Some("node.example.com".into());
        let db = ProjectDatabase::frozen(Arc::new(system));
        let tree = CodeTree {
            module_path: vec![format!("{ROOT}/production/modules").into()],
            environment: Some(format!("{ROOT}/production").into()),
        };
        let config = format!("{ROOT}/global/hiera.yaml");
        EvaluationContext::new(db, tree, NodeInput::new(facts))
            .with_policy(Policy { hiera_config: Some(config.into()), ..Policy::default() })
    }
}

fn settings(program: &Program) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in &program.settings {
        match (&**name, &**value) {
            ("strict", "off") => settings.strict = Strictness::Off,
            ("strict", "warning") => settings.strict = Strictness::Warning,
            _ => {}
        }
    }
    settings
}

/// Returns the log and the result of a program.
pub fn result(section: &Section, facts: &str, program: &Program) -> String {
    let context = section.context(facts);
    let parsed = parse(&program.source, Mode::default());
    if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
        return "✗ refused when it is read".to_owned();
    }
    let lowered = Arc::new(lower(&parsed.program));
    let source = UnitSource::Text("program".into(), program.source.as_str().into());
    let mut effects = Vec::new();
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings(program), &outside, &mut effects);
    let result = interpreter.run_unit(&Unit { lowered, source });
    drop(interpreter);
    let mut lines: Vec<String> =
        effects.iter().map(|Effect::Log(log)| format!("{}: {}", log.level, log.message.trim_end())).collect();
    lines.push(match result {
        Ok(value) => literal(&value),
        Err(error) => format!("✗ {}", error.message),
    });
    lines.join(" · ").replace('\n', "⏎").replace(ROOT, "‹repo›")
}

/// Returns the output of the command.
pub fn explanation(section: &Section, facts: &str, program: &Program) -> String {
    let context = section.context(facts);
    let mut options = LookupOptions::default();
    let words = &mut program.source.split_whitespace();
    while let Some(word) = words.next() {
        let mut next = || words.next().unwrap_or_default().to_owned();
        match word {
            "--explain" => options.explain = true,
            "--explain-options" => options.explain_options = true,
            "--merge" => options.merge = Some(next()),
            "--knock-out-prefix" => options.knock_out_prefix = Some(next()),
            "--sort-merged-arrays" => options.sort_merged_arrays = true,
            "--merge-hash-arrays" => options.merge_hash_arrays = true,
            "--type" => options.value_type = Some(next()),
            "--default" => options.default = Some(next()),
            "--render-as" => options.render_as = next().parse().ok(),
            key => options.keys.push(key.into()),
        }
    }
    let mut effects = Vec::new();
    let outside = context.host();
    let mut interpreter = Interpreter::new(settings(program), &outside, &mut effects);
    let text = match run_lookup(&mut interpreter, &options) {
        Ok(text) => text,
        Err(error) => format!("✗ {}", error.message),
    };
    text.trim_end_matches('\n').replace(ROOT, "‹repo›")
}
