package dev.jdyno.doctor;

import java.util.regex.Pattern;

/// Checks the number of free local ports. A closed connection keeps its port for a minute, so a
/// connection per request can use up all ports (experiment E24).
final class PortsCheck implements Check {
    /// Minimum number of free ports without a note. With a connection per request and 60 s of
    /// TIME_WAIT, they are enough for 160 requests/s.
    private static final long FEW = 10_000;

    private static final long TOO_FEW = 1_000;

    // 32768	60999
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})\\s+(\\d{1,5})");

    // TCP: inuse 102 orphan 0 tw 18 alloc 102 mem 126
    private static final Pattern TIME_WAIT = Pattern.compile("(?m)^TCP: .*\\btw (\\d{1,9})\\b");

    @Override
    public Finding check(Host host, CpuWindow window) {
        var range = RANGE.matcher(host.text("proc/sys/net/ipv4/ip_local_port_range").orElse(""));
        if (!range.matches()) {
            return Finding.unseen("ports", "no ip_local_port_range");
        }
        long all = Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) + 1;
        var tw = TIME_WAIT.matcher(host.text("proc/net/sockstat").orElse(""));
        long waiting = tw.find() ? Long.parseLong(tw.group(1)) : 0;
        long free = all - waiting;
        String says = all + " local ports, " + waiting + " in TIME_WAIT";
        String fix =
                "sudo sysctl net.ipv4.ip_local_port_range=\"1024 65535\"; wait a minute after a test";
        if (free < TOO_FEW) {
            return Finding.bad("ports", says + ": new connections will fail", fix);
        }
        return free < FEW
                ? Finding.note(
                        "ports",
                        says + ": without keep-alive at most " + free / 60 + " requests/s",
                        fix)
                : Finding.ok("ports", says);
    }
}
