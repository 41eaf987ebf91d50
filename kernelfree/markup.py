"""The HTML of a figure, which needs no kernel, no network and no other file."""

import base64
import html
import json
from urllib.parse import quote


def markup(kind, state, picture, alt, script, sentence="", image=None):
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
        A classic script; '' where it stands elsewhere in the page.
    image : str, optional
        The address of a file that holds the picture instead.

    Returns
    -------
    str
    """
    png, width, height = picture
    text = json.dumps(state, separators=(",", ":"))
    # No string of the author's can end the script element or begin another.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    held = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    script = f"\n<script>{script}</script>" if script else ""
    below = f"<p>{html.escape(sentence)}</p>\n" if sentence else ""
    return (
        f'<div class="{kind}" id="{state["id"]}">\n'
        f'<img alt="{html.escape(alt)}" width="{width}" height="{height}" '
        f'src="{address(image) if image else held}">\n{below}'
        f'<script type="application/json">{text}</script>'
        f"{script}\n</div>"
    )


def address(name):
    """The name of a file as HTML has its address."""
    return html.escape(quote(name))
