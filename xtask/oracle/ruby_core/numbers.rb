# Integer, Float, nil, true and false, the conversion functions of Kernel, and format.
TABLES << {
  name: 'Integer',
  limit: 3_000,
  receivers: %w[0 1 -1 2 7 10 -13 42 255 1000 65536 99999 1_000_000 2**31 2**62 2**64 -(2**63) 10**20 3600].map { |r| r =~ /\A\d[\d_]*\z/ ? r : "(#{r})" },
  plain: %w[to_s inspect to_i to_int to_f chr ord abs magnitude succ next pred even? odd? zero? positive? negative? integer? finite? infinite? nan_missing bit_length digits floor ceil round truncate size_missing -@ +@ ~ hash_missing class nil? frozen? dup
            numerator_missing to_r_missing to_c_missing nonzero? itself] - %w[nan_missing size_missing hash_missing numerator_missing to_r_missing to_c_missing],
  calls: {
    '+ - *' => [' 1', ' -7', ' 2.5', ' 2**64', ' nil', " 'a'", ' 0', ' []'],
    '/ % div modulo fdiv divmod remainder' => [' 3', ' -3', ' 0', ' 2.5', ' 0.0', ' nil', " 'a'", ' 2**64', ' -7'],
    '**' => [' 2', ' 0', ' -1', ' 0.5', ' nil'],
    'pow' => ['(3, 7)', '(2)', '(2, 0)'],
    '& | ^' => [' 5', ' -1', ' 2**64', ' nil', ' 1.5'],
    '<< >>' => [' 1', ' 3', ' -1', ' 70', ' nil'],
    '<=> == != eql? equal? < > <= >= ===' => [' 1', ' 1.0', ' 42', ' nil', " 'a'", ' 2**64', ' -13', ' 0.5'],
    'to_s' => ['(2)', '(16)', '(36)', '(1)', '(37)', '(nil)'],
    '[]' => ['(0)', '(3)', '(-1)', '(64)'],
    'digits' => ['(16)', '(10)', '(1)', '(-2)'],
    'round floor ceil truncate' => ['(-1)', '(-2)', '(1)', '(0)', '(-30)', '(nil)'],
    'round' => ['(-1, half: :even)', '(-1, half: :down)', '(-1, half: :up)', '(-1, half: :nope)'],
    'between? clamp' => ['(1, 10)', '(0, 0)', '(10, 1)', '(nil, 5)', '(1.5, 3.5)'],
    'clamp' => ['(1..10)', '(..5)', '(5..)', '(1...5)'],
    'gcd lcm' => ['(12)', '(0)', '(-9)', '(2.0)'],
    'coerce' => ['(2)', '(2.5)', "('3')", '(nil)', "('x')"],
    'chr' => ["('UTF-8')"],
    'respond_to?' => ['(:+)', '(:each)', '(:times)'],
    'is_a?' => ['(Integer)', '(Numeric)', '(Float)', '(Comparable)'],
    'send' => ['(:+, 1)', '(:to_s, 2)'],
    'allbits? anybits? nobits?' => ['(2)', '(0)'],
    'step' => ['(100, 50).first(3)'],
    'succ abs to_i' => ['(1)'],
    'to_f' => ['.to_s'],
    'then' => ['{ |x| x + 1 }'],
  },
  changes: {},
  extra: ['3.times.to_a', '0.times.to_a', '3.times.map { |i| i * 2 }', '3.upto(6).to_a', '6.downto(3).to_a', '3.upto(1).to_a', '1.step(10, 3).to_a', '10.step(1, -4).to_a', '1.0.step(2.0, 0.5).to_a', '1.step(by: 2, to: 7).to_a', '5.upto(7) { |i| break i }', '3.times { |i| i }', '-7 / 2', '-7 % 3', '7.remainder(-3)', '-7.divmod(2)', '7.5.divmod(2)',
          '2**100', '2**-1', '(-8)**2', '4**0.5', '10.fdiv(4)', '0b101', '0o17', '017', '0xff', '1_000', '?a.ord', '65.chr', '300.chr', "300.chr('UTF-8')", '-1.chr', '1 <=> "a"', '1 == 1.0', '1.eql?(1.0)', '1.equal?(1)', '3.zero?', '3.14.to_i', '1e3.to_i', '10.digits', '-10.digits', '3.7 % 1', '-5.abs', '5.pred', 'Integer.sqrt(24)', 'Integer.sqrt(-1)', '1.0 / 3', '1 / 0',
          '1 % 0', '0 ** 0', '1.nil?', '12345.6789.round(2)', '1234567.round(-3)', '25.round(-1, half: :even)', '15.round(-1)', '(-15).round(-1)', '1 + nil', '1 + "2"', 'nil + 1', '"1" + 1', '1 < nil', '[1] + nil', '1 & 3', '6 ^ 3', '~5', '1 << 70', '2**64 >> 60', '1.size', '1.frozen?', '10.pow(3, 7)', '255.to_s(2).rjust(10, "0")', '"%.2e" % 12345', '1.positive? && !1.negative?', '5.clamp(1, 3)', '5.clamp(..3)', 'rand(1)', 'Random.new(42).rand(100)',
          'Random.new(42).rand', 'Random.new(42).bytes(4).bytes', 'Random.new(5).rand(1.5)', 'Random.new(5).rand(1..6)', 'r = Random.new(3); [r.rand(10), r.rand(10), r.rand(10), r.rand(2**70)]', 'Random.new(2**40).rand(1000)', 'Random.new(0).rand(0)', 'Random.new(7).rand(1.0..2.0)', 'Random.new(7).seed', 'r = Random.new(9); Array.new(5) { r.rand(256) }', 'srand(5); [rand(100), rand(100)]', 'Random.srand(3); Random.rand(50)', 'Random.new(1).rand(2**32)', 'Random.new(1).rand(2**33)', 'Random.new(-5).rand(1000)', 'Random.new(11).rand(3..3)', 'Random.new(12).rand(-5..5)', "Random.new('a')", "Random.new(1).rand('a')"],
}

TABLES << {
  name: 'Float',
  limit: 2_400,
  receivers: %w[0.0 -0.0 1.0 -1.5 2.5 3.14159 0.1 1e20 1e16 123456789.123 1e-5 1e-10 1e100 -2.5 0.5 99.995 Float::INFINITY -Float::INFINITY Float::NAN 1e15].map { |r| r =~ /\A[\d.]+\z/ ? r : "(#{r})" },
  plain: %w[to_s inspect to_i to_f floor ceil round truncate abs zero? positive? negative? nan? infinite? finite? integer? next_float_missing -@ class nil? frozen? to_int magnitude nonzero?] - %w[next_float_missing],
  calls: {
    '+ - * / % ** div modulo divmod fdiv' => [' 2', ' 0', ' -1.5', ' 0.1', ' nil', " 'a'", ' 2**64'],
    '<=> == eql? < > <= >=' => [' 1', ' 1.0', ' nil', " 'a'", ' 2.5', ' Float::NAN', ' 2**64'],
    'round' => ['(1)', '(2)', '(0)', '(-1)', '(half: :even)', '(half: :down)', '(1, half: :even)', '(nil)', '(20)'],
    'floor ceil truncate' => ['(1)', '(-1)', '(0)', '(nil)'],
    'clamp between?' => ['(0, 1)', '(1.0, 2.0)'],
    'coerce' => ['(1)', "('2.5')"],
    'is_a?' => ['(Float)', '(Numeric)'],
    'to_s' => ['.length', '(1)'],
  },
  changes: {},
  extra: ['0.1 + 0.2', '1.1 * 3', '100.0.to_s', '1e2', '1e16.to_s', '1e15.to_s', '123456789012345680.0', '0.0001', '0.00001', '1.23e-7', '-0.0', '2.0e-7.to_s', '1.0e+23', '9007199254740993.0', '4.35 * 100', '1.15.round(1)', '1.25.round(1)', '1.35.round(1)', '2.675.round(2)', '2.5.round', '3.5.round', '-2.5.round', '0.5.round', '1.5.floor', '-1.5.ceil', '1e20.to_i', '10.0 / 3',
          '1.0 / 0', '-1.0 / 0', '0.0 / 0', '5.0.div(2)', '7.0 % 3', '-7.0 % 3', '2.0 ** 0.5', '4 ** -0.5', 'Float::MAX', 'Float::MIN', 'Float::EPSILON', 'Float::DIG', 'Float::NAN == Float::NAN', '[Float::NAN].include?(Float::NAN)', '3.0 == 3', '3.0.eql?(3)', '3.0.hash == 3.hash', '3.7.to_i', '-3.7.to_i', 'Float::INFINITY.to_i', 'Float::NAN.to_i', '1e3 == 1000', '3.14.truncate', '1.0.to_r', '0.5.rationalize', '3.99.floor(1)', '12.34.ceil(1)', 'Math.sqrt(16)', 'Math.sqrt(-1)', 'Math.log(8, 2)', 'Math.log10(1000)', 'Math.log2(8)', 'Math::PI', 'Math.hypot(3, 4)', 'Math.log(0)', 'Math.sin(0)', 'Math.cbrt(27)', '1.0.next_float > 1.0', '3.7.divmod(1.2)', '-7.5.divmod(2)', '1_000.5'],
}

CONVERTED = ["'42'", "' 42 '", "'0x1A'", "'0b11'", "'0o17'", "'017'", "'08'", "'1_000'", "'1__0'", "'_1'", "'1e3'", "'12abc'", "''", "' '", "'3.7'", "'-5'", "'+5'", "'- 5'", "'.5'", "'1.5.2'", "'abc'", "'9' * 25", "\"4\\n2\"", "\"42\\n\"", "'1e400'",
             "'Infinity'", "'NaN'", 'nil', 'true', ':a', '3.99', '-3.99', '7', '[]', '[1]', '{}', '{ a: 1 }', '(1..3)', 'Float::NAN', 'Float::INFINITY', '2**70', '1e25', 'Object', "'é'", "\"1\\0\"", "'0'", "'-0'", "'0x'", "'1.'" ].freeze
TABLES << {
  name: 'Kernel',
  limit: 1_800,
  receivers: [''],
  plain: [],
  calls: {},
  changes: {},
  extra: CONVERTED.flat_map { |v| %w[Integer Float String Array].map { |f| "#{f}(#{v})" } } +
         CONVERTED.flat_map { |v| ["Integer(#{v}, exception: false)", "Float(#{v}, exception: false)", "Integer(#{v}, 10)", "Integer(#{v}, 16)", "Integer(#{v}, 8)", "Integer(#{v}, 2)"] } +
         CONVERTED.flat_map { |v| ["#{v}.to_s", "(#{v}).inspect", "(#{v}).nil?", "(#{v}).class", "!(#{v})", "(#{v}).to_a", "(#{v}).to_i", "(#{v}).to_f", "(#{v}).to_h", "(#{v}).to_sym", "(#{v}).to_str", "(#{v}).empty?", "(#{v}).size", "(#{v}).is_a?(Numeric)", "(#{v}) == '42'",
                                   "\"<\#{#{v}}>\"", "[#{v}].join(':')", "(#{v}) || :other", "(#{v}).respond_to?(:each)", "case #{v} when String then :s when Integer, Float then :n when nil then :nil when Array then :a else :o end"] } +
         ['Integer()', 'Integer("0", 37)', 'Integer(nil, exception: false)', 'Integer("z", 36)', 'raise "boom"', 'raise ArgumentError', "raise ArgumentError, 'bad'", "raise TypeError.new('t')", "raise Class.new(StandardError), 'anon' rescue $!.message", 'fail "x"', "begin; raise 'a'; rescue => e; [e.class, e.message]; end", "begin; Integer('x'); rescue ArgumentError, TypeError => e; e.message; ensure; 1; end",
          "begin; 1; rescue; 2; else; 3; ensure; 4; end", "def m; return 1; ensure; 2; end; m", "x = begin; raise 'a'; rescue; 5; end; x", "begin; raise 'a'; rescue ArgumentError; 1; end", "Integer('x') rescue 0", "n = 0; begin; n += 1; raise 'x' if n < 3; n; rescue; retry; end", "catch(:done) { 10.times { |i| throw :done, i if i == 3 }; :never }", 'throw :nope', "catch { |t| throw t, 7 }",
          'loop { break 5 }', 'i = 0; i += 1 while i < 5; i', 'i = 0; i += 1 until i == 3; i', 'i = 0; begin; i += 1; end while i < 3; i', 'for i in 1..3 do end; i', 'r = []; for a, b in [[1, 2], [3, 4]]; r << a + b; end; r', '[1, 2, 3].each { |x| next if x == 2 }', '[1, 2, 3].map { |x| next 0 if x == 2; x }', 'r = [3, 4].each { |x| break x * 2 }; r', 'x = nil; x ||= 5; x', 'x = 1; x &&= x + 1; x', 'h = {}; h[:a] ||= []; h[:a] << 1; h[:a]',
          'a = [1]; a[3] ||= 9; a', 'nil&.length', "'ab'&.length", 'x = 5; x > 3 ? :big : :small', 'if false then 1 end', 'unless nil then 2 end', '(1 if true)', 'x = 1 if false; x', 'not true', 'true and nil', 'nil or 3', 'true && :x', 'false || nil', 'defined?(foo)', 'defined?(String)', 'x = 1; defined?(x)', 'defined?(puts)', 'defined?(@a)', 'defined?(1 + 1)', 'defined?(nil)', 'defined?(Nope)', 'defined?(yield)', 'defined?(@@x)', '@x', '@x = 1; @x', '$nope', '__method__.inspect', 'def f(a, b = 2, *c, d: 4, **e, &g) [a, b, c, d, e.size, g.nil?] end; f(1)',
          'def f(a, b = 2, *c, d: 4, **e, &g) [a, b, c, d, e.size, g.nil?] end; f(1, 3, 5, d: 6, z: 7) { }', 'def f(a) a end; f', 'def f(a) a end; f(1, 2)', 'def f(a:) a end; f', 'def f(a:) a end; f(a: 1, b: 2)', 'def f(*) 1 end; f(1, 2)', 'def f(a, (b, c), d) [a, b, c, d] end; f(1, [2, 3], 4)', 'def f(*a, **k) [a, k.to_a] end; f(1, x: 2)', 'def f(h) h.to_a end; f(a: 1)', 'def f; yield 1, 2; end; f { |a, b| a + b }', 'def f; yield [1, 2]; end; f { |a, b| a + b }', 'def f; block_given?; end; [f, f {}]', 'def f; yield; end; f', 'def f(&b) b.call(3) end; f { |x| x * 2 }', 'def f(&b) b end; f', 'def f(x) = x + 1; f(2)',
          '->(x) { x * 2 }.call(4)', '->(x) { x * 2 }.(4)', 'lambda { |x| x }.call', 'proc { |x, y| [x, y] }.call(1)', 'proc { |x, y| [x, y] }.call([1, 2])', 'proc { |x| x }.call(1, 2)', 'lambda { |a, b = 1| [a, b] }.arity', 'proc { |a, b| }.arity', '->(){}.lambda?', 'add = ->(a, b) { a + b }; add.curry[1][2]', 'f = ->(x) { x + 1 } >> ->(x) { x * 2 }; f.(3)', 'm = 5.method(:+); m.call(3)', '[1, 2].map(&2.method(:+))', 'x = 10; [1].each { |i| x += i }; x', 'x = 10; [1].each { |i; x| x = i }; x', 'c = 0; inc = -> { c += 1 }; inc.(); inc.(); c', 'def f; [1, 2].each { |x| return x }; end; f', 'def r(n) n <= 1 ? 1 : n * r(n - 1) end; r(20)',
          'class A; attr_accessor :v; def initialize(v) @v = v end; def to_s; "A(#{@v})"; end; end; "#{A.new(1)}"', 'class A; def initialize(v) @v = v end; end; A.new', 'class A; def ==(o) true end; end; A.new == 1', 'class A; def hi; :a; end; end; class B < A; def hi; [super, :b]; end; end; B.new.hi', 'module M; def self.f; 1; end; X = 5; end; [M.f, M::X]', 'module M; def m; :m; end; end; class C; include M; end; [C.new.m, C.include?(M), C.ancestors.first(2)]', 'class A; def method_missing(n, *a) n == :zap ? a : super end; def respond_to_missing?(n, p = false) n == :zap end; end; [A.new.zap(1), A.new.respond_to?(:zap)]', 'class A; def method_missing(n, *a) super end; end; A.new.zap', 'class A; class << self; def k; :k; end; end; end; A.k', 'class A; private def p1; 1; end; end; A.new.p1', 'class A; X = 1; def x; X; end; end; A.new.x', 'class A; @@n = 0; def self.inc; @@n += 1; end; end; A.inc; A.inc', 'A = Class.new { define_method(:x) { 3 } }; A.new.x', 'o = Object.new; def o.z; 9; end; o.z', 'o = Object.new; o.instance_variable_set(:@a, 1); [o.instance_variable_get(:@a), o.instance_variables]', 'Nope', 'Nope::X', 'String::Nope', 'class E < StandardError; def message; "mine"; end; end; raise E', 'class E < StandardError; end; raise E', 'nope', 'nope()', 'self.nope', '5.nope', 'nil.nope', 'nil[0]', 'nil.upcase', 'true.x', '[].x', '{}.x', 'Object.new.x rescue $!.class',
          "'abc' =~ /b(c)/; [$~[0], $1, $`, $']", "'abc' =~ /z/; $~", "if 'k=v' =~ /(\\w)=(\\w)/ then [$1, $2] end", "/(?<k>\\w)=(?<v>\\w)/ =~ 'a=b'; [k, v]", "case 'hello' when /^h(.)/ then $1 end", "case [1, 2] when Array then :arr end", "case 5 when 1, 5 then :hit end", "case when 1 > 2 then :a else :b end", "case 'x' when 'a', *%w[x y] then 1 end", "case nil when nil then :n end", "case 1 when Integer, String then :is end", "case :a when ->(x) { x == :a } then :lam end", "case [1, [2, 3]]; in [a, [b, *c]] then [a, b, c] end", "case({ a: 1, b: 2 }); in { a: Integer => x } then x end", "__FILE__.class", "__LINE__",
          "<<~T\n  a\n    b\n T\n".inspect + '.size', "'a' 'b'", 'BEGIN { }; 1', 'alias zap puts; 1', "puts 'x'", 'p', 'p 1', 'print 1', "$stdout.class", "warn 'x'", 'format("%d", 3)', 'sprintf("%s", nil)', 'Comparable.instance_method(:clamp).name', 'Object.new.frozen?', ':a.frozen?', '"a".freeze.frozen?', 'nil.to_a', 'nil.to_s', 'nil.inspect', 'nil.to_h', 'nil & true', 'nil | 1', 'true & 3', 'true ^ true', 'false | nil', 'true.to_s', 'false.inspect', '!nil', '!!1', 'true <=> false', 'true == 1', 'nil =~ /x/', 'nil == false', 'true.class', 'nil.class', 'NilClass', 'nil.dup', 'nil <=> nil', 'true && 1', 'nil.to_i', 'nil.to_f', 'true.to_i', 'nil === nil', 'true.nil?', 'TrueClass === true', 'true.is_a?(TrueClass)', 'false.!',
          'freeze', '1.frozen?', 'Object.new.respond_to?(:nope)', 'Comparable', 'Kernel', 'String.name', 'String.instance_methods(false).include?(:upcase)', 'String.ancestors.include?(Comparable)', 'Integer === 3', 'Numeric === 3.0', '(1..3) === 2', '/a/ === "cat"', 'String === :a', 'Integer.instance_of?(Class)', 'obj = Object.new; obj == obj', 'Object.new == Object.new', '1.instance_of?(Integer)', 'Class', '3.instance_variables', 'binding.local_variables.class', 'x = 5; binding.local_variable_get(:x)', 'x = 5; eval("x + 1")', "instance_eval { 3 }", "'abc'.instance_eval { size }", '[1, 2].instance_of?(Array)', "'a'.method(:upcase).call", "'a'.public_send(:upcase)", "tap { |x| x }.nil?", '5.then { |x| x + 1 }', '5.itself', '[[1, 2], [3]].sum(&:size)', "ObjectSpace.nope rescue $!.class", 'Process.clock_gettime(Process::CLOCK_MONOTONIC).class', "RUBY_ENGINE", "ENV.class", "ENV['NOPE_NOT_SET']"],
}

FORMATTED = ['0', '1', '-1', '42', '-42', '255', '2**70', '3.14159', '-0.5', '1e20', "'abc'", "'42'", "'3.7'", 'nil', ':sym', 'true', '[1, 2]', "'é€'", 'Float::INFINITY', 'Float::NAN', '65', '1234567.891', "''", "'0x1f'", '99.995', '1e-7', '0.1'].freeze
DIRECTIVES = %w[%d %5d %-5d| %05d %+d %\ d %i %u %x %X %#x %08x %o %#o %b %#b %08b %B %e %E %.2e %f %.1f %.0f %8.3f %-8.2f| %+.1f %08.2f %g %G %.3g %10.4g %a %s %10s %-10s| %.2s %5.1s %p %c %5c %% %+x %x%% %#X %+b %.5d %+05d %-+5d| %\ .2f %#.0f %.10g %.3d].map { |d| d.tr('\\', '') }.freeze
TABLES << {
  name: 'format',
  limit: 1_700,
  receivers: [''],
  plain: [],
  calls: {},
  changes: {},
  extra: DIRECTIVES.flat_map { |d| FORMATTED.map { |v| "format('#{d}', #{v})" } } +
         ["format('%s %s', 1)", "format('%s', 1, 2)", "format('%d')", "format('%z', 1)", "format('%')", "format('%5')", "format('')", "format('abc')", "format('100%%')", "format('%1$s %2$s %1$s', 'a', 'b')", "format('%2$*1$d', 5, 3)", "format('%*d', 5, 3)", "format('%-*d|', 5, 3)", "format('%.*f', 2, 3.14159)", "format('%<a>05.1f', a: 2)", "format('%{a}-%{b}', a: 1, b: nil)", "format('%<a>s', b: 1)",
          "format('%{a}', 1)", "format('%s %{a}', 1)", "format('%c', 'xyz')", "format('%c', 8364)", "format('%c', -1)", "format('%c', '')", "format('%s' * 3, 1, 2, 3)", "format(nil)", "format(1)", "format('%d', '0b101')", "format('%d', '1_000')", "format('%d', '1e3')", "format('%f', '1e3')", "format('%d', 3.99)", "format('%d', -3.99)", "format('%x', -255)", "format('%b', -5)", "format('%o', -8)", "format('%+x', -255)", "format('%.0f', 0.5)", "format('%.0f', 1.5)", "format('%.0f', 2.5)",
          "format('%5.2f%%', 99.5)", "format('%s', [nil, 'a'])", "format('%p', [nil, 'a', :b])", "format('%-10s|%5s|', 'ab', 'cd')", "format('%010.3f', -3.14159)", "format('%+5s', 'a')", "format('%05s', 'a')", "format('% 5d', 42)", "format('%e', 0)", "format('%g', 100000)", "format('%g', 1000000)", "format('%g', 0.0001)", "format('%g', 0.00001)", "format('%a', 1.0)", "format('%d %<a>d', 1, a: 2)", "'%s' % nil", "'%s' % [[1, 2]]", "'%p' % [nil]", "'%d%%' % 50", "'%s and %s' % %w[a b]", "'%03d' % 7", "'%.3s' % 'abcdef'", "'%08b' % 37", "'%+d' % 0", "'%s' % []", "'a' % []"],
}
