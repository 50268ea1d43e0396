# The interface of the gem deep_merge, which Puppet includes, without its output for debugging.
module DeepMerge
  class InvalidParameter < StandardError; end

  DEFAULT_FIELD_KNOCKOUT_PREFIX = '--'

  def self.deep_merge!(source, dest, options = {})
    overwrites = !options[:preserve_unmergeables]
    prefix = options[:knockout_prefix] || nil
    raise InvalidParameter, 'knockout_prefix cannot be an empty string in deep_merge!' if prefix == ''
    raise InvalidParameter, 'overwrite_unmergeable must be true if knockout_prefix is specified in deep_merge!' if prefix && !overwrites
    # Versions of the gem differ here: the call of `eval` makes the result unknown.
    eval('newer options') if options.key?(:keep_array_duplicates) || options.key?(:merge_nil_values)
    return dest if source.nil?
    return source if !dest && overwrites

    if source.is_a?(Hash)
      source.each do |key, value|
        if dest.is_a?(Hash)
          dest[key] = deep_merge!(value, dest[key] ? dest[key] : value.dup, options)
        elsif dest.is_a?(Array) && options[:extend_existing_arrays]
          dest.push(source)
        elsif overwrites
          dest = overwrite_unmergeables(source, dest, options)
        end
      end
    elsif source.is_a?(Array)
      dest = merge_arrays(source, dest, prefix, overwrites, options)
    elsif dest.is_a?(Array) && options[:extend_existing_arrays]
      dest.push(source)
    else
      dest = overwrite_unmergeables(source, dest, options)
    end
    dest
  end

  def self.merge_arrays(source, dest, prefix, overwrites, options)
    return source if options[:overwrite_arrays]

    if (char = options[:unpack_arrays])
      source = source.join(char).split(char)
      dest = dest.join(char).split(char) if dest.is_a?(Array)
    end
    if prefix && source.index(prefix)
      dest = clear_or_nil(dest)
      source.delete(prefix)
    end
    if dest.is_a?(Array)
      if prefix
        source.delete_if do |item|
          plain = item.respond_to?(:gsub) ? item.gsub(/^#{prefix}/, '') : item
          next false if plain == item

          dest.delete(plain)
          dest.delete(item)
          true
        end
      end
      if options[:merge_hash_arrays] && source.all? { |it| it.is_a?(Hash) } && dest.all? { |it| it.is_a?(Hash) }
        list = []
        dest.each_index { |i| list[i] = deep_merge!(source[i] || {}, dest[i], options) }
        list += source[dest.count..-1] if source.count > dest.count
        dest = list
      else
        dest = dest | source
      end
      dest.sort! if options[:sort_merged_arrays]
    elsif overwrites
      dest = overwrite_unmergeables(source, dest, options)
    end
    dest
  end

  def self.overwrite_unmergeables(source, dest, options)
    return dest if options[:preserve_unmergeables]

    prefix = options[:knockout_prefix] || nil
    return source unless prefix

    plain = case source
            when String then source.gsub(/^#{prefix}/, '')
            when Array then source.delete_if { |item| item.is_a?(String) && item.match(/^#{prefix}/) }
            else source
            end
    plain == source ? plain : ''
  end

  def self.clear_or_nil(object)
    object.respond_to?(:clear) ? object.clear : nil
  end
end
