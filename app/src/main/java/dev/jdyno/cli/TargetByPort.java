package dev.jdyno.cli;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.JvmsReport;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Finds the JVM under test by the URL alone: the one that listens on its port on this host.
///
/// @param jvms of this host
record TargetByPort(RunningJvms jvms) {
    static TargetByPort ofThisHost() {
        return new TargetByPort(new RunningJvms(ProcFs.SYSTEM));
    }

    /// @throws UserError when none or several are found, with the command for each
    RunningJvm find(URI url) {
        int port = portOf(url);
        if (!isHere(url.getHost())) {
            throw UserError.usage(
                    "no JVM is named, and " + url.getHost() + " is another host",
                    "a JVM of another host is observed by an agent there",
                    "add --observe "
                            + url.getHost()
                            + ":port="
                            + port
                            + " --token-file FILE, or --no-target to see only the client's side");
        }
        List<RunningJvm> found = jvms.listeningOn(port);
        if (found.size() == 1) {
            return usable(found.getFirst());
        }
        if (found.isEmpty() && !jvms.anythingListensOn(port)) {
            throw UserError.target(
                    "nothing listens on port " + port + " of this host",
                    "the service does not run, or listens on another port",
                    "start it (jdyno ps lists the JVMs and their ports), or add --launch COMMAND");
        }
        if (found.isEmpty()) {
            throw UserError.usage(
                    "no JVM that this user may look at listens on port " + port,
                    "a proxy in front of it, another program or another user's JVM listens there",
                    "add --pid PID of the JVM behind it (jdyno ps lists them), or --no-target");
        }
        throw UserError.usage(
                found.size() + " JVMs listen on port " + port,
                list(found),
                "choose one: "
                        + found.stream()
                                .map(jvm -> "--pid " + jvm.pid())
                                .collect(Collectors.joining(" or ")));
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
        return found.isEmpty()
                ? "none"
                : found.stream().map(JvmsReport::line).collect(Collectors.joining("; "));
    }

    private static int portOf(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equals(url.getScheme().toLowerCase(Locale.ROOT)) ? 443 : 80;
    }

    /// Whether an address of the host is one of this machine's.
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
            // a name that does not resolve is no address of this machine; the load says what is
            // wrong
            return false;
        }
    }
}
