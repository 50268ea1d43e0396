# frozen_string_literal: true

# Mutates manifests of a corpus by one token each and asks the reference about the results.
#
# Usage: ruby mutations.rb FOLDER COUNT SEED < PATHS    (manifests that parse, one path a line, relative to FOLDER)
#
# The operations, on bytes:
#   delete   the token's bytes are removed
#   double   a blank and the token's bytes are inserted after the token
#   swap     the bytes of the token and of the next one are exchanged; what stands between them stays
#
# Writes one line of tab-separated columns for each mutation: path, operation, start and end of the token, start and
# end of the next token (`-` unless swapped), verdict (ok or the first error's code), its line and column (or `-`).

require_relative 'reference'

OPERATIONS = %w[delete double swap].freeze

# Larger files are left out, to keep the test that replays the record quick.
LARGEST = 20_000

# A manifest and the tokens that can be mutated.
class Manifest
  attr_reader :path

  def initialize(folder, path)
    @path = path
    @text = File.read(File.join(folder, path), encoding: 'UTF-8')
    @tokens = Reference.tokens(@text).sort_by { |_, start, _| start }
  end

  # A mutation as [path, operation, start, end, next start, next end], or nil if the drawn one changes nothing.
  def draw(operation, random)
    index = random.rand(@tokens.length)
    first = range(index)
    second = range(index + 1) if operation == 'swap'
    return if operation == 'swap' && (second.nil? || second[0] < first[1])

    mutation = [path, operation, *first, *(second || %w[- -])]
    mutation unless mutate(mutation) == @text
  end

  # The text after a mutation.
  def mutate(mutation)
    _, operation, start, stop, next_start, next_stop = mutation
    before = slice(0, start)
    token = slice(start, stop)
    rest = slice(stop, @text.bytesize)
    case operation
    when 'delete' then before + rest
    when 'double' then "#{before}#{token} #{token}#{rest}"
    when 'swap'
      before + slice(next_start, next_stop) + slice(stop, next_start) + token + slice(next_stop, @text.bytesize)
    end
  end

  def empty?
    @tokens.empty?
  end

  private

  def range(index)
    _, start, length = @tokens[index]
    start && [start, start + length]
  end

  def slice(start, stop)
    @text.byteslice(start, stop - start)
  end
end

# The folder of the module (or of the documentation of a package) that a path belongs to.
def owner(path)
  path.split('/').take(5).join('/')
end

# COUNT distinct mutations, with the operations and the modules taking turns.
def choose(manifests, count, random)
  modules = manifests.group_by { |manifest| owner(manifest.path) }.values.shuffle(random: random)
  chosen = {}
  operations = OPERATIONS.cycle
  turns = modules.cycle
  while chosen.length < count
    manifest = turns.next.sample(random: random)
    operation = operations.peek
    mutation = manifest.draw(operation, random)
    next if mutation.nil? || chosen.key?(mutation)

    operations.next
    chosen[mutation] = manifest
  end
  chosen.sort_by { |(path, operation, start, *), _| [path, start, operation] }
end

def row(mutation, manifest)
  answer = Reference.ask(manifest.mutate(mutation), file: 'mutated.pp')
  first = answer.errors.first || { code: 'ok' }
  [*mutation, first[:code], first[:line] || '-', first[:column] || '-'].join("\t")
end

folder, count, seed = ARGV
Reference.session do
  puts Reference.version
  paths = $stdin.each_line(chomp: true).select { |path| File.size(File.join(folder, path)) <= LARGEST }
  manifests = paths.map { |path| Manifest.new(folder, path) }.reject(&:empty?)
  choose(manifests, Integer(count), Random.new(Integer(seed))).each { |mutation, manifest| puts row(mutation, manifest) }
end
