# A replacement for the classes of Puppet in which resource types are declared. It only notes the names of attributes, which of them
# may be namevars, and title patterns. Methods that it does not have make a type unknown.
module Puppet
  # Questions about Puppet's own methods, which are not here.
  module Questions
    def respond_to?(*)
      raise NotImplementedError
    end

    def method_defined?(*)
      raise NotImplementedError
    end
  end

  class Parameter
    extend Questions

    class << self
      attr_accessor :name, :required_features, :metaparam, :array_matching, :idempotent, :unmanaged

      def isnamevar
        @namevar = true
      end

      def isnamevar?
        @namevar ? true : false
      end

      def defaultto(value = nil, &block); end

      def desc(text); end

      def doc; end

      def isrequired; end

      def sensitive(value = nil, &block); end

      def nodefault; end

      def munge(&block); end

      def unmunge(&block); end

      def validate(&block); end

      def newvalues(*names); end

      def aliasvalue(name, other); end

      def newvalue(name, options = {}, &block); end
    end

    class Boolean < Parameter; end

    class Path < Parameter
      def self.accept_arrays(bool = true); end

      def self.arrays?; end
    end

    class PackageOptions < Parameter; end
  end

  class Property < Parameter
    class Boolean < Property; end

    class List < Property; end

    class OrderedList < List; end

    class KeyValue < Property; end

    class Ensure < Property
      def self.defaultvalues; end
    end
  end

  class Type
    extend Questions

    DECLARED = {}

    class << self
      attr_reader :name, :own_parameters, :declared
      attr_accessor :doc, :self_refresh, :properties

      def newmetaparam(*)
        raise NotImplementedError
      end

      def newtype(name, options = {}, &block)
        type = named(Puppet::Type, name.to_s.downcase.capitalize, Class.new(Puppet::Type))
        type.start(name)
        options.each { |option, value| type.send("#{option}=", value) }
        type.class_eval(&block) if block
        DECLARED[name.to_s.downcase] = type
        type
      end

      def start(name)
        @name = name
        @own_parameters = []
        @declared = []
      end

      def newparam(name, options = {}, &block)
        parameter = attribute(options[:parent] || Puppet::Parameter, name, 'Parameter', &block)
        parameter.isnamevar if options[:namevar]
        @own_parameters.reject! { |it| it.name == parameter.name }
        @own_parameters << parameter
        parameter
      end

      def newproperty(name, options = {}, &block)
        attribute(options[:parent] || Puppet::Property, name, &block)
      end

      def ensurable(&block)
        newproperty(:ensure, parent: Puppet::Property::Ensure, &block)
      end

      def attribute(parent, name, prefix = '', &block)
        result = named(self, prefix + name.to_s.downcase.capitalize, Class.new(parent))
        result.name = name.to_s.downcase.to_sym
        @declared << result.name.to_s
        result.class_eval(&block) if block
        result
      end

      # A class is named by the constant that it becomes.
      def named(module_, constant, result)
        module_.const_set(constant, result) unless module_.const_defined?(constant, false)
        result
      end

      def key_attributes
        @own_parameters.select { |it| it.isnamevar? || it.name == :name }.map { |it| it.name }
      end

      def title_patterns
        case key_attributes.length
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else raise 'you must specify title patterns when there are two or more key attributes'
        end
      end

      def apply_to_device; end

      def apply_to_host; end

      def apply_to_all; end

      def apply_to(*names); end

      def feature(name, documentation, options = {}, &block); end

      def autorequire(name, &block); end

      def autobefore(name, &block); end

      def autosubscribe(name, &block); end

      def autonotify(name, &block); end

      def validate(&block); end

      def desc(text); end

      # What is asked for: namevars, title patterns without conversions, whether equal names are equal resources, and the names
      # of attributes. A type with these methods has `ensure` without declaring it.
      def summary(name)
        type = DECLARED.fetch(name)
        patterns = type.title_patterns.map do |regexp, attributes|
          # Nobody knows what a conversion makes of other titles.
          raise 'title patterns with conversions' if attributes.any? { |it| it[1] }

          [regexp, attributes.map { |it| it.first.to_s }]
        end
        isomorphic = type.instance_variable_get(:@isomorphic)
        ensures = %i[exists? create destroy].all? { |it| type.public_method_defined?(it) }
        declared = ensures ? type.declared + ['ensure'] : type.declared
        [type.key_attributes.map { |it| it.to_s }.sort, patterns, isomorphic.nil? || isomorphic, declared]
      end
    end
  end
end
