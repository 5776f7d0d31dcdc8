"""A paper in LaTeX with one of everything, for the tests of its reader."""

import io

from futex.corpus.formats import latex
from futex.corpus.sources import Source

LONG = "one two three four five six seven eight nine ten"

ARTICLE = rf"""% !TeX program = pdflatex
\documentclass[sigconf]{{acmart}} % the class
\usepackage[noend]{{algorithm2e}}
\newcommand{{\tool}}{{\textsc{{Bubbler}}\xspace}}
\newcommand\blnote[1]{{%
  \begingroup
  \renewcommand\thefootnote{{}}\footnote{{#1}}%
  \addtocounter{{footnote}}{{-1}}%
  \endgroup
}}
\DeclareMathOperator*{{\argmax}}{{arg\,max}}
\definecolor{{myblue}}{{rgb}}{{0.2, 0.2, 0.9}}
\acmYear{{2023}}
\setcopyright{{rights}}\acmConference[TEST '23]{{Proceedings of the Test}}{{May 1--2, 2023}}{{Nowhere}}
\acmDOI{{10.1234/Test.1}}
\begin{{document}}
\title{{On the Growth of \\ Bubbles\thanks{{Funded.}}}}
\author{{A. Author}}
\affiliation{{\institution{{Institute of Tests}} \country{{}}}}
\author{{B\'eatrice {{\O}}ther$^{{1,*}}$}}
\renewcommand{{\shortauthors}}{{A. Author et al.}}
\begin{{abstract}}
We present \tool, which grows bubbles. \tool is good.
\blnote{{$^\dagger$Code at {{\color{{myblue}} \url{{https://example.org/a_b%20c}}}}.}}
\end{{abstract}}
\begin{{CCSXML}}
<concept_desc>Physics~Bubbles</concept_desc>
\end{{CCSXML}}
\ccsdesc[500]{{Physics~Bubbles}}
\keywords{{bubbles; growth of \emph{{foam}}}}
\begin{{spacing}}{{0.97}}
\maketitle

\section{{Introduction}}
Bubbles \cite{{doe2001,roe2002}} are {{\bf round}} --- mostly --- and ``{{\em soft}}'', as {LONG}
% a comment does not end the paragraph
says \citet[p.~5]{{poe2003}}.

\vspace{{1mm}}

\noindent \textbf{{Contributions.}} In Section~\ref{{sec:growth}} and Figure \ref{{fig:foam}}(a) we {LONG}.
\begin{{itemize}}[leftmargin=*]
\item We study 5\% of $x_i \in \mathcal{{X}}$.

\item[Also] we propose \tool-Fast\footnote{{A note.}}.
\end{{itemize}}
This ends the paragraph (see \cite{{doe2001}}).

\begin{{figure}}[t]
\centering
\includegraphics[width=\linewidth]{{foam.png}}
\caption{{Foam of \tool as {LONG} \cite{{soe2004}}.}}
\label{{fig:foam}}
\end{{figure}}

\section{{Methods}}
\subsection{{Growth of \textit{{E. coli}}}}
\label{{sec:growth}}
The growth is
\begin{{equation}}
g = \argmax_x f(x)
\label{{eq:growth}}
\end{{equation}}
where, as in Eq.~(\ref{{eq:growth}}), {LONG}.

\begin{{theorem}}[Of bubbles]
Every bubble bursts, {LONG}.
\end{{theorem}}
\subsubsection*{{Medium}}
The medium has {LONG}.
\paragraph{{Temperature.}} It was warm and {LONG}.

\section*{{Acknowledgments}}
We thank all of those who helped us with {LONG}.

\bibliographystyle{{plain}}
\bibliography{{refs}}

\appendix
\section{{Proofs}}
\subsection{{Of the Theorem}}
We prove it as in Appendix~\ref{{app}} with {LONG}.\label{{app}}
\begin{{algorithm}}
\caption{{Grow}}
\KwIn{{A bubble and {LONG}}}
\end{{algorithm}}
\end{{spacing}}
\end{{document}}
Nothing after the end counts, {LONG}.
"""

BIB = r"""
@string{jot = "Journal of Tests"}
@article{doe2001,
  title = {{Bubbles} in the {B}lood of {"}Fish{"}},
  author = "Doe, J. and Roe, R.", journal = jot, year = 2001, doi = {https://doi.org/10.1000/A}
}
@inproceedings{roe2002, title = "Why {H$_2$O} does not burn \& other stories", year = {2002}}
@book{poe2003, title={Short}, }
@misc{never-cited, title = {A work that is never cited here}}
"""


def documents(content, name="papers/some.tex", **files):
    """`files` lie beside the paper; `__` in a name stands for a dot and `___` for a slash."""
    beside = {key.replace("___", "/").replace("__", "."): text.encode() for key, text in files.items()}
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    return list(latex.read(Source(name, stream, beside=beside.get)))


def read(content, name="papers/some.tex", **files):
    (document,) = documents(content, name, **files)
    return document


def in_document(inside, preamble=""):
    return rf"\documentclass{{article}}{preamble}\begin{{document}}{inside}\end{{document}}"


def texts(inside, preamble="", **files):
    return [place.text for place in read(in_document(inside, preamble), **files).paper.paragraphs()]
