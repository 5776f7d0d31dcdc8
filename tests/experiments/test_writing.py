"""The same table in every format; nothing in a text becomes markup."""

import csv
import io
import warnings
from dataclasses import replace

from futex.experiments.results import Cell, Group, Panel, Result, Row, Series, Table
from futex.experiments.writing.csv import csv_text
from futex.experiments.writing.html import page
from futex.experiments.writing.latex import escaped, latex
from futex.experiments.writing.markdown import markdown
from futex.experiments.writing.plots import draw

TABLE = Table(
    "method",
    ("P@1", "P@1"),
    (Group("tiny", 1), Group("MAG-CS (paper)", 1)),
    (
        Row("A & B_1", (Cell(0.51234, 0.4, 0.6, "*", best=True), Cell(0.6825, mark="**", digits=4)), "Abstract"),
        Row("=cmd()", (Cell(), Cell()), "Ours", missing="not run: 5% <b>$|$</b>"),
    ),
)
PANEL = Panel("dots", "P@1", "", (Series("t$x$", ("A",), (0.5,), (0.4,), (0.6,)),), ("A",))
RESULT = Result("table2", "Table 2: <i>", "All # of it.", TABLE, (PANEL,), ("12 papers.",), provenance={"corpus": "t"})


def test_latex_escapes_every_special_character():
    assert escaped(r"a\b{c}_d^e~f#g$h%i&j<k>") == (
        r"a\textbackslash{}b\{c\}\_d\textasciicircum{}e\textasciitilde{}f\#g\$h\%i\&j\textless{}k\textgreater{}"
    )
    assert escaped("● a ✓ – “b”") == r"$\bullet$ a \checkmark{} -- ``b''"


def test_latex_has_no_sign_that_pdflatex_stops_at():
    assert escaped("Δ P@5 of TGF-β1 ≥ −3") == r"$\Delta$ P@5 of TGF-$\beta$1 $\geq$ $-$3"
    assert escaped("Gödel, e\u0301, ǆ, x₂\u200b\x00, 水") == "Gödel, é, dz, x2, ?"
    assert escaped("＼input") == r"\textbackslash{}input"  # made of a backslash
    assert r"\label{tab:learning-curve}" in latex(replace(RESULT, name="learning_curve"))


def test_latex_has_booktabs_groups_and_reasons():
    text = latex(RESULT)
    assert r"A \& B\_1 & \textbf{0.512*} & 0.6825** \\" in text
    assert r"\multicolumn{1}{l}{\emph{not run: 5\% \textless{}b\textgreater{}\$|\$\textless{}/b\textgreater{}}}" in text
    assert text.count(r"\midrule") == 2  # below the head, and between the blocks
    assert text.index(r"\toprule") < text.index(r"\bottomrule")


def test_markdown_keeps_columns_and_shows_markup_as_text():
    lines = markdown(RESULT).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert rows[0] == "| method | P@1 | MAG-CS (paper) P@1 |"
    assert rows[3] == r"| A & B\_1 | **0.512\*** (0.400–0.600) | 0.6825\*\* |"
    assert rows[5] == r"| =cmd() | not run: 5% \<b\>$\|$\</b\> |  |"
    assert lines[0] == r"# Table 2: \<i\>"


def test_csv_has_a_line_a_number_and_no_formula():
    rows = list(csv.DictReader(io.StringIO(csv_text(TABLE))))
    assert [(row["corpus"], row["value"], row["low"], row["mark"]) for row in rows[:2]] == [
        ("tiny", "0.512340", "0.400000", "*"),
        ("MAG-CS (paper)", "0.682500", "", "**"),
    ]
    assert rows[2]["row"] == "'=cmd()"
    assert rows[2]["missing"].startswith("not run")


def test_html_shows_markup_as_text():
    text = page({"t": [RESULT]}, {("t", "table2"): b"<svg/>"})
    assert "<b>" not in text
    assert "5% &lt;b&gt;$|$&lt;/b&gt;" in text
    assert "<strong>0.512*</strong><small>(0.400–0.600)</small>" in text


def test_results_go_to_json_and_back():
    assert Result.from_dict(RESULT.as_dict()) == RESULT


def test_a_panel_of_methods_that_all_were_not_run_is_drawn_without_a_warning(tmp_path):
    for kind in ("lines", "dots", "bars"):
        nothing = Panel(kind, "P@1", "", (Series("", (), ()),) if kind == "bars" else ())
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            draw(replace(RESULT, panels=(nothing,)), tmp_path)


def test_plots_are_the_same_bytes_every_time(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        draw(RESULT, tmp_path / name)
    for file in ("table2.svg", "table2.png"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert b"<script" not in (tmp_path / "a" / "table2.svg").read_bytes()
