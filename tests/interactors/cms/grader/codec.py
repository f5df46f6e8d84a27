def encode(number):
    return f"{number:b}".translate(str.maketrans("01", "ab"))


def decode(word):
    return int(word.translate(str.maketrans("ab", "01")), 2)
