r"""What the commands and environments of LaTeX and its common packages mean to a reader who wants only the text.

A command that is not named here or among the symbols is dropped, and what is in its braces is read as text; an unknown
environment (a theorem, a quotation) is a paragraph of its own.
"""

import re


def _commands(names: str) -> frozenset[str]:
    return frozenset(f"\\{name}" for name in names.split())


def _environments(names: str) -> frozenset[str]:
    return frozenset(form for name in names.split() for form in (name, f"{name}*"))


HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
LEVELS = {f"\\{name}": level for level, name in enumerate(HEADINGS, start=1)}

CITATION = re.compile(
    r"\\(?:no|foot|footfull|full|paren|text|auto|smart|super|online|short)?[cC]ite"
    r"(?:p|t|alp|alt|author|year|yearpar|num|text|title|url|s)?"
)
CROSS_REFERENCES = _commands("ref eqref autoref cref Cref vref pageref nameref subref")
NOTES = _commands("footnote footnotetext thanks marginpar todo tnote endnote sidenote IEEEmembership")

FIELDS = {
    **dict.fromkeys(_commands("title icmltitle Title"), "title"),
    **dict.fromkeys(_commands("author Author icmlauthor"), "author"),
    **dict.fromkeys(_commands("keywords keyword"), "keywords"),
    **dict.fromkeys(_commands("acmConference acmJournal journal"), "venue"),
    r"\abstract": "abstract",
    r"\acmDOI": "doi",
    r"\acmYear": "year",
    r"\ccsdesc": "subject",
}
"""Commands whose argument says something about the paper."""
FIELD_ENVIRONMENTS = {
    "abstract": "abstract",
    **dict.fromkeys(_environments("keyword keywords IEEEkeywords"), "keywords"),
}

FLOATS = {
    environment: kind
    for kind, names in {
        "Figure": "figure wrapfigure sidewaysfigure teaserfigure",
        "Table": "table wraptable sidewaystable longtable deluxetable",
        "Algorithm": "algorithm",
        "Listing": "listing",
        "Scheme": "scheme",
        "": "subfigure subtable",
    }.items()
    for environment in _environments(names)
}
"""Only their captions are read."""
NUMBERED_ONCE = frozenset({"equation", "multline", "dmath"})
NUMBERED_BY_LINE = frozenset({"align", "alignat", "flalign", "gather", "eqnarray"})
LEFT_OUT = _environments(
    "tabular tabularx tabulary tabbing tabu longtabu xltabular tblr longtblr supertabular array tikzpicture pspicture "
    "picture algorithmic alltt CCSXML icmlauthorlist displaymath subequations IEEEeqnarray acks acknowledgment "
    "acknowledgments acknowledgement acknowledgements"
).union(*map(_environments, NUMBERED_ONCE | NUMBERED_BY_LINE))
THEOREMS = _environments(
    "theorem lemma proposition corollary definition example remark assumption conjecture claim fact problem property"
)
"""Classes of journals number them, each in its own way."""
LISTS = _environments("itemize enumerate description compactitem compactenum inparaenum inparaitem list trivlist")
"""A list is one paragraph, alone or within another."""
BIBLIOGRAPHY = "thebibliography"
ENVIRONMENT_ARGUMENTS = {"spacing": 1, "minipage": 1, "multicols": 1, "adjustbox": 1, BIBLIOGRAPHY: 1, "list": 2}

DROPPED_ARGUMENTS = {
    f"\\{name}": count
    for count, names in {
        0: "footnotemark linebreak pagebreak nopagebreak printbibliography hyperref makebox framebox",
        1: """
            index hspace vspace color textcolor colorbox cellcolor rowcolor phantom vphantom hphantom scalebox
            rotatebox raisebox parbox texorpdfstring overset underset stackrel ding foreignlanguage
            affiliation affil institute institution address email ead orcid inst country city state postcode
            streetaddress department authornote authorrunning titlerunning shortauthors shorttitle subtitle date
            received revised accepted IEEEauthorblockA thanksref tnoteref tnotetext corref
            cortext fnref fntext pacs
            includegraphics graphicspath documentclass documentstyle usepackage RequirePackage bibliographystyle
            citestyle setcitestyle bibpunct pagestyle thispagestyle theoremstyle selectlanguage hypersetup geometry
            setlist setstretch lstset tikzset sisetup setcopyright copyrightyear acmPrice acmISBN acmSubmissionID
            acmBooktitle acmVolume acmNumber acmArticle acmMonth newcounter stepcounter refstepcounter
            bibfield natexlab captionsetup hyperlink hypertarget linespread enlargethispage""",
        2: """
            setlength addtolength setcounter addtocounter settowidth markboth fcolorbox resizebox rule
            multirow multicolumn PassOptionsToPackage newcolumntype ifthenelse @ifundefined
            DeclareUnicodeCharacter fontsize""",
        3: "addcontentsline definecolor crefname Crefname",
    }.items()
    for name in names.split()
}
"""Commands whose first arguments are no text, and how many."""

SPACES = _commands(", ; : > quad qquad space enspace thinspace hfill") | {r"\ "}
DIMENSIONS = _commands("vskip hskip kern lower raise")

KEPT = frozenset(
    {*LEVELS, *FLOATS, *LEFT_OUT, *LISTS, *FIELD_ENVIRONMENTS, BIBLIOGRAPHY, "document"}
    | _commands("title author caption cite citep citet ref label footnote thanks item bibitem bibliography maketitle")
    | _commands("TeX LaTeX BibTeX href url enquote bibfield bibinfo")
)
"""What authors, and the styles of BibTeX, redefine only to change its looks."""
