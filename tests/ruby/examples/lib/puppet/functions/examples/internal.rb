# frozen_string_literal: true

Puppet::Functions.create_function(:"examples::internal", Puppet::Functions::InternalFunction) do
  require 'json'
  dispatch :internal do
    scope_param
    param 'String', :name
  end

  dispatch :cached do
    cache_param
    compiler_param
    param 'Integer', :name
  end

  def internal(scope, name); end
end
