use super::pieces;

pieces! {
    heredoc: "
class a {
      $b   = @(END)
    text   # no comment
      | END
  $c=1
}";
    heredoc_in_call: "
f( @(A) ,  @(B) )
a
A
b
B";
    heredoc_in_attribute: "
file { '/a': content => @(\"END\"/L), mode => '0644' }
  ${b}
  | END";
    heredoc_in_broken_list: "
$a = [@(END), 'b',]
  text
  | END";
    heredoc_with_comment: "
$a = @(END) # b
  text
  | END
# c";
    heredocs_on_different_lines: "
$a = { 'b' => @(B),
  b
  | B
  'c' => @(C) }
  c
  | C";
    heredoc_and_method: "
$a = @(END).split(',')
  a,b
  |- END";
    heredoc_at_the_end: "$a = @(END)\ntext\n|END";
    heredoc_kept: "
$a   =   @(END) # fmt: skip
   text
   | END
$b   = 1";
}
