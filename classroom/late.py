"""When a notebook was handed in, how late that is, and what that costs."""

import os
import re
from datetime import datetime, timedelta, timezone
from math import ceil, inf
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from classroom.files import printable, text
from pages.editions import say

# What is expected.
MOMENT = 'a day, a time and its time zone, as "2027-01-18 18:00 Europe/Berlin"'
COST = "points, as 1, or a share of those that can be had, as 10%"
DAY = timedelta(days=1)
FORM = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{6})?)?) ?(\S+)")


class Rule(NamedTuple):
    """What a teacher says of lateness: what each day that has begun costs, points or a share of
    those that can be had, and after how many days there are none."""

    deadline: datetime
    points: float = 0
    share: float = 0
    days: float = inf

    def of(self, page, got, most):
        """A verdict on the time of a notebook, how many of its points that costs, a sentence."""
        when, source = handed_in(page)
        # By the clock there: a day ends at the deadline's hour also where summer time begins.
        when = when.astimezone(self.deadline.tzinfo)
        days = max(0, ceil((when - self.deadline) / DAY))
        cost = round(min(got, days * (self.points + self.share * most)), 6)
        cost = got if days > self.days else cost
        own = f"{when:%Y-%m-%d %H:%M %Z}"
        why = say("handed in {when}, says {source}", when=own, source=source)
        if not days:
            return "in time", 0, why
        late = {"days": days, "points": f"{cost:g}"}
        return "late", cost, why + say("; late, day {days}; points off: {points}", **late)


def handed_in(page):
    """When a notebook was handed in, and what says so: nbgrader's file beside it, or its own."""
    stamp = Path(page).with_name("timestamp.txt")
    source, given = say("the file"), ""
    try:
        given = printable(text(stamp)).strip()
        return moment(given), stamp.name
    except (OSError, ValueError):
        if os.path.lexists(stamp):
            told = {"stamp": stamp.name, "given": given[:60], "time": "2027-01-18 17:00:00 UTC"}
            source += say("; {stamp} can't be read: “{given}” is no time such as “{time}”", **told)
        when = Path(page).stat().st_mtime
        return datetime.fromtimestamp(when, timezone.utc), source


def moment(given):
    """The moment that a text names; raises ValueError for any other text."""
    found = FORM.fullmatch(given)
    if not found:
        raise ValueError(given)
    day, time, name = found.groups()
    when = datetime.fromisoformat(f"{day} {time}")
    try:
        own = when.replace(tzinfo=zone(name))
    except (LookupError, OSError, ValueError) as error:
        raise ValueError(given, f"there is no time zone {name}") from error
    if own.astimezone(timezone.utc).astimezone(own.tzinfo).replace(tzinfo=None) != when:
        raise ValueError(given, "there the clock is put forward, past this hour")
    return own


def zone(name):
    """A time zone: Z, UTC, +01:00, or a name as Europe/Berlin."""
    if name in ("Z", "UTC"):
        return timezone.utc
    if offset := re.fullmatch(r"([+-]\d\d):?(\d\d)", name):
        return datetime.fromisoformat(f"2000-01-01T00:00{offset[1]}:{offset[2]}").tzinfo
    return ZoneInfo(name)


def per_day(given):
    """What a day costs: points, as 1, or a share of those that can be had, as 10%."""
    number, share = float(given.removesuffix("%")), given.endswith("%")
    if not 0 <= number <= (100 if share else 1e6):
        raise ValueError(given)
    return {"share": number / 100} if share else {"points": number}
