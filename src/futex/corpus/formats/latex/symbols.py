r"""Commands that stand for characters: accents, letters, signs of text and mathematics."""

from unicodedata import normalize

_ACCENTS = r"""
    \` 300  \' 301  \^ 302  \~ 303  \" 308  \= 304  \. 307
    \u 306  \v 30C  \H 30B  \c 327  \k 328  \r 30A  \d 323  \b 331
"""
_LETTERS = r"""
    \ss ß  \ae æ  \AE Æ  \oe œ  \OE Œ  \o ø  \O Ø  \l ł  \L Ł  \aa å  \AA Å  \i i  \j j  \dh ð  \DH Ð  \th þ  \TH Þ
    \S §  \P ¶  \dag †  \ddag ‡  \copyright ©  \pounds £  \euro €  \texteuro €  \textdegree °  \degree °
    \textregistered ®  \texttrademark ™  \textmu µ  \textpm ±  \texttimes ×  \textbullet •  \textperiodcentered ·
    \textendash –  \textemdash —  \textquotedblleft “  \textquotedblright ”  \textquoteleft ‘  \textquoteright ’
    \textquotesingle '  \guillemotleft «  \guillemotright »  \flqq «  \frqq »  \glqq „  \grqq “
    \textless <  \textgreater >  \textbar |  \textbackslash \  \textasciitilde ~  \textasciicircum ^
    \textunderscore _  \textellipsis …  \ldots …  \dots …  \dotsc …  \dotsb …  \cdots ⋯  \vdots ⋮
    \% %  \& &  \# #  \$ $  \_ _  \{ {  \} }  \lbrace {  \rbrace }  \lbrack [  \rbrack ]  \slash /
    \LaTeX LaTeX  \TeX TeX  \LaTeXe LaTeX2e  \BibTeX BibTeX
"""
_GREEK = r"""
    \alpha α  \beta β  \gamma γ  \delta δ  \epsilon ε  \varepsilon ε  \zeta ζ  \eta η  \theta θ  \vartheta θ  \iota ι
    \kappa κ  \lambda λ  \mu μ  \nu ν  \xi ξ  \pi π  \varpi π  \rho ρ  \varrho ρ  \sigma σ  \varsigma ς  \tau τ
    \upsilon υ  \phi φ  \varphi φ  \chi χ  \psi ψ  \omega ω  \Gamma Γ  \Delta Δ  \Theta Θ  \Lambda Λ  \Xi Ξ  \Pi Π
    \Sigma Σ  \Upsilon Υ  \Phi Φ  \Psi Ψ  \Omega Ω
"""
_SIGNS = r"""
    \infty ∞  \partial ∂  \nabla ∇  \emptyset ∅  \varnothing ∅  \forall ∀  \exists ∃  \neg ¬  \lnot ¬  \ell ℓ  \hbar ℏ
    \Re ℜ  \Im ℑ  \aleph ℵ  \prime ′  \sum ∑  \prod ∏  \int ∫  \oint ∮  \top ⊤  \bot ⊥  \angle ∠  \sqrt √  \cdot ·
    \langle ⟨  \rangle ⟩  \lfloor ⌊  \rfloor ⌋  \lceil ⌈  \rceil ⌉  \vert |  \mid |  \lvert |  \rvert |  \Vert ‖  \| ‖
    \lVert ‖  \rVert ‖  \backslash \  \star ⋆  \dagger †  \ddagger ‡  \checkmark ✓  \square □  \triangle △  \circ ∘
"""
_RELATIONS = r"""
    \leq ≤  \le ≤  \geq ≥  \ge ≥  \neq ≠  \ne ≠  \ll ≪  \gg ≫  \approx ≈  \sim ~  \simeq ≃  \cong ≅  \equiv ≡
    \propto ∝  \lesssim ≲  \gtrsim ≳  \leqslant ≤  \geqslant ≥  \prec ≺  \succ ≻  \preceq ⪯  \succeq ⪰  \models ⊨
    \in ∈  \notin ∉  \ni ∋  \subset ⊂  \subseteq ⊆  \supset ⊃  \supseteq ⊇  \cup ∪  \cap ∩  \bigcup ⋃  \bigcap ⋂
    \setminus ∖  \times ×  \pm ±  \mp ∓  \div ÷  \ast ∗  \oplus ⊕  \otimes ⊗  \odot ⊙  \wedge ∧  \land ∧  \vee ∨
    \lor ∨  \perp ⊥  \parallel ∥  \to →  \rightarrow →  \longrightarrow ⟶  \leftarrow ←  \gets ←  \longleftarrow ⟵
    \leftrightarrow ↔  \Rightarrow ⇒  \implies ⇒  \Longrightarrow ⟹  \Leftarrow ⇐  \Leftrightarrow ⇔  \iff ⇔
    \mapsto ↦  \longmapsto ⟼  \rightsquigarrow ⇝  \hookrightarrow ↪  \uparrow ↑  \downarrow ↓  \bmod mod  \vdash ⊢
"""
_FUNCTIONS = r"""
    \arccos \arcsin \arctan \arg \cos \cosh \cot \coth \csc \deg \det \dim \exp \gcd \hom \inf \ker \lg \lim \liminf
    \limsup \ln \log \max \min \Pr \sec \sin \sinh \sup \tan \tanh \mod
"""


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


ACCENTS = {command: chr(int(code, 16)) for command, code in _pairs(_ACCENTS).items()}
CHARACTERS = {**_pairs(_LETTERS), **_pairs(_GREEK), **_pairs(_SIGNS)}
RELATIONS = _pairs(_RELATIONS)
"""Signs with space on both sides."""
FUNCTIONS = {command: command[1:] for command in _FUNCTIONS.split()}


def accented(letters: str, accent: str) -> str:
    r"""é out of "e" and the mark of \'; of several letters, the first gets the mark."""
    return normalize("NFC", letters[:1] + accent + letters[1:]) if letters else ""
