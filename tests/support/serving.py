"""Folders over http, as the pages of this machine."""

import functools
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from chapters import HTML as HTML


class Files(SimpleHTTPRequestHandler):
    """Files, perhaps with a policy; no log."""

    policy = ""

    def end_headers(self):
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *what):
        pass


class Strict(Files):
    """What comes from this server is allowed, and nothing else."""

    policy = "default-src 'self'"


# What a policy has refused is noted in the page.
WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", (e) => refused.push(e.violatedDirective, e.sample));
"""


class Server(ThreadingHTTPServer):
    """A page asks for all its parts at once."""

    request_queue_size = 64


@contextmanager
def serve(folder, handler=Files):
    with Server(("127.0.0.1", 0), functools.partial(handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
