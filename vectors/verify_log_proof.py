#!/usr/bin/env python3
"""Verifies that a record is in a log, from the bytes: hashlib and an Ed25519 library, nothing of this repository.

RECORD.json is an answer of GET /records/{originalImageHash}, the proof one of GET /log/proofs/{originalImageHash}. Prints
the entry and who has seen it; the exit code is 0 if the proof holds, 1 if not, 2 for wrong usage. That the record itself
is sound is another matter.
"""
import argparse
import base64
import datetime
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Refused(Exception):
    """The proof does not hold."""


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def unbase64(text):
    decoded = base64.b64decode(text, validate=True)
    if base64.b64encode(decoded).decode() != text:
        raise Refused("not the one base64 of its bytes")
    return decoded


def decimal(text):
    if not text.isascii() or not text.isdigit() or str(int(text)) != text:
        raise Refused("not a number: " + text)
    return int(text)


def record_entry(record, nonce):
    """The bytes of the record's entry in the log."""
    said = record["verification"]
    signed = datetime.datetime.fromisoformat(said["signedAtUtc"].replace("Z", "+00:00"))
    milliseconds = round(signed.timestamp() * 1000)
    content_hash = bytes.fromhex(said["contentHash"])
    prefixed = lambda part: len(part).to_bytes(2, "big") + part
    manifests = [(m["type"].encode(), bytes.fromhex(m["hash"])) for m in record["manifests"]]
    collection = bytes([said["canonicalVersion"]]) + prefixed(content_hash) + len(manifests).to_bytes(2, "big")
    collection += b"".join(prefixed(kind) + prefixed(digest) for kind, digest in manifests)
    leaf = base64.b64decode("".join(said["leafCertificate"].strip().split("\n")[1:-1]))
    digest = sha256(
        b"colophon record 1\0", content_hash, collection, sha256(leaf), milliseconds.to_bytes(8, "big")
    )
    if len(nonce) != 32:
        raise Refused("not a nonce of 32 bytes")
    commitment = base64.b64encode(sha256(nonce, digest)).decode()
    second = signed.strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"colophon-record@v1\npublished\n{second}\n{commitment}\n".encode()


def root_of(leaf, index, size, hashes):
    """RFC 6962, 2.1.1: the root that a leaf and the hashes beside its path make."""
    if index >= size:
        raise Refused("no such entry")
    node, last, root = index, size - 1, leaf
    for sibling in hashes:
        if last == 0:
            raise Refused("the proof is too long")
        if node % 2 == 1 or node == last:
            root = sha256(b"\1", sibling, root)
            while node % 2 == 0 and node != 0:
                node, last = node // 2, last // 2
        else:
            root = sha256(b"\1", root, sibling)
        node, last = node // 2, last // 2
    if last != 0:
        raise Refused("the proof is too short")
    return root


def signed_at(note, vkey):
    """None when the key has not signed the note, else the time of a cosignature, or 0 for a log's own signature."""
    text, _, signatures = note.rpartition("\n\n")
    name, key_id, encoded = vkey.split("+", 2)
    kind, key = unbase64(encoded)[:1], unbase64(encoded)[1:]
    if sha256(name.encode(), b"\n", kind, key)[:4].hex() != key_id or kind not in (b"\1", b"\4"):
        raise Refused("not a verifier key: " + vkey)
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        signature = unbase64(signature)
        if dash != "\u2014" or (signer, signature[:4].hex()) != (name, key_id):
            continue
        message, signature, time = (text + "\n").encode(), signature[4:], 0
        if kind == b"\4":
            time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
            message = f"cosignature/v1\ntime {time}\n".encode() + message
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return time
    return None


def verify(record, proof, log_vkey, witness_vkeys=()):
    """The entry's index, the size of the log, and when each witness saw it. Raises Refused where the proof does not hold."""
    try:
        head, _, note = proof.partition("\n\n")
        lines = head.split("\n")
        if lines.pop(0) != "c2sp.org/tlog-proof@v1" or not lines[0].startswith("extra "):
            raise Refused("not a proof with a nonce")
        nonce, index = unbase64(lines.pop(0)[len("extra "):]), lines.pop(0)
        if not index.startswith("index "):
            raise Refused("a proof without an index")
        origin, size, root = note.split("\n")[:3]
        if origin != log_vkey.split("+")[0] or signed_at(note, log_vkey) is None:
            raise Refused("not signed by this log")
        index, size = decimal(index[len("index "):]), decimal(size)
        leaf = sha256(b"\0", record_entry(record, nonce))
        if root_of(leaf, index, size, [unbase64(line) for line in lines]) != unbase64(root):
            raise Refused("the record is not this entry")
        return index, size, [signed_at(note, vkey) for vkey in witness_vkeys]
    except (InvalidSignature, ValueError, KeyError, IndexError, TypeError) as error:
        raise Refused(repr(error)) from error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", metavar="RECORD.json")
    parser.add_argument("proof", metavar="RECORD.tlog-proof")
    parser.add_argument("log_vkey", metavar="LOG_VKEY", help="the log's key, from its operator")
    parser.add_argument("witness_vkeys", metavar="WITNESS_VKEY", nargs="*")
    given = parser.parse_args()
    try:
        with open(given.record, encoding="utf-8") as file:
            record = json.load(file)
        with open(given.proof, encoding="utf-8", newline="") as file:
            proof = file.read()
    except (OSError, ValueError) as error:
        parser.error(f"cannot be read: {error}")
    try:
        index, size, seen = verify(record, proof, given.log_vkey, given.witness_vkeys)
    except Refused as refusal:
        sys.exit(f"refused: {refusal}")
    print(f"entry {index} of {size}, seen by {sum(time is not None for time in seen)} of {len(seen)} witnesses")


if __name__ == "__main__":
    main()
