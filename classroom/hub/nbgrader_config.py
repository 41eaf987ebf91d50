"""nbgrader's settings, for the students of the hub and, in the course's folder, for the teacher."""

import os
from pathlib import Path

CLASS = Path(os.environ["CLASS"])
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "attention"
c.Exchange.root = str(CLASS / "exchange")
c.ClearSolutions.code_stub = {"python": ""}  # an answer's cell has its own dots to replace
if "JUPYTERHUB_USER" in os.environ:  # a student's server: all run as one user of the system
    c.CourseDirectory.student_id = os.environ["JUPYTERHUB_USER"]
else:
    c.CourseDirectory.root = str(CLASS / "course")
    c.ExchangeCollect.check_owner = False
