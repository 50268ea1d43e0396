# The part of a file's name that stands for a text.
Puppet::Functions.create_function(:'sample::slug') do
  dispatch :slug do
    param 'String[1]', :text
    optional_param 'String[1]', :separator
    return_type 'String'
  end

  def slug(text, separator = '-')
    text.downcase.gsub(%r{[^a-z0-9]+}, separator)
  end
end
