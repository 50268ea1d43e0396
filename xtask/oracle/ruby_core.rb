#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks this Ruby for the answers of the core classes and of the libraries that templates and functions use.
#
#   ruby xtask/oracle/ruby_core.rb [FOLDER]
#
# The tables in ruby_core/*.rb hold receivers and calls; every receiver is asked every call. Of each class, as many rows as its limit says are kept, chosen by a
# digest, so that the choice is the same each time. docs/oracle.md describes what is written. Answers that other versions of Ruby (2.7 to 3.4) are known to give in
# other words are left out.
ENV['TZ'] = 'UTC'
Encoding.default_external = Encoding.default_internal = Encoding::UTF_8
$VERBOSE = nil

%w[base64 benchmark bigdecimal bigdecimal/util cgi csv date digest erb ipaddr json openssl ostruct pathname resolv securerandom set shellwords socket stringio time timeout uri yaml zlib].each { |name| require name }

TABLES = [] # rubocop:disable Style/MutableConstant
Dir[File.join(__dir__, 'ruby_core', '*.rb')].sort.each { |file| load file }

# Answers are printed on one line, so longer ones are left out.
LONGEST = 220
SECONDS = 2

# Methods that 2.7 does not have, or that later versions changed.
NEWER = /\AFloat\('1\.'|\(\.\.5\)\.(step|%)|\.(intersect\?|except|each_cons\(99\)|ceildiv|named_captures\(symb|byteindex|deconstruct|compare_by_identity)/
# The messages of these come from libraries whose wording changed between versions, or they quote names in a way that 3.4 changed.
WORDED_BY_VERSION = %w[NoMethodError NameError JSON::ParserError JSON::GeneratorError JSON::NestingError Psych::SyntaxError Psych::DisallowedClass Psych::BadAlias Psych::AliasesNotEnabled Psych::AnchorNotDefined URI::InvalidURIError URI::InvalidComponentError
                       URI::BadURIError UncaughtThrowError NoMatchingPatternError SyntaxError OpenSSL::HMACError Date::Error RegexpError].freeze

def run_forked(expressions)
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    $stdout.reopen(File::NULL)
    $stderr.reopen(File::NULL)
    expressions.each { |it| writer.puts(answer(it)) }
    writer.close
    exit!(0)
  end
  writer.close
  lines = reader.read.force_encoding('UTF-8').lines(chomp: true)
  Process.wait(pid)
  raise "of #{expressions.size} expressions, #{lines.size} were answered" if lines.size != expressions.size

  lines
end

# The expression in an object of its own, with the answer on one line; `-` if there is nothing to record.
def answer(expression)
  value = Timeout.timeout(SECONDS) { binding_for(expression).eval(expression) }
  text = value.inspect
  return '-' unless text.encoding == Encoding::UTF_8 || text.ascii_only?

  text = text.dup.force_encoding('UTF-8')
  unstable?(expression, text) ? '-' : "= #{text}"
rescue SystemExit, Timeout::Error, NoMemoryError, SignalException
  '-'
rescue Exception => e # rubocop:disable Lint/RescueException
  name = e.class.to_s
  message = e.message.dup.force_encoding('UTF-8').scrub('?')
  return '-' if name.start_with?('#')
  return '-' if name == 'SyntaxError'
  return "! #{name}" if WORDED_BY_VERSION.include?(name) || message.match?(/[`']\w+'|=>|\AUnmatched/) || e.is_a?(Encoding::CompatibilityError) || e.is_a?(EncodingError)

  message.include?("\n") || unstable?(expression, message) ? '-' : "! #{name}: #{message}"
end

# A class that an expression names shows the name of the module around it, so that such an expression is evaluated outside of modules.
def binding_for(expression)
  name = expression[/\A([A-Z]\w*) = /, 1]
  return fresh_binding unless name

  Object.send(:remove_const, name) if Object.const_defined?(name)
  TOPLEVEL_BINDING.dup
end

# Definitions of classes in expressions are gone with the module around them.
def fresh_binding
  Module.new.module_eval('Object.new.instance_eval { binding }', '(expression)', 1)
end

def unstable?(expression, text)
  text.bytesize > LONGEST || text.match?(/0x0000|#<(Object|Module|Class|Proc|Method)\b|[\r\n\t]|Errno|\(expression\)/) || !text.valid_encoding? ||
    text.match?(/\{(\\n)+ *\}/) || (text.start_with?('"') && text.include?('=>') && expression.include?('=>') && expression !~ /sub|YAML|JSON/) || (expression.include?('inspect') && text.include?('=>'))
end

def rows(table)
  # Calls on a receiver without an end are asked only where they end.
  ends = ->(receiver, call) { !(table[:infinite] || []).include?(receiver) || call.match?(/\A\.?(first|take|begin|exclude_end|inspect|to_s|include|===|cover|%|==|step\(|find|each_slice\(\d\)\.first|size|frozen|class)/) && !call.include?('false') && !call.include?('is_a?(String)') && !call.include?('to_a') }
  found = []
  table[:receivers].each do |receiver|
    next if receiver.empty?

    receiver = "(#{receiver})" if receiver.match?(/\A[^(\[{]* [*+-] /)
    table[:plain].each { |name| found << [name, "#{receiver}#{glue(name)}"] if ends.call(receiver, ".#{name}") }
    each_call(table[:calls]) { |name, arguments| found << [name, "#{receiver}#{call(name, arguments)}"] if ends.call(receiver, call(name, arguments)) }
    each_call(table[:changes]) { |name, arguments| found << [name, "r = #{receiver.match?(/\A['"]/) && !receiver.include?('.') ? "+#{receiver}" : receiver}; x = r#{call(name, arguments)}; [x, r]"] }
  end
  table[:extra].each { |expression| found << [expression[/[.:]*([a-z_]\w*[?!]?)(?=[^\w]*\z|\()/i, 1] || 'language', expression] }
  found.uniq { |_, expression| expression }.reject { |_, expression| expression.match?(NEWER) || expression.match?(/[\n\t]/) || expression.match?(/\A\S*_missing/) }
end

def each_call(calls)
  (calls || {}).each { |names, arguments| names.split.reject { |it| it.end_with?('_missing') }.each { |name| arguments.each { |it| yield name, it } } }
end

def glue(name) = name.match?(/\A[a-z]/i) || name.match?(/\A[+-]@\z/) ? ".#{name}" : ".#{name}()"

# Arguments without the parentheses around all of them.
def bare(arguments) = arguments.match?(/\A\(.*\)\z/) && split_arguments(arguments).size == 1 && arguments.count('(') == arguments.count(')') && !arguments.match?(/\A\(.*\).*\(/) ? arguments[1..-2] : arguments

# A call as somebody would write it.
def call(name, arguments)
  return "[#{bare(arguments)}]" if name == '[]'
  return assignment(arguments) if name == '[]='
  return ".#{name[0..-2]} = #{bare(arguments)}" if name.match?(/\A\w+=\z/)
  return " #{name} #{bare(arguments.strip)}" if name.match?(/\A\W+\z/) && !arguments.strip.empty? && !arguments.match?(/\A[\[{. ]*\(?.*\{ \|/)
  return ".#{name}" if arguments.empty?
  return ".#{name} #{arguments}" if arguments.match?(/\A\{ (\||true|false|nil|1|:none)/)
  return ".#{name}#{arguments}" if arguments.match?(/\A[.(&{]/) && !arguments.match?(/\A\{[^|]*[:=]/) && !arguments.start_with?('..')

  block = arguments[/ \{ .*\}\z/m] && arguments.match?(/\A[^{]+ \{ /) && !arguments.match?(/, \{/) ? arguments[/ \{ .*\}\z/m] : ''
  inner = arguments.delete_suffix(block)
  inner.start_with?('{ |') ? ".#{name} #{inner}" : ".#{name}(#{inner.strip})#{block}"
end

def assignment(arguments)
  *indexes, value = split_arguments(bare(arguments))
  "[#{indexes.join(', ')}] = #{value}"
end

# Arguments apart at the commas that no bracket encloses.
def split_arguments(text)
  depth = 0
  text.each_char.with_object([+'']) do |c, parts|
    depth += 1 if '([{'.include?(c)
    depth -= 1 if ')]}'.include?(c)
    c == ',' && depth.zero? ? parts << +'' : parts.last << c
  end.map(&:strip)
end

# Answers that differ between versions of Ruby and of its libraries, or that the recording itself causes.
def worded_by_version?(expression, answer)
  answer.start_with?('! ArgumentError: min argument must be') || answer == '! Psych::BadAlias' || (expression.end_with?('.chr') && !answer.ascii_only?) || expression.include?('__method__')
end

def chosen(rows, limit)
  return rows if rows.size <= limit

  rows.sort_by { |_, expression| Digest::MD5.hexdigest(expression) }.first(limit)
end

folder = ARGV[0] || File.join(__dir__, '../../tests/oracle/ruby_core')
Dir.mkdir(folder) unless Dir.exist?(folder)
total = 0
TABLES.each do |table|
  asked = rows(table)
  answers = asked.each_slice(400).flat_map { |slice| run_forked(slice.map(&:last)) }
  known = asked.zip(answers).reject { |_, answer| answer == '-' }.map { |(name, expression), answer| [name, expression, answer] }
  kept = chosen(known, table[:limit]).reject { |_, expression, answer| worded_by_version?(expression, answer) }
  order = known.each_with_index.to_h { |row, i| [row[1], i] }
  File.open(File.join(folder, "#{table[:name]}.tsv"), 'w') do |file|
    file.puts "# Answers of Ruby, recorded by `cargo xtask oracle ruby-core`; docs/oracle.md describes the rows."
    kept.group_by(&:first).sort.each do |name, group|
      file.puts "## #{name}"
      group.sort_by { |row| order[row[1]] }.each { |_, expression, answer| file.puts "#{expression}\t#{answer}" }
    end
  end
  total += kept.size
  puts "#{table[:name]}: #{kept.size} of #{asked.size} (#{asked.size - known.size} not recorded)"
end
puts "#{total} rows"
