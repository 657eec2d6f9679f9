"""What may happen to the bytes of a file: functions of content and random that give new content."""

BLOCK = 4096  # bytes: what a file system loses at a time


def flipped(content, random):
    place = random.randrange(len(content))
    changed = bytearray(content)
    changed[place] ^= 1 << random.randrange(8)
    return bytes(changed)


def truncated(content, random):
    return content[:random.choice([0, len(content) - 1, random.randrange(len(content))])]


def lengthened(content, random):
    return content + random.randbytes(random.randint(1, 5000))


def missing(content, random):
    return None


def overwritten(content, block, random):
    """`block` over a place that begins at a block of the file."""
    begin = random.randrange(0, len(content), BLOCK)
    end = min(begin + random.randint(1, BLOCK), len(content))
    return content[:begin] + block[:end - begin] + content[end:]


def zeroed(content, random):
    return overwritten(content, bytes(BLOCK), random)


def scrambled(content, random):
    return overwritten(content, random.randbytes(BLOCK), random)


def damage(path, content):
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
