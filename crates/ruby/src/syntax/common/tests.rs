//! The two parsers have to agree on everything that both read.

use std::path::Path;

use crate::syntax::tree::{Block, Call, Expr, ExprKind, Method, Part};
use crate::syntax::{common, complete};

/// Makes trees comparable: adjacent texts become one, and the parts of conditional code lose their extent, which depends on
/// where blanks and words such as `then` belong.
fn simplified(list: Vec<Expr>) -> Vec<Expr> {
    list.into_iter().map(simple).collect()
}

fn simple(expr: Expr) -> Expr {
    let boxed = |it: Box<Expr>| Box::new(simple(*it));
    let Expr { range, kind } = expr;
    let kind = match kind {
        ExprKind::String(parts) => ExprKind::String(joined(parts)),
        ExprKind::Symbol(parts) => ExprKind::Symbol(joined(parts)),
        ExprKind::Regexp(parts, flags) => ExprKind::Regexp(joined(parts), flags),
        ExprKind::Array(list) => ExprKind::Array(simplified(list)),
        ExprKind::Hash(pairs) => {
            ExprKind::Hash(pairs.into_iter().map(|(key, value)| (simple(key), simple(value))).collect())
        }
        ExprKind::Splat(inner) => ExprKind::Splat(boxed(inner)),
        ExprKind::Call(call) => {
            let Call { receiver, method, arguments, block } = *call;
            let block = block.map(|Block { parameters, body }| Block { parameters, body: simplified(body) });
            let (receiver, arguments) = (receiver.map(simple), simplified(arguments));
            ExprKind::Call(Box::new(Call { receiver, method, arguments, block }))
        }
        ExprKind::Assign(left, right) => ExprKind::Assign(boxed(left), boxed(right)),
        ExprKind::Plus(left, right) => ExprKind::Plus(boxed(left), boxed(right)),
        ExprKind::Method(method) => {
            let body = simplified(method.body);
            ExprKind::Method(Box::new(Method { body, ..*method }))
        }
        ExprKind::Module(list) => ExprKind::Module(simplified(list)),
        ExprKind::Sequence(list) => ExprKind::Sequence(simplified(list)),
        ExprKind::Branches(list) => ExprKind::Branches(flattened(list)),
        ExprKind::Return(list) => ExprKind::Return(simplified(list)),
        other => other,
    };
    Expr { range, kind }
}

fn flattened(list: Vec<Expr>) -> Vec<Expr> {
    let mut flat = Vec::new();
    for it in simplified(list) {
        match it.kind {
            ExprKind::Branches(inner) => flat.extend(inner),
            _ => flat.push(it),
        }
    }
    flat
}

fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, Part::Text(text)) if text.is_empty() => {}
            (_, Part::Code(code)) => joined.push(Part::Code(simple(code))),
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// Whether the fast parser reads a text. Panics if the other one differs.
fn is_read(text: &str, name: &str) -> bool {
    let Some(fast) = common::parse(text) else { return false };
    let complete = complete(text).expect("a tree");
    assert!(complete.sound, "{name}: only the fast parser accepts it:\n{text}");
    let (fast, complete) = (simplified(fast), simplified(complete.body));
    let show = |it: &Expr| format!("{:?} {it:?}", &text[it.range.clone()]);
    for (one, other) in fast.iter().zip(&complete) {
        let (one, other) = (show(one), show(other));
        if one != other {
            let at = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(150);
            let part = |it: &str| it.get(at..).unwrap_or(it).chars().take(500).collect::<String>();
            panic!("{name}:\nfast {}\nfull {}", part(&one), part(&other));
        }
    }
    assert_eq!(fast.len(), complete.len(), "{name}");
    true
}

/// Constructs that modules use.
const COMMON: [&str; 42] = [
    "Puppet::Functions.create_function(:'a::b') do\n  dispatch :c do\n    param 'String', :d\n  end\nend\n",
    "module Puppet::Parser::Functions\n  newfunction(:f, type: :rvalue, :doc => <<-EOS\n    It's #{x}.\n    EOS\n  ) do |args|\n    args[0]\n  end\nend\n",
    "Puppet::Type.newtype(:t) do\n  @doc = %q{a {b} \\} c}\n  newparam(:n, namevar: true) { desc 'x' \"y\" }\nend\n",
    "newvalues(:a, %r{^[a-z]/\\d+$}i, /\\Ab\\/c/)",
    "x = if a then b elsif c then d else e end",
    "case x\nwhen 1, *b then c\nwhen String # why\n  d\nelse\n  e\nend.to_s\n",
    "begin\n  a\nrescue A::B, C => e\n  # why\nrescue *d\n  raise\nelse\n  b\nensure\n  c\nend",
    "def self.f(a, b = {}, *c, d:, e: 1, **f, &g)\n  yield a, b\nrescue\n  super(a)\nend\n",
    "def a=(b)\n  @a = b\nend\ndef ==(other) \n true\nend\ndef f x, y\nend\n",
    "class A::B < C.new(1); attr_reader :a, :b\nclass << self\n  def f; end\nend\nend",
    "a.b { |c, (d, e)| c + d }.f do |*g|\n  g\nend\n",
    "a\n  .b(1) # one\n  .c\n  &.d\n",
    "f a, b do |c|\n  c\nend",
    "f g(1) { 2 }, h: 1, 'i': 2, :j => 3, **k",
    "raise ArgumentError, \"a #{b} #{c[\"d\"]}\\n\" unless e.is_a?(F) && !g",
    "a ||= b\n@c += 1\nd[1] = e = f\ng.h = i\n",
    "a, b = c, *d\na, *b = c\nx = 1, 2\n",
    "a = b ? c : d\ne = f.g? ? :h : 'i'\n",
    "x = a + b * c - d\n'a' + 'b' + \"c\"\n",
    "a == b || c <=> d and not e\nf or g\n",
    "[1, -2, 3.5, 0x1f, 1_000].each_slice(2).map(&:first)",
    "%w[a b\n c].include? d\n%i(a b)\n",
    "{ a: 1, 'b' => 2, if: 3, c => { d: [e] } }",
    "f({ a: 1 }, [b, *c], &d)",
    "a[1..-1]\na[b, 2]\na.b[c][d]\n1..2\n",
    "while a < 1\n  b\nend\nuntil c do d end\nx while y\n",
    "return a, b if c\nreturn(d)\nbreak unless e\nnext 1\n",
    "-> (a) { a }\nl = lambda do |x| x end\nf = ->(b) do b end\n",
    "alias a b\nalias :c :d\ndefined?(x)\n",
    "a = <<~A + <<-'B'\n  x #{y}\n    z\\t\n  A\n  raw #{y}\n  B\nb\n",
    "f(<<~A.strip, 1)\n  x\nA\n",
    "x rescue nil\n(a; b)\n",
    "$x = 1\n$1\n@@a = b\n::A::B\n",
    "a -1\na - 1\na *b\na * b\na /b/\na / b\na [1]\na[1]\n",
    "a :b\na ? b : c\n:+\n:a?\n:'a b'\n:\"a#{b}\"\n",
    "# only a comment",
    "",
    "f `ls #{x}`\n",
    "puts(*a)\nputs [1]\nputs (1)\n",
    "require File.expand_path(File.join(File.dirname(__FILE__), '..', 'x'))\n",
    "a = b.c d\na.e f, 1\nA::b(1)\n",
    "a.<<(( b ).to_s); a.<< \"c\".freeze; a",
];

/// Names, and which of them are neither local variables nor have arguments.
#[test]
fn lone_names_are_those_of_no_variable() {
    for (text, expected) in [
        ("a = b; a; b.c d, e", Some(vec!["b", "b", "d", "e"])),
        ("a.each do |b, (c, *d)| b; c; e; f = 1 end; b; f", None),
        ("a.each do |b, (c, d)| b; c; e; f = 1 end; b; f", Some(vec!["a", "e", "b", "f"])),
        ("a, b = b, c; a; b; d ||= d", Some(vec!["c"])),
        ("a if b; x = 1 if false; x; f(); g(1); h [1]", Some(vec!["a", "b"])),
        ("l = ->(a) { a }; begin; b; rescue => e; e; end; \"#{f}\"; { g: h }", Some(vec!["b", "f", "h"])),
        ("a = 1; a -1", None),
        ("def a; end", None),
        ("_o.<<(( a ).to_s); _o.<< \"b\".freeze", Some(vec!["_o", "a", "_o"])),
    ] {
        assert_eq!(common::lone_names(text), expected, "{text}");
    }
}

/// Texts that are not Ruby, or whose meaning is not obvious.
const OTHER: [&str; 23] = [
    "f(",
    "end",
    "if a\n",
    "a = = b",
    "def f(a,)\nend",
    "[1, 2",
    "{ a }",
    "{ a: }",
    "'a",
    "\"a #{b\"",
    "<<~A\n  x\n",
    "x = <<~A 'b\n'\nA\n",
    "a b c: d e",
    "class a\nend",
    "1abc",
    "a\r\nb",
    "=begin\n=end\n",
    "a\n__END__\nb",
    "x => [a, b]\ncase y\nin z\nend",
    "def f = 1",
    "f(...)",
    "\"\\u{1F600}\"",
    "a ?b :c",
];

#[test]
fn common_constructs_are_read() {
    for text in COMMON {
        assert!(is_read(text, "sample"), "{text}");
    }
}

#[test]
fn other_texts_are_left_to_the_complete_parser() {
    for text in OTHER {
        assert!(common::parse(text).is_none(), "{text}");
    }
}

#[test]
fn deep_trees_are_left_to_the_complete_parser() {
    for text in [
        "(".repeat(100_000),
        format!("{}{}", "[".repeat(70), "]".repeat(70)),
        ".a".repeat(100_000),
        " + b".repeat(100_000),
        " if b".repeat(100_000),
        "[!".repeat(100_000),
    ] {
        assert!(common::parse(&text).is_none());
        assert!(common::parse(&format!("a{text}")).is_none());
    }
}

/// Damaged code must not be mistaken for sound code.
#[test]
fn damaged_texts_are_read_alike() {
    const PIECES: [&str; 40] = [
        "", " ", "\n", ",", "(", ")", "[", "]", "{", "}", "|", "&", "*", "=", "=>", ":", "::", ".", "'",
        "\"", "#{", "end", " do ", " if ", "?", "!", "-", "/", "%", "<<", " rescue ", "@", "nil", "a: 1",
        "x y", "X", "return", "'a' 'b'", "yield ", "not x",
    ];
    // A small generator of pseudo-random numbers (xorshift).
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % limit.max(1) as u64).unwrap_or_default()
    };
    for text in COMMON {
        for _ in 0..60 {
            let start = below(text.len() + 1);
            let end = (start + below(4)).min(text.len());
            if let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) {
                is_read(&[before, PIECES[below(PIECES.len())], after].concat(), text);
            }
        }
    }
}

/// Nearly all files are read by the fast parser, or it would be of no use.
#[test]
#[expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]
#[expect(clippy::print_stderr, reason = "says why nothing is compared")]
fn files_of_modules_are_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tree");
    if !corpus.is_dir() {
        assert!(
            std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
            "there is no corpus: run `cargo xtask corpus`"
        );
        eprintln!("not compared with the corpus, which is not here; `cargo xtask corpus` brings it");
        return;
    }
    let (mut open, mut all, mut read) = (vec![corpus], 0, 0);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = entry.path();
            match entry.file_type().expect("a type") {
                it if it.is_dir() => open.push(path),
                it if it.is_file() && path.extension().is_some_and(|it| it == "rb") => {
                    let name = path.display().to_string();
                    if ["/lib/puppet/functions/", "/lib/puppet/parser/", "/lib/puppet/type/", "/lib/facter/"]
                        .iter()
                        .any(|it| name.contains(it))
                    {
                        let text = std::fs::read(&path).expect("a file");
                        all += 1;
                        read += usize::from(is_read(&String::from_utf8_lossy(&text), &name));
                    }
                }
                _ => {}
            }
        }
    }
    assert!(read * 100 >= all * 95, "{read} of {all}");
}
