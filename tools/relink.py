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
    branch: str
    book: str

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
    owner, name = Addresses(repository, "", "").slug.split("/")
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
    keys = ("url", "branch", "baseurl")
    return Addresses(*(one(rf"^  {key}: (\S+)$", root / "_config.yml") for key in keys))


def written(root):
    """The addresses that were written the last time."""
    lines = ('Repository = "(.+)"', 'Changelog = ".+/blob/(.+)/.+"', 'Documentation = "(.+)"')
    return Addresses(*(one(f"^{line}$", root / "pyproject.toml") for line in lines))


def relinked(text, old, new):
    """A text with the new addresses in place of the old."""
    for form in FORMS:
        # Not where it is the beginning of another name.
        pattern = re.escape(old.written(form)) + (r"(?![\w-])" if form.endswith("slug}") else "")
        text = re.sub(pattern, lambda _, form=form: new.written(form), text)
    return text


def changes(path, old, new, check=False):
    """Whether the new addresses change a file; they are written into it unless this is a check."""
    text = path.read_text(encoding="utf-8")
    better = relinked(text, old, new)
    if better != text and not check:
        path.write_text(better, encoding="utf-8", newline="\n")
    return better != text


def relink(root, check=False):
    """Write the addresses everywhere; return the paths of the files that change."""
    old, new = written(root), wanted(root)
    paths = [path for place in PLACES for path in sorted(root.glob(place))]
    return [path.relative_to(root) for path in paths if changes(path, old, new, check)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repository", help="put this address into _config.yml first")
    parser.add_argument("--book", help="the book's address, if it is not GitHub Pages'")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if it would")
    given, config = parser.parse_args(), wanted(ROOT)
    repository = given.repository or config.repository
    book = config.book if repository == config.repository else pages_of(repository)
    changes(ROOT / "_config.yml", config, Addresses(repository, config.branch, given.book or book))
    changed = relink(ROOT, given.check)
    done = "differ from _config.yml" if given.check else "changed"
    print(*changed, f"{len(changed)} files {done}", sep="\n")
    return bool(changed and given.check)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"relink: {error}")
