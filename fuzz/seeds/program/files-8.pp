find_template(['site/nope', 'site/plain.epp'])
