// From a disk a page may not read the others, so there are no excerpts.
if (!location.protocol.startsWith("http")) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
