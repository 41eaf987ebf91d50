"""The HTML of a figure, which needs no kernel, no network and no other file."""

import base64
import html
import json
from urllib.parse import quote


def markup(kind, state, picture, alt, script, sentence="", beside=None):
    """The still picture, the state, and the script that brings them to life.

    Parameters
    ----------
    kind : str
        The class by which the script finds it.
    state : dict
        What JSON can say, with its "id".
    picture : (bytes, int, int)
        A PNG, its width and its height on the page.
    alt, sentence : str
        What the picture shows, and the sentence under it.
    script : str
        A classic script.
    beside : (str, str), optional
        The addresses of files that hold the picture and the script instead.

    Returns
    -------
    str
    """
    png, width, height = picture
    text = json.dumps(state, separators=(",", ":"))
    # No string of the author's can end the script element or begin another.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    if beside:
        image, address = (html.escape(quote(name)) for name in beside)
        script = f'<script src="{address}"></script>'
    else:
        image = f"data:image/png;base64,{base64.b64encode(png).decode()}"
        script = f"<script>{script}</script>"
    below = f"<p>{html.escape(sentence)}</p>\n" if sentence else ""
    return (
        f'<div class="{kind}" id="{state["id"]}">\n'
        f'<img alt="{html.escape(alt)}" width="{width}" height="{height}" '
        f'src="{image}">\n{below}'
        f'<script type="application/json">{text}</script>\n'
        f"{script}\n</div>"
    )
