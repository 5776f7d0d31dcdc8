"""Results as people read them: Markdown, CSV, LaTeX, plots and one page of HTML."""
