#!/usr/bin/env ruby
# frozen_string_literal: true

# Compiles the manifests of tests/scenarios/manifests with the reference and writes what their catalogs hold.
#
#   PUPPET_LIB=<lib folder> ruby xtask/oracle/scenarios/record.rb [--compare] [--full FOLDER] [MANIFEST…]
#
# Normally one file below tests/scenarios/catalogs for each manifest. `--compare` says which scenarios another version answers otherwise than what is recorded; `--full FOLDER` writes
# catalogs there as agents get them, one for each scenario. docs/oracle.md describes what is written.
require 'digest'
require_relative 'reference'

# Longer texts are recorded by digest.
LONGEST = 240
RELEVANT = %w[type title tags parameters].freeze
SILENT = { 'exported' => false, 'kind' => 'compilable_type', 'virtual' => false }.freeze

def shortened(value)
  case value
  when String then value.size > LONGEST ? "sha256:#{Digest::SHA256.hexdigest(value)[0, 32]}" : value
  when Array then value.map { |it| shortened(it) }
  when Hash then value.transform_values { |it| shortened(it) }
  else value
  end
end

# One number for each distinct line.
class Lines
  attr_reader :lines

  def initialize
    @lines = []
    @numbers = {}
  end

  def number(value)
    text = JSON.generate(value)
    @numbers[text] ||= @lines.push(text).size - 1
  end
end

def systems(manifest) = File.open(manifest, &:readline).delete_prefix('#').split

def catalog_of(manifest, system)
  environment = Puppet::Node::Environment.create(:production, [MODULES], manifest)
  data = wire(compile(facts_of(system), environment))
  data.merge('version' => 0, 'catalog_uuid' => '00000000-0000-0000-0000-000000000000')
end

# Resources, lists of tags and single tags that several systems have in common are written once.
def compact(catalogs)
  words = Lines.new
  tags = Lines.new
  resources = Lines.new
  tagged = ->(list) { tags.number(list.map { |it| words.number(it) }) }
  heads = catalogs.map do |system, data|
    numbers = data['resources'].map do |it|
      others = it.reject { |key, value| RELEVANT.include?(key) || SILENT[key] == value || %w[file line].include?(key) }
      row = [it['type'], it['title'], tagged.call(it['tags']), shortened(it['parameters'] || {})]
      row << others unless others.empty?
      resources.number(row)
    end
    place = data['resources'].each_with_index.to_h { |it, i| ["#{it['type']}[#{it['title']}]", i] }
    edges = data['edges'].map { |it| [place.fetch(it['source']), place.fetch(it['target'])] }
    { 'system' => system, 'name' => data['name'], 'environment' => data['environment'], 'tags' => tagged.call(data['tags']), 'classes' => data['classes'], 'resources' => numbers, 'edges' => edges.flatten }
  end
  [*heads.map { |it| JSON.generate(it) }, "{\"words\":[#{words.lines.join(',')}]}", *tags.lines, *resources.lines]
end

comparing = ARGV.delete('--compare')
full = ARGV.include?('--full') && ARGV.slice!(ARGV.index('--full'), 2).last
FileUtils.mkdir_p(full) if full
manifests = ARGV.empty? ? Dir[File.join(SCENARIOS, 'manifests/*.pp')].sort : ARGV
count = 0
manifests.each do |manifest|
  name = File.basename(manifest, '.pp')
  catalogs = systems(manifest).to_h do |system|
    [system, catalog_of(manifest, system)]
  rescue StandardError, ScriptError, SystemStackError => e
    puts "#{name}\t#{system}\t! #{e.message.lines.first.strip.gsub(SCRATCH, '')}"
    [system, nil]
  end.compact
  count += catalogs.size
  if comparing
    recorded = File.readlines(File.join(SCENARIOS, 'catalogs', "#{name}.jsonl"), chomp: true)
    puts "#{name}\t#{catalogs.keys.join(' ')}\tanother catalog" if catalogs.any? && recorded != compact(catalogs)
  elsif full
    catalogs.each { |system, data| File.write(File.join(full, "#{name}.#{system}.json"), "#{JSON.pretty_generate(data)}\n") }
  elsif catalogs.any?
    FileUtils.mkdir_p(File.join(SCENARIOS, 'catalogs'))
    File.write(File.join(SCENARIOS, 'catalogs', "#{name}.jsonl"), compact(catalogs).map { |it| "#{it}\n" }.join)
  end
end
puts "#{count} catalogs of Puppet #{Puppet.version}" unless comparing
