"""Hooks of mkdocs.yml: the documents are written for GitHub, and the site must show the same.

- Pages link to files of the repository outside docs/ (README, examples, sources). These become files of the site under
  repo/, and the Markdown pages among them are read for further links.
- MkDocs reads Python-Markdown, GitHub reads GitHub's. The text is changed where the two differ: lists and tables that
  follow a paragraph directly, nested lists, pipes in code within tables.
- Each page is rendered a second time, by a reader of GitHub's form. If the two have different numbers of list items,
  tables, cells or code blocks, the build fails.
"""

import posixpath
import re
from pathlib import Path

from markdown_it import MarkdownIt
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()([^)\s#]+)?(#[^)\s]+)?(\))")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])(\s+)(?=\S)")
GITHUB = MarkdownIt("commonmark").enable("table")


def outside_code(text):
    """The lines of a text, each with whether it is outside of a fenced block."""
    inside = False
    for line in text.split("\n"):
        if FENCE.match(line):
            inside = not inside
            yield line, False
        else:
            yield line, not inside


def links(text):
    """The targets of all links outside of fenced blocks."""
    for line, is_text in outside_code(text):
        if is_text:
            for match in LINK.finditer(line):
                if match.group(2) and not re.match(r"[a-z]+:", match.group(2)):
                    yield match.group(2)


def repo_path(src_uri):
    """Where a file of the site is in the repository."""
    return src_uri.removeprefix("repo/") if src_uri.startswith("repo/") else "docs/" + src_uri


def site_path(path):
    """Where a file of the repository is in the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else "repo/" + path


def resolve(page, target):
    """The path in the repository of a link's target; a folder is its README or the page that lists it."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    if (ROOT / path).is_dir():
        return path + ("/README.md" if (ROOT / path / "README.md").exists() else "/folder.md")
    return path


def listing(path):
    """A page that lists a folder."""
    folder = ROOT / posixpath.dirname(path)
    names = sorted(f.name + ("/" if f.is_dir() else "") for f in folder.iterdir() if f.name != "target")
    return f"# {posixpath.dirname(path)}\n\n" + "".join(f"- `{name}`\n" for name in names)


def on_files(files, config):
    queue = [repo_path(f.src_uri) for f in files if f.src_uri.endswith(".md")]
    known = {repo_path(f.src_uri) for f in files}
    while queue:
        page = queue.pop()
        if page.endswith("/folder.md"):
            continue
        for target in links((ROOT / page).read_text(encoding="utf-8")):
            path = resolve(page, target)
            if path in known or path.startswith("..") or path.startswith("docs/"):
                continue
            if path.endswith("/folder.md"):
                files.append(File.generated(config, site_path(path), content=listing(path)))
            elif (ROOT / path).is_file():
                files.append(File.generated(config, site_path(path), abs_src_path=str(ROOT / path)))
            else:
                continue  # MkDocs reports it
            known.add(path)
            if path.endswith(".md"):
                queue.append(path)
    return files


def with_site_links(text, page):
    """Links as they are in the site."""
    here = repo_path(page)

    def one(match):
        target, anchor = match.group(2), match.group(3) or ""
        if not target or re.match(r"[a-z]+:", target):
            return match.group(0)
        to = site_path(resolve(here, target))
        return f"]({posixpath.relpath(to, posixpath.dirname(page) or '.')}{anchor})"

    return "\n".join(LINK.sub(one, line) if is_text else line for line, is_text in outside_code(text))


def is_table(lines, i):
    """Whether a table begins at this line."""
    return lines[i].lstrip().startswith("|") and i + 1 < len(lines) and re.match(r"^\s*\|[\s:|-]+$", lines[i + 1])


def as_python_markdown(text):
    """The same text for Python-Markdown."""
    lines = text.split("\n")
    out = []
    stack = []  # of the lists that are open: column of the marker, column of the text
    inside = False
    before = ""  # the line before, as it was
    blank = False  # whether a blank line came since the last item began
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        item = None if inside else ITEM.match(line)
        if item and not stack and before.strip() and item.group(2)[0].isdigit() and item.group(2)[:-1] != "1":
            item = None  # a number at the begin of a line within a paragraph
        if line.strip() and not inside:
            while stack and indent < stack[-1][1] and not (item and indent >= stack[-1][0]) and (item or not before.strip()):
                stack.pop()
        if item and not inside:
            column = len(item.group(0))
            if before.strip() and (blank if stack else not before.startswith("#")):
                out.append("")  # a list begins after a paragraph, or goes on after one
            blank = False
            if not stack or indent >= stack[-1][1]:
                stack.append((indent, column))
            else:
                stack[-1] = (indent, column)
            out.append(" " * 4 * (len(stack) - 1) + f"{item.group(2)} " + line[column:])
        elif stack and line.strip():
            if is_table(lines, i) and before.strip() and not inside:
                out.append("")
            rest = line[min(indent, stack[-1][1]):]
            out.append(" " * 4 * len(stack) + rest)
        else:
            if not inside and is_table(lines, i) and before.strip() and not before.lstrip().startswith("|"):
                out.append("")
            out.append(line)
        if FENCE.match(line):
            inside = not inside
        elif not inside and line.lstrip().startswith("|"):
            out[-1] = re.sub(r"`[^`]*`", lambda m: m.group(0).replace(r"\|", "|"), out[-1])
        blank = blank or not line.strip()
        before = line
    return "\n".join(out)


def on_page_markdown(markdown, page, config, files):
    page.meta["github"] = GITHUB.render(markdown)
    return as_python_markdown(with_site_links(markdown, page.file.src_uri))


def on_page_content(html, page, config, files):
    github = page.meta.pop("github")
    for tag in ("li", "table", "td", "th", "pre", "h2", "h3"):
        here, there = (len(re.findall(rf"<{tag}[ >]", text)) for text in (html, github))
        if here != there:
            raise PluginError(f"{page.file.src_uri}: {here} <{tag}> instead of {there} on GitHub")
    return html
