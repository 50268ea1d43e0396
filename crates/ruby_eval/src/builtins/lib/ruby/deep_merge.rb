# The methods that the gem deep_merge adds to hashes.
module DeepMerge
  module DeepMergeHash
    def ko_deep_merge!(source, options = {})
      DeepMerge.deep_merge!(source, self, { knockout_prefix: '--', preserve_unmergeables: false }.merge(options))
    end

    def deep_merge!(source, options = {})
      DeepMerge.deep_merge!(source, self, { preserve_unmergeables: false }.merge(options))
    end

    def deep_merge(source, options = {})
      DeepMerge.deep_merge!(source, self, { preserve_unmergeables: true }.merge(options))
    end
  end
end

class Hash
  include DeepMerge::DeepMergeHash
end
