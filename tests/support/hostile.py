"""What an author may write that a page must not run."""

TEMPLATES = [
    *(f"{end}<script>{{0}}</script>" for end in ("", "</script>", "-->", "]]>", "</title>", "</style>")),
    *("<img src=x onerror={0}>", "<svg onload={0}>", '"><img src=x onerror={0}>', "'><svg/onload={0}>"),
    *("<iframe srcdoc='<script>parent.{0}</script>'></iframe>", "<a href='javascript:{0}'>x</a>"),
    *("<details open ontoggle={0}>", "<style>@import 'javascript:{0}'</style>", "${{{0}}}", "` ${{{0}}}`"),
    *("<math><mtext><img src=x onerror={0}></mtext></math>", "<template><script>{0}</script></template>"),
    *("\\u003cscript\\u003e{0}\\u003c/script\\u003e", "&lt;script&gt;{0}&lt;/script&gt;", "<!--<script>{0}//-->"),
    *("</SCRIPT ><ScRiPt>{0}</sCrIpT>", "\u2028{0}\u2029", "');{0};('", '");{0};("'),
]
PAYLOADS = [t.format(f"window.hit={i}") for i, t in enumerate(TEMPLATES * 2)]
