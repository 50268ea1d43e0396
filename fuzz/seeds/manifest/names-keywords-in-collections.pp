[type, function]
{type => function}
{function => type}
{ 'class' => 1 }
