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
    ("'test'.crypt('$1$1')", r#""$1$1$Bp8CU9Oujr9SSEw53WV6G.""#),
    (r#"("x" * 100).crypt('$1$abcdefghijk')"#, r#""$1$abcdefgh$ax3Kvr/hbxTbyc0QiTLcg/""#),
    ("'grüße'.crypt('$1$ab')", r#""$1$ab$CW55VQpqzlvKz3RkOLmNw.""#),
    (
        "'password'.crypt('$5$saltstringsaltstring')",
        r#""$5$saltstringsaltst$Ekah6lEFydzYloW2P/P45IGa7Yv0vGRQi.McSitgqd9""#,
    ),
    (
        "('y' * 80).crypt('$6$saltstringsaltstring')",
        r#""$6$saltstringsaltst$OIF0YLO2VCHd6wxVxc0uHw0gL.lu.1MFo8miFkh9gJplQzEiKl8OKoBAnjmfD/ymEjXmmpQS0w6DUawXkl9sx1""#,
    ),
    (
        "'password'.crypt('$2a$05$abcdefghijklmnopqrstuu')",
        r#""$2a$05$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu""#,
    ),
    (
        "'pässword'.crypt('$2b$04$abcdefghijklmnopqrstuu')",
        r#""$2b$04$abcdefghijklmnopqrstuum174eFeoTj0DHmtuueFaS3Wde4P7wHG""#,
    ),
    (
        "('z' * 80).crypt('$2y$04$.bcdefghijklmnopqrstuu')",
        r#""$2y$04$.bcdefghijklmnopqrstuuHXTQVWQxVqBvfcU8PMqEFElk./NJouy""#,
    ),
    ("OpenSSL::Digest::Digest.new('sha1').hexdigest('x')", r#""11f6ad8ec52a2984abaafd7c3b516503785c2072""#),
    ("OpenSSL::Digest::Digest.hexdigest('sha1', 'x')", r#""11f6ad8ec52a2984abaafd7c3b516503785c2072""#),
    ("OpenSSL::Digest::Digest.new('sha1').class", "OpenSSL::Digest::Digest"),
    ("OpenSSL::Digest.new('sha1').is_a?(OpenSSL::Digest::Digest)", "false"),
    (
        "OpenSSL::PKCS5.pbkdf2_hmac('p', 'salt', 3, 40, OpenSSL::Digest::SHA512.new).unpack1('H*')",
        r#""601b1756f37b9de55f1a213bdecc43c9d0c81ebba9e647644e55fc383bbd6a9d2d4c6643343f0f9e""#,
    ),
    (
        "OpenSSL::KDF.pbkdf2_hmac('p', salt: 's', iterations: 2, length: 40, hash: 'SHA256').unpack1('H*')",
        r#""1998f3d3f22119b7f9a77c8ae8b1df0d6e5dde8ae44a6adea8bd836734ca367379812ed24a007ecf""#,
    ),
    (
        "URI::Generic.build(scheme: 'mysql+pymysql', userinfo: 'u:p', host: 'h', port: 3306, path: '/db', query: 'charset=utf8').to_s",
        r#""mysql+pymysql://u:p@h:3306/db?charset=utf8""#,
    ),
    ("URI::Generic.build(scheme: 'sqlite', path: '////var/lib/x.db').to_s", r#""sqlite:////var/lib/x.db""#),
    ("URI::Generic.build(scheme: 'postgres', path: '/x').to_s", r#""postgres:///x""#),
    ("URI::Generic.build(host: '::1', path: '/x').to_s", r#""//[::1]/x""#),
    ("URI::Generic.build(scheme: 'amqp', host: 'h').class", "URI::Generic"),
    ("Dir.glob('')", "[]"),
    ("Dir.glob(['', ''])", "[]"),
    (r#"Puppet::Util::Json.load('{"a": [1, null]}', symbolize_names: true)"#, "{:a=>[1, nil]}"),
    ("Puppet::Util::Json.dump({'a' => [1]}, pretty: true)", r#""{\n  \"a\": [\n    1\n  ]\n}""#),
    (r#"Puppet::Util::Yaml.safe_load("a: &x [1]\nb: *x\n")"#, r#"{"a"=>[1], "b"=>[1]}"#),
    ("Puppet::Util::Yaml.safe_load('')", "false"),
    (
        "Puppet::Util::Yaml.safe_load(':a')",
        "Puppet::Util::Yaml::YamlLoadError: (<unknown>): Tried to load unspecified class: Symbol",
    ),
    (
        "Puppet::Pops::Serialization::ToDataConverter.convert({'a' => [:default, 1.5, nil], 1 => {'__ptype' => :b}}, rich_data: true)",
        r#"{"__ptype"=>"Hash", "__pvalue"=>["a", [{"__ptype"=>"Default"}, 1.5, nil], 1, {"__ptype"=>"Hash", "__pvalue"=>["__ptype", {"__ptype"=>"Symbol", "__pvalue"=>"b"}]}]}"#,
    ),
    (
        "Puppet::Pops::Serialization::ToDataConverter.convert(['a'.b, 'é'], rich_data: true)",
        r#"[{"__ptype"=>"Binary", "__pvalue"=>"YQ=="}, "é"]"#,
    ),
    (
        "Puppet::Pops::Serialization::ToDataConverter.convert(Puppet::Pops::Types::PSensitiveType::Sensitive.new('x'), rich_data: true)",
        r#"{"__ptype"=>"Sensitive", "__pvalue"=>"x"}"#,
    ),
    ("YAML.load(nil)", "TypeError: no implicit conversion of nil into String"),
    ("YAML.load([])", "TypeError: no implicit conversion of Array into String"),
    ("[[], [[]], {}].max", "ArgumentError: comparison of Hash with Array failed"),
    ("[3, [1].first, 2].max", "3"),
    ("[1, 'a', *[2]].max", "ArgumentError: comparison of String with 1 failed"),
    ("(..5).step(2).inspect", r#""((..5).step(2))""#),
    (
        "h = {'b' => 1, 'a' => 2}; m = Module.new { def self.extended(h); t = h.to_a.sort; h.clear; t.each { |k, v| h[k] = v }; end; def first_key; keys.first; end }; h.extend(m); [h, h.first_key, h.class, h.is_a?(m), h.to_yaml]",
        r#"[{"a"=>2, "b"=>1}, "a", Hash, true, "---\na: 2\nb: 1\n"]"#,
    ),
    (
        "h = {'a' => 1}; def h.double; transform_values { |v| v * 2 }; end; [h.double, h.dup.respond_to?(:double), h.singleton_methods]",
        r#"[{"a"=>2}, false, [:double]]"#,
    ),
    (
        r#"io = StringIO.new("a\nb\r\n\nc"); [io.gets(chomp: true), io.gets(chomp: true), io.readlines(chomp: true), io.lineno]"#,
        r#"["a", "b", ["", "c"], 4]"#,
    ),
    (
        r#"l = []; StringIO.new("a\nb").each_line(chomp: true) { |it| l << it }; [l, StringIO.new("a\n").gets(chomp: false)]"#,
        r#"[["a", "b"], "a\n"]"#,
    ),
    ("s = nil; [StringIO.open(+'x') { |it| s = it; 5 }, s.closed?, s.string]", "[5, true, nil]"),
    // Reading byte by byte takes time in proportion to the text.
    ("io = StringIO.new('x' * 100_000); n = 0; n += 1 while io.read(1); [n, io.pos]", "[100000, 100000]"),
    ("'añ'.bytes", "[97, 195, 177]"),
    (
        "o = OpenStruct.new(a: 1); o.b = o; o.c = [o, OpenStruct.new(d: {})]; [o, o.to_s == o.inspect]",
        "[#<OpenStruct a=1, b=#<OpenStruct ...>, c=[#<OpenStruct ...>, #<OpenStruct d={}>]>, true]",
    ),
    ("OpenStruct.new(a: 1).instance_variables", "[:@table]"),
    (
        "v = SemanticPuppet::Version.parse('1.2.3-rc.1+b.2'); [v.major, v.prerelease, v.build, v.stable?, v.to_s]",
        "[1, \"rc.1\", \"b.2\", false, \"1.2.3-rc.1+b.2\"]",
    ),
    (
        "a, b = %w[1.10.0 1.9.0].map { |it| SemanticPuppet::Version.parse(it) }; [a > b, a <=> b, a <=> 3, [a, b].max.to_s]",
        "[true, 1, nil, \"1.10.0\"]",
    ),
    (
        "v = SemanticPuppet::Version.parse('1.2.3'); c = v.class; [v.is_a?(Numeric), Integer === v, c.superclass, c.ancestors.first(3)]",
        "[true, false, Numeric, [SemanticPuppet::Version, Numeric, Comparable]]",
    ),
    (
        "v = SemanticPuppet::Version.parse('1.2.3'); [v.frozen?, v.dup.equal?(v), v.clone.frozen?, v.integer?, v.zero?, v.respond_to?(:+)]",
        "[true, true, true, false, false, false]",
    ),
    (
        "v = SemanticPuppet::Version.parse('1.2.3'); [v === SemanticPuppet::Version.parse('1.2.3'), v === 1, v == 1]",
        "[true, false, false]",
    ),
    ("SemanticPuppet::VersionRange.parse('~1.2').include?(SemanticPuppet::Version.parse('1.2.9'))", "true"),
    ("SemanticPuppet::Version.valid?('1.2')", "false"),
    ("OpenStruct.new(a: 1).instance_variable_get('@table')", "{:a=>1}"),
];

/// Expressions and the errors that they raise.
const ERRORS: &[(&str, &str)] = &[
    (
        "SemanticPuppet::Version.parse('1.2')",
        "SemanticPuppet::Version::ValidationFailure: Unable to parse '1.2' as a semantic version identifier",
    ),
    (
        "SemanticPuppet::Version.parse('1.2.3') < 'x'",
        "ArgumentError: comparison of SemanticPuppet::Version with String failed",
    ),
    (
        "SemanticPuppet::Version.parse('1.2.3') < :x",
        "ArgumentError: comparison of SemanticPuppet::Version with :x failed",
    ),
    (
        "SemanticPuppet::Version.parse('1.2.3').instance_variable_set(:@a, 1)",
        "FrozenError: can't modify frozen SemanticPuppet::Version: 1.2.3",
    ),
    ("SemanticPuppet::VersionRange.parse('nope')", "ArgumentError: Unparsable version range: \"nope\""),
    ("StringIO.new('x').gets(chompp: true)", "ArgumentError: unknown keyword: :chompp"),
    ("s = nil; StringIO.open(+'x') { |it| s = it }; s.read", "IOError: not opened for reading"),
    ("StringIO.new('x').gets(nil) rescue 1", "not known: StringIO#gets with these arguments"),
    ("StringIO.new('x').each_line('') { } rescue 1", "not known: StringIO#each_line with these arguments"),
    ("StringIO.new('x').read(1, +'') rescue 1", "not known: StringIO#read with a buffer"),
    ("StringIO.new.print rescue 1", "not known: StringIO#print without arguments"),
    ("StringIO.new('x').readchar rescue 1", "not known: StringIO#readchar"),
    ("StringIO.new.printf('x') rescue 1", "not known: StringIO#printf"),
    ("JSON.generate([[1]], max_nesting: 1)", "JSON::NestingError: nesting of 1 is too deep"),
    ("Base64.strict_decode64('YQ')", "ArgumentError: invalid base64"),
    ("File.join(nil)", "TypeError: no implicit conversion of nil into String"),
    ("Shellwords.split(\"'a\")", "ArgumentError: Unmatched quote: \"'a\""),
    ("URI.parse('http://a b')", "URI::InvalidURIError: bad URI(is not URI?): \"http://a b\""),
    ("IPAddr.new('10.0.0.0/33')", "IPAddr::InvalidPrefixError: invalid length: 167772160"),
    ("Gem::Version.new('x')", "ArgumentError: Malformed version number string x"),
    ("Puppet.which('x')", "not known: Puppet.which"),
    ("require 'prime'; 7.prime? rescue 1", "not known: prime?, which the library prime may add"),
    ("require 'prime.rb'; 7.respond_to?(:prime?)", "not known: prime?, which the library prime may add"),
    ("require 'prime'; defined?(7.prime?)", "not known: prime?, which the library prime may add"),
    ("7.prime? rescue 1", "1"),
    ("require 'pp'; 7.prime? rescue 1", "1"),
    (
        "require 'digest/bubblebabble'; Digest::MD5.bubblebabble('a') rescue 1",
        "not known: bubblebabble, which the library digest/bubblebabble may add",
    ),
];

#[test]
fn libraries_answer_as_in_ruby() {
    for (code, answer) in ANSWERS.iter().chain(ERRORS) {
        assert_eq!(eval(code).replace('\n', "\\n"), *answer, "{code}");
    }
}
