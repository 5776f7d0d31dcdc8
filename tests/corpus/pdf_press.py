"""A small printing press for the tests: it sets a paper in one or two columns, as a journal would, and gives the PDF.

Words may be broken where they have a soft hyphen (`SHY`).
"""

import io
from typing import NamedTuple

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from futex.corpus.formats import pdf
from futex.corpus.sources import Source

SHY = "\u00ad"
WIDTH, HEIGHT, MARGIN, GUTTER = 595, 842, 60, 20
TOP, BOTTOM = 770, 80


class Font(NamedTuple):
    name: str
    size: float

    @property
    def leading(self) -> float:
        return 1.2 * self.size

    def width(self, text):
        return stringWidth(text, self.name, self.size)


TEXT = Font("Times-Roman", 10)
TITLE = Font("Helvetica-Bold", 18)
SECTION = Font("Helvetica-Bold", 12)
SUBSECTION = Font("Helvetica-Bold", 10)
SUBSUBSECTION = Font("Helvetica-Oblique", 10)
SMALL = Font("Times-Roman", 8)
HEADINGS = {"section": SECTION, "subsection": SUBSECTION, "subsubsection": SUBSUBSECTION}


def broken(text, font, width, indent=0.0):
    """The lines of a paragraph, each as full as it can be."""
    lines, line, room = [], "", width - indent
    for word in text.split():
        pieces = word.split(SHY)
        while pieces:
            for count in range(len(pieces), 0, -1):
                part = "".join(pieces[:count]) + "-" * (count < len(pieces))
                joined = f"{line} {part}" if line else part
                if font.width(joined) <= room or (not line and count == 1):
                    line = joined
                    pieces = pieces[count:]
                    break
            else:
                part = ""
            if pieces:
                lines.append(line)
                line, room = "", width
    return [*lines, line]


class Press:
    """Sets blocks one below the other, column after column, page after page."""

    def __init__(self, columns=1, running_head="", **options):
        self._file = io.BytesIO()
        self.canvas = Canvas(self._file, pagesize=(WIDTH, HEIGHT), invariant=1, **options)
        self._columns, self._running_head = columns, running_head
        self._page, self._column, self._top, self._y = 0, 0, TOP, TOP
        self._start_page()

    @property
    def _column_width(self):
        return (WIDTH - 2 * MARGIN - GUTTER * (self._columns - 1)) / self._columns

    @property
    def _left(self):
        return MARGIN + self._column * (self._column_width + GUTTER)

    def across(self, text, font=TEXT, centred=False, justified=True):
        """A block over the whole width; columns go on below it."""
        for line in broken(text, font, WIDTH - 2 * MARGIN):
            left = (WIDTH - font.width(line)) / 2 if centred else MARGIN
            self.draw(line, left, self._y - font.size, font)
            self._y -= font.leading
        self._y -= 10
        self._top = self._y

    def block(self, text, font=TEXT, indent=0.0, hanging=0.0, space=0.0):
        """A paragraph, justified but for its last line."""
        lines = broken(text, font, self._column_width - hanging, indent - hanging)
        self.room_for(2 * font.leading)
        self._y -= space
        for number, line in enumerate(lines):
            self.room_for(font.leading)
            left = indent if number == 0 else hanging
            slack = self._column_width - left - font.width(line)
            gaps = line.count(" ") if number < len(lines) - 1 else 0
            self.draw(line, self._left + left, self._y - font.size, font, slack / gaps if gaps else 0)
            self._y -= font.leading

    def heading(self, text, kind="section"):
        self.room_for(6 * TEXT.leading)
        self.block(text, HEADINGS[kind], space=8)
        self._y -= 2

    def figure(self, caption, height=60):
        self.room_for(height + 4 * SMALL.leading)
        self.canvas.rect(self._left, self._y - height, self._column_width, height - 10)
        self._y -= height
        self.block(caption, SMALL, space=4)
        self._y -= 8

    def room_for(self, height):
        if self._y - height < BOTTOM:
            self._column += 1
            if self._column == self._columns:
                self.canvas.showPage()
                self._start_page()
            self._y = self._top

    def draw(self, text, x, y, font=TEXT, word_space=0.0):
        line = self.canvas.beginText(x, y)
        line.setFont(font.name, font.size)
        line.setWordSpace(word_space)
        line.textOut(text)
        self.canvas.drawText(line)

    def content(self):
        self.canvas.showPage()
        self.canvas.save()
        return self._file.getvalue()

    def _start_page(self):
        self._page += 1
        self._column, self._top, self._y = 0, TOP, TOP
        if self._running_head:
            self.draw(self._running_head, MARGIN, 800, SMALL)
            self.draw(str(self._page), WIDTH / 2, 40, SMALL)


def documents(content, name="papers/some.pdf"):
    return list(pdf.read(Source(name, io.BytesIO(content))))


def read(press, name="papers/some.pdf"):
    (document,) = documents(press.content(), name)
    return document
