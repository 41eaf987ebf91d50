"""A JupyterHub for a class on one machine, as `python -m classroom.hub.trial` starts it.

It reads from the environment: CLASS, a folder for the homes and for what nbgrader exchanges;
KERNEL, the Python with the book's packages (`.venv/bin/python`); PROXY, the command of
configurable-http-proxy; PORT; PASSWORD, the same for all, or LTI, see below. For a class of your
own change what is marked.
"""

import itertools
import json
import os
import shlex
from pathlib import Path

HERE, CLASS = Path(__file__).parent, Path(os.environ["CLASS"])
PORT = int(os.environ.get("PORT", 8000))
c = get_config()  # noqa: F821

# Change: who may log in. With LTI 1.3 students come from the campus's Moodle or Canvas, which has
# the issuer, the client id and the two addresses; there give the hub's address with
# /hub/lti13/oauth_login for logging in and /hub/lti13/oauth_callback for redirecting.
if "LTI" in os.environ:
    platform = json.loads(os.environ["LTI"])
    c.JupyterHub.authenticator_class = "ltiauthenticator.lti13.auth.LTI13Authenticator"
    c.LTI13Authenticator.issuer = platform["issuer"]
    c.LTI13Authenticator.client_id = {platform["client_id"]}
    c.LTI13Authenticator.authorize_url = platform["authorize_url"]
    c.LTI13Authenticator.jwks_endpoint = platform["jwks_endpoint"]
    c.LTI13Authenticator.username_key = "sub"  # a number of the platform's, not an address
else:
    c.JupyterHub.authenticator_class = "dummy"
    c.DummyAuthenticator.password = os.environ["PASSWORD"]
c.Authenticator.allow_all = True

# Change: how a student's server is started. This one runs all students as one user of the system,
# who can read and change each other's files: good for a trial, not for a class.
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(CLASS / "homes" / "{username}")
c.Spawner.args = ["--allow-root", "--MappingKernelManager.cull_idle_timeout=1800"]
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.JupyterHub.concurrent_spawn_limit = 4 * os.cpu_count()

# On one machine each server has a port of its own: two of forty chose the same one by chance.
ports = itertools.count(PORT + 10)
c.Spawner.pre_spawn_hook = lambda spawner: setattr(spawner, "port", next(ports))

c.JupyterHub.bind_url = f"http://127.0.0.1:{PORT}"
c.JupyterHub.hub_port = PORT + 1
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{PORT + 2}"
c.ConfigurableHTTPProxy.command = shlex.split(os.environ["PROXY"])
c.ConfigurableHTTPProxy.pid_file = str(CLASS / "proxy.pid")
c.JupyterHub.db_url = f"sqlite:///{CLASS / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(CLASS / "cookie_secret")

# The hub's environment has no PyTorch: kernels run in the book's.
kernel = CLASS / "jupyter" / "kernels" / "python3" / "kernel.json"
kernel.parent.mkdir(parents=True, exist_ok=True)
command = [os.environ["KERNEL"], "-m", "ipykernel_launcher", "-f", "{connection_file}"]
own = {"PYTHONPATH": str(HERE.parents[1]), "OMP_NUM_THREADS": "1"}
kernel.write_text(
    json.dumps({"argv": command, "display_name": "The book", "language": "python", "env": own})
)
c.Spawner.environment = {
    "JUPYTER_PATH": str(CLASS / "jupyter"),
    "JUPYTER_CONFIG_PATH": str(HERE),  # with nbgrader's settings
    "CLASS": str(CLASS),
}
