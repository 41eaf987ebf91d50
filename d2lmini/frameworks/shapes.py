"""What queries, keys and values must be like, for the frameworks whose own errors don't say it."""


def check_inputs(attention, queries, keys, values):
    """Raise unless queries, keys and values fit together and fit this attention.

    A size that is not an int is not known yet and is not checked.
    """
    queries, keys, values = (tuple(x.shape) for x in (queries, keys, values))
    told = f"queries {queries}, keys {keys}, values {values}"
    if min(map(len, (queries, keys, values))) < 3 or not len(queries) == len(keys) == len(values):
        raise ValueError(
            "queries, keys and values must have the shapes (batch, ..., queries, query_size), "
            f"(batch, ..., keys, key_size) and (batch, ..., keys, value_size), got {told}"
        )
    for axis in range(len(queries) - 2):
        if differ(queries[axis], keys[axis]) or differ(keys[axis], values[axis]):
            raise ValueError(
                f"queries, keys and values must have one batch size, and as many heads, got {told}"
            )
    if differ(keys[-2], values[-2]):
        raise ValueError(f"keys and values must come in pairs, got {told}")
    expected = attention.expected_sizes(queries[-1], keys[-1])
    if differ(queries[-1], expected[0]) or differ(keys[-1], expected[1]):
        raise ValueError(
            f"queries and keys of {type(attention).__name__} must have the sizes {expected[0]} and "
            f"{expected[1]}, got {queries[-1]} and {keys[-1]}"
        )


def differ(a, b):
    """Whether two sizes are surely not the same."""
    return isinstance(a, int) and isinstance(b, int) and a != b
