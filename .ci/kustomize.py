#!/usr/bin/env python3
"""Checks the objects that deploy/kustomize gives.

    target/manifests/bin/python .ci/kustomize.py BUILT.yaml...      each: the output of one kubectl kustomize

A schema cannot see that a name leads to another object, that an argument's variable exists, that a service could read a
secret, or that the image has another version than pom.xml. Ends with 2, and one line for each mistake.
"""
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
POM = (ROOT / "pom.xml").read_text(encoding="utf-8")
VERSION = re.search(r"<version>([^<]+?)(-SNAPSHOT)?</version>", POM).group(1)
IMAGE = re.compile(r"jdyno:([^/]+)$")


def maps(node):
    """The node and all maps in it."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from maps(inner)


def key(kind, thing, name=None):
    return kind, thing["metadata"].get("namespace"), name or thing["metadata"]["name"]


def references(pod):
    """The Secrets and ConfigMaps that a pod reads: kind and name."""
    for node in maps(pod):
        for field, kind in (("secretKeyRef", "Secret"), ("configMapKeyRef", "ConfigMap"), ("configMap", "ConfigMap")):
            if field in node:
                yield kind, node[field]["name"]
        if "secret" in node:
            yield "Secret", node["secret"]["secretName"]


def of_pod(thing, objects):
    """The mistakes of one workload."""
    template = thing["spec"]["template"]
    pod = template["spec"]
    for kind, name in references(pod):
        if key(kind, thing, name) not in objects:
            yield f"there is no {kind} {name}"
    for container in pod["containers"]:
        names = {variable["name"] for variable in container.get("env", [])}
        for used in re.findall(r"\$\((\w+)\)", " ".join(container.get("args", []))):
            if used not in names:
                yield f"{container['name']}: $({used}) is no variable"
        tag = IMAGE.search(container["image"])
        if tag and tag.group(1) != VERSION:
            yield f"{container['image']} has another version than pom.xml"
    if "subdomain" in pod:
        service = objects.get(key("Service", thing, pod["subdomain"]))
        labels = template["metadata"]["labels"].items()
        if not service or service["spec"].get("clusterIP") != "None" or not service["spec"]["selector"].items() <= labels:
            yield f"no headless Service {pod['subdomain']} selects its pods"
    if thing["spec"].get("completions") != thing["spec"].get("parallelism"):
        yield "completions and parallelism differ"
    if thing["kind"] == "Job" and not {"activeDeadlineSeconds", "ttlSecondsAfterFinished"} <= thing["spec"].keys():
        yield "its pods do not end by themselves, or it stays after its end"
    yield from of_observer(thing, pod)


def of_observer(thing, pod):
    """The service can read all that a container with the same process ids holds."""
    names = [container["name"] for container in pod["containers"]]
    wanted = thing["metadata"].get("labels", {}).get("jdyno.dev/observe") == "true"
    if names.count("jdyno-observer") != wanted or pod.get("shareProcessNamespace", False) != wanted:
        yield "the observer and the label jdyno.dev/observe go together"
    if wanted and names[0] == "jdyno-observer":
        yield "the observer is the first container"
    if wanted and (any(kind == "Secret" for kind, _ in references(pod)) or "--token-file" in str(pod)):
        yield "the service can read a secret"


def mistakes(file):
    objects = {key(o["kind"], o): o for o in yaml.safe_load_all(Path(file).read_text(encoding="utf-8"))}
    workloads = [o for o in objects.values() if "template" in o.get("spec", {})]
    if not any(o["kind"] == "Job" for o in workloads):
        yield f"{file}: no load agents"
    for thing in workloads:
        yield from (f"{file}: {thing['kind']} {thing['metadata']['name']}: {why}" for why in of_pod(thing, objects))


found = [why for file in sys.argv[1:] for why in mistakes(file)]
print("\n".join(found), end="\n" if found else "", file=sys.stderr)
sys.exit(2 if found else 0)
