"""What the scripts of this folder share: where Java, jdyno's jar and GCToolKit's class path are."""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FIXTURES = os.path.join(ROOT, "gclog", "src", "test", "resources", "gclog")
JAR = os.path.join(ROOT, "app", "target", "jdyno.jar")


def java(name="java"):
    """A program of the JDK that JAVA_HOME names, else of the path."""
    home = os.environ.get("JAVA_HOME")
    found = os.path.join(home, "bin", name) if home else shutil.which(name)
    if not found or not os.path.exists(found):
        sys.exit(f"{name} is not there: set JAVA_HOME to a JDK 25")
    return found


def jar():
    if not os.path.exists(JAR):
        sys.exit(f"{JAR} is not there: build it with ./mvnw -pl lab,app -am -DskipTests package")
    return JAR


def peer_class_path(folder):
    """GCToolKit from Maven Central and the compiled adapter."""
    path = os.path.join(folder, "gctoolkit.cp")
    if not os.path.exists(path):
        subprocess.run(
            [os.path.join(ROOT, "mvnw"), "-B", "-ntp", "-q", "-f", os.path.join(HERE, "pom.xml"),
             "dependency:build-classpath", "-Dmdep.outputFile=" + path],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as f:
        jars = f.read().strip()
    return compiled(folder, "PeerRead.java", jars)


def own_class_path(folder):
    return compiled(folder, "OwnRead.java", jar())


def compiled(folder, source, class_path):
    classes = os.path.join(folder, "classes")
    subprocess.run([java("javac"), "-d", classes, "-cp", class_path, os.path.join(HERE, source)], check=True)
    return classes + os.pathsep + class_path
