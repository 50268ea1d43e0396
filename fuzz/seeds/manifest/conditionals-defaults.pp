case $a { default: { 1 } 2: { 3 } }
case $a { 1, default: { 2 } }
case $a { (default): { 1 } }

