//! Results of the libraries, as computed by Ruby 3.1.

use crate::testing::eval;

/// Expressions and their `inspect` in Ruby.
const ANSWERS: &[(&str, &str)] = &[
    (
        "JSON.pretty_generate('a' => [1, {}], :b => nil)",
        r#""{\n  \"a\": [\n    1,\n    {\n    }\n  ],\n  \"b\": null\n}""#,
    ),
    ("JSON.parse('[\"a\\ud83dbcdefghijk\"]')", r#"["a?cdefghijk"]"#),
    ("JSON.parse('{\"a\": [1.5, -0, 1e2]}')", r#"{"a"=>[1.5, 0, 100.0]}"#),
    ("a = [1]; [a, a].to_yaml", r#""---\n- &1\n  - 1\n- *1\n""#),
    (
        "{ 'k' => 'word ' * 6 }.to_yaml(line_width: 20)",
        r#""---\nk: \"word word word word\n  word word \"\n""#,
    ),
    ("Base64.decode64('YW-Jj=x')", r#""abc""#),
    ("Digest::MD5.hexdigest('a')", r#""0cc175b9c0f1b6a831c399e269772661""#),
    ("OpenSSL::HMAC.hexdigest('sha1', 'k', 'd')", r#""2b90e41e7c0cc8e2f75c02910c3899cc468ba316""#),
    ("File.join('a//', '//b')", r#""a//b""#),
    ("File.basename('..rb', '.*')", r#""..rb""#),
    ("File.expand_path('//a/../b', '/base')", r#""//b""#),
    ("Shellwords.split(\"a 'b c'\\\"d\\\" e\")", r#"["a", "b cd", "e"]"#),
    ("URI.parse('http://u:p@H:8080/a?b c#d').to_s", r#""http://u:p@H:8080/a?b%20c#d""#),
    ("URI.join('http://a/b/c', '../d').to_s", r#""http://a/d""#),
    ("IPAddr.new('2001:db8:0:0:1:0:0:1').to_s", r#""2001:db8::1:0:0:1""#),
    ("IPAddr.new('1.2.3.4/24').to_range.to_s", r#""1.2.3.0..1.2.3.255""#),
    ("Gem::Version.new('1.0.0.rc1') < Gem::Version.new('1.0')", "true"),
    ("Time.utc(2024, 2, 29, 12).strftime('%a %-d %b %Y')", r#""Thu 29 Feb 2024""#),
    ("Time.utc(1999, 12, 31, 23, 59, 59, 999_000).to_f", "946684799.9990001"),
];

/// Expressions and the errors that they raise.
const ERRORS: &[(&str, &str)] = &[
    ("JSON.generate([[1]], max_nesting: 1)", "JSON::NestingError: nesting of 1 is too deep"),
    ("Base64.strict_decode64('YQ')", "ArgumentError: invalid base64"),
    ("File.join(nil)", "TypeError: no implicit conversion of nil into String"),
    ("Shellwords.split(\"'a\")", "ArgumentError: Unmatched quote: \"'a\""),
    ("URI.parse('http://a b')", "URI::InvalidURIError: bad URI(is not URI?): \"http://a b\""),
    ("IPAddr.new('10.0.0.0/33')", "IPAddr::InvalidPrefixError: invalid length: 167772160"),
    ("Gem::Version.new('x')", "ArgumentError: Malformed version number string x"),
    ("Puppet.which('x')", "not known: Puppet.which"),
];

#[test]
fn libraries_answer_as_in_ruby() {
    for (code, answer) in ANSWERS.iter().chain(ERRORS) {
        assert_eq!(eval(code), *answer, "{code}");
    }
}
