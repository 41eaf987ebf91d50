"""Write the addresses of `_config.yml` wherever they stand: badges, setup cells, README, metadata.

    python tools/relink.py [--repository URL] [--book URL] [--check]

`_config.yml` holds the repository's address and branch and the book's address, and is the one
place to change them. With `--repository` they are put there first; the book's is then GitHub
Pages' for that repository, unless `--book` says otherwise. `--check` changes nothing and fails if
something would change. pyproject.toml tells which addresses were written the last time.

Uses the standard library alone, since a fork's workflow runs it before anything is installed.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PLACES = (
    "*.md",
    "CITATION.cff",
    "pyproject.toml",
    "chapters/*.ipynb",
    "binder/*",
    ".github/**/*.md",
    ".github/**/*.yml",
)


class Addresses(NamedTuple):
    """Where the repository and the book are. `repository` is https://github.com/OWNER/NAME."""

    repository: str
    branch: str
    book: str

    @property
    def slug(self):
        """OWNER/NAME."""
        found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(\.git)?/?", self.repository)
        if found is None:
            raise ValueError(
                f"repository.url is {self.repository!r}; Colab and Binder open "
                "https://github.com/OWNER/NAME"
            )
        return found.group(1)


def pages_of(repository):
    """GitHub Pages' address for a repository."""
    owner, name = repository.removesuffix("/").removesuffix(".git").split("/")[-2:]
    home = f"https://{owner.lower()}.github.io/"
    return home if name.lower() == f"{owner.lower()}.github.io" else f"{home}{name}/"


def one(pattern, path):
    """What a pattern's group finds in a file, which has to be there once."""
    found = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        raise ValueError(f"{path.name}: {len(found)} lines like {pattern}, where 1 is expected")
    return found[0]


def wanted(root):
    """The addresses in _config.yml."""
    config = root / "_config.yml"
    return Addresses(
        one(r"^  url: (\S+)$", config),
        one(r"^  branch: (\S+)$", config),
        one(r"^  baseurl: (\S+)$", config),
    )


def written(root):
    """The addresses that were written the last time."""
    project = root / "pyproject.toml"
    repository = one(r'^Repository = "(.+)"$', project)
    issues = one(r'^Changelog = "(.+)"$', project)
    branch = issues.removeprefix(f"{repository}/blob/").partition("/")[0]
    return Addresses(repository, branch, one(r'^Documentation = "(.+)"$', project))


def put_into_config(root, repository, book):
    """Change _config.yml."""
    config = root / "_config.yml"
    text = config.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^  url: \S+$", lambda _: f"  url: {repository}", text)
    text = re.sub(r"(?m)^  baseurl: \S+$", lambda _: f"  baseurl: {book}", text)
    config.write_text(text, encoding="utf-8", newline="\n")


def relinked(text, old, new):
    """A text with the new addresses in place of the old."""
    quoted = [address.slug.replace("/", "%2F") for address in (old, new)]
    folders = [address.slug.split("/")[1] for address in (old, new)]
    here = re.escape(new.slug)
    for before, was, after, now in (
        # The repository on GitHub, Colab and Binder; then the branch that a link to it names.
        (r"(?:github\.com|/gh|/github)/", old.slug, r"(?![\w-])", new.slug),
        (rf"/{here}/(?:blob/|tree/|raw/)?", old.branch, r"(?=[/?)\"\s])", new.branch),
        # The same as nbgitpuller writes it.
        (r"github\.com%2F", quoted[0], r"(?![\w-])", quoted[1]),
        (rf"{re.escape(quoted[1])}\S*?branch=", old.branch, r"\b", new.branch),
        ("tree%2F", folders[0], "(?=%2F)", folders[1]),
        ("", old.book, "", new.book),
    ):
        pattern = rf"({before}){re.escape(was)}{after}"
        text = re.sub(pattern, lambda found, now=now: found[1] + now, text)
    return text


def relink(root, check=False):
    """Write the addresses everywhere; return the paths of the files that change."""
    old, new = written(root), wanted(root)
    changed = []
    for place in PLACES:
        for path in sorted(root.glob(place)):
            text = path.read_text(encoding="utf-8")
            better = relinked(text, old, new)
            if better != text:
                changed.append(path.relative_to(root))
                if not check:
                    path.write_text(better, encoding="utf-8", newline="\n")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repository", help="put this address into _config.yml first")
    parser.add_argument("--book", help="the book's address, if it is not GitHub Pages'")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it would")
    given = parser.parse_args()
    if given.repository and given.repository != wanted(ROOT).repository:
        put_into_config(ROOT, given.repository, given.book or pages_of(given.repository))
    changed = relink(ROOT, given.check)
    for path in changed:
        print(path)
    print(f"{len(changed)} files {'differ from _config.yml' if given.check else 'changed'}")
    return bool(changed and given.check)


if __name__ == "__main__":
    sys.exit(main())
