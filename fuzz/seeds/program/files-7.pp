find_template('site/nope', 'site/old.erb')
