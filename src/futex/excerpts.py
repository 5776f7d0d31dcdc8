"""Parts of a text that fit somewhere, cut between words where there are any; … stands for what is left out.

>>> text = "The stem cells of old mice divide"
>>> beginning(text, 10), beginning(text, 100)
('The stem…', 'The stem cells of old mice divide')
>>> around(text, text.index("old"), text.index("old") + 3, 9)
'…of old mice…'
"""


def beginning(text: str, length: int) -> str:
    """At most so many characters."""
    return after(text, 0, length)


def around(text: str, start: int, end: int, length: int) -> str:
    """text[start:end] with at most so many characters on either side."""
    return before(text, start, length) + text[start:end] + after(text, end, length)


def before(text: str, place: int, length: int) -> str:
    if place <= length:
        return text[:place]
    part = text[place - length : place]
    return "…" + (part.partition(" ")[2] or part)


def after(text: str, place: int, length: int) -> str:
    part = text[place : place + length]
    return part if len(text) <= place + length else (part.rpartition(" ")[0] or part) + "…"
