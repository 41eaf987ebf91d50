"""For those who teach: what a class hands in, is handed, and is served by."""
