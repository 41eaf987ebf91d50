"""A campus's platform, as Moodle or Canvas, as far as a hub sees it: LTI 1.3 and nothing else.

    python classroom/hub/campus.py PORT HUB

Run with the hub's Python. A student is who `login_hint` says: it asks for no password.
"""

import html
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
CLIENT = "hub"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FORM = """<!DOCTYPE html><title>To the hub</title><form method="post" action="{}">
<input name="id_token" value="{}"><input name="state" value="{}"><button>Go on</button></form>"""


def token(asked, issuer, hub):
    """What the platform says of a student, signed."""
    now = int(time.time())
    claims = {
        "iss": issuer,
        "aud": CLIENT,
        "sub": asked["login_hint"],
        "nonce": asked["nonce"],
        "iat": now,
        "exp": now + 300,
        f"{CLAIM}message_type": "LtiResourceLinkRequest",
        f"{CLAIM}version": "1.3.0",
        f"{CLAIM}deployment_id": "1",
        f"{CLAIM}target_link_uri": hub,
        f"{CLAIM}resource_link": {"id": "week4"},
        f"{CLAIM}roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
    }
    return jwt.encode(claims, KEY, algorithm="RS256", headers={"kid": "1"})


class Platform(BaseHTTPRequestHandler):
    """Its public key, and the form that a browser carries to the hub."""

    def do_GET(self):
        address = urlsplit(self.path)
        if address.path == "/jwks":
            key = jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
            key |= {"kid": "1", "alg": "RS256", "use": "sig"}
            self.reply("application/json", json.dumps({"keys": [key]}))
        elif address.path == "/authorize":
            asked = dict(parse_qsl(address.query))
            issuer, hub = f"http://{self.headers['Host']}", sys.argv[2]
            if not asked["redirect_uri"].startswith(f"{hub}/"):
                return self.send_error(400)
            values = asked["redirect_uri"], token(asked, issuer, hub), asked["state"]
            self.reply("text/html", FORM.format(*map(html.escape, values)))
        else:
            self.send_error(404)

    def reply(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *what):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Platform).serve_forever()
