"""LaTeX files from strangers: damaged, hostile or random, they end in a document or in one clear line."""

import io
import unicodedata

import pytest
from corpus.latex_article import ARTICLE, BIB, LONG, documents, in_document, texts
from fuzzing.patience import patience
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus.document import Document
from futex.corpus.formats import latex
from futex.corpus.formats.latex import expansion
from futex.corpus.sources import Source
from futex.errors import DamagedPaper


def test_a_file_without_a_document_is_refused():
    with pytest.raises(DamagedPaper) as refused:
        documents(r"\documentclass{article}\section{A}")
    assert str(refused.value) == (r"papers/some.tex: no \begin{document} inside; give the main .tex file of the paper")


CALLS = [f"\\{name}" for name in "abcdefghijkl"]
TEN_OF_EACH = "".join(rf"\def\{name}{{{call * 10}}}" for name, call in zip("bcdefghijklm", CALLS, strict=True))


@pytest.mark.parametrize(
    "inside",
    [
        r"\def\a{\a}\a",
        r"\def\a{\a\a}\a",
        r"\newcommand{\a}[1]{#1#1}" + r"\a{" * 100 + "x" + "}" * 100,
        rf"{TEN_OF_EACH}\def\a{{ha}}\m",
        r"\newcommand{\a}[1]{" + "#1" * 10_000 + r"}\a{" + "x " * 10_000 + "}",
        r"\newenvironment{a}{\begin{a}}{}\begin{a}",
        r"\let\x\y\def\y{\x\y}\y",
    ],
)
def test_macros_without_end_are_refused(inside, monkeypatch):
    monkeypatch.setattr(expansion, "MAX_EXPANDED", 10_000)
    with pytest.raises(DamagedPaper, match="macros expand to more than"):
        documents(in_document(inside))


def test_files_that_include_themselves_end():
    assert texts(rf"\input{{a}} {LONG}", a__tex=r"\input{a}x") == [f"xxxxxxxxxx {LONG}"]
    with pytest.raises(DamagedPaper, match=r"includes more than 500 files or 8 MiB; .* \(a\)"):
        documents(in_document(r"\input{a}"), a__tex=r"\input{a}" * 3)


@pytest.mark.parametrize("opener", ["{", r"\begin{x}", r"\begin{itemize}\item[", r"\footnote{"])
def test_groups_may_nest_only_so_deep(opener):
    with pytest.raises(DamagedPaper, match="nested more than 200 deep"):
        documents(rf"\documentclass{{a}}\begin{{document}}{opener * 300}")


def test_long_files_are_refused():
    with pytest.raises(DamagedPaper, match="longer than 8 MiB"):
        documents(b"\\documentclass{a}" + b" " * latex.MAX_BYTES)


@pytest.mark.parametrize(
    "piece",
    [
        *(r"\item[", r"\cite[", r"\\[", r"\verb|", r"\url{", r"\begin{verbatim}", r"\end{x}", r"\frac", r"\'", "$"),
        *(r"\newcommand{", r"\def\a", r"\iffalse", r"\else", "%", "\\", "#", " \n", r"\let\a\b", r"\ref{a}\label{a}"),
    ],
)
def test_time_grows_with_the_length_only(piece):
    with patience():
        ends_well(in_document(piece * 10_000))


@pytest.mark.parametrize("letter", ["x", "#"])
def test_macros_that_take_letter_by_letter_take_linear_time(letter, monkeypatch):
    monkeypatch.setattr(expansion, "MAX_EXPANDED", 70_000)  # which is enough for all letters
    nine = "".join(f"#{number}" for number in range(1, 10))
    with patience():
        ends_well(in_document(rf"\def\a{nine}{{\a}}\a {letter * 200_000}"))


def test_a_file_name_without_braces_takes_linear_time():
    with patience():
        ends_well(in_document(r"\input " + "a^" * 200_000))


def test_files_that_are_missing_count_too():
    asked = []
    content = in_document(r"\input{missing}" * 10_000).encode()
    with pytest.raises(DamagedPaper, match=r"includes more than 500 files or 8 MiB; .* \(missing\)"):
        list(latex.read(Source("a.tex", io.BytesIO(content), beside=asked.append)))
    assert len(asked) == 2 * 501


@pytest.mark.parametrize(
    "title", ["{" * 201 + "Some title that is nested" + "}" * 201, r"\def\a{\a\a}\a", "four words of text " * 200]
)
def test_a_title_that_is_none_costs_a_key_only(title, monkeypatch):
    monkeypatch.setattr(expansion, "MAX_EXPANDED", 10**9)
    bib = f"@a{{x, title = {{{title}}}}} @a{{y, title = {{Why water does not burn}}}}"
    for files in ({"refs__bib": bib}, {"some__bbl": rf"\entry{{x}}\field{{title}}{{{title}}}", "refs__bib": bib}):
        (document,) = documents(in_document(r"\cite{x,y}\bibliography{refs}"), **files)
        assert document.paper.references == ("title:why water does not burn",)


ITEM = r"\bibitem{a} A. Doe.\newblock Why water does not burn.\newblock Journal of Tests, 2001."


@pytest.mark.parametrize("call", ["", r"\input{some.bbl}", r"\input{./some.bbl}"])
@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (r"\def\x{\x}\bibitem{b}\x", "its macros expand to more than"),
        (r"\bibitem{b}" + "{" * 300, "groups nested more than 200 deep"),
        (r"\def\x{{ \bibitem{b}", ""),
    ],
)
def test_a_damaged_bbl_file_costs_references_only(call, damage, complaint, monkeypatch, caplog):
    monkeypatch.setattr(expansion, "MAX_EXPANDED", 10_000)
    bbl = rf"\begin{{thebibliography}}{{9}}{ITEM}{damage}\end{{thebibliography}}"
    (document,) = documents(in_document(rf"{LONG}\cite{{a,b}}{call}\section{{More}}{LONG}"), some__bbl=bbl)
    assert [place.path for place in document.paper.paragraphs()] == [(), ("More",)]
    assert document.paper.references == ("title:why water does not burn", "bibtex:b")
    told = [message for message in caplog.messages if "references from there on are left out" in message]
    assert len(told) == bool(complaint)
    assert all(message.startswith(f"papers/some.tex, its .bbl file: {complaint}") for message in told)


def test_bib_files_that_are_too_long_together_are_left_out(monkeypatch, caplog):
    monkeypatch.setattr(latex, "MAX_INCLUDED", 100)
    bibs = {f"{key}__bib": f"@a{{{key}, doi = {{10.1000/{key}}}}}" + " " * 20 for key in "abc"}
    (document,) = documents(in_document(r"\cite{a,b,c,d}\bibliography{a,b,c,d}"), **bibs)
    assert document.paper.references == ("10.1000/a", "10.1000/b", "bibtex:c", "bibtex:d")
    assert caplog.messages == [
        "papers/some.tex: with c.bib its bibliography is longer than 0 MiB; that file and those after it are left out: "
        "keep only the works it cites"
    ]


def test_a_bib_file_that_is_too_long_is_told_of(caplog):
    long = "@a{a, doi = {10.1000/a}}" + " " * latex.MAX_INCLUDED
    (document,) = documents(in_document(r"\cite{a}\bibliography{all}"), all__bib=long)
    assert document.paper.references == ("bibtex:a",)
    (told,) = caplog.messages
    assert told.startswith("papers/some.tex: with all.bib its bibliography is longer than 8 MiB")


def test_a_bib_file_of_beginnings_only():
    documents(in_document(r"\nocite{*}\bibliography{refs}"), refs__bib='@a{b, title={"' * 5000 + "@" * 50_000)


def test_a_bib_file_without_a_work():
    (document,) = documents(in_document(r"\nocite{*}\bibliography{refs}"), refs__bib="nothing of the kind")
    assert document.paper.references == ()


def ends_well(content, **files):
    try:
        found, message = documents(content, **files), ""
    except DamagedPaper as refused:
        found, message = [], str(refused)
    for document in found:
        assert isinstance(document, Document)
        written = f"{document.paper.title}{document.paper.abstract}{document.paper.full_text()}".replace("\n", "")
        assert not [sign for sign in written if unicodedata.category(sign) in ("Cc", "Cs")]
    assert bool(found) != bool(message)
    assert "\n" not in message


@pytest.mark.parametrize("name", [r"\c\verb|x|", r"\newtheorem{t}{\url{x}}\begin{t}\label{a}\end{t}\cref{a}"])
def test_our_mark_of_verbatim_text_does_not_get_into_the_paper(name):
    ends_well(in_document(f"{name} {LONG}"))


@given(st.binary(max_size=200))
def test_random_bytes_end_well(content):
    assert latex.recognises(content) in {True, False}
    ends_well(content)
    ends_well(b"\\documentclass{a}\\begin{document}" + content, some__bbl=content.decode("latin-1"))


PIECES = r"""
    \section \subsection* \cite \footnote \frac \item \par \\ \[ \] \( \) $ $$ { } [ ] # #1 ~ & ^ _ % \'
    \begin{itemize} \end{itemize} \begin{figure} \end{figure} \caption \label{a} \ref{a} \cref{a,b} \newcommand \def\a
    \a \let \input{a} \begin{thebibliography} \bibitem \newblock \verb|a| \url{a%b} \iffalse \else \fi \newif\ifb
    \title \author \and \abstract \appendix \begin{align} \end{align} \begin{document} \xspace \vskip \begin{verbatim}
    \operatorname \newenvironment{e} \begin{e} \end{e} \left \right \captionof \numberwithin \DeclareMathOperator
    \newtheorem{t}{T}[section] \begin{t} \end{t} word 1em * = , é
"""
COMMANDS = st.sampled_from([*PIECES.split(), " ", "\n", "\n\n", "\x00", "\x02", f" {LONG} "])


@settings(max_examples=150)
@given(st.lists(COMMANDS, max_size=60))
def test_commands_in_any_order_end_well(pieces):
    ends_well(in_document("".join(pieces)), a__tex=r"\a{x}", some__bbl="".join(pieces))


@given(st.integers(0, len(ARTICLE)))
def test_truncated_papers_end_well(length):
    ends_well(ARTICLE[:length], refs__bib=BIB[:length])


@settings(max_examples=100)
@given(st.data())
def test_mutated_papers_end_well(data):
    content, bib = (bytearray(text.encode()) for text in (ARTICLE, BIB))
    for text in (content, bib):
        for _ in range(data.draw(st.integers(1, 6))):
            start = data.draw(st.integers(0, len(text)))
            text[start : start + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=6) | st.just(b"{"))
    ends_well(bytes(content), refs__bib=bib.decode("latin-1"))


@given(st.lists(st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1, max_size=8), min_size=10))
def test_words_survive_markup_of_any_kind(words):
    marked = " ".join(rf"\emph{{{word[:1]}}}{{{word[1:]}}}\label{{x}}" for word in words)
    assert texts(marked) == [" ".join(words)]


def test_the_name_of_a_theorem_is_not_multiplied():
    preamble = rf"\newtheorem{{t}}{{{'Long' * 1000}}}"
    (text,) = texts(r"\begin{t}\label{x}\end{t} " + r"\cref{x} " * 20, preamble=preamble)
    assert len(text) < 2000
