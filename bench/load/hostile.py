#!/usr/bin/env python3
"""Loads a server that misbehaves, case by case, and compares what jdyno counted with what it had to.

Replies byte by byte, broken status lines and framing, early closes, replies before the request is
whole, and a stall of a second. Exit code 1 when a case went wrong. See README.md.
"""
import argparse
import os
import socket
import struct
import sys
import threading
import time

import servers

HERE = os.path.dirname(os.path.abspath(__file__))
OK = b"HTTP/1.1 200 OK\r\n"
SHORT = OK + b"Content-Length: 2\r\n\r\nok"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
UPLOAD = ["-m", "POST", "-b", "@DIR/big.bin"]
BIG = 12_000_000  # more than the sockets' buffers hold


class Closed(Exception):
    """The client has gone."""


class Connection:
    """A connection to the load, as a case's script sees it."""

    def __init__(self, sock):
        self.sock = sock
        self.left = b""

    def request(self):
        """The next request's head; its body is read only when the script does."""
        while b"\r\n\r\n" not in self.left:
            self.left += self.more()
        head, self.left = self.left.split(b"\r\n\r\n", 1)
        return head.decode("latin-1")

    def more(self):
        got = self.sock.recv(65536)
        if not got:
            raise Closed()
        return got

    def body(self, length):
        """Reads so many bytes and forgets them."""
        length -= len(self.left)
        self.left, rest = b"", self.left
        while length > 0:
            rest = self.more()
            length -= len(rest)
        if length < 0:
            self.left = rest[length:]

    def say(self, *parts):
        """Sends each part by itself, with a pause that lets the client read it alone."""
        for i, part in enumerate(parts):
            if i:
                time.sleep(0.0002)
            self.sock.sendall(part)

    def byte_by_byte(self, reply):
        self.say(*[reply[i : i + 1] for i in range(len(reply))])

    def close(self):
        raise Closed()

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Closed()

    def endless(self, part):
        while True:
            self.sock.sendall(part * 100)


def reply(text):
    return lambda c: c.say(text)


def reply_and_close(text):
    def script(c):
        c.say(text)
        c.close()

    return script


def early(text, then):
    """Answers an upload before it has read it; `then` is what it does with the rest."""

    def script(c):
        c.say(text)
        then(c)

    return script


def continue_first(c, head):
    """Waits for the body only after 100 Continue."""
    length = int(head.lower().split("content-length:")[1].split("\r\n")[0])
    c.say(b"HTTP/1.1 100 Continue\r\n\r\n")
    c.body(length)
    c.say(SHORT)


GOOD, BAD = {"200": 1}, {"malformed": 1}

# name -> (script, options, expected statuses or error kinds per request)
CASES = {
    # good, however odd
    "byte by byte": (lambda c: c.byte_by_byte(SHORT), [], GOOD),
    "chunked, byte by byte": (
        lambda c: c.byte_by_byte(CHUNKED + b"2;a=b\r\nok\r\n0\r\nX-T: v\r\n\r\n"), [], GOOD,
    ),
    "head in two reads, split in CRLF": (lambda c: c.say(SHORT[:-5], SHORT[-5:]), [], GOOD),
    "status line without a reason": (
        reply(b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"), [], GOOD,
    ),
    "lines that end with LF": (reply(b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok"), [], GOOD),
    "100, 102, 103, then the reply": (
        lambda c: c.say(b"".join(b"HTTP/1.1 %d X\r\n\r\n" % n for n in (100, 102, 103)), SHORT), [], GOOD,
    ),
    "head of 200 kB": (reply(OK + b"X: " + b"y" * 200_000 + SHORT[15:]), [], GOOD),
    "5,000 header lines": (reply(OK + b"X-Many: yes\r\n" * 5000 + SHORT[17:]), [], GOOD),
    "a folded header line": (reply(OK + b"X-A: b\r\n  c\r\n" + SHORT[17:]), [], GOOD),
    "the same length twice": (reply(OK + b"Content-Length: 2\r\n" + SHORT[17:]), [], GOOD),
    "chunks with extensions and trailers": (
        reply(CHUNKED + b'1;a="b;c"\r\no\r\n1 ; x\r\nk\r\n0;last\r\nA: b\r\nC: d\r\n\r\n'), [], GOOD,
    ),
    "chunked beside a length": (
        reply(OK + b"Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), [], GOOD,
    ),
    "no length, until the end": (reply_and_close(OK + b"\r\nok"), [], GOOD),
    "HTTP/1.0, kept": (
        reply(b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok"), [], GOOD,
    ),
    "Connection: close, yet open": (reply(OK + b"Connection: close\r\n" + SHORT[17:]), [], GOOD),
    "304 with a length": (reply(b"HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n"), [], {"304": 1}),
    "HEAD": (reply(OK + b"Content-Length: 9999\r\n\r\n"), ["-m", "HEAD"], GOOD),
    "status 999": (reply(b"HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n"), [], {"status-999": 1}),
    # framing that breaks the rules
    "garbage": (reply(b"SSH-2.0-OpenSSH_9.2\r\n"), [], BAD),
    "HTTP/2 in the status line": (reply(b"HTTP/2 200\r\nContent-Length: 0\r\n\r\n"), [], BAD),
    "status of two digits": (reply(b"HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"), [], BAD),
    "status with a letter": (reply(b"HTTP/1.1 2OO OK\r\nContent-Length: 0\r\n\r\n"), [], BAD),
    "status of four digits": (reply(b"HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n"), [], BAD),
    "101 that nobody asked for": (reply(b"HTTP/1.1 101 Switching\r\n\r\n"), [], BAD),
    "head of 300 kB": (reply(OK + b"X: " + b"y" * 300_000 + SHORT[15:]), [], BAD),
    "header line without a colon": (reply(OK + b"nonsense\r\n" + SHORT[17:]), [], BAD),
    "blank before the colon": (reply(OK + b"X-A : b\r\n" + SHORT[17:]), [], BAD),
    "two lengths that differ": (reply(OK + b"Content-Length: 3\r\n" + SHORT[17:]), [], BAD),
    "negative length": (reply(OK + b"Content-Length: -2\r\n\r\nok"), [], BAD),
    "length with a sign": (reply(OK + b"Content-Length: +2\r\n\r\nok"), [], BAD),
    "length of 30 digits": (reply(OK + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n"), [], BAD),
    "body longer than its length": (reply(SHORT + b"more"), [], BAD),
    "204 with a body": (reply(b"HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\nok"), [], BAD),
    "a second reply in the same packet": (reply(SHORT + SHORT), [], BAD),
    "chunk size that is no number": (reply(CHUNKED + b"xyz\r\nok\r\n0\r\n\r\n"), [], BAD),
    "chunk size of 20 digits": (reply(CHUNKED + b"f" * 20 + b"\r\nok\r\n"), [], BAD),
    "chunk longer than its size": (reply(CHUNKED + b"1\r\nok\r\n0\r\n\r\n"), [], BAD),
    # ends
    "closed without a word": (lambda c: c.close(), [], {"closed": 1}),
    "reset without a word": (lambda c: c.reset(), [], {"reset": 1}),
    "closed in the status line": (reply_and_close(SHORT[:8]), [], {"closed": 1}),
    "closed in the head": (reply_and_close(SHORT[:30]), [], {"closed": 1}),
    "closed in the body": (reply_and_close(SHORT[:-1]), [], {"closed": 1}),
    "closed in a chunk": (reply_and_close(CHUNKED + b"5\r\nok"), [], {"closed": 1}),
    "closed before the last chunk": (reply_and_close(CHUNKED + b"2\r\nok\r\n"), [], {"closed": 1}),
    "closed in the trailers": (reply_and_close(CHUNKED + b"0\r\nA: b\r\n"), [], {"closed": 1}),
    # without end
    "body shorter than its length, open": (reply(SHORT[:-1]), ["-T", "300ms"], {"timeout": 1}),
    "silence": (lambda c: None, ["-T", "300ms"], {"timeout": 1}),
    "an endless chunked body": (
        early(CHUNKED, lambda c: c.endless(b"100\r\n" + b"x" * 256 + b"\r\n")),
        ["--max-reply", "1m"], {"too-large": 1},
    ),
    "endless 1xx": (
        lambda c: c.endless(b"HTTP/1.1 100 Continue\r\n\r\n"), ["--max-reply", "1m"], {"too-large": 1},
    ),
    "endless trailers": (
        early(CHUNKED + b"0\r\n", lambda c: c.endless(b"A: b\r\n")), ["--max-reply", "1m"], {"too-large": 1},
    ),
    # uploads of 12 MB
    "100-continue": (None, UPLOAD + ["-H", "Expect: 100-continue"], GOOD),
    "the reply before the upload is read": (
        early(SHORT, lambda c: (time.sleep(0.02), c.body(BIG))), UPLOAD, GOOD,
    ),
    "413 before the upload is read, then closed": (
        early(
            b"HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            lambda c: (time.sleep(0.02), c.close()),
        ),
        UPLOAD, {"status-413": 1},
    ),
}


class Server:
    """Answers every request as its current script says, in a thread per connection."""

    def __init__(self):
        self.script = None
        self.name = ""
        self.broken = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            sock, _ = self.listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        connection = Connection(sock)
        try:
            while True:
                head = connection.request()
                if not head.split(" ", 2)[0] in ("GET", "HEAD", "POST"):
                    self.broken.append(f"{self.name}: {head[:60]!r}")
                if self.script is None:
                    continue_first(connection, head)
                else:
                    self.script(connection)
        except (Closed, OSError):
            pass  # the end of the connection, wanted or by the load
        finally:
            sock.close()


def stall(args, server, folder):
    """A stop of 1 s in 5 s of load: in the open model it must show in p99 from the intended start."""
    began = time.monotonic()

    def script(c):
        into = time.monotonic() - began
        if 3 < into < 4:
            time.sleep(4 - into)
        c.say(SHORT)

    server.script = script
    options = ["-c", "4", "-r", "300", "-d", "5s", "--warmup", "0s", "--spin", "0us"]
    result = servers.loaded(args, folder, f"http://127.0.0.1:{server.port}/", options)
    corrected, service = result["rtMs"]["p99"], result["serviceMs"]["p99"]
    ok = corrected > 500 and service < 500 and result["rtMs"]["max"] > 800
    said = f"p99 corrected {corrected:.0f} ms, uncorrected {service:.1f} ms"
    print(f"| a stall of 1 s at 300/s | {said} | {'ok' if ok else 'WRONG'} |")
    return ok


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--jdyno", default=os.path.join(HERE, "..", "..", "jdyno"))
    p.add_argument("--requests", type=int, default=20)
    p.add_argument("--case", help="only the cases whose name contains this")
    args = p.parse_args()
    wrong = 0
    server = Server()
    with servers.folder_with_files(BIG) as folder:
        print("| case | counted | |\n| --- | --- | --- |")
        for case, (script, options, expected) in CASES.items():
            if args.case and args.case not in case:
                continue
            server.script, server.name = script, case
            url = f"http://127.0.0.1:{server.port}/"
            got = servers.counted(args, folder, url, options, args.requests)
            ok, row = servers.verdict(got, expected, args.requests)
            wrong += not ok
            print(f"| {case} | {row} |", flush=True)
        if not args.case:
            wrong += not stall(args, server, folder)
    for request in server.broken:
        print("WRONG: the server read a request that is none: " + request)
    sys.exit(1 if wrong or server.broken else 0)


if __name__ == "__main__":
    main()
