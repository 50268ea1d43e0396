# frozen_string_literal: true

# Asks Facter which custom facts Ruby files declare, where no other fact has a value.
#
# Usage: ruby facts.rb FOLDER < PATHS     (one path a line, relative to FOLDER)
#
# Writes one line of tab-separated columns for each path: path, names separated by blanks; or `-` and why it could not be
# loaded. No fact is resolved.

require_relative 'reference'
require 'facter'

# Names instead of facts, and nothing about this machine.
module Names
  class << self
    attr_accessor :names
  end

  def add(name, _options = {})
    Names.names << name.to_s.downcase
  end
  alias define_fact add

  def value(_name) = nil
  alias fact value
  alias [] value
end

Facter.singleton_class.prepend(Names)
folder = File.expand_path(ARGV.fetch(0))
paths = $stdin.readlines(chomp: true)
paths.map { |path| path[%r{\A.*?/lib(?=/)}] }.uniq.each { |lib| $LOAD_PATH.push(File.join(folder, lib)) }
paths.each do |path|
  Names.names = []
  answer = begin
    Kernel.load(File.join(folder, path))
    Names.names.uniq.join(' ')
  rescue StandardError, LoadError => e
    "-\t#{e.class}: #{e.message.lines.first.to_s.chomp.gsub(folder, '')}"
  end
  puts "#{path}\t#{answer}"
end
