//! The language against real Ruby: `language.txt` has snippets with the answers that Ruby gave.

use crate::host::PathKind;
use crate::testing::{eval, eval_with, render};
use crate::{Host, HostError};

/// Snippets that this interpreter correctly reports as not supported.
const REFUSED: &[&str] = &[
    "$stdout.nil? ? 1 : 2",
    "UnknownConst rescue 5",
    "begin; { a: 1 }.fetch(:b); rescue KeyError => e; [e.message, e.key, e.receiver]; end",
];

#[test]
fn answers_as_ruby_does() {
    let (mut code, mut wrong) = (String::new(), Vec::new());
    for line in include_str!("language.txt").lines().skip(1) {
        let Some(expected) = line.strip_prefix("=> ") else {
            code.push_str(line);
            code.push('\n');
            continue;
        };
        let snippet = std::mem::take(&mut code);
        let snippet = snippet.trim();
        let answer = eval(snippet);
        let is_right = match REFUSED.contains(&snippet) {
            true => answer.starts_with("not known: "),
            false => answer == expected,
        };
        if !is_right {
            wrong.push(format!("{snippet}\n  expected {expected}\n  got      {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bounds_hostile_code() {
    for code in [
        "def f; f; end; f",
        "f = ->(x) { f.(x) }; f.(1)",
        "while true; end",
        "s = 'a'; loop { s += s }",
        "'a' * 10**12",
        "class A; def inspect; inspect; end; end; A.new",
        "a = []; 50_000.times { a = [a] }; a.inspect",
        "200_000.times { |i| \"name#{i}\".to_sym }",
    ] {
        let answer = eval(code);
        assert!(answer.starts_with("exhausted: "), "{code}: {answer}");
    }
}

/// PBKDF2 as modules have it, with the number of rounds that Icinga needs.
#[test]
fn a_derivation_of_keys_in_ruby_fits_the_budget() {
    let code = "
        class String
          def ^(other)
            result = ''.encode('ASCII-8BIT')
            others = other.bytes.to_a
            bytes.each_with_index { |byte, i| result << (byte ^ others[i]) }
            result
          end
        end
        digest = OpenSSL::Digest.new('sha1')
        sum = round = OpenSSL::HMAC.digest(digest, 'cn', 'salt' + [1].pack('N'))
        2.upto(50_000) do
          round = OpenSSL::HMAC.digest(digest, 'cn', round)
          sum ^= round
        end
        sum.unpack('H*').first";
    assert_eq!(eval(&format!("require 'openssl'\n{code}")), "\"1ce42ce1595a0f22c56ebd388b4e9b91780896e9\"");
}

#[test]
fn frees_deep_values() {
    assert_eq!(eval("a = []; 50_000.times { a = [a] }; 1"), "1");
    assert_eq!(eval("h = {}; 50_000.times { h = { a: h } }; 1"), "1");
    assert_eq!(eval("f = nil; 50_000.times { g = f; f = -> { g } }; 1"), "1");
}

#[test]
fn refuses_what_reaches_outside() {
    for code in [
        "`ls`",
        "system('ls')",
        "exec('ls')",
        "fork",
        "exit",
        "eval('1')",
        "open('|ls')",
        "send(:system, 'ls')",
        "ObjectSpace.each_object",
        "TCPSocket.new('a', 1)",
        "Process.kill(9, 1)",
        "require 'no/such/file'",
        "BEGIN { 1 }",
        "'a'.encode_nothing rescue ARGV",
    ] {
        let answer = eval(code);
        assert!(answer.starts_with("not known: "), "{code}: {answer}");
    }
}

#[test]
fn renders_as_erb_does() {
    // Answers of `ERB.new(template, trim_mode: '-').result`.
    for (template, expected) in [
        ("a <%= 1 + 1 %>\nb", "a 2\nb"),
        ("<%- if true -%>\n  x\n<%- end -%>\ny", "  x\ny"),
        ("  <%- 1 %>z\n", "z\n"),
        ("<%= 1 %>  <%- 2 %>x\n", "1x\n"),
        ("<%# comment -%>\nq", "q"),
        ("<%% raw %%> %%>", "<% raw %%> %%>"),
        ("<%= \"%%>\" %>", "%>"),
        ("<% 3.times do |i| -%>\n<%= i %>,\n<% end -%>\n", "0,\n1,\n2,\n"),
        ("a\r\n<% 1 -%>\r\nb", "a\r\nb"),
        ("<%= [1, nil] %><%= nil %><%= :a %>", "[1, nil]a"),
        ("\"quoted\" #{x} \\n é", "\"quoted\" #{x} \\n é"),
        ("k<% 4", "k 4"),
        ("<% _erbout << 'direct' %>", "direct"),
        ("<% x = 'a' -%>\n<%= x << 'b' %><%= x %>", "abab"),
    ] {
        assert_eq!(render(template), expected, "{template}");
    }
    assert!(render("a\n<% if %>\n").starts_with("syntax error: 2: "));
    assert_eq!(
        render("a\n<%= nope %>"),
        "NameError: undefined local variable or method `nope' for #<Object>"
    );
}

#[test]
fn compares_keys_by_methods_of_their_class() {
    // Answers of Ruby 3.1.
    let class = "class S\nattr_reader :n\ndef initialize(n, k); @n = n; @k = k; end\n\
        def eql?(o) hash == o.hash end\ndef hash; \"#{@k}_x\".hash end\nend\nrequire 'set'\n";
    for (code, expected) in [
        ("Set[S.new('a', 1), S.new('b', 2), S.new('c', 1)].map(&:n)", r#"["a", "b"]"#),
        (
            "Set[S.new('d', 3), S.new('e', 1)].merge([S.new('a', 1), S.new('b', 2)]).map(&:n)",
            r#"["d", "e", "b"]"#,
        ),
        ("{ S.new('f', 5) => 1 }[S.new('g', 5)]", "1"),
        ("[S.new('h', 7), S.new('i', 7), S.new('j', 8)].uniq.map(&:n)", r#"["h", "j"]"#),
        ("[S.new('k', 1)] - [S.new('l', 1)]", "[]"),
        ("{ S.new('f', 5) => 1 }.key?(S.new('m', 6))", "false"),
    ] {
        assert_eq!(eval(&format!("{class}{code}")), expected, "{code}");
    }
    // The numbers themselves differ between processes.
    assert!(eval("'a'.hash").starts_with("not known: "));
}

#[test]
fn reads_regular_expressions_where_yaml_permits_them() {
    // Answers of Ruby 3.1.
    for (code, expected) in [
        ("YAML.safe_load('a: !ruby/regexp /x.y/mi', permitted_classes: [Regexp])", r#"{"a"=>/x.y/mi}"#),
        (
            "YAML.safe_load('a: !ruby/regexp /x/')",
            "Psych::DisallowedClass: Tried to load unspecified class: Regexp",
        ),
    ] {
        assert_eq!(eval(&format!("require 'yaml'; {code}")), expected, "{code}");
    }
}

/// A host that records the requests.
#[derive(Default)]
struct Recorder {
    reads: Vec<String>,
}

impl Host for Recorder {
    fn path_kind(&mut self, path: &str) -> Result<PathKind, HostError> {
        self.reads.push(format!("look at {path}"));
        Ok(if path == "/data/a.yaml" { PathKind::File } else { PathKind::Nothing })
    }

    fn read_file(&mut self, path: &str) -> Result<Option<Vec<u8>>, HostError> {
        self.reads.push(format!("read {path}"));
        Ok((path == "/data/a.yaml").then(|| b"a: 1".to_vec()))
    }
}

#[test]
fn looks_at_files_without_reading_them() {
    let mut host = Recorder::default();
    let code = "[File.exist?('/data/a.yaml'), File.file?('/data/b'), File.directory?('/data/a.yaml')]";
    assert_eq!(eval_with(code, &mut host), "[true, false, false]");
    assert_eq!(host.reads, ["look at /data/a.yaml", "look at /data/b", "look at /data/a.yaml"]);
}
