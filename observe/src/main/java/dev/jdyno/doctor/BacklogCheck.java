package dev.jdyno.doctor;

/// Checks the maximum number of connections that may wait to be accepted.
final class BacklogCheck implements Check {
    /// Default of `net.core.somaxconn` since Linux 5.4.
    private static final long COMFORTABLE = 4096;

    @Override
    public Finding check(Host host, CpuWindow window) {
        var max = host.number("proc/sys/net/core/somaxconn");
        if (max.isEmpty()) {
            return Finding.unseen("backlog", "no net.core.somaxconn");
        }
        String says = "net.core.somaxconn is " + max.getAsLong();
        return max.getAsLong() < COMFORTABLE
                ? Finding.note(
                        "backlog",
                        says + ": a burst of connections is dropped, whatever the service asks for",
                        "sudo sysctl net.core.somaxconn=4096")
                : Finding.ok("backlog", says);
    }
}
