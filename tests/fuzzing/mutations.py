"""Ways in which a file comes to harm."""

import random

PIECES = [
    *(
        b"<sec>",
        b"</sec>",
        b"<p>",
        b"</p>",
        b"<fig>",
        b"<div>",
        b"<head n='1'>",
        b"<!--",
        b"<![CDATA[",
        b"&x;",
        b"&#0;",
    ),
    *(b"{", b"}", b"[", b"]", b'"', b"'", b":", b",", b"null", b"1e999", b"-", b"0" * 50, b"\\u", b"\\uD800", b"NaN"),
    *(b"\\section{", b"\\def\\a{\\a\\a}\\a", b"\\begin{", b"\\end{", b"$", b"%", b"\\input{", b"\\cite{", b"#1"),
    *(b"@prefix", b"_:a", b"@en", b"^^", b"<<", b">>", b'rdf:parseType="Literal"', b'"@context":', b'"@list":'),
    *(b"endobj", b"stream", b"/Length 0", b"/Count 99999999", b"1 0 R", b"[Term]\n", b"id: ", b"is_a: "),
    *(b"\n", b"\t", b"\r", b"# ", b"```", b"|", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xff\xff\xff", b"\x1f\x8b"),
]


def damaged(content: bytes, rnd: random.Random) -> bytes:
    """The content after one to six accidents."""
    data = bytearray(content)
    for _ in range(rnd.randint(1, 6)):
        data = rnd.choice(ACCIDENTS)(data, rnd.randrange(len(data) + 1), rnd)
    return bytes(data)


def _a_byte(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    data[at : at + 1] = bytes([rnd.randrange(256)])
    return data


def _a_piece(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    data[at : at + rnd.choice([0, 0, 1, 30])] = rnd.choice(PIECES)
    return data


def _noise(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    data[at:at] = rnd.randbytes(rnd.randint(1, 12))
    return data


def _a_gap(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    del data[at : at + rnd.randint(1, 60)]
    return data


def _a_copy(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    start = rnd.randrange(len(data) + 1)
    data[at:at] = data[start : start + rnd.randint(1, 200)]
    return data


def _a_lost_mark(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    opening, closing = rnd.choice([(b"<", b">"), (b"{", b"}"), (b'"', b'"')])
    start = data.find(opening, at)
    end = data.find(closing, start + 1)
    if 0 <= start < end:
        del data[start : end + 1]
    return data


def _a_cut(data: bytearray, at: int, rnd: random.Random) -> bytearray:
    return data[:at]


ACCIDENTS = [_a_byte, _a_byte, _a_piece, _a_piece, _noise, _a_gap, _a_copy, _a_lost_mark, _a_cut]
