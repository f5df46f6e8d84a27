# This bot plays a row by symmetry, as First from the middle or as Second.
$stdout.sync = true
n, l, r = gets.split.map(&:to_i)
y = r - (n - r) % 2
puts(y >= l ? "First" : "Second")
puts "#{(n - y) / 2 + 1} #{y}" if y >= l
while (line = gets)
  x, y = line.split.map(&:to_i)
  break if x <= 0

  puts "#{n - x - y + 2} #{y}"
end
