#!/usr/bin/env python3
"""`jdyno run --k8s` on a pod that is a network namespace of this machine: a service and its downstream listen on the namespace's loopback
device only, and the agent starts there. The run is outside. `kubectl` is this script, too: it answers as the real one does, starts the
agent for a patch of ephemeral containers, and forwards ports into the namespace. So all is real but the cluster.

    ./mvnw -DskipTests package
    sudo bench/cluster/pod.py whole kill interrupt

whole      a run to its end: its verdict, and the time in the downstream, must be those of the service
kill       SIGKILL of the run while it loads
interrupt  SIGINT of the run's process group, as Ctrl-C in a terminal sends it

After each one the agent and the port-forward must have ended. Prints how long that took, and exits with 1 otherwise.
"""
import argparse
import ctypes
import glob
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLONE_NEWNET = 0x40000000
POD = "shop-1"
# an agent that hears nothing ends its run after 30 s
END_LIMIT = 60
# maximum time of a run, and until its agent works for it
RUN_LIMIT = 300


class Kubectl:
    """The commands that jdyno uses. The folder has the state of the pod."""

    def __init__(self, folder):
        self.folder = folder
        self.namespace = self.read("namespace")

    def read(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def run(self, words):
        words = [w for w in words if not w.startswith(("--context=", "--namespace=", "--request-timeout="))]
        if words[0] == "config":
            print(json.dumps({"contexts": [{"name": "test", "context": {"namespace": "load"}}],
                              "clusters": [{"cluster": {"server": "https://test.example.org"}}]}))
        elif words[0] == "auth":
            print("yes")
        elif words[0] == "get":
            print(json.dumps(self.pod()))
        elif words[0] == "patch":
            self.patch(next(w for w in words if w.startswith("--patch="))[len("--patch="):])
        elif words[0] == "logs":
            print(self.read("agent.log"), end="")
        elif words[0] == "port-forward":
            self.forward([int(w[1:]) for w in words if w.startswith(":")])
        else:
            sys.exit(f"error: unknown command {words[0]}")

    def pod(self):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": POD}, "spec": {"containers": [{"name": "app"}]},
               "status": {"phase": "Running", "containerStatuses": [{"name": "app", "state": {"running": {}}}]}}
        name = self.read("agent.name")
        if name:
            state = {"running": {}} if alive(self.read("agent.pid")) else {"terminated": {"exitCode": 0, "reason": "Completed"}}
            pod["status"]["ephemeralContainerStatuses"] = [{"name": name, "state": state}]
        return pod

    def patch(self, text):
        container = json.loads(text)["spec"]["ephemeralContainers"][0]
        # a container has a /tmp of its own
        key = os.path.join(self.folder, "keys", "agent.key")
        arguments = [f"--own-key={key}" if a.startswith("--own-key=") else a for a in container["args"]]
        with open(os.path.join(self.folder, "agent.log"), "w", encoding="utf-8") as log:
            agent = subprocess.Popen(["ip", "netns", "exec", self.namespace, *shlex.split(self.read("jdyno")), *arguments],
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.write("agent.pid", str(agent.pid))
        self.write("agent.name", container["name"])
        print("pod/" + POD)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def forward(self, ports):
        self.write(f"forward-{os.getpid()}.pid", str(os.getpid()))
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as kubectl, which ends at it even where it was ignored
        for port in ports:
            server = socket.create_server(("127.0.0.1", 0))
            threading.Thread(target=self.accept, args=(server, port), daemon=True).start()
            print(f"Forwarding from 127.0.0.1:{server.getsockname()[1]} -> {port}", flush=True)
        threading.Event().wait()

    def accept(self, server, port):
        # sockets that this thread makes are in the pod
        with open(f"/var/run/netns/{self.namespace}", encoding="ascii") as pod:
            if ctypes.CDLL(None, use_errno=True).setns(pod.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        while True:
            client, _ = server.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                target = socket.create_connection(("127.0.0.1", port))
            except OSError:
                client.close()
                continue
            target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for one, other in ((client, target), (target, client)):
                threading.Thread(target=copy, args=(one, other), daemon=True).start()


def copy(one, other):
    try:
        while data := one.recv(1 << 16):
            other.sendall(data)
    except OSError:
        pass
    for end in (one, other):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def alive(pid):
    """False for a blank id, too, of a process that has not started."""
    if not pid:
        return False
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Pod:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.namespace = f"jdyno-pod-{os.getpid()}"
        self.processes = []

    def __enter__(self):
        self.must("ip", "netns", "add", self.namespace)
        try:
            self.fill()
        except BaseException:
            self.__exit__()
            raise
        return self

    def fill(self):
        self.must("ip", "-n", self.namespace, "link", "set", "lo", "up")
        lab = ["ip", "netns", "exec", self.namespace, self.options.java, "-cp", self.options.lab]
        downstream = self.port(lab + ["-Xmx64m", "dev.jdyno.lab.downstream.Downstream", "--port", "0"])
        port = self.port(lab + ["-Xms256m", "-Xmx256m", "dev.jdyno.lab.perf.Perf", "--port", "0", "--max-threads", "400",
                                "--downstream", f"http://127.0.0.1:{downstream}"])
        self.url = f"http://localhost:{port}/perf?cpu=2&io=10"
        kubectl = Kubectl(self.folder)
        kubectl.write("namespace", self.namespace)
        kubectl.write("jdyno", self.options.jdyno)
        programs = os.path.join(self.folder, "bin")
        os.mkdir(programs)
        kubectl.write("bin/kubectl", f"#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} --kubectl {self.folder} \"$@\"\n")
        os.chmod(os.path.join(programs, "kubectl"), 0o755)

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()
        agent = Kubectl(self.folder).read("agent.pid")
        if alive(agent):
            os.kill(int(agent), signal.SIGKILL)
        self.must("ip", "netns", "delete", self.namespace)

    @staticmethod
    def must(*command):
        subprocess.run(command, check=True)

    def port(self, command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.processes.append(process)
        for line in process.stdout:
            if "listening on" in line:
                return line.split()[-1]
        raise RuntimeError(f"has ended: {command}")

    def start(self):
        out = os.path.join(self.folder, "out")
        command = shlex.split(self.options.jdyno) + [
            "run", self.url, "--k8s", POD, "--image", "jdyno:1", "--concurrency", "1,4", "--round", self.options.round, "--warmup", "5s", "--no-store", "--out", out]
        environment = dict(os.environ, PATH=os.path.join(self.folder, "bin") + os.pathsep + os.environ["PATH"])
        with open(os.path.join(self.folder, "run.log"), "w", encoding="utf-8") as log:
            run = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(run)
        return run

    @staticmethod
    def code(run):
        """Exit code of a run, once it has ended."""
        try:
            return run.wait(RUN_LIMIT)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"the run has not ended after {RUN_LIMIT} s") from None

    def forwards(self):
        pids = [os.path.basename(f)[len("forward-"):-len(".pid")] for f in glob.glob(os.path.join(self.folder, "forward-*.pid"))]
        return [p for p in pids if alive(p)]

    def left(self):
        agent = Kubectl(self.folder).read("agent.pid")
        return (["agent"] if alive(agent) else []) + ["port-forward" for _ in self.forwards()]

    def await_end(self):
        """Seconds until nothing is left."""
        start = time.monotonic()
        while self.left():
            if time.monotonic() - start > END_LIMIT:
                raise RuntimeError(f"left after {END_LIMIT} s: {self.left()}")
            time.sleep(0.1)
        return time.monotonic() - start

    def await_run(self, run):
        """Until the agent works for the run and the port-forward has passed a load for some seconds."""
        start = time.monotonic()
        while "works for run" not in Kubectl(self.folder).read("agent.log"):
            if time.monotonic() - start > RUN_LIMIT:
                raise RuntimeError(f"the agent does not work for the run after {RUN_LIMIT} s")
            if run.poll() is not None:
                raise RuntimeError("the run has ended before its agent worked for it")
            time.sleep(0.1)
        time.sleep(5)


def whole(pod):
    run = pod.start()
    code = pod.code(run)
    took = pod.await_end()
    results = glob.glob(os.path.join(pod.folder, "out", "**", "result.json"), recursive=True)
    # 3: a busy machine makes a run invalid, and says nothing about the way to the pod
    if code not in (0, 3) or len(results) != 1:
        raise RuntimeError(f"exit code {code}, results {results}")
    with open(results[0], encoding="utf-8") as file:
        result = json.load(file)
    downstream = [r["anatomy"]["perRequestMs"].get("downstream", 0) for r in result["rounds"] if r["anatomy"]]
    if result["verdict"]["bottleneck"] != "downstream" or not downstream or min(downstream) < 5:
        raise RuntimeError(f"verdict {result['verdict']['bottleneck']}, {downstream} ms in the downstream, which takes 10 ms")
    print(f"whole: exit code {code}, {result['verdict']['bottleneck']}, nothing left {took:.1f} s after its end")


def ended(pod, name, end):
    run = pod.start()
    pod.await_run(run)
    end(run)
    code = pod.code(run)
    took = pod.await_end()
    print(f"{name}: exit code {code}, nothing left {took:.1f} s after its end")


CASES = {
    "whole": whole,
    "kill": lambda pod: ended(pod, "kill", lambda run: run.kill()),
    "interrupt": lambda pod: ended(pod, "interrupt", lambda run: os.killpg(run.pid, signal.SIGINT)),
}


def main():
    if sys.argv[1:2] == ["--kubectl"]:
        Kubectl(sys.argv[2]).run(sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", default="java")
    parser.add_argument("--lab", default=os.path.join(ROOT, "lab/target/jdyno-lab.jar"))
    parser.add_argument("--jdyno", default=os.path.join(ROOT, "jdyno"), help="command that starts jdyno")
    parser.add_argument("--round", default="2s")
    parser.add_argument("--keep", help="folder for logs and results")
    parser.add_argument("cases", nargs="+", choices=CASES)
    options = parser.parse_args()
    failed = False
    for case in options.cases:
        with tempfile.TemporaryDirectory(dir=options.keep) as folder:
            try:
                with Pod(options, folder) as pod:
                    CASES[case](pod)
            except RuntimeError as why:
                failed = True
                kubectl = Kubectl(folder)
                print(f"{case}: {why}\n--- run\n{kubectl.read('run.log')}\n--- agent\n{kubectl.read('agent.log')}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
