"""Reading JATS: speed and completeness against pubmed_parser and jats, and memory against the number of files.

All readers read title, abstract, paragraphs, captions and references, one after the other for each file; CPU time is
measured, and of several rounds the best for each file counts.

    pip install pubmed_parser jats
    python benchmarks/jats_parsing.py FOLDER [--rounds 3] [--repeats 10]
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pubmed_parser
from jats.parser import parse_jats_xml
from lxml import etree

from futex.corpus.formats import jats
from futex.corpus.paper import Paper
from futex.corpus.reading import read_documents
from futex.corpus.sources import Source
from futex.corpus.streams import open_binary


class View(NamedTuple):
    """What a reader tells of an article."""

    abstract: str
    paragraphs: list[tuple[tuple[str, ...], str]]
    """The headings above each paragraph or caption, and its text."""
    references: list[str]


def with_futex(path: Path) -> View:
    with open_binary(path) as stream:
        (document,) = jats.read(Source(str(path), stream, path))
    paper = document.paper
    return View(paper.abstract, [(place.path, place.text) for place in paper.paragraphs()], list(paper.references))


def with_pubmed_parser(path: Path) -> View:
    meta = pubmed_parser.parse_pubmed_xml(str(path))
    paragraphs = pubmed_parser.parse_pubmed_paragraph(str(path), all_paragraph=True)
    captions = pubmed_parser.parse_pubmed_caption(str(path)) or []
    references = pubmed_parser.parse_pubmed_references(str(path)) or []
    found = [((part["section"],), part["text"]) for part in paragraphs]
    found += [((), str(caption["fig_caption"])) for caption in captions]
    found += [((), str(table["caption"])) for table in pubmed_parser.parse_pubmed_table(str(path)) or []]
    return View(
        meta["abstract"], found, [ref["doi_cited"] or ref["pmid_cited"] or ref["article_title"] for ref in references]
    )


def with_jats(path: Path) -> View:
    article = parse_jats_xml(path)
    found, open_headings = [], []
    for part in article.body:
        open_headings[part.level - 2 :] = [part.title or ""]
        for item in part.content_items:
            captioned = item.figure or item.table
            found.append((tuple(open_headings), item.text or (captioned and captioned.caption) or ""))
    return View(article.abstract, found, list(article.references.values()))


READERS: dict[str, Callable[[Path], View]] = {
    "FuTex": with_futex,
    "pubmed_parser": with_pubmed_parser,
    "jats": with_jats,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a folder of JATS files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=10, help="how many times the files are read for the memory")
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.*xml"))
    show_speed(files, options.rounds)
    show_completeness()
    show_contents(files)
    show_processes(options.folder, options.rounds)
    show_memory(files, options.repeats)


# --- speed


def show_speed(files: list[Path], rounds: int) -> None:
    best = {name: dict.fromkeys(files, float("inf")) for name in READERS}
    failed = {name: set() for name in READERS}
    for _ in range(rounds):
        for file in files:
            for name, reader in READERS.items():
                start = time.process_time()
                try:
                    reader(file)
                except Exception:  # whatever it is, the reader did not read the file
                    failed[name].add(file)
                best[name][file] = min(best[name][file], time.process_time() - start)
    seconds = {name: sum(times.values()) for name, times in best.items()}
    print(f"| {len(files)} files | papers/s a core | failed | FuTex is faster by |\n|---|---|---|---|")
    for name, total in seconds.items():
        print(f"| {name} | {len(files) / total:.0f} | {len(failed[name])} | {total / seconds['FuTex']:.2f}× |")


# --- completeness

WORDS = "one two three four five six seven eight nine ten"
PROBE = f"""<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="doi">10.1234/probe</article-id><article-id pub-id-type="pmid">1</article-id>
<title-group><article-title>A probe</article-title></title-group>
<pub-date pub-type="collection"><year>2020</year></pub-date>
<abstract><sec><title>Aims</title><p>Main aim.</p></sec><sec><title>Results</title><p>Main result.</p></sec></abstract>
<abstract abstract-type="plain-language-summary"><p>Lay words.</p></abstract>
<trans-abstract xml:lang="fr"><p>Mots.</p></trans-abstract></article-meta></front>
<body><sec><title>Methods</title><p>Plain {WORDS}<fn><p>Footnote {WORDS}</p></fn>.</p>
<sec><title>Cells</title><sec><title>Media</title><p>Deep {WORDS}.</p></sec></sec>
<fig id="f1"><label>Figure 1</label><caption><title>Growth</title><p>Figure caption {WORDS}</p></caption>
<graphic xlink:href="a"/></fig>
<table-wrap id="t1"><label>Table 1</label><caption><title>Table caption {WORDS}</title></caption>
<table><tbody><tr><td><p>Cell {WORDS}</p></td></tr></tbody></table></table-wrap>
<list><list-item><p>Listed {WORDS}</p></list-item></list></sec>
<sec><title>Competing interests</title><p>Interests {WORDS}</p></sec></body>
<back><ack><p>Thanks {WORDS}</p></ack><app-group><app><title>Appendix</title><p>Appended {WORDS}</p></app></app-group>
<ref-list><ref id="r1"><element-citation publication-type="journal"><article-title>A cited work of note</article-title>
<pub-id pub-id-type="doi">10.1000/a</pub-id></element-citation></ref>
<ref id="r2"><mixed-citation>B. Free text, doi:10.1000/b.</mixed-citation></ref></ref-list></back>
<sub-article id="s1"><body><p>Review {WORDS}</p></body></sub-article></article>"""


def has(view: View, start: str, path: tuple[str, ...] | None = None) -> bool:
    return any(start in text and path in (None, where) for where, text in view.paragraphs)


CHECKS: dict[str, Callable[[View], bool]] = {
    "structured abstract": lambda v: {"aim.", "Main", "result."} <= set(v.abstract.split()),
    "the main abstract only": lambda v: "Lay" not in v.abstract and "Mots" not in v.abstract,
    "path of nested sections": lambda v: has(v, "Deep", ("Methods", "Cells", "Media")),
    "figure captions": lambda v: has(v, "Figure caption"),
    "table captions": lambda v: has(v, "Table caption"),
    "captions in their section": lambda v: has(v, "Figure caption", ("Methods",)),
    "lists": lambda v: has(v, "Listed"),
    "appendices": lambda v: has(v, "Appended"),
    "no table cells": lambda v: not has(v, "Cell one"),
    "no footnotes": lambda v: not has(v, "Footnote"),
    "no acknowledgements, competing interests": lambda v: not has(v, "Thanks") and not has(v, "Interests"),
    "no reviews": lambda v: not has(v, "Review"),
    "references by DOI": lambda v: "10.1000/a" in v.references,
    "references in free text": lambda v: "10.1000/b" in v.references,
}


def show_completeness() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "probe.xml")
        path.write_text(PROBE, encoding="utf-8")
        views = {name: reader(path) for name, reader in READERS.items()}
    print(f"\n| kept | {' | '.join(views)} |\n|---|{'---|' * len(views)}")
    for what, check in CHECKS.items():
        print(f"| {what} | {' | '.join('yes' if check(view) else 'no' for view in views.values())} |")


# --- what is in the files


def show_contents(files: list[Path]) -> None:
    papers: list[Paper] = []
    cited = 0
    for file in files:
        papers += [document.paper for document in read_documents(str(file))]
        cited += len(etree.parse(str(file), etree.XMLParser(resolve_entities=False)).getroot().findall("back//ref"))
    paragraphs = [place for paper in papers for place in paper.paragraphs()]
    depths = [max((len(place.path) for place in paper.paragraphs()), default=0) for paper in papers]
    resolved = sum(len(paper.references) for paper in papers)
    print("\n| papers | with abstract | paragraphs/paper | mean depth | deepest | references | with a key |")
    print("|---|---|---|---|---|---|---|")
    print(
        f"| {len(papers)} | {sum(bool(paper.abstract) for paper in papers) / len(papers):.1%}"
        f" | {len(paragraphs) / len(papers):.1f} | {sum(depths) / len(depths):.2f} | {max(depths)}"
        f" | {cited} | {resolved / cited:.1%} |"
    )


# --- processes and memory


def show_processes(folder: Path, rounds: int) -> None:
    cores = len(os.sched_getaffinity(0))
    counts = sorted({1, 2, cores})
    best = dict.fromkeys(counts, float("inf"))
    for _ in range(rounds):
        for workers in counts:
            start = time.perf_counter()
            papers = sum(1 for _ in read_documents(str(folder), workers=workers))
            best[workers] = min(best[workers], time.perf_counter() - start)
    print(f"\n| processes ({cores} cores) | papers/s | ratio |\n|---|---|---|")
    for workers, seconds in best.items():
        print(f"| {workers} | {papers / seconds:.0f} | {best[1] / seconds:.2f}× |")


def show_memory(files: list[Path], repeats: int) -> None:
    print("\n| files | peak memory, 1 process | 2 processes: parent | and largest worker |\n|---|---|---|---|")
    for times in (1, repeats):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(times):
                for file in files:
                    Path(folder, f"{i}-{file.name}").symlink_to(file.resolve())
            peaks = [peak for workers in ("1", "2") for peak in peak_memory(folder, workers)]
        print(f"| {times * len(files)} | {peaks[0]} MiB | {peaks[2]} MiB | {peaks[3]} MiB |")


def peak_memory(folder: str, workers: str) -> tuple[int, int]:
    """Of a process that reads the folder and keeps nothing, and of the largest that it starts."""
    command = [sys.executable, __file__, "--read", folder, workers]
    parent, worker = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    return int(parent) >> 10, int(worker) >> 10


def read_and_tell_memory(folder: str, workers: str) -> None:
    for _ in read_documents(folder, workers=int(workers)):
        pass
    print(*(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read_and_tell_memory(*sys.argv[2:])
    else:
        main()
