"""A paper as GROBID writes it, with one of everything, for the tests of its reader."""

import io

from futex.corpus.formats import tei
from futex.corpus.sources import Source

LONG = "one two three four five six seven eight nine ten"

PAPER = f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
\t<teiHeader xml:lang="en">
\t\t<fileDesc>
\t\t\t<titleStmt><title level="a" type="main">Rapid growth of <hi rend="italic">E. coli</hi> bubbles</title>
\t\t\t\t<funder ref="#f1"><orgName>A Fund</orgName></funder></titleStmt>
\t\t\t<publicationStmt><publisher/><availability status="unknown"><licence/></availability>
\t\t\t\t<date type="published" when="2016-02-01">1 February 2016</date></publicationStmt>
\t\t\t<sourceDesc><biblStruct>
\t\t\t\t<analytic>
\t\t\t\t\t<author role="corresp"><persName><forename type="first">Ann</forename><forename type="middle">B</forename>
\t\t\t\t\t\t<surname>Author</surname></persName><email>a@example.org</email>
\t\t\t\t\t\t<affiliation key="aff0"><note type="raw_affiliation">A place</note><orgName>Place</orgName></affiliation>
\t\t\t\t\t</author>
\t\t\t\t\t<author><persName><surname>Writer</surname></persName></author>
\t\t\t\t\t<author><affiliation key="aff1"><orgName>No person</orgName></affiliation></author>
\t\t\t\t\t<title level="a" type="main">Rapid growth of E. coli bubbles</title>
\t\t\t\t</analytic>
\t\t\t\t<monogr><title level="j" type="main">Journal of Tests</title>
\t\t\t\t\t<imprint><date type="published" when="2015-03"/></imprint></monogr>
\t\t\t\t<idno type="MD5">0123456789ABCDEF</idno>
\t\t\t\t<idno type="DOI">10.1234/TEST.1</idno>
\t\t\t\t<idno type="PMID">777</idno>
\t\t\t</biblStruct></sourceDesc>
\t\t</fileDesc>
\t\t<encodingDesc><appInfo><application version="0.8.0" ident="GROBID"><desc>GROBID</desc></application></appInfo>
\t\t</encodingDesc>
\t\t<profileDesc>
\t\t\t<textClass><keywords><term>bubbles</term><term>E. coli</term><term>bubbles</term></keywords></textClass>
\t\t\t<abstract><div xmlns="http://www.tei-c.org/ns/1.0"><head>Background</head><p><s>We grew bubbles.</s></p></div>
\t\t\t\t<div><p><s>They burst</s> <ref type="bibr">[1]</ref>.</p></div></abstract>
\t\t</profileDesc>
\t</teiHeader>
\t<text xml:lang="en">
\t\t<body>
<div xmlns="http://www.tei-c.org/ns/1.0"><p>Before all sections {LONG}.</p></div>
<div><head n="1">Introduction</head><p>Cells <ref type="bibr" target="#b0">[1]</ref> in
<ref type="figure" target="#fig_0">Figure 2</ref> {LONG}<note place="foot">hidden</note>.</p><p>Second {LONG}.</p></div>
<div><head n="2">Methods</head></div>
<div><head n="2.1">Growth</head><p><s>Sentence {LONG}.</s><s>Another.</s></p></div>
<div><head>Media</head><p>Media {LONG}:</p><formula xml:id="formula_0">x = y<label>(1)</label></formula>
<p>where x is small.</p><p>Next {LONG}.</p></div>
<div><head>3. Results</head><p>Results {LONG}, see <ref type="table" target="#tab_0">Table 1</ref>.</p>
<list><item>a b c d e</item><item>f g h i j</item></list></div>
<div><head>Short</head><p>Too few words.</p></div>
<figure xml:id="fig_0"><head>Fig. 2 .</head><label>2</label><figDesc>Fig. 2. A caption {LONG}.</figDesc>
<graphic/></figure>
<figure type="table" xml:id="tab_0"><head>Table 1 .</head><label>1</label><figDesc>Cells {LONG}.</figDesc>
<table><row><cell>{LONG}</cell></row></table><note>Foot {LONG}.</note></figure>
<figure><head/><label/><figDesc>Unmentioned {LONG}.</figDesc></figure>
<note place="foot" n="4">A footnote {LONG}.</note>
\t\t</body>
\t\t<back>
\t\t\t<div type="acknowledgement"><div><head>Acknowledgements</head><p>Thanks {LONG}.</p></div></div>
\t\t\t<div type="availability"><div><head>Data</head><p>Available {LONG}.</p></div></div>
\t\t\t<div type="annex"><div><head n="A">Proofs</head><p>Appended {LONG}.</p></div>
\t\t\t\t<div><head n="A.1">Lemma</head><p>Lemma {LONG}.</p></div></div>
\t\t\t<div type="references"><listBibl>
<biblStruct xml:id="b0"><analytic><title level="a" type="main">A</title><idno type="PMID">1</idno>
\t<idno type="DOI">10.1000/A</idno></analytic><monogr><title level="j">J</title></monogr></biblStruct>
<biblStruct xml:id="b1"><monogr><title level="j">J</title><imprint/></monogr><ptr target="https://doi.org/10.1000/B"/>
</biblStruct>
<biblStruct xml:id="b2"><analytic><title level="a">Of words enough here</title></analytic>
<monogr><title level="m">M</title></monogr>
<note type="raw_reference">C. Of words enough here. 2001. doi:10.1000/C.</note></biblStruct>
<biblStruct xml:id="b3"><analytic><title level="a">Of words enough here</title><idno type="PMID">5</idno></analytic>
</biblStruct>
<biblStruct xml:id="b4"><analytic><title level="a" type="main">The E. coli genome: a map</title></analytic>
\t<monogr><title level="j">Journal of Many Odd Things</title></monogr></biblStruct>
<biblStruct xml:id="b5"><monogr><title level="m">The molecular biology of bubbles</title></monogr></biblStruct>
<biblStruct xml:id="b6"><monogr><title level="j">Journal of Many Odd Things</title></monogr></biblStruct>
<biblStruct xml:id="b7"><analytic><title level="a">Short</title>
<idno type="arXiv">arXiv:2105.05862v1[cs]</idno></analytic></biblStruct>
<biblStruct xml:id="b8"><analytic><title level="a">Ourselves</title><idno type="DOI">10.1234/test.1</idno></analytic>
</biblStruct>
\t\t\t</listBibl></div>
\t\t</back>
\t</text>
</TEI>"""


def documents(content, name="papers/some.tei.xml"):
    return list(tei.read(Source(name, io.BytesIO(content.encode() if isinstance(content, str) else content))))


def read(content, name="papers/some.tei.xml"):
    (document,) = documents(content, name)
    return document


def in_body(inside):
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>{inside}</body></text></TEI>'


def in_header(inside):
    return f"<TEI><teiHeader>{inside}</teiHeader></TEI>"


def places(inside):
    return [("/".join(place.path), place.text) for place in read(in_body(inside)).paper.paragraphs()]
