"""A PubMed record with one of everything, and sets of records, for the tests of their reader."""

import io

from futex.corpus.formats import pubmed
from futex.corpus.sources import Source

RECORD = """<PubmedArticle>
  <MedlineCitation Status="MEDLINE" Owner="NLM">
    <PMID Version="1">12345</PMID>
    <DateRevised><Year>2001</Year></DateRevised>
    <Article PubModel="Print-Electronic">
      <Journal>
        <JournalIssue><PubDate><MedlineDate>2019 Dec-2020 Jan</MedlineDate></PubDate></JournalIssue>
        <Title>Journal of Tests</Title>
        <ISOAbbreviation>J Tests</ISOAbbreviation>
      </Journal>
      <ArticleTitle>Rapid growth of <i>E. coli</i> at
        10<sup>5</sup> Pa.</ArticleTitle>
      <ELocationID EIdType="pii" ValidYN="Y">S1-2</ELocationID>
      <ELocationID EIdType="doi" ValidYN="Y">10.1234/Growth</ELocationID>
      <Abstract>
        <AbstractText Label="AIM" NlmCategory="OBJECTIVE">We grew <i>E. coli</i>.</AbstractText>
        <AbstractText/>
        <AbstractText Label="RESULTS">They <b>burst</b>.</AbstractText>
        <CopyrightInformation>Copyright of nobody.</CopyrightInformation>
      </Abstract>
      <AuthorList CompleteYN="Y">
        <Author ValidYN="Y"><LastName>Author</LastName><ForeName>Ann B</ForeName><Initials>AB</Initials>
          <AffiliationInfo><Affiliation>A place</Affiliation></AffiliationInfo></Author>
        <Author ValidYN="Y"><LastName>Writer</LastName><Initials>C</Initials></Author>
        <Author ValidYN="Y"><LastName>Plato</LastName></Author>
        <Author ValidYN="Y"><CollectiveName>The Bubble Group</CollectiveName></Author>
      </AuthorList>
      <VernacularTitle>Schnelles Wachstum.</VernacularTitle>
      <ArticleDate DateType="Electronic"><Year>2020</Year><Month>01</Month></ArticleDate>
    </Article>
    <MedlineJournalInfo><MedlineTA>J Tests (Short)</MedlineTA></MedlineJournalInfo>
    <ChemicalList><Chemical><NameOfSubstance UI="D000431">Ethanol</NameOfSubstance></Chemical></ChemicalList>
    <MeshHeadingList>
      <MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading>
      <MeshHeading><DescriptorName UI="D004926" MajorTopicYN="Y">Escherichia coli</DescriptorName>
        <QualifierName UI="Q000254" MajorTopicYN="Y">growth &amp; development</QualifierName></MeshHeading>
      <MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading>
    </MeshHeadingList>
    <OtherAbstract Type="Publisher" Language="ger"><AbstractText>Sie platzten.</AbstractText></OtherAbstract>
    <KeywordList Owner="NOTNLM">
      <Keyword MajorTopicYN="N">bubbles</Keyword><Keyword MajorTopicYN="N"><i>E. coli</i></Keyword>
    </KeywordList>
    <KeywordList Owner="NLM"><Keyword MajorTopicYN="N">bubbles</Keyword><Keyword>soap</Keyword></KeywordList>
  </MedlineCitation>
  <PubmedData>
    <History><PubMedPubDate PubStatus="entrez"><Year>1999</Year></PubMedPubDate></History>
    <ArticleIdList>
      <ArticleId IdType="pubmed">12345</ArticleId>
      <ArticleId IdType="pii">S1-2</ArticleId>
      <ArticleId IdType="doi">10.1234/growth</ArticleId>
      <ArticleId IdType="pmc">PMC678</ArticleId>
    </ArticleIdList>
    <ReferenceList>
      <Title>References</Title>
      <Reference><Citation>First. 2001.</Citation><ArticleIdList>
        <ArticleId IdType="pubmed">11</ArticleId><ArticleId IdType="doi">10.1000/FIRST</ArticleId>
        <ArticleId IdType="pmc">PMC111</ArticleId></ArticleIdList></Reference>
      <Reference><Citation>Without a key.</Citation></Reference>
      <ReferenceList>
        <Reference><Citation>Second.</Citation>
          <ArticleIdList><ArticleId IdType="pubmed">22</ArticleId></ArticleIdList></Reference>
        <ReferenceList>
          <Reference><Citation>Third. https://doi.org/10.1000/third.</Citation></Reference>
          <Reference><ArticleIdList><ArticleId IdType="pmcid">PMC444</ArticleId></ArticleIdList></Reference>
        </ReferenceList>
      </ReferenceList>
      <Reference><Citation>First again.</Citation>
        <ArticleIdList><ArticleId IdType="doi">10.1000/first</ArticleId></ArticleIdList></Reference>
      <Reference><Citation>Itself.</Citation>
        <ArticleIdList><ArticleId IdType="pubmed">12345</ArticleId></ArticleIdList></Reference>
    </ReferenceList>
  </PubmedData>
</PubmedArticle>"""


def article(pmid, inside="<Abstract><AbstractText>Some.</AbstractText></Abstract>", data=""):
    """A little record."""
    citation = f"<MedlineCitation><PMID>{pmid}</PMID><Article>{inside}</Article></MedlineCitation>"
    return f"<PubmedArticle>{citation}<PubmedData>{data}</PubmedData></PubmedArticle>"


def own_ids(**ids):
    listed = "".join(f'<ArticleId IdType="{kind}">{value}</ArticleId>' for kind, value in ids.items())
    return f"<ArticleIdList>{listed}</ArticleIdList>"


def article_set(*records):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">
<PubmedArticleSet>
{"".join(records)}
</PubmedArticleSet>"""


def documents(content):
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    return list(pubmed.read(Source("papers/some.xml", stream)))


def read(record):
    (document,) = documents(article_set(record))
    return document
