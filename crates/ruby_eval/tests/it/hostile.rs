//! Ruby code that means harm: each piece is refused by name, or ends at a budget.

use marotte_ruby_eval::testing::{eval, render};

/// Evaluates each piece of code, and asserts what its answer is like.
fn all(codes: &[&str], is_right: impl Fn(&str) -> bool) {
    let wrong: Vec<String> = (codes.iter().map(|code| (code, eval(code))))
        .filter(|(_, answer)| !is_right(answer))
        .map(|(code, answer)| format!("{code}: {answer:.200}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_never_ends_is_ended() {
    all(
        &[
            "loop { }",
            "while true; end",
            "until false do 1 end",
            "begin; end while true",
            "i = 0; loop { i += 1 }",
            "1.step { |i| }",
            "(1..).each { |i| }",
            "[1].cycle { }",
            "1.upto(10**18) { }",
            "(10**18).times { }",
            "begin; raise 'x'; rescue; retry; end",
            "begin; ->(x) { x.to_yaml; format('%999999999999d', x) }.call([1]); rescue; retry; end",
            "a = [1]; a.each { |x| a << x }",
            "h = {}; loop { h[h.size] = 1 }",
            "Array.new(1000) { |i| i }.permutation { }",
            "[*1..60].combination(30) { }",
            "(0..10**12).to_a",
            "def f; yield; end; loop { f { next } }",
        ],
        |it| it.starts_with("exhausted") || it.starts_with("not known"),
    );
}

#[test]
fn what_calls_itself_is_ended() {
    all(
        &[
            "def f; f; end; f",
            "def f(x); g(x + 1); end; def g(x); f(x); end; f(0)",
            "f = lambda { |x| f.call(x) }; f.call(1)",
            "f = ->(&b) { f.(&b) }; f.()",
            "class A; def to_s; \"#{self}\"; end; end; A.new.to_s",
            "class A; def method_missing(n, *a); x; end; end; A.new.y",
            "class A; def ==(o); o == self; end; end; A.new == A.new",
            "class A; include Comparable; def <=>(o); self < o; end; end; A.new < A.new",
            "h = Hash.new { |h, k| h[k] }; h[1]",
            "class A; def each; A.new.each; end; include Enumerable; end; A.new.to_a",
        ],
        |it| it.starts_with("exhausted") || it.starts_with("not known") || it.starts_with("SystemStackError"),
    );
}

#[test]
fn recursion_through_built_in_methods_is_ended() {
    all(
        &[
            "a = [1].each; 100_000.times { a = a.with_index }; a.to_a",
            "a = [1].each; 100_000.times { a = a.with_object(1) }; a.to_a",
            "m = method(:puts); 100_000.times { m = m.method(:call) }; m.call(1)",
            "f = proc { |x| x }; 100_000.times { f = f >> proc { |x| x } }; f.call(1)",
            "a = [1]; b = [1]; 50_000.times { a = [a]; b = [b] }; a == b",
            "a = [1]; b = [1]; 50_000.times { a = [a]; b = [b] }; (a <=> b).inspect",
            "a = [1]; 100_000.times { a = [a] }; a.inspect",
            "c = Class.new; 1_000.times { c = Class.new(c) }; c.new.x",
            "1_001.times { Module.new }",
        ],
        |it| it.starts_with("exhausted"),
    );
}

#[test]
fn values_that_contain_themselves_are_compared() {
    let codes = [
        "a = []; a << a; b = []; b << b; a == b",
        "a = {}; a[1] = a; b = {}; b[1] = b; a == b",
        "a = [1]; a << [a]; b = [1]; b << [b]; a == b",
        "a = [1]; a << a << 2; b = [1]; b << b << 3; a != b",
    ];
    all(&codes, |it| it == "true");
}

#[test]
fn keys_that_contain_themselves_are_refused() {
    let codes = ["a = []; a << a; { a => 1 }", "a = [1]; 100.times { a = [a, a] }; { a => 1 }"];
    all(&codes, |it| it.starts_with("not known") || it.starts_with("exhausted"));
    // Keys that were changed later.
    let changed = "a = [1]; b = [2]; h = { a => 1 }; i = { b => 1 }; a[0] = a; b[0] = b; { **h, **i }.size";
    assert_eq!(eval(changed), "2");
}

/// Operations that take longer than their number suggests are charged by their work.
#[test]
fn long_operations_are_charged() {
    all(
        &[
            "('a' * 1_000_000).scan(/(a*)*b|a/).size",
            "('a' * 100_000).scan(/a(?=a*$)/).size",
            "i = 0; 50_000.times { Regexp.new(\"[a-z]{500}#{i}\"); i += 1 }",
            "i = 0; 50_000.times { /x#{i}/; i += 1 }",
            "(3**200_000).gcd(5**200_000)",
            "(3**200_000).lcm(5**200_000)",
            "require 'openssl'; OpenSSL::PKCS5.pbkdf2_hmac('a', 'b', 600_000, 64, 'SHA512')",
        ],
        |it| it.starts_with("exhausted"),
    );
}

#[test]
fn usual_matches_are_cheap() {
    let codes = [
        "('ab ' * 20_000).scan(/\\w+/).size == 20_000",
        "(\"ab\\n\" * 2_000).gsub(/(?<!\\r)\\n/, \"\\r\\n\").size == 8_000",
        "('k=v,' * 2_000).scan(/(\\w+)=(\\w+|-)/).size == 2_000",
        "2_000.times.count { |i| \"x#{i}\" =~ /^x#{i}$/ } == 2_000",
    ];
    all(&codes, |it| it == "true");
}

#[test]
fn what_grows_is_ended() {
    all(
        &[
            "\"a\" * 10**12",
            "\"ab\" * (2**62)",
            "[0] * 10**12",
            "Array.new(10**12)",
            "Array.new(10**12) { 1 }",
            "s = 'a'; loop { s += s }",
            "s = 'a'; loop { s << s }",
            "a = [1]; loop { a += a }",
            "a = [1]; loop { a.concat(a) }",
            "a = ['x']; 100.times { a = [a, a] }; a.flatten.size",
            "a = ['x']; 60.times { a = [a, a] }; a.inspect",
            "'%1000000000000d' % 1",
            "'x'.ljust(10**12)",
            "'x'.center(10**13, 'ab')",
            "format('%-999999999999s', 'x')",
            "2 ** (10**9)",
            "10 ** (10 ** 10)",
            "1 << (10**12)",
            "x = 3; loop { x = x * x }",
            "(1..10**7).inject(:*)",
            "('a'..'z' * 50).to_a",
            "'a'.upto('z' * 40) { }",
            "s = 'a'; loop { s = s.gsub('a', 'aa') }",
            "s = 'a'; loop { s = s.inspect }",
            "s = 'a' * 1000; loop { s = s.unpack('C*').pack('U*') * 2 }",
            "[[1] * 3000] .product(*([[1, 2]] * 60)).size",
        ],
        |it| it.starts_with("exhausted") || it.starts_with("not known") || it.contains("Error: "),
    );
}

#[test]
fn symbols_are_counted() {
    all(
        &[
            "i = 0; loop { \"s#{i += 1}\".to_sym }",
            "i = 0; loop { i += 1; :\"s#{i}\" }",
            "300_000.times { |i| \"method#{i}\".intern }",
            "class A; end; 300_000.times { |i| A.send(:define_method, \"m#{i}\") { } }",
            "o = Object.new; 300_000.times { |i| o.instance_variable_set(\"@v#{i}\", i) }",
        ],
        |it| it.starts_with("exhausted") || it.starts_with("not known"),
    );
}

#[test]
fn matches_that_go_back_and_forth_are_ended() {
    all(
        &[
            "('a' * 40 + 'b') =~ /^(a+)+$/",
            "('a' * 5000) =~ /(a*)*(a*)*(a*)*b/",
            "('a' * 40) =~ /(a|aa)+(?=b)$/",
            "('x' * 3000).gsub(/(x+x+)+y/, '')",
            "('ab' * 2000).scan(/((a|b)+)+(?!.)c/)",
            "('a' * 30) =~ /(a?){30}\\1a{30}/",
            "Regexp.new('(' * 5000 + ')' * 5000)",
            "Regexp.new('a{1000}' * 1000)",
            "Regexp.new('((a{0,1000}){0,1000}){0,1000}')",
        ],
        // A match may as well be found, or not, in time.
        |it| !it.is_empty(),
    );
}

#[test]
fn nested_source_is_refused() {
    let deep = [
        format!("{}1{}", "(".repeat(50_000), ")".repeat(50_000)),
        format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000)),
        format!("{}1", "!".repeat(100_000)),
        format!("1{}", "+1".repeat(100_000)),
        format!("{}{}", "if true\n".repeat(20_000), "end\n".repeat(20_000)),
        format!("x = 1\nx{}", ".to_s".repeat(100_000)),
        "\"#{".repeat(20_000),
        format!("{}{}", "[1].each { ".repeat(20_000), "}".repeat(20_000)),
    ];
    for code in &deep {
        let answer = eval(code);
        assert!(!answer.is_empty(), "{code:.20}");
    }
}

/// Nothing outside is reached, whatever it is called by.
#[test]
fn the_world_is_out_of_reach() {
    let codes = [
        "system('true')",
        "`true`",
        "%x(true)",
        "exec('true')",
        "spawn('true')",
        "fork { }",
        "Process.kill(9, 1)",
        "Process.spawn('true')",
        "IO.popen('true')",
        "open('|true')",
        "Kernel.open('/etc/passwd')",
        "Kernel.system('true')",
        "Open3.capture2('true')",
        "require 'open3'; Open3.popen3('true')",
        "Puppet::Util::Execution.execute('true')",
        "Facter::Core::Execution.execute('true')",
        "Facter::Util::Resolution.exec('true')",
        "File.write('/tmp/x', 'x')",
        "File.open('/tmp/x', 'w') { |f| f.puts 1 }",
        "File.delete('/tmp/x')",
        "File.unlink('/tmp/x')",
        "File.rename('/tmp/x', '/tmp/y')",
        "File.symlink('/tmp/x', '/tmp/y')",
        "FileUtils.rm_rf('/tmp/x')",
        "require 'fileutils'; FileUtils.touch('/tmp/x')",
        "Dir.mkdir('/tmp/x')",
        "Dir.glob('/etc/*')",
        "Dir['/etc/*']",
        "Dir.entries('/etc')",
        "File.read('/etc/passwd')",
        "File.open('/etc/passwd').read",
        "IO.read('/etc/passwd')",
        "IO.readlines('/etc/shadow')",
        "File.readlines('/etc/passwd')",
        "File.foreach('/etc/passwd') { }",
        "File.new('/etc/passwd')",
        "Pathname.new('/etc/passwd').read",
        "YAML.load_file('/etc/passwd')",
        "JSON.load(File.open('/etc/passwd'))",
        "Puppet::FileSystem.read('/etc/passwd')",
        "load '/etc/passwd'",
        "require 'socket'; TCPSocket.new('192.0.2.1', 80)",
        "require 'net/http'; Net::HTTP.get(URI('http://192.0.2.1/'))",
        "require 'open-uri'; URI.open('http://192.0.2.1/')",
        "require 'resolv'; Resolv.getaddress('example.com')",
        "eval('1 + 1')",
        "instance_eval('1 + 1')",
        "binding.eval('1')",
        "Object.class_eval('1')",
        "Kernel.eval('1')",
        "send(:eval, '1')",
        "method(:eval).call('1')",
        "ObjectSpace.each_object { }",
        "ObjectSpace.garbage_collect",
        "GC.start",
        "Thread.new { loop { } }",
        "Thread.new { }.join",
        "Fiber.new { }.resume",
        "at_exit { }",
        "trap('INT') { }",
        "exit!",
        "ENV['HOME']",
        "ENV.to_h",
        "ENV['X'] = '1'",
        "$stdin.read",
        "STDIN.gets",
        "gets",
        "syscall(39)",
        "Marshal.load('x')",
        "TracePoint.new(:call) { }.enable",
        "set_trace_func(nil)",
        "RubyVM::InstructionSequence.compile('1').eval",
        "Etc.getpwnam('root')",
        "require 'fiddle'; Fiddle.dlopen(nil)",
        "rand",
        "SecureRandom.hex",
        "sleep 1000",
    ];
    all(&codes, |it| it.starts_with("not known") || it == "unknown");
}

#[test]
fn templates_have_the_same_bounds() {
    for template in [
        "<% loop do %>x<% end %>",
        "<% (1..10**12).each do |i| %><%= i %><% end %>",
        "<%= 'x' * 10**12 %>",
        "<%= `true` %>",
        "<%= File.read('/etc/passwd') %>",
        "<%= system('true') %>",
    ] {
        let answer = render(template);
        let is_bounded = answer.starts_with("exhausted") || answer.starts_with("not known");
        assert!(is_bounded || answer.contains("Error: "), "{template}: {answer:.200}");
    }
}

/// Literals are compiled when a program is read, or at the first match.
#[test]
fn large_regular_expressions_are_limited_in_total() {
    for pattern in [r"[\p{L}\w]{1,9", ".{1,90"] {
        let code = |count: usize| -> String {
            (10..10 + count).map(|it| format!("'a' =~ /{pattern}{it}}}/\n")).collect()
        };
        let answer = eval(&code(90));
        assert!(answer.starts_with("exhausted") || answer.starts_with("not known"), "{answer:.200}");
    }
    assert_eq!(eval("'a' =~ /.{1,9000}/"), "0");
}
