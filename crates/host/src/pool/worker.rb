# The worker of `--allow ruby`: evaluates functions and templates for marotte, which asks over standard input and is answered over
# standard output. A message is the number of its bytes, a line break, and JSON. While a computation runs, it asks for variables,
# functions and files, and may be given further computations before the answer.

Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = nil

module Marotte
  # Ends a computation. Not a StandardError, so that `rescue => error` does not catch it.
  class Halt < Exception
  end

  # Something that cannot be done outside of a server.
  class Unsupported < Halt
  end

  # The answer to a question ends the computation: marotte knows why.
  class Aborted < Halt
  end

  class << self
    attr_reader :channel

    # Takes over the pipes: code that prints, or reads standard input, reaches neither.
    def start
      input = $stdin.dup
      output = $stdout.dup
      [input, output].each { |it| it.binmode.close_on_exec = true }
      close_inherited([input, output])
      limit(ARGV[0].to_i)
      watch
      $stdin.reopen(File::NULL)
      $stdout.reopen($stderr)
      @channel = Channel.new(input, output)
      @calls = []
      require 'json'
      require 'erb'
      load_puppet
      Api.install
      silence
      @channel.send('ready' => { 'ruby' => RUBY_VERSION, 'puppet' => @puppet })
      serve
    end

    # Closes what the process inherited. What Ruby opened itself is closed on exec.
    def close_inherited(kept)
      kept = kept.map(&:fileno)
      Dir.children('/proc/self/fd').map(&:to_i).each do |number|
        next if number < 3 || kept.include?(number)

        io = IO.for_fd(number, autoclose: false)
        io.close if (io.fcntl(1) & 1).zero?
      rescue ArgumentError, SystemCallError
        next
      end
    rescue SystemCallError
      nil
    end

    def limit(memory)
      Process.setrlimit(Process::RLIMIT_CORE, 0)
      Process.setrlimit(Process::RLIMIT_AS, memory) if memory.positive?
    rescue NotImplementedError, SystemCallError, NameError
      nil
    end

    # Limits the processor time of a computation, in seconds: an orphan that is caught in one operation ends, too.
    def limit_time(seconds)
      used = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID).ceil
      Process.setrlimit(Process::RLIMIT_CPU, used + seconds + 1, Process::RLIM_INFINITY)
    rescue NotImplementedError, SystemCallError, NameError
      nil
    end

    # Ends the worker when marotte ends, whatever code is running.
    def watch
      parent = Process.ppid
      Thread.new do
        loop do
          sleep 0.5
          Process.exit!(0) if Process.ppid != parent
        end
      end
    end

    def load_puppet
      require 'puppet'
      @puppet = Puppet.version
    rescue LoadError
      @puppet = nil
    end

    def puppet?
      !@puppet.nil?
    end

    # From here on, messages to standard output and error go nowhere.
    def silence
      $stdout.reopen(File::NULL, 'w')
      $stderr.reopen(File::NULL, 'w')
      $stdout.sync = $stderr.sync = true
    end

    def serve
      loop { @channel.send(Call.new(@channel.receive.fetch('call')).run) }
    end

    # Asks marotte. Computations that it needs for the answer are run meanwhile.
    def ask(question)
      unsupported('a thread') unless Thread.current.equal?(Thread.main)
      @channel.send('ask' => question)
      loop do
        message = @channel.receive
        return answer(message) unless message.key?('call')

        @channel.send(Call.new(message['call']).run)
      end
    end

    def answer(message)
      if message['abort']
        halt(Aborted.new('aborted'))
      elsif (error = message['raise'])
        raise Api.exception(error['class']), error['message']
      end
      message
    end

    # Runs a computation, and remembers its end even if code rescues that.
    def within(call)
      @calls.push(call)
      yield
    ensure
      @calls.pop
    end

    def call
      @calls.last
    end

    def unsupported(construct)
      halt(Unsupported.new(construct))
    end

    def halt(exception)
      call.halted ||= exception if call
      raise exception
    end
  end

  # The framed messages.
  class Channel
    def initialize(input, output)
      @input = input
      @output = output
    end

    def receive
      length = @input.gets or Process.exit!(0)
      text = @input.read(length.to_i) or Process.exit!(0)
      JSON.parse(text.force_encoding(Encoding::UTF_8), max_nesting: false)
    end

    def send(message)
      text = JSON.generate(message, max_nesting: 0)
      @output.write("#{text.bytesize}\n", text)
      @output.flush
    rescue Errno::EPIPE
      Process.exit!(0)
    end
  end

  # One computation.
  class Call
    attr_accessor :halted

    def initialize(message)
      @message = message
      @given = []
      @used = []
    end

    def run
      Marotte.limit_time(@message.fetch('seconds'))
      Marotte.within(self) { outcome { compute } }.merge('used' => Api.closure([@message['path']] + @used))
    end

    # Notes that the call needs a library.
    def uses(path)
      @used.push(path)
    end

    # The value of an argument or variable, which must not be changed: marotte would not see it.
    def give(data)
      value = Data.import(data)
      @given.push([value, Marshal.dump(Data.export(value))]) if [Array, Hash, String].include?(value.class)
      value
    end

    def block
      return unless @message['block']

      number = @message['block']
      call = self
      block = proc { |*arguments| call.give_back('yield', 'block' => number, 'arguments' => Data.export(arguments)) }
      %i[arity parameters lambda?].each do |name|
        block.define_singleton_method(name) { Marotte.unsupported("#{name} of a lambda") }
      end
      block
    end

    def give_back(what, question)
      give(Marotte.ask(question.merge('what' => what))['answer'])
    end

    private

    def compute
      case @message['kind']
      when 'template' then Api::Template.new(@message['path']).render(@message['text'])
      when 'function' then Api::Function4.call(@message, arguments, block)
      else Api::Function3.call(@message, arguments)
      end
    end

    def arguments
      @message.fetch('arguments').map { |it| give(it) }
    end

    # The message for marotte. What is no error of the program itself is not supported.
    def outcome
      result = Data.export(yield)
      return ended(@halted) if @halted

      unless @given.all? { |value, before| Marshal.dump(Data.export(value)) == before }
        return { 'unsupported' => 'changing a value of Puppet code in place' }
      end

      { 'result' => result }
    rescue Halt => e
      ended(@halted || e)
    rescue NoMemoryError
      { 'unsupported' => 'more memory than the worker may use' }
    rescue SystemStackError
      { 'unsupported' => 'calls nested as deeply' }
    rescue SystemExit, SignalException
      { 'unsupported' => 'ending the process' }
    rescue LoadError => e
      @halted ? ended(@halted) : { 'ended' => first_line(e) }
    rescue NameError => e
      @halted ? ended(@halted) : genuine?(e) ? raised(e) : { 'ended' => first_line(e) }
    rescue Exception => e
      @halted ? ended(@halted) : raised(e)
    end

    def ended(halt)
      halt.is_a?(Aborted) ? { 'aborted' => true } : { 'unsupported' => text(halt.message) }
    end

    # Whether code calls a method that a value of Ruby's own does not have. Anything else that lacks a name may exist in a server.
    def genuine?(error)
      return false unless error.is_a?(NoMethodError)

      [NilClass, String, Array, Hash, Integer, Float, TrueClass, FalseClass, Symbol].include?(error.receiver.class)
    rescue ArgumentError
      false
    end

    def raised(error)
      place = (error.backtrace_locations || []).find { |it| it.path == @message['path'] }
      { 'raise' => { 'message' => text(error.message), 'path' => place&.path, 'line' => place&.lineno } }
    end

    def first_line(error)
      text(error.message.to_s.lines.first.to_s.chomp)
    end

    def text(text)
      text.to_s.dup.force_encoding(Encoding::UTF_8).scrub
    end
  end

  # Something that only marotte knows: an object, a lambda.
  class Remote
    instance_methods.each do |name|
      undef_method(name) unless %i[__send__ __id__ object_id class instance_of? equal?].include?(name)
    end

    attr_reader :marotte_data

    def initialize(data)
      @marotte_data = data
    end

    def is_a?(type)
      type == Remote || ::Marotte.unsupported('the class of such an object')
    end

    def nil?
      false
    end

    def respond_to?(*)
      ::Marotte.unsupported('the methods of such an object')
    end

    def method_missing(name, *arguments, &block)
      ::Marotte.unsupported("#{name} with a block") if block
      ::Marotte.call.give_back(
        'member', 'object' => @marotte_data, 'name' => name.to_s, 'arguments' => Data.export(arguments)
      )
    end
  end

  # Values as JSON, and back.
  module Data
    module_function

    TAG = '__ptype'
    CONTENT = '__pvalue'

    def import(data)
      case data
      when Array then data.map { |it| import(it) }
      when Hash then data.key?(TAG) ? import_tagged(data) : data.to_h { |key, it| [key.dup, import(it)] }
      when String then data.dup
      else data
      end
    end

    def import_tagged(data)
      content = data[CONTENT]
      case data[TAG]
      when 'Default' then :default
      when 'Regexp' then Regexp.new(content)
      when 'Float' then { 'NaN' => Float::NAN, 'Infinity' => Float::INFINITY }.fetch(content, -Float::INFINITY)
      when 'Hash' then content.each_slice(2).to_h { |key, it| [import(key), import(it)] }
      when 'Sensitive' then Api.sensitive.new(import(content))
      else import_rich(data)
      end
    end

    def import_rich(data)
      return Remote.new(data) unless Marotte.puppet? && content_of(data)

      rich(data[TAG], data[CONTENT])
    rescue StandardError
      Remote.new(data)
    end

    # A value of the installed Puppet.
    def rich(type, content)
      pops = Puppet::Pops
      case type
      when 'Type' then rich_type(content)
      when 'Timestamp' then pops::Time::Timestamp.parse(content)
      when 'Timespan' then pops::Time::Timespan.parse(content)
      when 'SemVer' then SemanticPuppet::Version.parse(content)
      when 'SemVerRange' then SemanticPuppet::VersionRange.parse(content)
      when 'URI' then URI.parse(content)
      when 'Binary' then pops::Types::PBinaryType::Binary.from_base64(content)
      else pops::Serialization::FromDataConverter.convert({ TAG => type, CONTENT => content })
      end
    end

    RESOURCE = /\A([A-Z]\w*(?:::[A-Z]\w*)*)\['((?:[^'\\]|\\['\\])*)'\]\z/

    # A type. Without the loaders of a server, the parser does not know the types of resources.
    def rich_type(content)
      types = Puppet::Pops::Types
      name, title = RESOURCE.match(content)&.captures
      return types::TypeParser.singleton.parse(content) if name.nil? || types::TypeParser.type_map.key?(name.downcase)

      types::TypeFactory.resource(name, title.gsub(/\\(.)/, '\1'))
    end

    def content_of(data)
      data[CONTENT]
    end

    def export(value)
      case value
      when nil, true, false then value
      when String then export_text(value)
      when Integer then value.bit_length < 64 ? value : Marotte.unsupported('such a large number')
      when Float then value.finite? ? value : { TAG => 'Float', CONTENT => value.to_s }
      when Symbol then export_symbol(value)
      when Array then value.map { |it| export(it) }
      when Hash then export_hash(value)
      when Regexp then { TAG => 'Regexp', CONTENT => value.options.zero? ? value.source : value.to_s }
      when Remote then value.marotte_data
      when Api.sensitive then { TAG => 'Sensitive', CONTENT => export(value.unwrap) }
      else export_rich(value)
      end
    end

    def export_text(value)
      text = value.encoding == Encoding::UTF_8 || value.ascii_only? ? value : value.encode(Encoding::UTF_8)
      Marotte.unsupported('a text that is not UTF-8') unless text.ascii_only? || text.valid_encoding?
      String.new(text, encoding: Encoding::UTF_8)
    rescue EncodingError
      Marotte.unsupported('a text that is not UTF-8')
    end

    def export_symbol(value)
      case value
      when :default then { TAG => 'Default' }
      when :undef then nil
      else Marotte.unsupported("the symbol #{value.inspect} as a value of Puppet")
      end
    end

    def export_hash(value)
      if value.keys.all? { |it| it.is_a?(String) && it != TAG }
        value.to_h { |key, it| [export_text(key), export(it)] }
      else
        { TAG => 'Hash', CONTENT => value.flat_map { |pair| pair.map { |it| export(it) } } }
      end
    end

    def export_rich(value)
      known = Marotte.puppet? && value.class.name.to_s.start_with?('Puppet::Pops::', 'SemanticPuppet::')
      Marotte.unsupported("a #{value.class} as a value of Puppet") unless known
      return { TAG => 'Type', CONTENT => value.to_s } if value.is_a?(Puppet::Pops::Types::PAnyType)

      data = Puppet::Pops::Serialization::ToDataConverter.convert(value, rich_data: true)
      data.is_a?(Hash) && data[TAG] ? data : Marotte.unsupported("a #{value.class} as a value of Puppet")
    end
  end
end
