"""Damage: texts and files as they come out of bad hands, from a seed."""

import random

SIGNS = "-:=ABOPbop0123456789DBR+/XGID \t\0é٣"


def damaged_text(chance: random.Random, text: str) -> str:
    """The text with one to four signs put in, changed, left out, doubled or swapped."""
    signs = list(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(signs) + 1)
        end = min(len(signs), place + chance.choice((1, 1, 1, 5, 30)))
        match chance.randrange(5):
            case 0:
                signs.insert(place, chance.choice(SIGNS))
            case 1:
                signs[place:end] = chance.choice(SIGNS)
            case 2:
                del signs[place:end]
            case 3:
                signs[place:place] = signs[place:end]
            case _:
                other = chance.randrange(len(signs) + 1)
                signs[place:end], signs[other:other] = [], signs[place:end]
    return "".join(signs)


def damaged_bytes(chance: random.Random, data: bytes) -> bytes:
    """The bytes with up to eight pieces overwritten, moved or left out, or the end cut off."""
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(damaged) + 1)
        end = place + chance.choice((1, 1, 2, 4, 4, 26, 2560))
        match chance.randrange(8):
            case 0 | 1 | 2:
                damaged[place:end] = chance.randbytes(len(damaged[place:end]))
            case 3 | 4:
                sign = chance.choice((b"\0", b"\xff", b"\x01", b"\x7f", b"\x80"))
                damaged[place:end] = sign * len(damaged[place:end])
            case 5:
                del damaged[place:end]
            case 6:
                damaged[place:place] = damaged[place:end]
            case _ if chance.random() < 0.3:
                del damaged[place:]
    return bytes(damaged)
