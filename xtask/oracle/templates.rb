# frozen_string_literal: true

# Records what the reference renders of templates that are put together at random: tests/oracle/templates.json.
#
#   PUPPET_LIB=<lib folder of Puppet 8> ruby xtask/oracle/templates.rb [COUNT [SEED]]
#
# docs/oracle.md describes the record.

require_relative 'programs'

# Makes templates and renders them.
class Templates < Programs
  FILE = File.expand_path('../../tests/oracle/templates.json', __dir__)
  # The variables that templates find, and a program that sets them.
  VARIABLES = "$x = 42\n$s = 'text'\n$list = ['one', undef, [2, 'three']]\n$hash = {'k' => 'v', 'n' => {'m' => 1}}\n"

  TEXTS = ['a', 'b c', ' ', '   ', "\t", "\n", "\r\n", "\n\n", "line\n", "  indented\n", " \n ", 'é', '%', '<', '>', '-', '<%%', '%%>',
           '$x', '${x}', '"', "'", '\\', '\\n', '{', '}', '#', '|', "#{' ' * 3}\n"].freeze
  EXPRESSIONS = ['$x', '$s', '$list', '$hash', 'undef', '1 + 1', '"<${x}>"', "'%%'", '$list[0]', "$hash['n']['m']", '$x > 40', "'a\nb'",
                 'Sensitive($s).unwrap', '$list.length', 'inline_epp("<%%= $x %%>")', '/re/', "# a comment\n$x", '{ 1 => 2 }', '-$x',
                 '[1, 2].map |$i| { $i * 2 }', '$y', ''].freeze
  STATEMENTS = ['', '$y = 1', ' # only a comment', 'notice($x)', '$x', "if $x { $z = 2 }", "$a = $list.map |$i| { $i }", 'next()', 'return()'].freeze
  BLOCKS = [['if $x > 1 {', '}'], ['if $x < 1 {', '}'], ['unless $x {', '}'], ['$list.each |$e| {', '}'], ['$hash.each |$k, $v| {', '}'],
            ['2.each |$i| {', '}'], ['with(1) |$x| {', '}'], ['case $x { 42: {', '} }'], ['case $x { 1: {', '} default: { } }'],
            ['[1, 2].filter |$i| {', '}']].freeze
  HEADS = ['', '', '', '', '<% | $p = 1 | %>', "<%- | $p = 1, String $q = 'q' | -%>\n", " <%- | | -%>\n", '<%- | $needed | %>'].freeze
  # What makes most templates wrong.
  SLIPS = ['<%', '%>', '-%>', '<%-', '<%=', '<%#', '{', '<% } %>', '<% { %>', '<%= %>', '<%= $x', '<%-= $x %>', '<% | $x | %>'].freeze

  def initialize(seed)
    super()
    @random = Random.new(seed)
  end

  def record(count)
    templates = Array.new(count) { template }.uniq
    rows = templates.map { |it| JSON.generate([it, rendered(it)]) }
    head = JSON.generate(['puppet', Reference.version, VARIABLES])
    File.write(FILE, "[\n#{[head, *rows].join(",\n")}\n]\n")
    puts "#{rows.size} templates, #{templates.count { |it| rendered(it) }} of them rendered"
  end

  private

  # The text, or nothing if there is an error.
  def rendered(template)
    in_new_session do |parser, scope|
      parser.evaluate(scope, parser.parse_string(VARIABLES))
      scope['template'] = template
      value = parser.evaluate(scope, parser.parse_string('inline_epp($template)'))
      return value.is_a?(String) ? value : nil
    end
  rescue Puppet::Error, ArgumentError, NoMethodError, Puppet::Pops::Evaluator::Jumper, UncaughtThrowError
    nil
  end

  def template
    pick(HEADS) + body(0)
  end

  def body(depth)
    Array.new(@random.rand(1..6)) { piece(depth) }.join
  end

  def piece(depth)
    case @random.rand(100)
    when 0...45 then pick(TEXTS)
    when 45...65 then "<%=#{blank}#{pick(EXPRESSIONS)}#{blank}#{close}"
    when 65...73 then "#{pick(['<%#', '<%#', '<%#-', '<%-#'])}#{pick([' a comment ', '', ' <%%= $x ', ' - ', "\n"])}#{close}"
    when 73...81 then "#{open}#{blank}#{pick(STATEMENTS)}#{blank}#{close}"
    when 81...97 then depth < 3 ? block(depth) : pick(TEXTS)
    else pick(SLIPS)
    end
  end

  def block(depth)
    first, last = pick(BLOCKS)
    "#{open} #{first}#{blank}#{close}#{body(depth + 1)}#{open} #{last}#{blank}#{close}"
  end

  def open
    pick(['<%', '<%', '<%-'])
  end

  def close
    pick(['%>', '%>', '-%>'])
  end

  def blank
    pick([' ', ' ', '', "\n", '  '])
  end

  def pick(choices)
    choices[@random.rand(choices.size)]
  end
end

if $PROGRAM_NAME == __FILE__
  Reference.session do
    Templates.new(Integer(ARGV.fetch(1, '20240611'))).record(Integer(ARGV.fetch(0, '1500')))
  end
end
