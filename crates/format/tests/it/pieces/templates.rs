use super::pieces;

pieces! {
    template_expression(epp): "a <%=$b%> c <%=  $d.f( 1 )  -%>\n";
    template_parameters(epp): "<%-|String $a,Integer $b=1|-%>\ntext\n";
    template_parameters_long(epp): "
<%- | String $aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, Optional[Integer] $bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = undef, Boolean $cccccccccccc = false | -%>
text
";
    template_parameters_with_trailing_comma(epp): "<%- | String $a, Integer $bb, | -%>\n";
    template_conditional(epp): "
<%if $a{-%>
  b
<%-}elsif $c {-%>
  d
<% }else{ -%>
  e
<%}%>
";
    template_loop(epp): "
<% $a.each|$b,$c|{ -%>
<%= $b %>=<%=$c%>
<% } -%>
";
    template_nested_ends(epp): "<% if $a { if $b { %>c<% } } %>\n";
    template_statements(epp): "<% $a=1 $b=2 %>text\n";
    template_indented_statements(epp): "
    <%-
  $a=1
  $b = { 'c' => 1, 'd' => 2 } -%>
  text
";
    template_indented_by_tabs(epp): "
a
\t<% a()
 b() -%>
\t<%- if $x {
  $c = [1,
  2,] } -%>
";
    template_comments(epp): "<%# a %>\n<% # b\n$c = 1 -%>\n<% # d\n-%>\n";
    template_text_stays(epp): "  a   <%% b %%>  \n\n\n\tc  \n";
    template_without_tags(epp): "a\n\nb";
    template_empty_tag(epp): "a<%%>b<%   %>c";
    template_long_call(epp): "
<%= f('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccccccccccccccccccccccccc') %>
";
    template_block_expression(epp): "<%={ $a = 1 $a } %>\n";
}
