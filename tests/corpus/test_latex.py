import io

import pytest
from corpus.latex_article import ARTICLE, LONG, in_document, read, texts

from futex.corpus.formats import jats, latex
from futex.corpus.sources import Source


def test_front_matter():
    paper, subjects = read(ARTICLE)
    assert paper.id == "10.1234/test.1"
    assert paper.title == "On the Growth of Bubbles"
    assert paper.abstract == "We present Bubbler, which grows bubbles. Bubbler is good."
    assert paper.metadata == {
        "year": 2023,
        "venue": "Proceedings of the Test",
        "authors": ["A. Author", "Béatrice Øther"],
        "aliases": ["title:on the growth of bubbles"],
    }
    assert subjects.paths == (("Physics", "Bubbles"),)
    assert subjects.keywords == ("bubbles", "growth of foam")


def test_body_is_a_tree_of_paragraphs_without_markup():
    assert [(place.path, place.text) for place in read(ARTICLE).paper.paragraphs()] == [
        (("Introduction",), f"Bubbles are round — mostly — and “soft”, as {LONG} says."),
        (
            ("Introduction",),
            f"Contributions. In Section 2.1 and Figure 1(a) we {LONG}. We study 5% of x_i ∈ X. "
            "Also we propose Bubbler-Fast. This ends the paragraph.",
        ),
        (("Introduction",), f"Foam of Bubbler as {LONG}."),
        (("Methods", "Growth of E. coli"), f"The growth is where, as in Eq. (1), {LONG}."),
        (("Methods", "Growth of E. coli"), f"Every bubble bursts, {LONG}."),
        (("Methods", "Growth of E. coli", "Medium"), f"The medium has {LONG}."),
        (("Methods", "Growth of E. coli", "Medium", "Temperature."), f"It was warm and {LONG}."),
        (("Proofs", "Of the Theorem"), f"We prove it as in Appendix A.1 with {LONG}."),
    ]


# --- text


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"na\"{\i}ve Erd\H{o}s \v Capek \c{c}a {\aa} {\ss} \'e\`a", "naïve Erdős Čapek ça å ß éà"),
        (r"5\,\% \& \$3 \#1 a\_b \{x\} \S 2 \ldots", "5 % & $3 #1 a_b {x} §2 …"),
        (r"pages 1--2, it's --- `so' ``called''", "pages 1–2, it's — ‘so' “called”"),
        (r"\emph{a}\textbf{b}{\it c}\underline{d} \textcolor{red}{e} \mbox{f}", "abcd e f"),
        (r"see \url{http://x.org/a%20b_c} or \href{http://y.org/%7E}{here}", "see http://x.org/a%20b_c or here"),
        (r"the call \verb|f($x, %y)| and \verb+|+ end", "the call f($x, %y) and | end"),
        (r"un\-hy\-phen\-at\-ed shelf\/ful", "unhyphenated shelfful"),
        (r"a~b\ c\quad d\\[2pt]e\newline f", "a b c d e f"),
        ("100\\% sure % not this \\emph{\n   indeed", "100% sure indeed"),
        (r"\vskip 3mm \hspace*{1em}\vspace{-2mm}a \hskip-1.5em b", "a b"),
        (r"\enquote{quoted} \texorpdfstring{$x$}{ex} \unknown{kept} \unknown", "“quoted” ex kept"),
        (r"a\footnote{b \textbf{c} $d$} e\footnotemark[1].", "a e."),
        (r"a \printbibliography[heading=bibintoc]", "a"),
        (r"\hyperref[sec:a]{Section A} \hyperlink{a}{here} \makebox[1cm][l]{b}", "Section A here b"),
        (r"\addcontentsline{toc}{section}{Preface} a \definecolor{x}{rgb}{0.1,0.2,0.3} b", "a b"),
        (r"\captionsetup[figure]{font=small} And \fontsize{9}{10}\selectfont so on", "And so on"),
    ],
)
def test_text(written, expected):
    assert texts(f"{LONG} {written}") == [f"{LONG} {expected}"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"x_i", "x_i"),
        (r"x_{ij}^{2}", "x_ij^2"),
        (r"\alpha\leq\beta", "α ≤ β"),
        (r"P\rightarrow P", "P → P"),
        (r"\sim", "~"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac12", "1/2"),
        (r"\log x + \sin(y)", "log x + sin(y)"),
        (r"\operatorname{sim}(p, p')", "sim(p, p')"),
        (r"\{1,3\}", "{1,3}"),
        (r"\left(a\right.", "(a"),
        (r"\mathcal{D} = {\rm tf}", "D = tf"),
        (r"a\ \text{if $b$}", "a if b"),
        (r"\sqrt{2}\infty", "√2∞"),
    ],
)
@pytest.mark.parametrize("marks", ["$$", (r"\(", r"\)")])
def test_formulas_in_a_line_are_readable(formula, expected, marks):
    assert texts(f"{LONG} {marks[0]}{formula}{marks[1]}, and") == [f"{LONG} {expected}, and"]


@pytest.mark.parametrize(
    "formula",
    [
        r"$$a$$",
        r"\[a\]",
        r"\begin{equation}a\end{equation}",
        r"\begin{align*}a & b \\ c\end{align*}",
        "\\begin{verbatim}\n}{$ % \\begin{x}\n\\end{verbatim}",
        r"\begin{tabular}{ll}a & b \\ \multicolumn{2}{c}{d}\end{tabular}",
        r"\begin{tikzpicture}[scale=2]\draw (0,0) -- (1,1);\end{tikzpicture}",
        "\\begin{comment}\n\\section{No}\n\\end{comment}",
        r"\iffalse no \ifx\a\b no \else no \fi no \fi",
        r"\begin{figure}\includegraphics{a}\end{figure}",
    ],
)
def test_what_is_no_sentence_is_left_out_of_the_paragraph(formula):
    assert texts(f"{LONG}:\n{formula}\nwhere") == [f"{LONG}: where"]


def test_blank_lines_and_par_separate_paragraphs_but_comments_do_not():
    written = f"a {LONG} \n \nb {LONG}% no break\n% none\n  c\\par d {LONG}% note\n\ne {LONG}"
    assert texts(written) == [f"a {LONG}", f"b {LONG}c", f"d {LONG}", f"e {LONG}"]


def test_a_list_is_one_paragraph_alone_or_within_another():
    items = "\\begin{enumerate}\n\\item a b c d e\n\n\\item f g h i j\n\\end{enumerate}"
    assert texts(items) == ["a b c d e f g h i j"]
    assert texts(f"We list: {items} and go on.") == ["We list: a b c d e f g h i j and go on."]


@pytest.mark.parametrize("environment", ["theorem", "proof", "quote", "center", "unheard-of"])
def test_other_environments_are_paragraphs_of_their_own(environment):
    inside = rf"\begin{{{environment}}}b {LONG}\end{{{environment}}}"
    assert texts(f"a {LONG} {inside} c {LONG}") == [f"a {LONG}", f"b {LONG}", f"c {LONG}"]


def test_captions_follow_the_paragraph_that_their_figure_interrupts():
    table = rf"\begin{{table*}}[!t]\caption[short]{{T {LONG}}}\begin{{tabular}}{{l}}x\end{{tabular}}\end{{table*}}"
    assert texts(f"a {LONG} {table} b.\n\nc {LONG}") == [f"a {LONG} b.", f"T {LONG}", f"c {LONG}"]


def test_a_caption_may_follow_its_setting():
    figure = rf"\begin{{figure}}\captionsetup{{font=small}}\caption{{Foam {LONG}}}\end{{figure}}"
    assert texts(figure) == [f"Foam {LONG}"]


def test_a_formula_that_is_never_closed_ends_with_the_paragraph():
    assert texts(f"a {LONG} $x\n\nb--c {LONG} $$ x\n\nd {LONG}") == [f"a {LONG} x", f"b–c {LONG}", f"d {LONG}"]


# --- macros


@pytest.mark.parametrize(
    ("definitions", "call", "expected"),
    [
        (r"\newcommand{\a}{x}", r"\a\ and \a{} b", "x and x b"),
        (r"\newcommand*\a[2]{#2-#1}", r"\a{p}{\emph{q}}\a12", "q-p2-1"),
        (r"\newcommand{\a}[2][d]{#1#2}", r"\a{x} \a[y]{z}", "dx yz"),
        (r"\def\a#1#2{(#2#1)}", r"\a{x} y", "(yx)"),
        (r"\def\a#1.{never}", r"\a x.", "x."),
        (r"\let\a=\emph \let\b\textasciitilde", r"\a{x}\b", "x~"),
        (r"\let\old\textbf\renewcommand{\textbf}[1]{<\old{#1}>}", r"\textbf{x}", "<x>"),
        (r"\providecommand{\a}{1}\providecommand{\a}{2}", r"\a", "1"),
        (r"\newcommand{\a}{1}\renewcommand{\a}{2}", r"\a", "2"),
        (r"\newcommand{\out}[1]{\newcommand{\in}[1]{#1##1}}\out{x}", r"\in{y}", "xy"),
        (r"\newenvironment{e}[1]{(#1:}{)}", r"\begin{e}{x}y\end{e}", "(x:y)"),
        (r"\DeclareMathOperator{\tf}{tf}", r"$\tf x \tf(y)$", "tf x tf(y)"),
        (r"\newcommand{\a}{x\xspace}", r"\a and \a, \a-b \a", "x and x, x-b x"),
        (r"\newif\ifdraft\drafttrue", r"\ifdraft a\else b\fi\draftfalse\ifdraft a\else b\fi", "ab"),
        (r"\let\ifdraft\iffalse", r"\ifdraft no\else a\fi\let\ifdraft\iftrue\ifdraft b\fi", "ab"),
        (r"\let\ifdraft\iffalse", r"\iffalse\ifdraft no\fi no\fi a", "a"),
        (r"\newif\ifdraft\let\ifdraft\iffalse\drafttrue", r"\ifdraft a\fi", "a"),
        (r"\let\make\newcommand\make{\a}{x}", r"\a", "x"),
        (r"\let\open\begin", r"a\open{tabular}{l}no\end{tabular}", "a"),
        (r"\def\v{\mathbf{v}}", r"$\v$", "v"),
    ],
)
def test_macros_are_expanded(definitions, call, expected):
    assert texts(f"{LONG}, {call}", definitions) == [f"{LONG}, {expected}"]


def test_addresses_may_have_parameters():
    definitions = r"\newcommand{\me}[1]{\url{http://x.org/#1#top}}\def\mail#1{\href{mailto:#1}{\path{#1}}}"
    written = rf"{definitions}{LONG} \me{{a_b}} \mail{{c@d.org}} \url{{y.org/p#1}}"
    assert texts(written) == [f"{LONG} http://x.org/a_b#top c@d.org y.org/p#1"]


def test_what_is_redefined_only_for_its_looks_keeps_its_meaning():
    looks = r"\renewcommand{\cite}[1]{[#1]}\renewcommand{\section}{\bf}\renewenvironment{abstract}{\bf}{}"
    paper = read(in_document(rf"\begin{{abstract}}A.\end{{abstract}}\section{{S}}{LONG} \cite{{x}}.", looks)).paper
    assert paper.abstract == "A."
    assert [*paper.paragraphs()] == [(("S",), f"{LONG}.")]
    assert paper.references == ("bibtex:x",)


# --- numbers


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\chapter{A}\section{B}\label{x}", "1.1"),
        (r"\section{A}\section*{B}\subsection{C}\label{x}", "1.1"),
        (r"\section{A\label{x}}\paragraph{B}", "1"),
        (r"\section{A}\appendix\section{B}\subsection{C}\label{x}", "A.1"),
        (r"\begin{align}a \\ b\nonumber \\ c\label{x}\end{align}", "2"),
        (r"\begin{equation*}a\end{equation*}\begin{equation}b\label{x}\end{equation}", "1"),
        (r"\numberwithin{equation}{section}\section{A}\section{B}\begin{equation}\label{x}\end{equation}", "2.1"),
        (r"\newtheorem{l}{Lemma}[section]\section{A}\begin{l}\end{l}\begin{l}\label{x}\end{l}", "1.2"),
        (r"\newtheorem{l}{Lemma}\numberwithin{l}{section}\section{A}\section{B}\begin{l}\label{x}\end{l}", "2.1"),
        (r"\numberwithin{figure}{section}\section{A}\begin{figure}\caption{a}\label{x}\end{figure}", "1.1"),
        (r"\begin{figure}\caption{a}\end{figure}\begin{figure}\caption{b}\label{x}\end{figure}", "2"),
        (r"\begin{table}\caption{a}\end{table}\begin{figure}\caption{b}\label{x}\end{figure}", "1"),
    ],
)  # fmt: skip
def test_cross_references_have_their_numbers(written, expected):
    assert texts(f"{written}\n\n{LONG} (\\ref{{x}}) and \\ref{{unknown}}.")[-1] == f"{LONG} ({expected}) and."


def test_references_by_kind():
    float_ = r"\begin{figure}\caption{a}\label{f}\end{figure}\begin{equation}\label{e}\end{equation}"
    assert texts(rf"{float_} {LONG} \autoref{{f}}, \eqref{{e}}, \cref{{e,f}}, p.~\pageref{{e}}") == [
        f"{LONG} Figure 1, (1), Equation 1 and 1, p."
    ]


# --- files beside


def test_files_are_included_from_the_papers_own_folder_only():
    asked = []

    def beside(name):
        asked.append(name)
        return {"parts/one.tex": b"First \\input{two}", "two": f"second {LONG}".encode()}.get(name)

    content = in_document(r"\input{./parts/one} \input{../secret} \include{/etc/passwd} \input c:\x \input{missing}")
    (document,) = latex.read(Source("a.tex", io.BytesIO(content.encode()), beside=beside))
    assert [place.text for place in document.paper.paragraphs()] == [f"First second {LONG}"]
    assert all(".." not in name and not name.startswith("/") and ":" not in name for name in asked)


def test_an_included_paper_does_not_end_the_main_one():
    part = rf"\documentclass{{subfiles}}\begin{{document}}part {LONG}\end{{document}}"
    assert texts(f"\\subfile{{part}}\n\nmain {LONG}", part__tex=part) == [f"part {LONG}", f"main {LONG}"]


def test_nothing_is_read_after_endinput():
    part = rf"part {LONG} \iffalse\endinput\fi and so on.\endinput no"
    written = f"\\input{{part}}\n\nmain {LONG}\\endinput no"
    assert texts(written, part__tex=part) == [f"part {LONG} and so on.", f"main {LONG}"]


def test_the_same_paper_as_in_jats():
    jats_article = f"""<article><front><article-meta><title-group><article-title>Life of H<sub>2</sub>O bubbles in
      glasses</article-title></title-group><abstract><p>We grew <italic>bubbles</italic>.</p></abstract></article-meta>
      </front>
      <body><sec><title>Methods</title><p>We list:<list><list-item><p>a</p></list-item><list-item><p>b {LONG}</p>
      </list-item></list> in Section 1.1 “here”–there.</p><sec><title>Water &amp; soap</title><p>Warm {LONG}.</p>
      <fig><caption><p>A glass {LONG}.</p></caption></fig></sec></sec></body>
      <back><ack><p>We thank {LONG}.</p></ack><app-group><app><title>Proofs</title><p>Proved {LONG}.</p></app>
      </app-group>
      <ref-list><ref><mixed-citation>doi:10.1000/A</mixed-citation></ref></ref-list></back></article>"""
    written = in_document(
        rf"""\title{{Life of H$_2$O bubbles in glasses}}\maketitle
        \begin{{abstract}}We grew \emph{{bubbles}}.\end{{abstract}}
        \section{{Methods}} We list:
        \begin{{itemize}} \item a \item b {LONG} \end{{itemize}} in Section~\ref{{water}} ``here''--there.
        \subsection{{Water \& soap}}\label{{water}} Warm {LONG}.
        \begin{{figure}}\caption{{A glass {LONG}.}}\end{{figure}}
        \section*{{Acknowledgements}} We thank {LONG}.
        \appendix\section{{Proofs}} Proved {LONG} \cite{{a}}.
        \begin{{thebibliography}}{{1}}\bibitem{{a}} doi:10.1000/A\end{{thebibliography}}"""
    )
    ((from_jats, _),) = jats.read(Source("a.xml", io.BytesIO(jats_article.encode())))
    paper = read(written).paper
    assert (paper.abstract, paper.body, paper.references) == (from_jats.abstract, from_jats.body, from_jats.references)
    assert paper.metadata["aliases"] == from_jats.metadata["aliases"]


# --- front matter in other shapes


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"\author{A. One \and B. Two\thanks{x}}", ["A. One", "B. Two"]),
        (r"\author{A. One$^{1,2}$, B. Two$^{*}$ and C. Ten\\ $^1$Here \\ $^2$There}", ["A. One", "B. Two", "C. Ten"]),
        (r"\author[1]{A. One}\affil[1]{Here}\author{B. Two}", ["A. One", "B. Two"]),
        ("\\author{\n A. One \\\\ Here \\And B. Two \\\\ There \\\\ \\texttt{b@x.org}}", ["A. One", "B. Two"]),
        (r"\author{\IEEEauthorblockN{A. One}\IEEEauthorblockA{Here \\ a@x.org}}", ["A. One"]),
    ],
)  # fmt: skip
def test_authors(written, expected):
    assert read(in_document(LONG, written)).paper.metadata["authors"] == expected


@pytest.mark.parametrize(
    "written",
    [
        r"\begin{abstract}Some text.\end{abstract}",
        "\\abstract{Some\n\ntext.}",
        r"\begin{abstract}\section*{Aim}Some\paragraph{Result}text.\end{abstract}\begin{abstract}Autre.\end{abstract}",
        r"\section*{Abstract}Some text.",
    ],
)
def test_abstracts(written):
    assert read(in_document(rf"{written}\section{{A}}{LONG}")).paper.abstract == "Some text."


def test_keywords_of_other_classes():
    written = r"\begin{keyword}bubbles \sep foam\end{keyword}"
    assert read(in_document(written)).subjects.keywords == ("bubbles", "foam")


def test_without_a_doi_the_file_name_is_the_id_and_other_encodings_are_read():
    document = read(in_document(f"Müller {LONG}").encode("cp1252"), "papers.zip:2301.00001/ms.tex")
    assert document.paper.id == "ms"
    assert next(document.paper.paragraphs()).text == f"Müller {LONG}"


@pytest.mark.parametrize(
    "head",
    [
        ARTICLE.encode()[:4096],
        b"\\documentclass{article}",
        b"% comment\n\n\\RequirePackage{x}\n  \\documentclass [a4]{x}",
        b"\\documentstyle[12pt]{article}",
    ],
)
def test_recognises_main_files(head):
    assert latex.recognises(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\\section{A part}\nof a paper",
        b"% \\documentclass{article}\n\\section{A}",
        b"# How to write\n\n\\documentclass{article}\n",
        b'{"text": "\\\\documentclass{x}"}',
        b"\\documentclasses{x}",
    ],
)
def test_does_not_recognise_other_files(head):
    assert not latex.recognises(head)


def test_tables_of_other_packages_leave_their_caption_only():
    caption = "The masses of all the stars that we saw in that night"
    rows = r"\tablehead{\colhead{Star}}\startdata Vega & 2 \\ \enddata"
    assert texts(rf"\begin{{deluxetable}}{{lc}}\tablecaption{{{caption}}}{rows}\end{{deluxetable}}") == [caption]
    assert texts(rf"\begin{{tabu}}{{ll}} {' & '.join('abcdefghijkl')}\end{{tabu}}") == []
