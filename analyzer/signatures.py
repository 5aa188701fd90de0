"""The signatures of the named rule sets in this version; a test holds them to what `signature.py` computes.

One number a rule set, from a fixed seed. It stands in every manifest, and in the changelog where it changes.
"""

SIGNATURES = {
    "exact61": "016ad6623bbb04f9",
    "allfives": "fa113bb5cac292b3",
    "partout5": "dbd6436b0ae2469a",
    "draw": "21d74e170db39a69",
    "block": "6633fea6842f33c6",
    "muggins": "805777bc8aac3113",
    "fiveup61reach": "201a3d9232ac7337",
    "threes-and-fives": "330ba831ec7313f3",
}
