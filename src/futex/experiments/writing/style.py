"""The look of the page."""

CSS = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --line: #d0d7de; --band: #f3f5f7;
  --link: #0059b3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --soft: #a2abb5; --paper: #14171a; --line: #3a4047; --band: #1f2429; --link: #7db8ff; }
  figure img { filter: invert(.92) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { font-size: 1.3rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
p { max-width: 46rem; }
nav ul { padding: 0; margin: 1rem 0; list-style: none; columns: 20rem; }
nav li { padding: .15rem 0; break-inside: avoid; }
.wide { overflow-x: auto; margin: .5rem 0; }
.note { font-size: .875rem; color: var(--soft); margin: .4rem 0; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; vertical-align: top; white-space: nowrap; }
thead tr:last-child th { border-bottom: 2px solid var(--ink); }
thead th.group { border-bottom: 1px solid var(--line); text-align: center; }
thead th.text { text-align: left; }
tbody tr { border-bottom: 1px solid var(--line); }
th:first-child { position: sticky; left: 0; background: var(--paper); text-align: left; font-weight: 500;
  white-space: normal; min-width: 7.5rem; max-width: 16rem; }
tr.block th { background: var(--band); font-weight: 700; }
td small, th small { display: block; color: var(--soft); font-weight: 400; }
td.missing { text-align: left; color: var(--soft); font-style: italic; white-space: normal; min-width: 16rem; }
td.text { text-align: left; white-space: normal; min-width: 13rem; }
td ul { margin: 0; padding: 0; list-style: none; }
figure { margin: 1rem 0; }
figure img { width: 40rem; min-width: 30rem; max-width: 100%; height: auto; background: #fff; }
dl { display: grid; grid-template-columns: minmax(7rem, 14rem) 1fr; gap: .3rem 1rem; font-size: .875rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
@media print { .wide { overflow: visible; } h2 { break-after: avoid; } }
"""
