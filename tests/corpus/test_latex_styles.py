r"""Lists of references as the styles of BibTeX print them, each with its own definitions of \href and the like."""

import pytest
from corpus.latex_article import in_document, read

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


@pytest.mark.parametrize("written", [REVTEX, JHEP])
def test_definitions_of_a_style_hide_neither_dois_nor_titles(written):
    for paper in (read(in_document(written)).paper, read(in_document(""), some__bbl=written).paper):
        assert paper.references == ("10.1000/rev.1", "title:why water does not burn")
