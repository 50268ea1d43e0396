//! Catalogs with unknown parts never contradict the complete catalog.
//!
//! Programs call a function that returns its argument. If it is written in Puppet, it is evaluated; if it is written in
//! Ruby and Ruby is left out, its result is unknown. The first catalog is the complete one, which the second must not
//! contradict.

use marotte_tests::catalogs::{Scenario, compile, compile_without_ruby, disagreeing, scenarios};
use marotte_tests::workspace;
use regex::{Captures, Regex};

/// Values in a program that a function call can replace: of attributes, variables and conditions, and included classes.
const SITES: &str = r"(=> |= |if |elsif |unless |case |include |[({\[,] ?|\? )('[^'\n$%]*'|true|false|undef|\d+|\$[a-z][a-z_0-9]*)(?P<end>[\s,;:)\]}])";

/// The number of functions, each of which is known or unknown.
const FUNCTIONS: usize = 4;

/// A pseudorandom number generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap_or_default()
    }

    fn one<'a>(&mut self, of: &'a [&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Adds the functions that programs call to a scenario, some of them in Ruby.
fn with_functions(scenario: &Scenario, unknown: &[bool]) -> Scenario {
    let mut scenario = Scenario { recorded: None, without_ruby: None, ..scenario.clone() };
    for (index, is_unknown) in unknown.iter().enumerate() {
        let name = format!("id{index}");
        scenario.files.push(match is_unknown {
            false => {
                let text = format!("function ask::{name}($x) {{ $x }}\n");
                (format!("modules/ask/functions/{name}.pp"), text)
            }
            true => {
                let text = format!(
                    "Puppet::Functions.create_function(:'ask::{name}') do\n  def {name}(x)\n    x\n  end\nend\n"
                );
                (format!("modules/ask/lib/puppet/functions/ask/{name}.rb"), text)
            }
        });
    }
    scenario
}

/// Returns the contradictions in the catalog of a scenario with some unknown functions. `None` if the complete catalog
/// fails to compile.
fn contradictions(scenario: &Scenario, unknown: &[bool]) -> Option<Vec<String>> {
    let whole = compile(&with_functions(scenario, &[false; FUNCTIONS])).ok()?;
    if whole.contains('✗') {
        return None;
    }
    let partial = compile_without_ruby(&with_functions(scenario, unknown)).ok()?;
    let refused = partial.lines().find(|it| it.starts_with('✗'));
    let mut wrong: Vec<String> = refused.map(|it| format!("refused: {it}")).into_iter().collect();
    if wrong.is_empty() {
        wrong = disagreeing(&whole, &partial);
        let is_incomplete = partial.lines().any(|it| it.starts_with("INCOMPLETE"));
        let resources = |of: &str| -> Vec<String> {
            of.lines().filter(|it| !it.starts_with("notice: ")).map(str::to_owned).collect()
        };
        if !is_incomplete && resources(&partial) != resources(&whole) {
            wrong.push(format!("said to be whole, and is not:\n{whole}"));
        }
    }
    if !wrong.is_empty() {
        wrong.insert(0, format!("unknown: {unknown:?}"));
        wrong.extend(scenario.files.iter().map(|(path, text)| format!("--- {path}\n{text}")));
        wrong.push(format!("--- whole\n{whole}\n--- claimed\n{partial}"));
    }
    Some(wrong)
}

/// Selects unknown functions: at least one.
fn some_unknown(random: &mut Random) -> [bool; FUNCTIONS] {
    let bits = random.below((1 << FUNCTIONS) - 1) + 1;
    std::array::from_fn(|index| bits >> index & 1 == 1)
}

/// Replaces some values by function calls in the programs of all chapters of catalogs.
#[test]
fn of_every_scenario_what_is_claimed_is_so() {
    let sites = Regex::new(SITES).expect("a valid expression");
    let (mut count, mut failures) = (0, Vec::new());
    for path in workspace::files_below(&workspace::root().join("tests/catalog"), "md").expect("the chapters")
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for scenario in scenarios(&workspace::read(&path).expect("a chapter")) {
            if scenario.all_faults || scenario.dialect.is_some() {
                continue;
            }
            let mut random = Random(scenario.line as u64);
            let mut asking = scenario.clone();
            for (_, text) in asking.files.iter_mut().filter(|(path, _)| path.ends_with(".pp")) {
                let asked = |found: &Captures<'_>| match random.below(5) {
                    0 => {
                        let function = random.below(FUNCTIONS);
                        format!("{}ask::id{function}({}){}", &found[1], &found[2], &found["end"])
                    }
                    _ => found[0].to_owned(),
                };
                *text = sites.replace_all(text, asked).into_owned();
            }
            if let Some(wrong) = contradictions(&asking, &some_unknown(&mut random)) {
                count += 1;
                if !wrong.is_empty() {
                    failures.push(format!("{name}:{}\n{}", scenario.line, wrong.join("\n")));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} are wrong:\n{}", failures.len(), failures.join("\n\n"));
    assert!(count >= 300, "only {count} programs have a whole catalog");
}

/// A random program of elements that occur in catalogs.
struct Program<'r> {
    random: &'r mut Random,
    text: String,
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Program<'_> {
    fn asked(&mut self, value: &str) -> String {
        match self.random.below(4) {
            0 => format!("ask::id{}({value})", self.random.below(FUNCTIONS)),
            _ => value.to_owned(),
        }
    }

    fn value(&mut self) -> String {
        let value = self.random.one(&["'x'", "'y'", "1", "2", "true", "false", "undef", "'a'"]).to_owned();
        self.asked(&value)
    }

    fn condition(&mut self) -> String {
        let value = self.random.one(&["true", "false"]).to_owned();
        let class = self.random.one(&NAMES).to_owned();
        let condition = match self.random.below(6) {
            0 => format!("defined(Class['k{class}'])"),
            1 => format!("defined(Notify['{class}'])"),
            2 => format!("defined('$v{class}')"),
            3 => format!("tagged('k{class}')"),
            _ => value,
        };
        match self.random.below(2) {
            0 => format!("ask::id{}({condition})", self.random.below(FUNCTIONS)),
            _ => condition,
        }
    }

    /// Writes statements, with a maximum depth.
    fn statements(&mut self, depth: usize, defines: bool) {
        for _ in 0..=self.random.below(4) {
            self.statement(depth, defines);
        }
    }

    fn statement(&mut self, depth: usize, defines: bool) {
        let name = self.random.one(&NAMES).to_owned();
        let other = self.random.one(&NAMES).to_owned();
        let number = self.random.below(1000);
        let text = match self.random.below(if depth == 0 { 15 } else { 20 }) {
            0 => format!("notify {{ \"{name}{number} ${{title}}\": message => {} }}\n", self.value()),
            1 => format!("include {}\n", self.asked(&format!("'k{name}'"))),
            2 => format!(
                "unless defined(Class['k{name}']) {{ class {{ 'k{name}': p => {} }} }}\n",
                self.value()
            ),
            3 => format!(
                "unless defined(Notify['{name}']) {{ notify {{ '{name}': message => {} }} }}\n",
                self.value()
            ),
            4 => format!("@notify {{ \"{name}v{number} ${{title}}\": message => {} }}\n", self.value()),
            5 => format!("Notify <| title == '{name}' or message == {} |>\n", self.value()),
            6 => format!("Notify <| title == '{name}' |> {{ loglevel => {} }}\n", self.value()),
            7 => format!("Notify {{ loglevel => {} }}\n", self.value()),
            8 => format!("if !defined('$v{name}') {{ $v{name} = {} }}\n", self.value()),
            9 if defines => format!("d{name} {{ \"{number} ${{title}}\": x => {} }}\n", self.value()),
            10 => format!(
                "notify {{ \"{name}m{number} ${{title}}\": message => [getvar('v{other}', 0), getvar('k{name}::v{other}', 0), getvar('k{name}::p', 0)] }}\n"
            ),
            11 => format!(
                "if defined(Notify['{name}']) and defined(Notify['{other}']) and '{name}' < '{other}' {{ Notify['{name}'] -> Notify <| title == '{other}' |> }}\n"
            ),
            12 => format!("tag({})\n", self.asked(&format!("'t{name}'"))),
            13 => format!(
                "create_resources('notify', {{ \"{name}c{number} ${{title}}\" => {} }})\n",
                self.asked("{ message => 'x' }")
            ),
            14 => format!(
                "[1, 2].each |$i| {{ if {} {{ {}() }} notify {{ \"{name}i{number} ${{i}} ${{title}}\": }} }}\n",
                self.condition(),
                self.random.one(&["next", "break"]).to_owned()
            ),
            15 | 16 => {
                let condition = self.condition();
                self.text += &format!("if {condition} {{\n");
                self.statements(depth - 1, defines);
                self.text += "} else {\n";
                self.statements(depth - 1, defines);
                "}\n".to_owned()
            }
            17 => {
                let value = self.value();
                self.text += &format!("case {value} {{ 'x': {{\n");
                self.statements(depth - 1, defines);
                self.text += "} default: {\n";
                self.statements(depth - 1, defines);
                "} }\n".to_owned()
            }
            18 => {
                let value = self.value();
                self.text += &format!("[{value}].each |$i| {{\n");
                self.statements(depth - 1, defines);
                "}\n".to_owned()
            }
            _ => format!("if {} {{ return() }}\n", self.condition()),
        };
        self.text += &text;
    }
}

fn program(random: &mut Random) -> String {
    let mut program = Program { random, text: String::new() };
    for name in NAMES {
        let value = program.value();
        program.text += &format!("class k{name}($p = {value}) {{\n");
        program.statements(2, true);
        program.text += "}\n";
        let value = program.value();
        program.text +=
            &format!("define d{name}($x = {value}) {{\nnotify {{ \"d{name} ${{title}}\": message => $x }}\n");
        program.statements(1, false);
        program.text += "}\n";
        // It overrides a declaration of its parent.
        let condition = program.condition();
        program.text += &format!(
            "class o{name} inherits k{name} {{\nif {condition} {{ Notify['{name}'] {{ message => 'changed' }} }}\n}}\n"
        );
    }
    program.text += "class start {\n";
    program.statements(2, true);
    program.text += "}\ninclude start\n";
    program.text
}

#[test]
fn of_random_programs_what_is_claimed_is_so() {
    let seeds = std::env::var("SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1000);
    let (mut count, mut failures) = (0, Vec::new());
    for seed in 0..seeds {
        let mut random = Random(seed);
        let scenario = Scenario::of(&program(&mut random));
        if let Some(wrong) = contradictions(&scenario, &some_unknown(&mut random)) {
            count += 1;
            if !wrong.is_empty() {
                failures.push(format!("seed {seed}\n{}", wrong.join("\n")));
            }
        }
        if failures.len() > 5 {
            break;
        }
    }
    assert!(failures.is_empty(), "{} of {count} are wrong:\n{}", failures.len(), failures.join("\n\n"));
    assert!(count >= 500, "only {count} of {seeds} programs have a whole catalog");
}
