"""Headings of what is printed with a paper but is no text of it: acknowledgements, funding, competing interests.

>>> is_back_matter("Conflict of interest statement"), is_back_matter("Disclosure of HIV status to partners")
(True, False)
"""

import re

_AND_MORE = r"(?:,? (?:and|&) .{1,60})?"
_WHAT = r"(?:data|code|software|materials?|resources?)"
_BACK_MATTER = re.compile(
    rf"acknowledge?ments?{_AND_MORE}"
    rf"|(?:sources? of )?funding(?: (?:sources?|statement|information|support))?{_AND_MORE}"
    rf"|(?:financial )?disclosures?(?: statements?)?{_AND_MORE}"
    r"|references|bibliography|(?:list of )?abbreviations(?: used)?"
    r"|(?:credit )?author(?:s|['’]s|s['’])? (?:contributions?|contribution statement|statement|information|details)"
    r"|(?:(?:declarations?|statements?|disclosures?) of )?(?:potential )?"
    r"(?:competing(?: financial)?|conflicts?(?: of)?|conflicting|financial) interests?"
    r"(?: (?:statements?|declarations?|disclosures?))?"
    r"|declarations?(?: of interests?)?"
    rf"|{_WHAT}(?:(?:,| and|/) ?{_WHAT})* (?:availability|accessibility|sharing)(?: statements?)?"
    rf"|availability of (?:supporting )?{_WHAT}(?:(?:,| and|/) ?{_WHAT})*"
    r"|ethic(?:s|al) (?:statements?|approvals?|declarations?|considerations?)(?: and .{1,60})?"
    r"|(?:informed )?consent (?:for publication|to participate)|publisher['’]s note"
    r"|(?:electronic )?supplementa(?:ry|l) (?:materials?|information|data|files?)|supporting information"
    r"|additional (?:files?|information)",
    re.IGNORECASE,
)


def is_back_matter(heading: str) -> bool:
    return _BACK_MATTER.fullmatch(heading.strip(" .:")) is not None
