//! Mistakes below the grammar: characters, numbers, strings, heredocs, regular expressions, template tags.

use crate::syntax_errors::broken;

broken! {
    string_that_is_open_in_a_heredoc: "
$x = @(\"END\")
? {    one ${0Ȃ z\"${::y}DE$
    END

";
    byte_order_mark: "\u{FEFF}class ntp {\n}\n";
    nul_character: "class ntp {\n  \0notice('a')\n}\n";
    stray_backtick: "$now = `date`\n";
    stray_backslash_continues_a_line: "$x = 1 + \\\n  2\n";
    stray_paragraph_sign: "notice('a') §\n";
    letter_of_another_script_in_a_name: "class größe {\n}\n";
    letter_of_another_script_in_a_variable: "$straße = 'Hauptstraße'\n";
    typographic_double_quotes: "notice(“hello”)\n";
    typographic_single_quotes: "file { ‘/tmp/a’:\n  ensure => file,\n}\n";
    german_quotes: "notice(„hallo“)\n";
    windows_1252_quotes: "notice(\u{93}hello\u{94})\n";
    guillemets: "notice(«bonjour»)\n";
    dash_from_a_word_processor: "$x = 3 – 1\n";

    number_with_a_unit: "file { '/swap':\n  size => 10MB,\n}\n";
    number_with_separators: "$limit = 1_000_000\n";
    number_with_a_plus_exponent: "$big = 1.5e+10\n";
    number_with_an_empty_exponent: "$big = 15e\n";
    number_that_is_no_octal: "file { '/a':\n  mode => 0899,\n}\n";
    number_in_binary: "$mask = 0b1010\n";
    number_that_is_no_hex: "$color = 0xfg\n";
    number_without_hex_digits: "$color = 0x\n";
    number_that_ends_with_a_dot: "$x = 1.\n";
    number_that_starts_with_a_dot: "$x = .5\n";
    version_number: "$version = 1.2.3\n";
    number_beyond_64_bits: "$x = 9223372036854775808\n";

    string_with_an_apostrophe: "
notice('don't do this')
notice('it works')
";
    string_that_is_never_closed: "
class motd {
  $text = \"welcome to ${facts['os']['name']}
  file { '/etc/motd':
    content => $text,
  }
}
";
    string_whose_quote_is_missing_far_above: "
class motd {
  $owner = 'root
  $group = 'wheel'
  file { '/etc/motd':
    owner => $owner,
    group => $group,
  }
}
";
    interpolation_that_is_never_closed: "
$path = \"/home/${user\"
notice($path)
";
    interpolation_of_nothing: "notice(\"a ${} b\")\n";
    interpolation_with_a_blank_before_the_index: "notice(\"${facts ['os']}\")\n";
    interpolation_with_a_syntax_error: "notice(\"${1 +}\")\n";
    escape_that_does_not_exist: "$path = \"C:\\windows\\system32\"\n";
    unicode_escape_that_is_cut_off: "$x = \"\\u00\"\n";
    unicode_escape_of_a_surrogate: "$x = \"\\uD83D\"\n";
    comment_that_is_never_closed: "
class a {
  /* why this is here
  notice('a')
}
";
    comment_in_a_comment: "/* outer /* inner */ outer */\n$x = 1\n";
    comment_of_another_language: "// a comment\n$x = 1\n";

    reference_with_a_lower_case_segment: "$x = Foo::bar['a']\n";
    reference_with_a_lower_case_segment_from_the_top: "$x = ::Foo::bar['a']\n";
    colons_before_nothing: "include ::\n";
    colons_before_a_number: "include ::1\n";
    variable_with_a_capital: "$MyVar = 1\n";
    variable_with_hyphens: "$my-var = 1\n";
    variable_that_is_only_a_dollar: "notice($)\n";
    variable_that_starts_with_a_digit: "$1st = 'a'\n";
    name_that_ends_with_a_hyphen: "$x = foo-\n";

    regular_expression_with_flags: "if $name =~ /web/i {\n  notice('a')\n}\n";
    regular_expression_without_a_partner: "if $name =~ /(web/ {\n  notice('a')\n}\n";
    regular_expression_that_is_never_closed: "if $name =~ /web {\n  notice('a')\n}\n";

    heredoc_without_an_end: "
$text = @(END)
  hello
$x = 1
";
    heredoc_with_another_end: "
$text = @(EOT)
  hello
  | EOF
$x = 1
";
    heredoc_whose_parenthesis_is_open: "$text = @(END\n  hello\n  END\n";
    heredoc_with_two_syntaxes: "$text = @(END:json:yaml)\n  {}\n  END\n";
    heredoc_with_an_escape_that_does_not_exist: "$text = @(END/x)\n  hello\n  END\n";
    heredoc_with_an_escape_twice: "$text = @(END/tt)\n  hello\n  END\n";
    heredoc_with_an_empty_tag: "$text = @(\"\")\n  hello\n";
    heredoc_on_the_last_line: "$text = @(END)";
    heredoc_like_a_shell: "$text = <<EOF\nhello\nEOF\n";
    heredoc_of_json_that_is_none: "$text = @(END:json)\n  { \"a\": 1, }\n  | END\n";
    heredoc_of_puppet_that_is_none: "$text = @(END:pp)\n  file { 'a' }\n  | END\n";

    template_tag_that_is_never_closed(epp): "Hello <%= $name\nBye\n";
    template_comment_that_is_never_closed(epp): "Hello <%# a comment\nBye\n";
    template_that_ends_with_an_opening_tag(epp): "Hello <%";
    template_with_late_parameters(epp): "Hello\n<%- | $name | -%>\n<%= $name %>\n";
    template_with_a_block_that_is_never_closed(epp): "<% if $x { %>\nyes\n";
    template_with_instance_variables(epp): "Hello <%= @name %>!\n";
    template_with_end(epp): "<% if $x %>\nyes\n<% end %>\n";
    template_with_a_ruby_block(epp): "<% $users.each do |user| %>\n<%= user %>\n<% end %>\n";
    template_with_a_comment_that_hides_its_end(epp): "<% $x = 1 # the first %>\n<%= $x %>\n";
    interpolation_without_its_closing_brace: r#"
class ntp (String $dir) {
  $file = $x ? {
    'a'     => "${dir}/a.conf",
    default => "${dir/b.conf",
  }
  file { "${file}":
    owner => 'root',
  }
}
"#;
    heredoc_whose_tag_lacks_a_quote: r#"
class ntp (String $dir) {
  $script = @("SCRIPT)
    cd ${dir}
    | SCRIPT
  file { "${dir}/x":
    content => $script,
    owner   => "root,
  }
}
"#;
}
