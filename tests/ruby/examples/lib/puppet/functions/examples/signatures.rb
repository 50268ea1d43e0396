# Every way to declare a parameter.
#
# Second paragraph.
Puppet::Functions.create_function(:'examples::signatures') do
  local_types do
    type 'Word = Pattern[/\A\w+\z/]'
    type "Words = Array[Word]"
  end

  dispatch :plain do
    param 'Word', :a
    optional_param 'Integer[0, 1]', :b
    repeated_param 'Any', :c
    return_type 'Words'
  end

  dispatch :blocks do
    required_repeated_param 'String', :names
    block_param 'Callable[1, 1]', :block
  end

  dispatch :bare_block do
    optional_repeated_param 'String', :names
    optional_block_param
  end

  dispatch :named_block do
    block_param :code
  end

  dispatch(:optional_block) { optional_block_param 'Callable[String]', :code }

  dispatch :nothing do
  end

  argument_mismatch :no_hash do
    param 'Hash', :hash
  end

  %w[Float Boolean].each do |name|
    dispatch :"of_#{name}" do
      param name, :value
    end
  end

  def plain(a, b = 0, *c) = []

  def no_hash(_hash)
    'hashes are not accepted'
  end
end
