"""A JATS article with one of everything, for the tests of its reader."""

import io

from futex.corpus.formats import jats
from futex.corpus.sources import Source

LONG = "one two three four five six seven eight nine ten"

ARTICLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.1//EN" "JATS-archivearticle1.dtd">
<!-- made for a test --><?publisher note?>
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink">
<front>
  <journal-meta>
    <journal-title-group><journal-title>Journal of Tests</journal-title></journal-title-group>
  </journal-meta>
  <article-meta>
    <article-id pub-id-type="publisher-id">T-1</article-id>
    <article-id pub-id-type="pmid">777</article-id>
    <article-id pub-id-type="pmcid">PMC888</article-id>
    <article-id pub-id-type="doi">10.1234/TEST.1</article-id>
    <article-id pub-id-type="doi" specific-use="version">10.1234/TEST.1.2</article-id>
    <article-categories>
      <subj-group subj-group-type="heading"><subject>Research Article</subject></subj-group>
      <subj-group subj-group-type="Discipline-v3"><subject>Biology</subject>
        <subj-group><subject>Genetics</subject>
          <subj-group><subject>Gene expression</subject></subj-group>
          <subj-group><subject>Alleles</subject></subj-group></subj-group></subj-group>
      <subj-group subj-group-type="Discipline"><subject>Virology</subject><subject>Ecology</subject></subj-group>
      <subj-group subj-group-type="Discipline-v2"><subject>Virology</subject></subj-group>
    </article-categories>
    <title-group><article-title>Rapid <italic>in vivo</italic> growth of H<sub>2</sub>O
      bubbles<xref ref-type="fn" rid="f1">*</xref><fn id="f1"><p>A footnote</p></fn></article-title></title-group>
    <contrib-group>
      <contrib contrib-type="author"><name><surname>Doe</surname><given-names>Jane A</given-names></name></contrib>
      <contrib contrib-type="author"><collab>The <italic>Test</italic> Group<contrib-group><contrib>
        <name><surname>Member</surname><given-names>A</given-names></name></contrib></contrib-group></collab></contrib>
      <contrib contrib-type="editor"><name><surname>Editor</surname><given-names>Ed</given-names></name></contrib>
    </contrib-group>
    <pub-date pub-type="collection"><year>2016</year></pub-date>
    <pub-date pub-type="epub"><day>1</day><year>2015</year></pub-date>
    <abstract abstract-type="graphical"><p>A picture.</p></abstract>
    <abstract abstract-type="summary"><p>For everyone.</p></abstract>
    <abstract><object-id pub-id-type="doi">10.1234/TEST.1.001</object-id><title>Abstract</title>
      <sec><title>Background</title><p>We grew bubbles.</p></sec><sec><title>Results</title><p>They burst.</p></sec>
      <p><bold>DOI:</bold> <ext-link ext-link-type="doi">http://dx.doi.org/10.1234/TEST.1.001</ext-link></p></abstract>
    <kwd-group><kwd>bubbles</kwd><kwd><italic>E. coli</italic></kwd><kwd>bubbles</kwd></kwd-group>
    <kwd-group kwd-group-type="abbreviations"><kwd>BBL</kwd></kwd-group>
  </article-meta>
</front>
<body>
  <p>Before all sections {LONG}.</p>
  <sec><label>1</label><title>Methods</title>
    <p>Cells <xref ref-type="bibr">[1]</xref> in <xref ref-type="fig">Figure 2</xref>
      {LONG}<!-- hidden --><?pi hidden?>.</p>
    <sec><title>Growth of <italic>E. coli</italic></title>
      <sec><p>Deep {LONG}.</p></sec></sec>
  </sec>
  <sec><title>Short</title><p>Too few words.</p></sec>
</body>
<back>
  <ack><title>Acknowledgements</title><p>Thanks {LONG}.</p></ack>
  <sec sec-type="data-availability"><title>Data</title><p>Available {LONG}.</p></sec>
  <ref-list>
    <ref><element-citation publication-type="journal"><article-title>A</article-title>
      <pub-id pub-id-type="pmid">1</pub-id><pub-id pub-id-type="doi">10.1000/A</pub-id></element-citation></ref>
    <ref><mixed-citation>B <comment>doi: <ext-link xlink:href="https://doi.org/10.1000/B">here</ext-link></comment>
      </mixed-citation></ref>
    <ref><mixed-citation>C 2001. doi:10.1000/C.</mixed-citation><mixed-citation>D 10.1000/D</mixed-citation></ref>
    <ref><nlm-citation><article-title>Of words enough here</article-title><pub-id pub-id-type="pmid">5</pub-id>
      </nlm-citation></ref>
    <ref><citation publication-type="journal"><article-title>The <italic>E. coli</italic> genome: a map</article-title>
      <source>Journal of Many Odd Things</source></citation></ref>
    <ref><element-citation publication-type="book"><source>The molecular biology of bubbles</source>
      </element-citation></ref>
    <ref><element-citation publication-type="journal"><source>Journal of Many Odd Things</source>
      </element-citation></ref>
    <ref><mixed-citation>Again doi:10.1000/a</mixed-citation></ref>
    <ref><mixed-citation>Ourselves 10.1234/test.1</mixed-citation></ref>
  </ref-list>
  <app-group><app><title>Appendix 1</title><boxed-text><sec><title>Proof</title><p>Appended {LONG}.</p></sec>
    </boxed-text></app></app-group>
</back>
<sub-article><front-stub><article-id pub-id-type="doi">10.1234/REVIEW</article-id></front-stub>
  <body><p>Review {LONG}.</p></body>
  <back><ref-list><ref><mixed-citation>10.1000/review</mixed-citation></ref></ref-list></back></sub-article>
</article>"""


def documents(content, name="papers/some.xml"):
    return list(jats.read(Source(name, io.BytesIO(content.encode() if isinstance(content, str) else content))))


def read(content, name="papers/some.xml"):
    (document,) = documents(content, name)
    return document


def in_body(inside):
    return f'<article xmlns:xlink="http://www.w3.org/1999/xlink"><front/><body><sec>{inside}</sec></body></article>'


def texts(inside):
    return [place.text for place in read(in_body(inside)).paper.paragraphs()]


def in_meta(inside):
    return f"<article><front><article-meta>{inside}</article-meta></front></article>"
