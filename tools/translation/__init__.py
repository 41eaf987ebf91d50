"""The book in other languages, from the English notebooks and catalogs of gettext."""
