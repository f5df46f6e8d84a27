-- This bot plays a row by symmetry, as First from the middle or as Second.
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  [n, l, r] <- numbers
  let y = r - (n - r) `mod` 2
  if y >= l
    then putStrLn "First" >> move ((n - y) `div` 2 + 1) y
    else putStrLn "Second"
  answer n

numbers :: IO [Int]
numbers = map read . words <$> getLine

move :: Int -> Int -> IO ()
move x y = putStrLn (show x ++ " " ++ show y)

answer :: Int -> IO ()
answer n = do
  turn <- numbers
  case turn of
    [x, y] | x > 0 -> move (n - x - y + 2) y >> answer n
    _ -> return ()
