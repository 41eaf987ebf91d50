"""Write the addresses of `_config.yml` wherever they stand: badges, setup cells, README, metadata.

`_config.yml` is the one place to change the repository's address and branch and the book's address.
pyproject.toml tells which addresses were written the last time.

Uses the standard library alone, since a fork's workflow runs it before anything is installed.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PLACES = (
    *("*.md", "*.cff", "pyproject.toml", "kernelfree/*.toml", "kernelfree/*.md", "binder/*"),
    *("chapters/*.ipynb", "locale/*/*.po", ".github/**/*.*"),
)

# How the addresses are written: on GitHub, Colab and Binder, and, quoted, by nbgitpuller.
FORMS = (
    "/{slug}/blob/{branch}/",
    "raw.githubusercontent.com/{slug}/{branch}/",
    "/gh/{slug}/{branch}?",
    "github.com%2F{quoted}&amp;branch={branch}&",
    "github.com%2F{quoted}",
    "tree%2F{name}%2F",
    "github.com/{slug}",
    "{book}",
)


class Addresses(NamedTuple):
    """Where the repository and the book are. `repository` is https://github.com/OWNER/NAME."""

    repository: str
    branch: str = ""
    book: str = ""

    @property
    def slug(self):
        found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(\.git)?/?", self.repository)
        if not found:
            wanted = "https://github.com/OWNER/NAME, which Colab opens; elsewhere give --book alone"
            raise ValueError(f"repository.url is {self.repository!r} instead of {wanted}")
        return found[1]

    def written(self, form):
        """The addresses in one of the `FORMS`."""
        name, quoted = self.slug.split("/")[1], self.slug.replace("/", "%2F")
        return form.format(slug=self.slug, name=name, quoted=quoted, **self._asdict())


def pages_of(repository):
    """GitHub Pages' address for a repository."""
    owner, name = Addresses(repository).slug.split("/")
    home = f"https://{owner.lower()}.github.io/"
    return home if name.lower() == f"{owner.lower()}.github.io" else f"{home}{name}/"


def read(path, *lines):
    """The addresses that the groups of these patterns find in a file, each in one line."""
    text = path.read_text(encoding="utf-8")
    found = [re.findall(f"^{line}$", text, re.MULTILINE) for line in lines]
    for line, each in zip(lines, found, strict=True):
        if len(each) != 1:
            raise ValueError(f"{path.name}: {len(each)} lines like {line}, where 1 is expected")
    return Addresses(*(each[0] for each in found))


def wanted(root):
    """The addresses in _config.yml."""
    return read(root / "_config.yml", r"  url: (\S+)", r"  branch: (\S+)", r"  baseurl: (\S+)")


def written(root):
    """The addresses that were written the last time."""
    lines = ('Repository = "(.+)"', 'Changelog = ".+/blob/(.+)/.+"', 'Documentation = "(.+)"')
    return read(root / "pyproject.toml", *lines)


def relinked(text, old, new):
    """A text with the new addresses in place of the old."""
    for form in FORMS:
        ends = r"(?![\w-])" if form.endswith("slug}") else ""  # not the beginning of another name
        pattern = re.escape(old.written(form)) + ends
        text = re.sub(pattern, lambda _, form=form: new.written(form), text)
    return text


def relink(root, check=False, old=None, new=None, places=PLACES):
    """Write the addresses everywhere unless this is a check; return the files that change."""
    old, new, changed = old or written(root), new or wanted(root), []
    for path in (path for place in places for path in sorted(root.glob(place))):
        text = path.read_text(encoding="utf-8")
        if (better := relinked(text, old, new)) != text:
            changed.append(path.relative_to(root))
            if not check:
                path.write_text(better, encoding="utf-8", newline="\n")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repository", help="put this address into _config.yml first")
    parser.add_argument("--book", help="the book's address, if it is not GitHub Pages'")
    given, config = parser.parse_args(), wanted(ROOT)
    repository = given.repository or config.repository
    book = config.book if repository == config.repository else pages_of(repository)
    new = Addresses(repository, config.branch, given.book or book)
    relink(ROOT, False, config, new, ["_config.yml"])
    changed = relink(ROOT)
    print(*changed, f"{len(changed)} files changed", sep="\n")


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"relink: {error}")
