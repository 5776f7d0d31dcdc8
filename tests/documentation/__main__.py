"""Write docs/commands/ anew: `make docs`."""

from documentation.command_pages import FOLDER, pages

FOLDER.mkdir(exist_ok=True)
for old in FOLDER.glob("*.md"):
    old.unlink()
for name, text in pages().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
