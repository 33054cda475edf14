#!/usr/bin/env python3
"""Loads servers that nobody here wrote, case by case, and compares what jdyno counted with what it had to.

Servers that are not installed are skipped by name. Exit code 1 when a case went wrong. See README.md.
"""
import argparse
import contextlib
import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
REQUESTS = 200
PAGE_OF = 1577836800  # 1 January 2020: servers ignore an If-Modified-Since of the future

NODE = """
const http = require('http'), zlib = require('zlib');
const text = Buffer.from('jdyno '.repeat(2000));
http.createServer({maxHeaderSize: 1 << 20}, (q, r) => {
  const u = q.url;
  if (u === '/processing') { r.writeProcessing(); r.end('after 102'); }
  else if (u === '/hugehead') { r.setHeader('X-Huge', 'y'.repeat(100000)); r.end('ok'); }
  else if (u === '/trailers') { r.setHeader('Trailer', 'X-T'); r.write('a'); r.addTrailers({'X-T': 'b'}); r.end(); }
  else if (u === '/gzip') { r.setHeader('Content-Encoding', 'gzip'); r.end(zlib.gzipSync(text)); }
  else if (u === '/close') { r.setHeader('Connection', 'close'); r.end('bye'); }
  else if (u === '/cut') { r.setHeader('Content-Length', '100'); r.write('half'); setImmediate(() => q.socket.destroy()); }
  else if (u === '/moved') { r.statusCode = 301; r.setHeader('Location', '/'); r.end(); }
  else if (u === '/echo') q.pipe(r);
  else { r.write('one'); setImmediate(() => r.end('two'.repeat(9000))); }
}).listen(PORT, '127.0.0.1');
"""

NGINX = """worker_processes 1; daemon off; pid DIR/pid; error_log DIR/error.log;
events { worker_connections 512; }
http { access_log off; keepalive_requests 7; if_modified_since before; gzip on; gzip_min_length 1; gzip_types *;
  client_body_temp_path DIR/b; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f;
  uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
  server { listen 127.0.0.1:PORT HTTP2; root DIR; TLS
    location /none { return 204; } location /same { return 304; } location /bad { return 503; }
    location /moved { return 302 /page.html; } location /loop { return 302 /loop; } } }
"""

NGINX_TLS = "ssl_certificate DIR/cert.pem; ssl_certificate_key DIR/key.pem;"

# Tomcat as it is embedded: its DefaultServlet for files, and a servlet for what files cannot show
TOMCAT = """
import jakarta.servlet.http.*;
import java.io.*;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

public class Main {
  public static void main(String[] args) throws Exception {
    var tomcat = new Tomcat();
    tomcat.setBaseDir("DIR/tomcat");
    var connector = new Connector();
    connector.setPort(PORT);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("maxKeepAliveRequests", "11");
    connector.setProperty("compression", "on");
    connector.setProperty("maxHttpResponseHeaderSize", "200000");
    connector.addUpgradeProtocol(new org.apache.coyote.http2.Http2Protocol());
    tomcat.setConnector(connector);
    var context = tomcat.addContext("", "DIR");
    Tomcat.addServlet(context, "files", new org.apache.catalina.servlets.DefaultServlet());
    context.addServletMappingDecoded("/", "files");
    Tomcat.addServlet(context, "own", new HttpServlet() {
      @Override protected void service(HttpServletRequest q, HttpServletResponse r) throws IOException {
        String what = q.getPathInfo();
        if (what.equals("/none")) r.setStatus(204);
        else if (what.equals("/error")) r.sendError(500);
        else if (what.equals("/head")) { r.setHeader("X-Huge", "y".repeat(100000)); r.getWriter().print("ok"); }
        else if (what.equals("/echo")) q.getInputStream().transferTo(r.getOutputStream());
        else { r.getWriter().print("one"); r.flushBuffer(); r.getWriter().print("two".repeat(9000)); }
      }
    });
    context.addServletMappingDecoded("/own/*", "own");
    context.addMimeMapping("html", "text/html");
    tomcat.start();
    tomcat.getServer().await();
  }
}
"""

APACHE = """ServerRoot DIR
ServerName localhost
Listen 127.0.0.1:PORT
PidFile DIR/pid
ErrorLog DIR/error.log
LoadModule mpm_event_module MODS/mod_mpm_event.so
LoadModule authz_core_module MODS/mod_authz_core.so
LoadModule alias_module MODS/mod_alias.so
LoadModule headers_module MODS/mod_headers.so
LoadModule deflate_module MODS/mod_deflate.so
LoadModule filter_module MODS/mod_filter.so
LoadModule mime_module MODS/mod_mime.so
LoadModule http2_module MODS/mod_http2.so
TypesConfig /dev/null
Protocols h2c http/1.1
DocumentRoot DIR
MaxKeepAliveRequests 9
AddType text/html .html
AddOutputFilterByType DEFLATE text/html
Redirect 302 /moved http://127.0.0.1:PORT/page.html
"""

GZIP = ["-H", "Accept-Encoding: gzip"]
H2 = ["--http2-prior-knowledge", "--streams", "10"]
BIG = ["-b", "@DIR/big.bin"]
FRESH = ["-H", "If-Modified-Since: Fri, 01 Jan 2021 00:00:00 GMT"]
CA = ["--cacert", "DIR/cert.pem"]
H2_TLS = CA + ["--http2", "--streams", "10"]
CONTINUE = ["-H", "Expect: 100-continue"] + BIG

# server -> [(case, path, options, expected statuses or error kinds)]
CASES = {
    "nginx": [
        ("page, 7 requests a connection", "/page.html", [], {"200": 1}),
        ("500 kB body", "/big.bin", [], {"200": 1}),
        ("HEAD", "/big.bin", ["-m", "HEAD"], {"200": 1}),
        ("gzip, chunked", "/page.html", GZIP, {"200": 1}),
        ("204", "/none", [], {"204": 1}),
        ("304", "/same", [], {"304": 1}),
        ("304 of a page", "/page.html", FRESH, {"304": 1}),
        ("404", "/absent", [], {"status-404": 1}),
        ("503", "/bad", [], {"status-503": 1}),
        ("redirect, counted", "/moved", [], {"302": 1}),
        ("redirect, followed", "/moved", ["-L"], {"302": 1, "200": 1}),
        ("redirect for ever", "/loop", ["-L", "--max-redirs", "3"], {"302": 4, "redirect": 1}),
        ("connection per request", "/page.html", ["--no-keepalive"], {"200": 1}),
    ],
    "nginx h2c": [
        ("page, GOAWAY every 7", "/page.html", H2, {"200": 1}),
        ("500 kB body", "/big.bin", H2, {"200": 1}),
        ("HEAD", "/big.bin", H2 + ["-m", "HEAD"], {"200": 1}),
        ("204", "/none", H2, {"204": 1}),
        ("redirect, followed", "/moved", H2 + ["-L"], {"302": 1, "200": 1}),
    ],
    "nginx TLS": [
        ("own CA", "/page.html", CA, {"200": 1}),
        ("500 kB body, any certificate", "/big.bin", ["-k"], {"200": 1}),
        ("a CA that nobody knows", "/page.html", [], {"tls": 1}),
        ("connection per request", "/page.html", CA + ["--no-keepalive"], {"200": 1}),
        ("h2 by ALPN, GOAWAY every 7", "/page.html", H2_TLS, {"200": 1}),
        ("h2, 500 kB body", "/big.bin", H2_TLS, {"200": 1}),
    ],
    "Tomcat": [
        ("page, 11 requests a connection", "/page.html", [], {"200": 1}),
        ("500 kB body", "/big.bin", [], {"200": 1}),
        ("HEAD", "/big.bin", ["-m", "HEAD"], {"200": 1}),
        ("gzip, chunked", "/page.html", GZIP, {"200": 1}),
        ("chunked, flushed between", "/own/chunked", [], {"200": 1}),
        ("204", "/own/none", [], {"204": 1}),
        ("304 of a page", "/page.html", FRESH, {"304": 1}),
        ("404", "/absent", [], {"status-404": 1}),
        ("500", "/own/error", [], {"status-500": 1}),
        ("head of 100 kB", "/own/head", [], {"200": 1}),
        ("Expect: 100-continue", "/own/echo", CONTINUE, {"200": 1}),
        ("connection per request", "/page.html", ["--no-keepalive"], {"200": 1}),
        ("h2c", "/page.html", H2, {"200": 1}),
        ("h2c, 500 kB up and down", "/own/echo", H2 + BIG, {"200": 1}),
    ],
    "Apache httpd": [
        ("page, 9 requests a connection", "/page.html", [], {"200": 1}),
        ("HEAD", "/page.html", ["-m", "HEAD"], {"200": 1}),
        ("304 of a page", "/page.html", FRESH, {"304": 1}),
        ("gzip, chunked", "/page.html", GZIP, {"200": 1}),
        ("404", "/absent", [], {"status-404": 1}),
        ("redirect, followed", "/moved", ["-L"], {"302": 1, "200": 1}),
        ("connection per request", "/page.html", ["--no-keepalive"], {"200": 1}),
        ("h2c", "/page.html", H2, {"200": 1}),
        ("h2c, 500 kB body", "/big.bin", H2, {"200": 1}),
    ],
    "nghttpd": [
        ("page", "/page.html", H2, {"200": 1}),
        ("500 kB up and down", "/big.bin", H2 + BIG, {"200": 1}),
        ("404", "/absent", H2, {"status-404": 1}),
        ("trailers", "/page.html", H2, {"200": 1}),
    ],
    "nghttpd TLS": [
        ("h2 by ALPN", "/page.html", H2_TLS, {"200": 1}),
        ("500 kB up and down", "/big.bin", H2_TLS + BIG, {"200": 1}),
    ],
    "Node http": [
        ("chunked", "/", [], {"200": 1}),
        ("HEAD", "/", ["-m", "HEAD"], {"200": 1}),
        ("102 before the reply", "/processing", [], {"200": 1}),
        ("Expect: 100-continue", "/echo", CONTINUE, {"200": 1}),
        ("head of 100 kB", "/hugehead", [], {"200": 1}),
        ("trailers", "/trailers", [], {"200": 1}),
        ("gzip", "/gzip", GZIP, {"200": 1}),
        ("Connection: close", "/close", [], {"200": 1}),
        ("cut in the middle", "/cut", [], {"closed": 1}),
        ("redirect, followed", "/moved", ["-L"], {"301": 1, "200": 1}),
    ],
    "Python http.server": [
        ("HTTP/1.0, until the end", "/page.html", [], {"200": 1}),
        ("HEAD", "/page.html", ["-m", "HEAD"], {"200": 1}),
        ("404", "/absent", [], {"status-404": 1}),
    ],
    "Python http.server 1.1": [
        ("kept alive", "/page.html", [], {"200": 1}),
        ("HEAD", "/page.html", ["-m", "HEAD"], {"200": 1}),
        ("304 of a page", "/page.html", FRESH, {"304": 1}),
        ("501 of a method it does not know", "/page.html", ["-m", "PUT"], {"status-501": 1}),
    ],
}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write(folder, name, text, port):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as f:
        f.write(text.replace("DIR", folder).replace("PORT", str(port)))
    return path


def command(server, folder, port):
    """How to start it, or None when it is not installed."""
    mods = "/usr/lib/apache2/modules"
    tls = "TLS" in server
    if tls and not certificate(folder):
        return None
    if server.startswith("nginx") and shutil.which("nginx"):
        modes = {"nginx h2c": "http2", "nginx TLS": "ssl http2"}
        text = NGINX.replace("HTTP2", modes.get(server, ""))
        text = text.replace(" TLS", " " + (NGINX_TLS if tls else ""))
        return ["nginx", "-e", folder + "/e.log", "-c", write(folder, "nginx.conf", text, port)]
    if server == "Apache httpd" and shutil.which("apache2") and os.path.isdir(mods):
        conf = write(folder, "httpd.conf", APACHE.replace("MODS", mods), port)
        return ["apache2", "-X", "-f", conf]
    if server == "Tomcat":
        return tomcat(folder, port)
    if server.startswith("nghttpd") and shutil.which("nghttpd"):
        files = [folder + "/key.pem", folder + "/cert.pem"] if tls else []
        plain = [] if tls else ["--no-tls"]
        return ["nghttpd", "--trailer=x-t: b", "-d", folder] + plain + [str(port)] + files
    if server == "Node http" and shutil.which("node"):
        return ["node", write(folder, "server.js", NODE, port)]
    python = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    if server == "Python http.server":
        return python
    if server == "Python http.server 1.1" and sys.version_info >= (3, 11):
        return python + ["--protocol", "HTTP/1.1"]
    return None


def certificate(folder):
    """Makes a certificate for 127.0.0.1 that is its own CA; False without openssl."""
    if not shutil.which("openssl"):
        return False
    subprocess.run(
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split()
        + ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:TRUE"]
        + ["-keyout", folder + "/key.pem", "-out", folder + "/cert.pem"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return True


def tomcat(folder, port):
    """Tomcat's own jars, which the build of this project has fetched for its sample services."""
    embed = os.path.expanduser("~/.m2/repository/org/apache/tomcat")
    jars = sorted(glob.glob(embed + "/embed/tomcat-embed-core/*/tomcat-embed-core-*.jar"))[-1:]
    jars += sorted(glob.glob(embed + "/tomcat-annotations-api/*/tomcat-annotations-api-*.jar"))[-1:]
    if not jars or not shutil.which("java"):
        return None
    source = write(folder, "Main.java", TOMCAT, port)
    return ["java", "-cp", ":".join(jars), source]


def started(process, port):
    deadline = time.time() + 20
    while time.time() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            time.sleep(0.05)
    return False


def loaded(args, folder, url, options):
    """The result of a load, or what jdyno said instead of one."""
    options = [o.replace("DIR", folder) for o in options]
    run = subprocess.run(
        [args.jdyno, "load", url, "--json", "--quiet"] + options,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        check=False,
    )
    return json.loads(run.stdout) if run.stdout else {"nothing": run.stderr.strip()[:200]}


def counted(args, folder, url, options, requests=REQUESTS):
    """Good replies by status and errors by kind of so many requests over three connections."""
    timeout = [] if "-T" in options else ["-T", "5s"]
    result = loaded(args, folder, url, ["-c", "3", "-n", str(requests)] + timeout + options)
    if "nothing" in result:
        return result
    good = {k: v for k, v in result["statuses"].items() if int(k) < 400}
    kinds = dict(good, **result["errorKinds"])
    if result["errorReasons"]:
        kinds["why"] = result["errorReasons"]
    return kinds


def verdict(got, expected, requests=REQUESTS):
    """Whether the counts are the expected ones, and the end of a row that says so."""
    why = got.pop("why", None)
    ok = got == {k: v * requests for k, v in expected.items()}
    said = ", ".join(f"{k}: {v}" for k, v in got.items())
    return ok, said + (" | ok" if ok else f" | WRONG, not {expected} × {requests}; {why}")


@contextlib.contextmanager
def folder_with_files(big_bytes):
    """A folder with a page, and a file for bodies."""
    folder = tempfile.mkdtemp(prefix="jdyno-servers-")
    os.chmod(folder, 0o755)
    with open(folder + "/page.html", "w", encoding="ascii") as f:
        f.write("<p>" + "x" * 5000)
    os.utime(folder + "/page.html", (PAGE_OF, PAGE_OF))
    with open(folder + "/big.bin", "wb") as f:
        f.write(os.urandom(big_bytes))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run_cases(args, server, folder):
    """Starts a server and loads it; prints a row per case.

    Returns how many went wrong.
    """
    wrong = 0
    port = free_port()
    start = command(server, folder, port)
    if start is None:
        print(f"| {server} | - | - | skipped: not installed |")
        return 0
    process = subprocess.Popen(start, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if not started(process, port):
            print(f"| {server} | - | - | WRONG: does not start: {' '.join(start)} |")
            return 1
        scheme = "https" if "TLS" in server else "http"
        for case, path, options, expected in CASES[server]:
            got = counted(args, folder, f"{scheme}://127.0.0.1:{port}{path}", options)
            ok, row = verdict(got, expected)
            wrong += not ok
            print(f"| {server} | {case} | {row} |", flush=True)
    finally:
        process.terminate()
        process.wait(10)
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--jdyno", default=os.path.join(HERE, "..", "..", "jdyno"))
    p.add_argument("--servers", default=",".join(CASES))
    args = p.parse_args()
    wrong = 0
    print("| server | case | counted | |\n| --- | --- | --- | --- |")
    for server in args.servers.split(","):
        with folder_with_files(500_000) as folder:
            wrong += run_cases(args, server, folder)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
