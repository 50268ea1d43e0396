$users.each do |user|
  notice(user)
end

