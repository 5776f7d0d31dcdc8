"""The works that a paper in LaTeX cites: .bib files, printed lists in the paper or beside it, styles of BibTeX."""

import pytest
from corpus.latex_article import ARTICLE, BIB, LONG, in_document, read


def test_cited_works_are_looked_up_in_the_bib_file():
    assert read(ARTICLE, refs__bib=BIB).paper.references == (
        "10.1000/a",
        "title:why h2o does not burn other stories",
        "bibtex:soe2004",
    )


def test_without_a_bibliography_the_citation_keys_stand_for_the_works():
    assert read(ARTICLE).paper.references == ("bibtex:doe2001", "bibtex:roe2002", "bibtex:poe2003", "bibtex:soe2004")


def test_several_works_cited_by_one_command():
    paper = read(in_document(rf"{LONG} \autocites[see][]{{a}}[5]{{b,c}} {{and}} \cite{{d}}{{so}} on")).paper
    assert paper.references == ("bibtex:a", "bibtex:b", "bibtex:c", "bibtex:d")
    assert [place.text for place in paper.paragraphs()] == [f"{LONG} andso on"]


def test_nocite_star_means_the_whole_bib_file():
    for name in ("refs.bib", "./refs"):
        written = in_document(rf"\nocite{{*}}\bibliography{{{name}}}")
        assert "title:a work that is never cited here" in read(written, refs__bib=BIB).paper.references


ITEMS = r"""\begin{thebibliography}{99}
\bibitem[Doe(2001)]{a} J.~Doe.
\newblock {Bubbles in the blood of \emph{E. coli}}.
\newblock {\em Journal of Tests}, 2001.
\bibitem{b} R. Roe, ``Why water does not burn,'' \emph{J. Tests}, 2002.
\bibitem{c} P. Poe, J. Tests 5, 2003, \href{https://doi.org/10.1000/C}{link}.
\bibitem{d} S. Soe, J. Tests 6, 2004.
\bibitem[Toe et~al\mbox{.}(2005)]%
        {e}
\bibfield{author}{\bibinfo{person}{T. Toe}.} \bibinfo{year}{2005}\natexlab{}.
\newblock \showarticletitle{On the width of a bubble}. In \bibinfo{booktitle}{\emph{TEST'05}}.
\newblock
\end{thebibliography}"""
ITEM_KEYS = (
    "title:bubbles in the blood of e coli",
    "title:why water does not burn",
    "10.1000/c",
    "title:on the width of a bubble",
)


def test_works_are_read_from_the_printed_list_in_the_file_or_beside_it():
    assert read(in_document(rf"\cite{{b}} {ITEMS}")).paper.references == ITEM_KEYS
    assert read(in_document(r"\cite{b}"), some__bbl=ITEMS).paper.references == ITEM_KEYS
    assert read(in_document(r"\input{some.bbl}"), some__bbl=ITEMS).paper.references == ITEM_KEYS


def test_the_bib_file_is_better_than_the_printed_list():
    bib = "@article{a, title={x}, doi={10.1000/bib}}"
    written = in_document(r"\cite{a}\bibliography{refs}")
    assert read(written, some__bbl=ITEMS, refs__bib=bib).paper.references[0] == "10.1000/bib"


def test_biblatex_lists():
    bbl = r"""\refsection{0}
      \entry{a}{article}{}{}
        \field{title}{The \emph{long} title of a work}
      \endentry
      \entry{b}{article}{}{}
        \field{title}{Another long title of a work}
        \verb{doi}
        \verb 10.1000/B
        \endverb
      \endentry"""
    for written in (r"\cite{b,a}", r"\cite{b,a}\input{some.bbl}"):
        paper = read(in_document(written), some__bbl=bbl).paper
        assert paper.references == ("title:the long title of a work", "10.1000/b")
        assert paper.is_empty


# --- styles of BibTeX, each with its own definitions of \href and the like


REVTEX = r"""\begin{thebibliography}{2}%
\makeatletter
\providecommand \@ifnum [1]{%
 \ifnum #1\expandafter \@firstoftwo
 \else \expandafter \@secondoftwo
 \fi
}%
\providecommand \enquote  [1]{``#1''}%
\providecommand \bibnamefont  [1]{#1}%
\providecommand \href@noop [0]{\@secondoftwo}%
\providecommand \href [0]{\begingroup \@sanitize@url \@href}%
\providecommand \@href[1]{\@@startlink{#1}\@@href}%
\providecommand \@@href[1]{\endgroup#1\@@endlink}%
\providecommand \@sanitize@url [0]{\catcode `\\12\catcode `\$12\catcode
  `\&12\catcode `\#12\catcode `\^12\catcode `\_12\catcode `\%12\relax}%
\providecommand \@@startlink[1]{}%
\providecommand \@@endlink[0]{}%
\providecommand \doibase [0]{http://dx.doi.org/}%
\providecommand \bibinfo  [0]{\@secondoftwo}%
\providecommand \bibfield  [0]{\@secondoftwo}%
\providecommand \BibitemOpen [0]{}%
\providecommand \BibitemShut  [1]{\csname bibitem#1\endcsname}%
\bibitem [{\citenamefont {Doe}(2001)}]{a}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibnamefont {Doe}},\ }\href
  {\doibase 10.1000/Rev.1} {\bibfield  {journal} {\bibinfo  {journal} {J. Tests}\ }}\BibitemShut {NoStop}%
\bibitem [{\citenamefont {Roe}(2002)}]{b}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibnamefont {Roe}},\ }\bibfield  {title} {\enquote {\bibinfo {title}
  {Why water does not burn},}\ }\href@noop {} {\bibfield  {journal} {\bibinfo  {journal} {J. Tests}\ }}\BibitemShut
  {NoStop}%
\end{thebibliography}"""

JHEP = r"""\providecommand{\href}[2]{#2}\begingroup\raggedright\begin{thebibliography}{2}
\bibitem{a} J.~Doe, {\it Bubbles}, \href{http://dx.doi.org/10.1000/Rev.1}{{\em J. Tests} {\bf 1} (2001)}.
\bibitem{b} R.~Roe, ``Why water does not burn,'' {\em J. Tests} {\bf 2} (2002).
\end{thebibliography}\endgroup"""

AAS = r"""\begin{thebibliography}{}
\expandafter\ifx\csname natexlab\endcsname\relax\def\natexlab#1{#1}\fi
\providecommand{\url}[1]{\href{#1}{#1}}
\providecommand{\dodoi}[1]{doi:~\href{http://doi.org/#1}{\nolinkurl{#1}}}

\bibitem[{{Doe}(2001)}]{a}
{Doe}, J. 2001, \apj, 1, 2, \dodoi{10.1000/Rev.1}

\bibitem[{{Roe}(2002)}]{b}
{Roe}, J. 2002, \bibinfo{title}{Why water does not burn}, \apj, 1, 2
\end{thebibliography}"""


@pytest.mark.parametrize("written", [REVTEX, JHEP, AAS])
def test_definitions_of_a_style_hide_neither_dois_nor_titles(written):
    for paper in (read(in_document(written)).paper, read(in_document(""), some__bbl=written).paper):
        assert paper.references == ("10.1000/rev.1", "title:why water does not burn")
