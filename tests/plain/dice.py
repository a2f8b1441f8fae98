"""xoshiro128++ on Python's own integers."""

MASK = 0xFFFFFFFF


def rotated(word, bits):
    return ((word << bits) | (word >> (32 - bits))) & MASK


def plain_words(state, count):
    """The next words of a generator with this state of four words."""
    s = list(state)
    words = []
    for _ in range(count):
        words.append((rotated((s[0] + s[3]) & MASK, 7) + s[0]) & MASK)
        t = (s[1] << 9) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 11)
    return words
