"""Little papers, and the files, folders and archives they come in."""

import io
import json
import tarfile
import zipfile

from futex.corpus.reading import read_documents


def record(paper_id):
    return json.dumps({"id": paper_id, "abstract": "Some abstract."}).encode()


def article(paper_id):
    meta = f"<article-id pub-id-type='publisher-id'>{paper_id}</article-id><abstract><p>Some.</p></abstract>"
    return f"<article><front><article-meta>{meta}</article-meta></front></article>".encode()


def zipped(files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in files:
            writer.writestr(name, content)
    return archive.getvalue()


def packed(files, format=tarfile.PAX_FORMAT, **attributes):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=format) as writer:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for key, value in attributes.items():
                setattr(member, key, value)
            writer.addfile(member, io.BytesIO(content))
    return archive.getvalue()


def ids(where, **options):
    return [document.paper.id for document in read_documents(str(where), **options)]


def make(folder, **files):
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
