
# Puppet's interface for functions and templates. The classes of the installed Puppet are used where there is one; what they
# would do in a server is asked of marotte.

module Marotte
  module Api
    module_function

    # Defines the interface, over that of the installed Puppet.
    def install
      define_errors
      define_puppet
      define_functions
      define_files
      Kernel.prepend(Loading)
      Object.prepend(Loading)
      Kernel.singleton_class.prepend(Loading)
    end

    def constant(path)
      path.split('::').reduce(Object) do |container, name|
        container.const_defined?(name, false) ? container.const_get(name, false) : container.const_set(name, Module.new)
      end
    end

    def define_class(path, parent)
      *containers, name = path.split('::')
      container = constant(containers.join('::'))
      container.const_set(name, Class.new(parent)) unless container.const_defined?(name, false)
      container.const_get(name, false)
    end

    def define_errors
      error = define_class('Puppet::Error', RuntimeError)
      define_class('Puppet::DevError', error)
      define_class('Puppet::ParseError', error)
    end

    def exception(name)
      found = name.split('::').reduce(Object) { |container, it| container.const_get(it) }
      found <= Exception ? found : Puppet::ParseError
    rescue NameError
      Puppet::ParseError
    end

    # The class of sensitive values.
    def sensitive
      @sensitive ||= begin
        types = constant('Puppet::Pops::Types')
        if types.const_defined?(:PSensitiveType, false)
          types::PSensitiveType::Sensitive
        else
          types.const_set(:PSensitiveType, Class.new)
          types::PSensitiveType.const_set(:Sensitive, Sensitive)
        end
      end
    end

    # A sensitive value, where no Puppet is installed.
    class Sensitive
      def initialize(value)
        @value = value
      end

      def unwrap
        @value
      end

      def to_s
        'Sensitive [value redacted]'
      end
      alias inspect to_s

      def ==(other)
        other.is_a?(Sensitive) && other.unwrap == @value
      end
      alias eql? ==

      def hash
        @value.hash
      end
    end

    LEVELS = %i[debug info notice warning err alert emerg crit].freeze

    def define_puppet
      puppet = constant('Puppet')
      puppet.define_singleton_method(:[]) { |name| Api.setting(name) }
      puppet.define_singleton_method(:lookup) { |name, *| Marotte.unsupported("Puppet.lookup(:#{name})") }
      LEVELS.each do |level|
        puppet.define_singleton_method(level) { |message = nil, &block| Api.log(level, message || block&.call) }
      end
      puppet.define_singleton_method(:deprecation_warning) { |message, *| Api.log(:warning, message) }
      puppet.define_singleton_method(:warn_once) { |_, _, message, *| Api.log(:warning, message) }
    end

    def setting(name)
      answer = Marotte.ask('what' => 'setting', 'name' => name.to_s)
      Data.import(answer['answer'])
    end

    def log(level, message)
      Marotte.ask('what' => 'log', 'level' => level.to_s, 'message' => message.to_s)
      nil
    end

    # `require` of libraries of modules.
    module Loading
      def require(name)
        found = Api.library(name.to_s)
        found.nil? ? super : found
      end

      def require_relative(name)
        path = caller_locations(1, 1).first.path
        require(File.expand_path(name.to_s, File.dirname(path)))
      end

      def load(name, *rest)
        found = Api.library(name.to_s)
        found.nil? ? super : true
      end

      private :require, :require_relative, :load
    end

    # Loads a library of a module. Nil if no module has it, false if it is loaded already.
    def library(name)
      return unless Marotte.call && Thread.current.equal?(Thread.main)

      @libraries ||= {}
      if (known = @libraries[name])
        uses(known)
        return false
      end
      answer = Marotte.ask('what' => 'library', 'name' => name)
      return unless answer.key?('text')

      path = answer['path']
      uses(path)
      was_loaded = @libraries[path]
      @libraries[name] = @libraries[path] = path
      return false if was_loaded

      evaluate(answer['text'], path)
      true
    end

    def evaluate(text, path)
      (@loading ||= []).push(path)
      TOPLEVEL_BINDING.dup.eval(text, path, 1)
    ensure
      @loading.pop
    end

    # Notes that the file that is loaded, or the code of the call, needs a library.
    def uses(path)
      (@loading ||= []).empty? ? Marotte.call.uses(path) : needed_by(@loading.last).push(path)
    end

    def needed_by(path)
      (@needed ||= {})[path] ||= []
    end

    # All libraries that some files need.
    def closure(paths)
      found = []
      open = paths.compact
      while (path = open.pop)
        next if found.include?(path)

        found.push(path)
        open.concat(needed_by(path))
      end
      found
    end

    def define_files
      files = constant('Puppet::Parser::Files')
      { find_file: 'files', find_template: 'templates' }.each do |name, folder|
        files.define_singleton_method(name) { |path, *| Api.find_file(folder, path) }
      end
    end

    def find_file(folder, name)
      Marotte.ask('what' => 'file', 'folder' => folder, 'name' => name)['answer']
    end

    # The scope of a call, or the top scope.
    class Scope
      def initialize(is_top)
        @is_top = is_top
      end

      CALLING = new(false)
      TOP = new(true)

      def lookupvar(name, *)
        raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string" unless name.is_a?(String)

        Marotte.call.give_back('variable', 'name' => qualified(name), 'strict' => true)
      end
      alias [] lookupvar

      def include?(name)
        !Marotte.ask('what' => 'variable', 'name' => qualified(name))['missing']
      end
      alias exist? include?
      alias bound? include?

      def setvar(name, value, *)
        Marotte.ask('what' => 'set', 'name' => qualified(name), 'value' => Data.export(value))
        value
      end

      def []=(name, value, *)
        setvar(name, value)
      end

      def to_hash(recursive = true, include_undef = false)
        Marotte.unsupported('all variables of the top scope') if @is_top
        Marotte.unsupported('variables that are undef') if include_undef
        Marotte.call.give_back('variables', recursive ? {} : { 'own' => true })
      end

      def call_function(name, arguments = [], &block)
        Api.call_function(name, arguments, @is_top, block)
      end

      # The name of a variable as marotte finds it from the scope of the call.
      def qualified(name)
        @is_top && !name.include?('::') ? "::#{name}" : name
      end

      def environment
        Environment.new
      end

      def to_s
        'Scope()'
      end

      def respond_to?(name, all = false)
        return Api::Function3.known?(name.to_s.sub('function_', '')) if name.to_s.start_with?('function_')

        super
      end

      def method_missing(name, *arguments, &block)
        function = name.to_s[/\Afunction_(.*)/, 1]
        Marotte.unsupported("scope.#{name}") unless function
        unless arguments.size == 1 && arguments.first.is_a?(Array)
          raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                               'For example, function_example([1]) instead of function_example(1)'
        end
        Api.call_function(function, arguments.first, @is_top, block)
      end
    end

    # The environment of a scope.
    class Environment
      def name
        Marotte.ask('what' => 'variable', 'name' => 'environment')['answer']&.to_sym
      end

      def to_s
        name.to_s
      end

      def method_missing(name, *)
        Marotte.unsupported("#{name} of the environment")
      end

      def respond_to_missing?(*)
        Marotte.unsupported('the methods of the environment')
      end
    end

    def call_function(name, arguments, is_top, block)
      Marotte.unsupported("such a block for #{name}()") if block
      Marotte.call.give_back(
        'function', 'name' => name.to_s, 'arguments' => Data.export(Array(arguments)), 'top' => is_top
      )
    end

    # A template during its evaluation.
    class Template
      attr_reader :file

      def initialize(path)
        @__file__ = path
        @file = path
      end

      def scope
        Scope::CALLING
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def to_s
        @__file__ || 'inline template'
      end

      def render(text)
        set_variables(text)
        template = ERB.new(text, trim_mode: '-')
        template.filename = @__file__
        template.result(binding)
      end

      private

      # Sets instance variables for those that the text mentions.
      def set_variables(text)
        all = text.match?(/instance_variable|binding|\beval\b/)
        names = text.scan(/@([A-Za-z_]\w*)/).flatten.uniq - %w[__file__ file]
        found = all ? scope.to_hash : names.to_h { |name| [name, variable(name)] }
        found.each { |name, value| instance_variable_set("@#{name.gsub(/\W/, '_')}", value) unless value.nil? }
      end

      def variable(name)
        Marotte.call.give_back('variable', 'name' => name)
      end

      def method_missing(name, *arguments)
        return super if name.to_s.end_with?('=')

        Marotte.unsupported("#{name} in a template")
      end

      def respond_to_missing?(*)
        false
      end
    end

    # Functions of the 3.x API.
    module Function3
      module_function

      Definition = Struct.new(:arity, :is_rvalue)

      def define(name, options, block)
        type = options[:type] || :statement
        raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[rvalue statement].include?(type)

        definitions[name.to_s.downcase] = Definition.new(options[:arity] || -1, type == :rvalue)
        Scope.class_eval { define_method("real_function_#{name.to_s.downcase}", &block) }
      end

      def definitions
        @definitions ||= {}
      end

      def known?(name)
        Marotte.ask('what' => 'has_function', 'name' => name)['answer']
      end

      def call(message, arguments)
        name = message['name']
        Api.load_function(message)
        definition = definitions[name] or Marotte.unsupported("a file that does not define #{name}()")
        result = Scope::CALLING.send("real_function_#{name}", arguments)
        definition.is_rvalue ? result : nil
      end
    end

    # Functions of the 4.x API.
    module Function4
      module_function

      def define(name, base, block)
        own = Class.new(base)
        own.include(Calls)
        own.extend(Declarations)
        definitions[name.to_s] = Class.new(own, &block)
      end

      def definitions
        @definitions ||= {}
      end

      def call(message, arguments, block)
        name = message['name']
        Api.load_function(message)
        type = definitions[name] or Marotte.unsupported("a file that does not define #{name}()")
        function = type.new(Scope::TOP, nil)
        return function.call(Scope::CALLING, *arguments, &block) if type.instance_methods(false).include?(:call)

        given = type.chosen(name, message['dispatch']).map do |injected|
          injected == :scope ? Scope::CALLING : cache
        end
        method = message['dispatch'] ? message['dispatch'].last : name.split('::').last
        function.send(method, *given, *arguments, &block)
      end

      def cache
        @cache ||= {}
      end

      # What the class of a function declares.
      module Declarations
        def dispatch(method, &block)
          builder = Builder.new
          builder.instance_eval(&block)
          dispatches.push([method.to_s, builder.injected])
        end
        alias argument_mismatch dispatch

        def local_types(&block); end

        def dispatches
          @dispatches ||= []
        end

        # What the method of a signature is given before the arguments.
        def chosen(name, dispatch)
          if dispatch.nil?
            return [] if dispatches.empty?

            Marotte.unsupported("the types of the parameters of #{name}()")
          end
          index, method = dispatch
          found = dispatches[index]
          return [] if found.nil? && dispatches.empty?

          Marotte.unsupported("the signatures of #{name}()") unless found && found.first == method
          found.last.each { |it| Marotte.unsupported('a function that is given the compiler') if it == :compiler }
        end
      end

      # The builder of a signature.
      class Builder
        def injected
          @injected ||= []
        end

        %i[param required_param optional_param repeated_param optional_repeated_param required_repeated_param
           block_param required_block_param optional_block_param return_type].each do |name|
          define_method(name) { |*| nil }
        end

        { scope_param: :scope, cache_param: :cache, compiler_param: :compiler, script_compiler_param: :compiler,
          catalog_compiler_param: :compiler }.each do |name, kind|
          define_method(name) { |*| injected.push(kind) }
        end
      end

      # What functions may call.
      module Calls
        def initialize(scope, loader)
          @marotte_scope = scope
          @loader = loader
        end

        def closure_scope
          @marotte_scope
        end

        def call(*)
          Marotte.unsupported('the dispatcher of a function')
        end

        def call_function(name, *arguments, &block)
          Api.call_function(name, arguments, true, block)
        end

        def loader
          Marotte.unsupported('the loader of a function')
        end
      end
    end

    # Loads the file of a function, once.
    def load_function(message)
      @loaded ||= {}
      path = message['path']
      return if @loaded[path]

      evaluate(message['text'], path)
      @loaded[path] = true
    end

    def define_functions
      functions = constant('Puppet::Functions')
      base = define_class('Puppet::Functions::Function', Object)
      define_class('Puppet::Functions::InternalFunction', base)
      functions.define_singleton_method(:create_function) do |name, parent = base, &block|
        Function4.define(name, parent, block)
      end
      legacy = constant('Puppet::Parser::Functions')
      legacy.define_singleton_method(:newfunction) { |name, options = {}, &block| Function3.define(name, options, block) }
      legacy.define_singleton_method(:function) { |name, *| Function3.known?(name.to_s) ? "function_#{name}" : false }
      legacy.define_singleton_method(:autoloader) { Autoloader }
    end

    # Loads nothing: functions are loaded when they are called.
    module Autoloader
      module_function

      def load(*)
        true
      end

      def loadall(*)
        true
      end
    end
  end
end

Marotte.start
