"""The exercises of chapter 11, learning to align."""

import torch

from .checking import Exercise, Trained

read_off = Exercise(
    expected="1999-03-07",
    example="2001-12-31",
    praise="Day and month are read from each other's places: the American way of writing.",
    slips={
        "that is what the text means. The question is what comes out of these weights.": (
            "1999-07-03"
        ),
        "that would be one place for month and day. Look again at the last two rows.": (
            "1999-03-03"
        ),
        "the month comes from where the two rows after the first - have their weight.": (
            "1999-07-07"
        ),
        "that is the text from left to right. The rows say in which order it is read.": (
            "03-07-1999"
        ),
    },
)

score_gradient = Exercise(
    expected=[0.0, -2.0, 2.0],
    praise="The score of the 8 goes up, that of the 0 goes down, and that of the 4 stays.",
    tolerance=1e-3,
    slips={
        "the weights are missing: a score whose weight is small learns little.": [0.0, -8.0, 8.0],
        "g has the wrong sign: it is the context minus what was wanted.": [0.0, 2.0, -2.0],
        "take the context from each value first: what counts is who helps more than the average.": (
            [-4.0, -4.0, 0.0]
        ),
        "that is the derivative by the values: weight times g. The scores are asked for.": (
            [-1.0, -0.5, -0.5]
        ),
    },
)


stuck = Exercise(
    expected=[1.0, 0.0, 0.0],
    praise="Each score has a factor of 0: its weight, or the value minus the context.",
    tolerance=1e-3,
    slips={
        "the context is 4, and it could learn: the score of the 8 goes up, that of the 0 down.": (
            [0.0, 0.5, 0.5]
        ),
        "no score moves, but the context is 8: there is nothing to learn.": [0.0, 1.0, 0.0],
        "no score moves, but the context is 0, not 4.": [0.0, 0.0, 1.0],
        "the context is 4, and all three weights are large enough to learn.": (
            [1 / 3, 1 / 3, 1 / 3]
        ),
        "weights, not scores, are asked for; they sum to 1.": [0.0, 0.0, 0.0],
    },
)


no_such_day = Exercise(
    expected="1999-06-31",
    example="2001-12-31",
    praise="It has learned to copy the digits of a day, and no calendar.",
    slips={
        "that is what a calendar says. Nothing in the loss has taught one.": "1999-07-01",
        "that is the nearest day that there is. No text in training asked for a correction.": (
            "1999-06-30"
        ),
        "no text in training was refused, so it has not learned to refuse.": "0000-00-00",
        "the first digit of a day may well be a 3: it was, in 30 and 31.": "1999-06-01",
        "the letters say june, whatever the day is.": "1999-05-31",
    },
)


def weights_of(seed):
    return torch.randn(2, 3, 5, generator=torch.Generator().manual_seed(seed)).softmax(dim=-1)


def one_hot(places, like):
    return torch.zeros_like(like).scatter(-1, places, 1.0)


def hard(weights):
    return one_hot(weights.argmax(dim=-1, keepdim=True), weights)


harden = Exercise(
    cases=lambda: [(weights_of(1),), (weights_of(2),)],
    expected=hard,
    praise="A 1 at the largest weight of each query, 0 elsewhere.",
    slips={
        "these are the places of the largest weights. Weights of the same shape are asked for.": (
            lambda weights: weights.argmax(dim=-1)
        ),
        "the largest weight keeps its size here: the row no longer sums to 1.": (
            lambda weights: weights * hard(weights)
        ),
        "the 1 stands at the largest query of each key. Each query chooses a key.": (
            lambda weights: hard(weights.mT).mT
        ),
        "this rounds: a row whose largest weight is below one half loses all of it.": (
            lambda weights: weights.round()
        ),
    },
)


def spoiled():
    """p(first) and p(second | first): the likeliest first character has no likely second one."""
    return torch.tensor([0.6, 0.4]), torch.tensor([[0.5, 0.5], [0.1, 0.9]])


def plain():
    """The same, where the likeliest first character begins the best pair."""
    return torch.tensor([0.9, 0.1]), torch.tensor([[0.6, 0.4], [0.05, 0.95]])


def tempting():
    """The same, with a sure second character after an unlikely first one."""
    after = torch.tensor([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3], [0.0, 0.0, 1.0]])
    return torch.tensor([0.5, 0.3, 0.2]), after


def far_behind():
    """The same, where the best pair begins with the unlikeliest character."""
    after = torch.tensor([[0.34, 0.33, 0.33], [0.34, 0.33, 0.33], [0.0, 0.0, 1.0]])
    return torch.tensor([0.4, 0.35, 0.25]), after


def beam_of_two(first, second):
    kept = first * (first >= first.topk(2).values[-1])
    return pair(kept, second)


def pair(first, second):
    joint = first[:, None] * second  # (characters, characters)
    return list(divmod(int(joint.argmax()), second.shape[1]))


def one_after_another(first, second):
    i = int(first.argmax())
    return [i, int(second[i].argmax())]


best_pair = Exercise(
    cases=lambda: [spoiled(), plain(), tempting(), far_behind()],
    expected=pair,
    praise="The best pair may begin with a character that is not the best.",
    slips={
        "that is greedy decoding: the best first character may have no good second one.": (
            one_after_another
        ),
        "that is a beam of two: the best pair may begin with a third character.": beam_of_two,
        "the largest p(second | first) forgets how probable the first character is.": (
            lambda first, second: list(divmod(int(second.argmax()), second.shape[1]))
        ),
        "probabilities of one character after another are multiplied, not added.": (
            lambda first, second: list(
                divmod(int((first[:, None] + second).argmax()), second.shape[1])
            )
        ),
        "the second character is the likeliest on the whole, whatever stands before it.": (
            lambda first, second: [pair(first, second)[0], int((first @ second).argmax())]
        ),
    },
)


# Dates of days that are neither in the chapter's training nor in its test.
DATES = dict(
    line.split(" = ")
    for line in """\
31 mai 2046 = 2046-05-31
18 oct. 2080 = 2080-10-18
aug 2, 2050 = 2050-08-02
montag, 19. märz 2046 = 2046-03-19
16 de febrero de 2064 = 2064-02-16
2 aralık 2089 cuma = 2089-12-02
3 gru 1961 = 1961-12-03
1960. 03. 04. = 1960-03-04
23 jun 2065 = 2065-06-23
16 ocak 2054 = 2054-01-16
freitag, 16. mai 2098 = 2098-05-16
sep 22, 1960 = 1960-09-22
september 16, 1930 = 1930-09-16
24 juillet 2044 = 2044-07-24
1 haziran 1998 pazartesi = 1998-06-01
domenica 17 febbraio 1946 = 1946-02-17
26 agosto 1929 = 1929-08-26
2074. 01. 01. = 2074-01-01
30.10.1913 = 1913-10-30
16. juni 2092 = 2092-06-16
sunday, july 2, 2028 = 2028-07-02
aug 20, 2046 = 2046-08-20
07/11/2098 = 2098-11-07
1 de mayo de 1951 = 1951-05-01
sonntag, 15. januar 1905 = 1905-01-15
30 września 2070 = 2070-09-30
mercoledì 15 settembre 1920 = 1920-09-15
20/7/1919 = 1919-07-20
1.09.1911 = 1911-09-01
8 ene 1962 = 1962-01-08
24 juin 1978 = 1978-06-24
31.10.2093 = 2093-10-31
01.11.1909 = 1909-11-01
12.01.2050 = 2050-01-12
oct 20, 2005 = 2005-10-20
2042. 07. 25. = 2042-07-25
17 dicembre 2090 = 2090-12-17
domingo, 1 de septiembre de 1963 = 1963-09-01
montag, 17. oktober 2067 = 2067-10-17
martedì 28 ottobre 1975 = 1975-10-28
mardi 4 juillet 1995 = 1995-07-04
lundi 29 août 2061 = 2061-08-29
giovedì 27 giugno 1901 = 1901-06-27
11/10/1927 = 1927-10-11
saturday, december 7, 2047 = 2047-12-07
25.03.1990 = 1990-03-25
2032. 01. 20. = 2032-01-20
2078. február 15., kedd = 2078-02-15
15.03.1927 = 1927-03-15
1982. 07. 16. = 1982-07-16
friday, march 29, 2002 = 2002-03-29
8 temmuz 1974 pazartesi = 1974-07-08
8 octobre 2065 = 2065-10-08
october 28, 1993 = 1993-10-28
29 settembre 1909 = 1909-09-29
saturday, december 23, 1922 = 1922-12-23
9 nov 2081 = 2081-11-09
25 şub 1935 = 1935-02-25
lunes, 3 de diciembre de 2029 = 2029-12-03
9.02.1935 = 1935-02-09
domenica 19 giugno 1994 = 1994-06-19
lunes, 30 de junio de 2025 = 2025-06-30
wtorek, 6 grudnia 1921 = 1921-12-06
aug 17, 1905 = 1905-08-17
february 20, 1900 = 1900-02-20
wtorek, 29 kwietnia 1969 = 1969-04-29
4 febbraio 1968 = 1968-02-04
14.03.1917 = 1917-03-14
2052. jan. 28. = 2052-01-28
oct 29, 2021 = 2021-10-29
6 dic 2028 = 2028-12-06
4.02.2036 = 2036-02-04
5 décembre 1923 = 1923-12-05
16 ekim 2082 = 2082-10-16
1964. augusztus 27., csütörtök = 1964-08-27
domenica 5 luglio 1987 = 1987-07-05
20.03.2009 = 2009-03-20
26 juin 1928 = 1928-06-26
21. november 2000 = 2000-11-21
27.10.2007 = 2007-10-27
01.02.1905 = 1905-02-01
3. januar 2033 = 2033-01-03
1938. május 17. = 1938-05-17
9.10.1943 = 1943-10-09
17 de diciembre de 1979 = 1979-12-17
martes, 6 de diciembre de 1932 = 1932-12-06
środa, 5 sierpnia 1903 = 1903-08-05
01/09/1919 = 1919-09-01
23 mai 2050 = 2050-05-23
30 de agosto de 2057 = 2057-08-30
12 nov. 1957 = 1957-11-12
13.08.2080 = 2080-08-13
15 haziran 1961 = 1961-06-15
martedì 1 novembre 2044 = 2044-11-01
2064. július 2., szerda = 2064-07-02
9 mar 1962 = 1962-03-09
1942. július 23. = 1942-07-23
december 6, 2035 = 2035-12-06
23 tem 2024 = 2024-07-23
sobota, 13 listopada 1937 = 1937-11-13
""".splitlines()
)

date_writer = Trained(
    cases=lambda: [(list(DATES),)],
    expected=lambda texts: [DATES[text] for text in texts],
    parts={"year": slice(0, 4), "month": slice(5, 7), "day": slice(8, 10)},
    praise="Your lines have learned where the year, the month and the day stand.",
    # Measured: each slip, trained in the chapter's 250 steps.
    slips={
        "The month alone is wrong. It is learned last, since it is a word in eight languages. Your "
        "lines learn, but too slowly: does the gradient reach scores and values, and were there "
        "250 steps?": [1.0, 0.8, 0.97],
        "The context says which characters the text has, and not which one is needed now: the "
        "weights are nearly even, or the same for all ten characters. The score has to depend on "
        "query and key together (a sum without tanh does not), and its gradient must not be cut or "
        "made tiny.": [0.9, 0.55, 0.43],
        "Months and days are guessed. In training all ten queries are there at once, in use one at "
        "a time. So a weight must not depend on the other queries: no mean or sum over them.": (
            [0.84, 0.29, 0.35]
        ),
    },
)
