use std::sync::Arc;

use marotte_db::{DiskSystem, MemorySystem, System};
use marotte_eval::{CommandError, DataSource as _, Interpreter, Requests as _, Settings};
use marotte_hiera::Presence;
use marotte_pcore::print::literal;
use marotte_pcore::value::Value;

use super::*;
use crate::ProjectDatabase;

fn context(system: impl System + 'static) -> EvaluationContext {
    let tree = CodeTree { module_path: vec!["/env/modules".into()], environment: Some("/env".into()) };
    EvaluationContext::new(ProjectDatabase::frozen(Arc::new(system)), tree, NodeInput::default())
}

fn with_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> EvaluationContext {
    context(MemorySystem::with_files(files))
}

/// The value of a program, or its errors: each finding with the text that it points at.
fn run(context: &EvaluationContext, text: &str) -> Result<Value, Vec<(String, String)>> {
    let mut findings = Findings::new(context);
    let source = Source::Text { name: "<test>", text, template: false };
    let settings = Settings::default();
    let result = read_program(context, &settings, &source, &mut findings).and_then(|unit| {
        let mut effects = Vec::new();
        let host = context.host();
        let mut interpreter = Interpreter::new(settings, &host, &mut effects);
        interpreter.run_unit(&unit).map_err(|error| findings.error(&error)).ok()
    });
    result.ok_or_else(|| {
        use marotte_diagnostics::Sources as _;
        let at = |it: &marotte_diagnostics::Diagnostic| findings.text(it.file)[it.range].to_owned();
        findings.diagnostics().iter().map(|it| (it.message.clone(), at(it))).collect()
    })
}

fn message(context: &EvaluationContext, text: &str) -> String {
    run(context, text).unwrap_err().last().unwrap().0.clone()
}

#[test]
fn functions_and_types_are_loaded_from_modules_and_the_environment() {
    let it = with_files([
        ("/env/modules/m/functions/a/f.pp", "function m::a::f($x) { $x + m::g() }"),
        ("/env/modules/m/functions/g.pp", "function m::g() { 40 }"),
        ("/env/modules/m/types/port.pp", "type M::Port = Integer[1, 9]"),
        ("/env/functions/own.pp", "function own() { 1 }"),
        ("/env/functions/environment/own.pp", "function environment::own() { 2 }"),
    ]);
    assert_eq!(run(&it, "m::a::f(2)"), Ok(Value::from(42)));
    assert_eq!(run(&it, "own() + environment::own()"), Ok(Value::from(3)));
    assert_eq!(run(&it, "3 =~ M::Port"), Ok(Value::from(true)));
    assert_eq!(run(&it, "10 =~ M::Port"), Ok(Value::from(false)));
}

#[test]
fn a_file_must_define_what_its_path_says() {
    // The messages are the reference's, except those about locations, which `check` has, too, and which are reported once.
    let place = |name: &str| {
        format!("the function `{name}` cannot be defined in functions/f.pp, which is the place of `m::f`")
    };
    let code = |rest: &str| {
        format!(
            "Error while evaluating a Function Call, The code loaded from /env/modules/m/functions/f.pp {rest}"
        )
    };
    for (text, expected) in [
        ("", code("does not define the function 'm::f' - it is empty.")),
        ("function m::f() {} function m::g() {}", place("m::g")),
        ("function m::g() {}", place("m::g")),
        // The reference compares prefixes.
        ("function m::f1() {}", code("produced function with the wrong name, expected m::f, actual m::f1")),
        (
            "function m::f() {} function m::f2() {}",
            code("must contain only the function 'm::f' - it has additional definitions."),
        ),
        ("class m::f { }", code("does not define the function 'm::f' - no function found.")),
    ] {
        let it = with_files([("/env/modules/m/functions/f.pp", text)]);
        assert_eq!(message(&it, "m::f()"), expected);
    }
    let it = with_files([("/env/functions/f.pp", "function f() {} notice(1)")]);
    assert!(message(&it, "f()").ends_with("contains additional logic - can only contain the function f"));
    for (text, expected) in [
        ("", "does not define the type 'm::t' - it is empty."),
        ("type M::U = String", "produced type with the wrong name, expected 'm::t', actual 'M::U'"),
        (
            "type M::T = String type M::U = String",
            "must contain only the type 'm::t' - it has additional definitions.",
        ),
        ("class m::t { }", "does not define the type 'm::t' - no type alias or type definition found."),
    ] {
        let it = with_files([("/env/modules/m/types/t.pp", text)]);
        let expected = format!(
            "Error while evaluating a Type-Name, The code loaded from /env/modules/m/types/t.pp {expected}"
        );
        assert_eq!(message(&it, "1 =~ M::T"), expected);
    }
}

#[test]
fn what_is_wrong_with_a_loaded_file_is_shown_there_alone() {
    let it = with_files([("/env/modules/m/functions/f.pp", "function m::f() { ) }")]);
    let found = run(&it, "m::f()").unwrap_err();
    assert_eq!(found, [("`)` closes nothing".into(), ")".into())]);
}

#[test]
fn errors_point_at_the_token() {
    let it = with_files([("/env/modules/m/functions/f.pp", "function m::f() {\n  $none }")]);
    assert_eq!(
        run(&it, "$a = 1\n m::f()").unwrap_err(),
        [("Unknown variable: 'none'.".into(), "$none".into())]
    );
}

/// The reference names the line of the parenthesis after the name, or else that of the dot.
#[test]
fn errors_of_called_methods_point_at_their_names() {
    let it = with_files([]);
    let code = "$a = [1]\n$b = $a\n  .map |$it| { $it }\n  .no_such::function(\n  2)";
    assert_eq!(
        run(&it, code).unwrap_err(),
        [("Unknown function: 'no_such::function'.".into(), "no_such::function".into())]
    );
    for (code, pointed) in [
        ("$a = [1]\n$b = $a.\n  no_such |$it| { $it }", "."),
        ("$a = [1]\n$b = $a\n  .no_such |$it| { $it }", ".no_such"),
        ("$a = [1]\n$b = $a.\n  no_such()", "no_such"),
    ] {
        assert_eq!(
            run(&it, code).unwrap_err(),
            [("Unknown function: 'no_such'.".into(), pointed.into())],
            "{code}"
        );
    }
}

#[test]
fn local_types_of_a_function_are_unknown_to_other_code() {
    let function = "Puppet::Functions.create_function(:'m::f') do
          local_types { type 'Word = String[1]' }
          dispatch(:f) do
            param 'Word', :text
            return_type 'Word'
          end
          def f(text) = text
        end";
    let it = with_files([("/env/modules/m/lib/puppet/functions/m/f.rb", function)]);
    assert_eq!(run(&it, "\"${m::f('a')}${m::f('b')}\""), Ok(Value::from("ab")));
    assert_eq!(
        run(&it, "[m::f('a'), 'a' =~ Word]").unwrap_err(),
        [("Resource type not found: Word".into(), "Word".into())]
    );
}

#[test]
fn files_are_found_in_modules_only() {
    let it = with_files([
        ("/env/modules/m/files/a/x", "x"),
        ("/env/modules/m/templates/t.epp", "t"),
        ("/env/modules/m/secret", "s"),
        ("/etc/passwd", "p"),
    ]);
    let find = |name: &str| it.host().find_file("files", name).map(|it| it.map(|it| it.to_string()));
    assert_eq!(find("m/a/x"), Ok(Some("/env/modules/m/files/a/x".to_owned())));
    assert_eq!(find("m/none"), Ok(None));
    assert_eq!(find("none/x"), Ok(None));
    assert_eq!(find("../etc/passwd"), Ok(None));
    assert_eq!(it.host().module_directory("m").as_deref(), Some("/env/modules/m"));
    assert_eq!(it.host().module_directory(".."), None);
    let refused = find("/etc/passwd").unwrap_err().0;
    assert!(refused.ends_with("`--allow read=/etc` allows it"), "{refused}");
    assert!(find("/env/modules/../../etc/passwd").is_err());
    assert!(it.host().read_file("/etc/passwd").is_err());

    let permissions = ["read=/etc".parse().unwrap()].into_iter().collect();
    let it = it.with_policy(Policy { permissions, ..Policy::default() });
    assert_eq!(it.host().read_file("/etc/passwd"), Ok(b"p".to_vec()));
    assert!(it.host().template("m/t.epp").unwrap().is_some());
}

#[test]
fn code_in_ruby_does_not_rescue_what_is_not_known() {
    let inner = "Puppet::Functions.create_function(:'m::inner') { def inner = Net::HTTP.start }";
    let outer = "Puppet::Functions.create_function(:'m::outer') do
      def outer
        call_function('m::inner')
      rescue StandardError
        'rescued'
      end
    end";
    let it = with_files([
        ("/env/modules/m/lib/puppet/functions/m/inner.rb", inner),
        ("/env/modules/m/lib/puppet/functions/m/outer.rb", outer),
    ]);
    let errors = run(&it, "m::outer()").unwrap_err();
    assert!(errors[0].0.contains("is not implemented"), "{errors:?}");
}

#[test]
fn hocon_is_read_by_the_part_of_its_library_that_functions_require() {
    let function = "Puppet::Functions.create_function(:'m::f') do
      def f(text)
        require 'hocon/config_factory'
        Hocon::ConfigFactory.parse_string(text).resolve.root.unwrapped
      end
    end";
    let it = with_files([("/env/modules/m/lib/puppet/functions/m/f.rb", function)]);
    assert_eq!(run(&it, "m::f('valid hocon: string')['valid hocon']"), Ok(Value::from("string")));
}

#[test]
fn code_in_ruby_asks_the_loader_which_functions_exist() {
    let function = "Puppet::Functions.create_function(:'m::f', Puppet::Functions::InternalFunction) do
      dispatch :f do
        scope_param
        param 'String', :name
      end
      def f(scope, name)
        !scope.compiler.loaders.private_environment_loader.load(:function, name).nil?
      end
    end";
    let old = "Puppet::Parser::Functions.newfunction(:old, type: :rvalue) { |args| 1 }";
    let it = with_files([
        ("/env/modules/m/lib/puppet/functions/m/f.rb", function),
        ("/env/modules/m/lib/puppet/parser/functions/old.rb", old),
        ("/env/modules/m/functions/g.pp", "function m::g() { 1 }"),
    ]);
    let found = |name: &str| run(&it, &format!("m::f('{name}')")).unwrap();
    for name in ["m::f", "m::g", "old", "include"] {
        assert_eq!(found(name), Value::from(true), "{name}");
    }
    assert_eq!(found("m::none"), Value::from(false));
}

#[test]
fn a_function_in_ruby_names_itself_when_it_calls_one_that_does_not_exist() {
    let function = "Puppet::Functions.create_function(:'m::f') { def f = call_function('m::none') }";
    let it = with_files([("/env/modules/m/lib/puppet/functions/m/f.rb", function)]);
    let errors = run(&it, "m::f()").unwrap_err();
    assert!(errors[0].0.contains("Function m::f(): Unknown function: 'm::none'"), "{errors:?}");
}

#[test]
fn other_ruby_files_are_read_only_for_attributes_that_a_type_does_not_declare() {
    use marotte_db::Db as _;
    let extending = "/env/modules/m/lib/puppet/provider/shop/colour.rb";
    let it = with_files([
        ("/env/modules/m/lib/puppet/type/shop.rb", "Puppet::Type.newtype(:shop) { newparam(:name) }"),
        ("/env/modules/m/lib/puppet/type/mall.rb", "Puppet::Type.newtype(:mall) { newparam(:name) }"),
        (extending, "Puppet::Type.type(:shop).newparam(:colour)"),
    ]);
    let host = it.host();
    let shop = host.native_type("shop").unwrap().unwrap();
    assert!(shop.accepts("name") && !shop.accepts("colour"));
    assert_eq!(it.db().files().known(extending.into()), None);
    assert!(host.may_be_extended("shop", "colour") && !host.may_be_extended("mall", "colour"));
    assert!(!host.may_be_extended("shop", "color"));
}

#[test]
fn no_name_leads_out_of_where_its_kind_is_looked_for() {
    let it = with_files([
        ("/env/modules/m/manifests/init.pp", "class m { }"),
        ("/env/modules/m/x.pp", "function m::x() { 1 }"),
        ("/env/x.pp", "function x() { 1 }"),
        ("/env/x.rb", ""),
        ("/env/lib/puppet/functions/y.rb", ""),
        ("/env/lib/puppet/x.rb", ""),
        ("/x.pp", "type X = String"),
        ("/x/x.pp", "class x { }"),
    ]);
    let host = it.host();
    let parts = ["../x", "../../x", "../../../x", "./y", "a/../y", "/x", "", ".", "..", "x\0", "..\\x", "\0"];
    for part in parts {
        for name in [part.to_owned(), format!("m::{part}"), format!("{part}::x"), format!("m::{part}::x")] {
            assert!(matches!(host.function(&name), Ok(None)), "{name:?}");
            assert!(matches!(host.type_alias(&name), Ok(None)), "{name:?}");
            assert_eq!(host.ruby_function(&name), None, "{name:?}");
            assert!(!host.is_resource_type(&name), "{name:?}");
            assert!(matches!(host.native_type(&name), Ok(None)), "{name:?}");
            assert_eq!(host.module_directory(&name), None, "{name:?}");
        }
        if !part.is_empty() {
            assert!(matches!(host.manifest("m", part), Ok(None)), "{part:?}");
            assert!(matches!(host.manifest("m", &format!("a/{part}")), Ok(None)), "{part:?}");
        }
    }
    // None of them was looked up.
    use marotte_db::Db as _;
    for path in ["/env/x.pp", "/env/modules/m/x.pp", "/x.pp", "/x/x.pp", "/env/x.rb", "/env/lib/puppet/x.rb"]
    {
        assert_eq!(it.db().files().known(path.into()), None, "{path}");
    }
    // Paths may contain dots, as in the reference; the resolved path decides.
    for (name, found) in
        [("m/../manifests/init.pp", true), ("m/\0", false), ("../x.pp", false), ("/env/\0", false)]
    {
        for folder in ["files", "templates"] {
            assert_eq!(host.find_file(folder, name).map(|it| it.is_some()), Ok(found), "{name:?}");
        }
    }
    assert!(host.find_file("files", "m/../../../../x.pp").is_err());
    assert!(host.template("m/../../../../x.pp").is_err());
    assert!(host.data_exists("/env/data/../../x.pp").is_err());
    assert!(host.data_glob("/env/data/../../*.pp").is_err());
    assert_eq!(host.data_exists("/env/data/\0.yaml"), Ok(Presence::Missing));
}

/// The lists are those of Ruby's `Dir.glob`.
#[test]
fn patterns_of_data_find_what_a_glob_finds() {
    let system = MemorySystem::new();
    let files = [
        "a/f",
        "a/b/f",
        "real/f",
        "real/x/f",
        "real/y/z/f",
        "a/.hidden/f",
        "m",
        "c/y",
        "a/y/k",
        "b.d/f",
        "b/f",
        "a",
    ];
    for path in files {
        system.write_file(format!("/env/data/{path}.yaml"), "");
    }
    system.link("/env/data/a/l", "../real");
    system.link("/env/data/a/up", "..");
    let it = context(system);
    for (pattern, expected) in [
        ("a/**/*.yaml", &["a/b/f", "a/f", "a/y/k"] as &[&str]),
        ("a/*/*.yaml", &["a/b/f", "a/l/f", "a/up/a", "a/up/m", "a/y/k"]),
        ("a/l/**/*.yaml", &["a/l/f", "a/l/x/f", "a/l/y/z/f"]),
        ("a/**/**/f.yaml", &["a/b/f", "a/f"]),
        ("a/**/x/f.yaml", &[]),
        ("a/**/l/f.yaml", &["a/l/f"]),
        ("{a,a}/f.yaml", &["a/f", "a/f"]),
        (
            "**/*.yaml",
            &["a/b/f", "a/f", "a/y/k", "a", "b/f", "b.d/f", "c/y", "m", "real/f", "real/x/f", "real/y/z/f"],
        ),
        ("**/f.yaml", &["a/b/f", "a/f", "b/f", "b.d/f", "real/f", "real/x/f", "real/y/z/f"]),
        (
            "*/**/*.yaml",
            &["a/b/f", "a/f", "a/y/k", "b/f", "b.d/f", "c/y", "real/f", "real/x/f", "real/y/z/f"],
        ),
        ("**/y/*.yaml", &["a/y/k"]),
        (
            "**/*",
            &["a/b/f", "a/f", "a/y/k", "a", "b/f", "b.d/f", "c/y", "m", "real/f", "real/x/f", "real/y/z/f"],
        ),
        ("real/**/z/**/*.yaml", &["real/y/z/f"]),
        ("**/real/**/f.yaml", &["real/f", "real/x/f", "real/y/z/f"]),
        ("{**/m,a/*}.yaml", &["m", "a/f"]),
        ("**/b*/f.yaml", &["a/b/f", "b/f", "b.d/f"]),
    ] {
        let found = it.host().data_glob(&format!("/env/data/{pattern}")).unwrap();
        let expected: Vec<String> = expected.iter().map(|it| format!("/env/data/{it}.yaml")).collect();
        assert_eq!(found, expected, "{pattern}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let root = camino::Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = DiskSystem::at(&root);
    for path in ["env/modules/m/files/x", "elsewhere/n/files/x", "outside/secret"] {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        system.write_atomically(&root.join(path), b"x").unwrap();
    }
    symlink(root.join("outside/secret"), root.join("env/modules/m/files/link")).unwrap();
    symlink(root.join("elsewhere/n"), root.join("env/modules/n")).unwrap();
    let tree = CodeTree { module_path: vec![root.join("env/modules")], environment: None };
    let it = EvaluationContext::new(ProjectDatabase::frozen(Arc::new(system)), tree, NodeInput::default());
    assert!(it.host().find_file("files", "m/x").unwrap().is_some());
    let refused = it.host().find_file("files", "n/x").unwrap_err().0;
    let advice = format!("`--allow read={}` allows it", root.join("elsewhere/n"));
    assert!(refused.ends_with(&advice), "{refused}");
    assert!(it.host().find_file("files", "m/link").is_err());
    assert!(it.host().find_file("files", "m/../../../../outside/secret").is_err());
}

#[test]
fn commands_are_run_only_if_that_is_allowed() {
    let it = with_files([]);
    let refused = "running '/bin/true' is not allowed; `--allow exec` allows to run commands";
    assert_eq!(it.host().execute(&["/bin/true"]), Err(CommandError::NotAllowed(refused.to_owned())));
    let tree = CodeTree::default();
    let system = Arc::new(DiskSystem::at("/"));
    let it = EvaluationContext::new(ProjectDatabase::frozen(system), tree, NodeInput::default());
    let permissions = ["exec".parse().unwrap()].into_iter().collect();
    let it = it.with_policy(Policy { permissions, ..Policy::default() });
    assert_eq!(it.host().execute(&["/bin/echo", "a b"]), Ok("a b\n".to_owned()));
    let failed = "Execution of '/bin/false' ended with status 1: ";
    assert_eq!(it.host().execute(&["/bin/false"]), Err(CommandError::Failed(failed.to_owned())));
}

#[test]
fn the_top_scope_shows_the_node() {
    let facts = Facts::read(
        &MemorySystem::with_files([("/f.yaml", "networking: {fqdn: a.b.c}\nos: {family: Debian}\n")]),
        "/f.yaml".into(),
    );
    let db = ProjectDatabase::frozen(Arc::new(MemorySystem::new()));
    let it = EvaluationContext::new(db, CodeTree::default(), NodeInput::new(facts.unwrap()))
        .with_policy(Policy { own_settings: vec![("strict", "off".into())], ..Policy::default() });
    let shown = |name: &str| it.host().variable(name).map(|it| literal(&it));
    assert_eq!(
        shown("trusted").unwrap(),
        "{'authenticated' => 'local', 'certname' => 'a.b.c', 'extensions' => {}, 'hostname' => 'a', 'domain' => 'b.c', 'external' => {}}"
    );
    assert_eq!(shown("clientcert").unwrap(), "'a.b.c'");
    assert_eq!(shown("environment").unwrap(), "'production'");
    assert_eq!(shown("server_facts").unwrap(), "{'environment' => 'production'}");
    assert_eq!(shown("os").unwrap(), "{'family' => 'Debian'}");
    assert_eq!(shown("none"), None);
    assert_eq!(run(&it, "$settings::strict"), Ok("off".into()));
    assert_eq!(run(&it, "$facts['os']['family']"), Ok("Debian".into()));
}

#[test]
fn resource_types_are_those_of_the_language_and_of_modules() {
    let it = with_files([
        ("/env/modules/m/lib/puppet/type/mytype.rb", ""),
        ("/env/modules/m/manifests/d.pp", "define m::d() { }"),
        ("/env/modules/m/manifests/init.pp", "class m { }"),
    ]);
    for (name, known) in [("file", true), ("mytype", true), ("m::d", true), ("m", false), ("cron", false)] {
        assert_eq!(it.host().is_resource_type(name), known, "{name}");
    }
}

#[test]
fn the_clock_can_be_fixed() {
    let noon = marotte_pcore::time::Timestamp::from_nanoseconds(43_200_000_000_000);
    let policy = Policy { clock: Clock::Fixed(noon), ..Policy::default() };
    assert_eq!(with_files([]).with_policy(policy).host().now(), noon);
    assert!(with_files([]).host().now() > noon);
}
