package dev.jdyno.doctor;

/// Checks whether the kernel counts how long a thread waits for a core. The response-time breakdown
/// needs this to separate CPU time from the wait in the run queue.
final class RunQueueCheck implements Check {
    @Override
    public Finding check(Host host, CpuWindow window) {
        // 72127 2086578 2: ns on a core, ns waited for one, time slices
        var stat = host.text("proc/self/schedstat");
        if (stat.isPresent() && !stat.get().startsWith("0 0 ")) {
            return Finding.ok("run-queue", "the kernel counts waits for a core (schedstat)");
        }
        return Finding.note(
                "run-queue",
                "no schedstat: waiting for a core cannot be separated from CPU",
                "use a kernel with CONFIG_SCHED_INFO");
    }
}
