@file { 'a': }
@@file { 'a': }
@ file { 'a': }
@file { 'a': ; 'b': }
@@file { default: mode => 1; 'a': }
@@@file { 'a': }
