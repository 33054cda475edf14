package dev.jdyno.cli;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.JvmsReport;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/// Finds the JVM under test from the URL: the JVM of this host that listens on the URL's port.
///
/// @param jvms of this host
record TargetByPort(RunningJvms jvms) {
    static TargetByPort ofThisHost() {
        return new TargetByPort(new RunningJvms(ProcFs.SYSTEM));
    }

    /// @throws UserError if no JVM or several are found; it names the command for each
    RunningJvm find(URI url) {
        String host = HttpUrl.host(url).orElse("");
        int port = HttpUrl.port(url);
        if (!isHere(host)) {
            throw UserError.usage(
                    "no JVM is named, and " + host + " is another host",
                    "a JVM of another host is observed by an agent there",
                    "add --observe "
                            + host
                            + ":port="
                            + port
                            + " with --key-file FILE (or --token-file FILE), or --no-target to see"
                            + " only the client's side");
        }
        return choose(port, jvms.listeningOn(port), jvms.anythingListensOn(port));
    }

    /// Chooses only a JVM in the network of this process. A JVM in a container may listen on the
    /// same port number by chance, while a proxy listens on the port of this host.
    ///
    /// @param listening JVMs that listen on a port of this number, in any network
    /// @param anything true if any process listens on the port in the network of this process
    static RunningJvm choose(int port, List<RunningJvm> listening, boolean anything) {
        List<RunningJvm> found = listening.stream().filter(jvm -> !jvm.ownNetwork()).toList();
        if (found.size() == 1) {
            return usable(found.getFirst());
        }
        if (found.size() > 1) {
            throw UserError.usage(
                    found.size() + " JVMs listen on port " + port,
                    list(found),
                    "choose one: " + pids(found));
        }
        if (!listening.isEmpty()) {
            throw UserError.usage(
                    "no JVM of this host's network listens on port " + port,
                    "in networks of their own (containers) these do, and the URL may lead to one of"
                            + " them or not: "
                            + list(listening),
                    "choose one: " + pids(listening) + ", or --no-target");
        }
        if (!anything) {
            throw UserError.target(
                    "nothing listens on port " + port + " of this host",
                    "the service does not run, or listens on another port",
                    "start it (jdyno ps lists the JVMs and their ports), or add --launch COMMAND");
        }
        throw UserError.usage(
                "no JVM that this user may look at listens on port " + port,
                "a proxy in front of it, another program or another user's JVM listens there",
                "add --pid PID of the JVM behind it (jdyno ps lists them), or --no-target");
    }

    private static String pids(List<RunningJvm> found) {
        return found.stream().map(jvm -> "--pid " + jvm.pid()).collect(Collectors.joining(" or "));
    }

    private static RunningJvm usable(RunningJvm jvm) {
        return switch (jvm.access()) {
            case ALL -> jvm;
            case LOAD_ONLY ->
                    throw UserError.usage(
                            "JVM " + JvmsReport.line(jvm) + " cannot be observed",
                            "it is an OpenJ9 JVM, to which the attach signal would be fatal",
                            "add --no-target to see only the client's side");
        };
    }

    private static String list(List<RunningJvm> found) {
        return found.stream().map(JvmsReport::line).collect(Collectors.joining("; "));
    }

    /// True if an address of the host belongs to this machine.
    private static boolean isHere(String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address.isLoopbackAddress()
                        || address.isAnyLocalAddress()
                        || NetworkInterface.getByInetAddress(address) != null) {
                    return true;
                }
            }
            return false;
        } catch (IOException unknown) {
            // A name that does not resolve is no address of this machine; the load reports the
            // error.
            return false;
        }
    }
}
