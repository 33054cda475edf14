package dev.jdyno.report;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.ThreadsForm;
import dev.jdyno.report.words.QueueText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders the threads of a JVM, as one screen of text and as JSON.
public final class ThreadsReport {
    private static final int POOLS = 8;
    private static final int GROUPS = 16;
    private static final int PLACES = 5;
    private static final int LOCKS = 3;
    private static final int FRAMES = 3;
    private static final int NAME = 36;
    private static final int LENT = 4;
    private static final int WIDTH = 120;

    private static final Comparator<ThreadSamples.Pool> BUSIEST =
            Comparator.comparingDouble(ThreadSamples.Pool::busy)
                    .thenComparingDouble(ThreadSamples.Pool::size)
                    .reversed();

    private ThreadsReport() {}

    /// @param title name of the JVM
    /// @param busiest number of the busiest threads to show
    /// @param limits of the number of threads, the nearest first
    public static String text(ThreadReport r, String title, int busiest, List<ThreadLimit> limits) {
        List<String> lines = new ArrayList<>();
        ThreadSamples threadSamples = r.census();
        int threads = r.states().values().stream().mapToInt(n -> n).sum();
        lines.add(title);
        r.missing().forEach(m -> lines.add("not seen: " + m));
        if (threads == 0) {
            kernel(r, lines);
        } else {
            lines.add(
                    say(
                            "%d Java threads: %s  (%d dumps in %.1f s, longest stop %.1f ms)",
                            threads,
                            byState(r.states()),
                            threadSamples.dumps(),
                            r.seconds(),
                            threadSamples.longestPauseMs()));
        }
        limits.stream().findFirst().map(ThreadsReport::limit).ifPresent(lines::add);
        deadlocks(r, lines);
        if (threadSamples.dumps() > 0) {
            pools(threadSamples, lines);
            places(threadSamples, lines);
        }
        locks(r, lines);
        busiest(r, busiest, lines);
        return lines.stream().map(l -> Printable.line(l) + "\n").collect(Collectors.joining());
    }

    private static String limit(ThreadLimit l) {
        String what =
                switch (l.kind()) {
                    case ADDRESS_SPACE ->
                            "address space (ulimit -v), %s of %s used"
                                    .formatted(new Bytes(l.used()), new Bytes(l.most()));
                    case CGROUP -> "pids.max of its control group, " + usedOf(l);
                    case USER -> "processes of its user (ulimit -u), " + usedOf(l);
                    case MAPPINGS -> "vm.max_map_count, " + usedOf(l);
                    case MACHINE -> "kernel.threads-max or pid_max, " + usedOf(l);
                };
        return say("room for %d more threads: %s", l.threadsLeft(), what);
    }

    private static String usedOf(ThreadLimit l) {
        return l.used() + " of " + l.most() + " used";
    }

    /// The threads under the names that the kernel shows. Used if there is no thread dump.
    private static void kernel(ThreadReport r, List<String> lines) {
        lines.add(
                say(
                        "%d threads by the kernel's names, over %.1f s  (no thread dump)",
                        r.kernel().stream().mapToInt(ThreadReport.Group::threads).sum(),
                        r.seconds()));
        lines.add("");
        lines.add(say("%7s %7s %6s  %s", "threads", "cores", "queue", "Name"));
        r.kernel().stream()
                .limit(GROUPS)
                .forEach(g ->
                        lines.add(
                                say(
                                        "%7d %7.3f %6.3f  %-16s %s",
                                        g.threads(),
                                        g.cores(),
                                        g.waitingCores(),
                                        g.name(),
                                        byState(g.states()))));
        more(r.kernel().size(), GROUPS, "names", lines);
    }

    private static String byState(Map<String, Integer> states) {
        return states.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Integer>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(e -> e.getValue() + " " + e.getKey().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    private static void deadlocks(ThreadReport r, List<String> lines) {
        for (ThreadReport.Deadlock d : r.deadlocks()) {
            lines.add(
                    "DEADLOCK  "
                            + String.join(" -> ", d.threads())
                            + " -> "
                            + d.threads().getFirst());
            d.says().forEach(s -> lines.add("          " + s));
        }
        if (!r.deadlocks().isEmpty()) {
            lines.add(
                    "          Only a restart frees these threads now. To prevent the deadlock,"
                            + " take the locks in the same order everywhere, or by tryLock with"
                            + " a timeout.");
        }
    }

    private static void pools(ThreadSamples threadSamples, List<String> lines) {
        lines.add("");
        lines.add(
                say("%-" + NAME + "s %6s %6s %6s %7s", "Pool", "size", "in use", "idle", "queue"));
        List<ThreadSamples.Pool> shown =
                threadSamples.pools().stream().sorted(BUSIEST).limit(POOLS).toList();
        shown.forEach(p ->
                lines.add(
                        say(
                                "%-" + NAME + "s %6.1f %6.1f %6.1f %7s%s",
                                cut(p.name(), NAME),
                                p.size(),
                                p.busy(),
                                p.idle(),
                                threadSamples.queue(p).map(QueueText::length).orElse("-"),
                                p.serving() ? "  serves requests" : "")));
        more(threadSamples.pools().size(), POOLS, "pools", lines);
        threadSamples.lent().stream()
                .limit(LENT)
                .forEach(q ->
                        lines.add(
                                say(
                                        "%-" + NAME + "s %6s %6s %6s %7s  is lent",
                                        cut(q.pool(), NAME),
                                        figure(q.size()),
                                        figure(q.busy()),
                                        "-",
                                        QueueText.length(q))));
        more(threadSamples.lent().size(), LENT, "pools that lend", lines);
        queueNotes(threadSamples, shown.stream().map(ThreadSamples.Pool::name).toList(), lines);
    }

    /// For each kind of queue, the source of its length, or the reason why the length is unknown.
    private static void queueNotes(
            ThreadSamples threadSamples, List<String> shown, List<String> lines) {
        Map<String, List<PoolQueue>> bySource = new LinkedHashMap<>();
        threadSamples.queues().stream()
                .filter(q -> q.kind() == PoolQueue.Kind.LENT || shown.contains(q.pool()))
                .forEach(q -> bySource.computeIfAbsent(q.from(), _ -> new ArrayList<>()).add(q));
        bySource.forEach((from, queues) -> {
            boolean known = queues.getFirst().length().isPresent();
            if (queues.stream().anyMatch(q -> q.length().or(q::busy).orElse(0.0) > 0)) {
                lines.add(
                        cut(
                                "  queue " + (known ? "of " + names(queues) + ": " : "-: ") + from,
                                WIDTH));
            }
        });
    }

    private static String names(List<PoolQueue> queues) {
        return queues.stream().map(PoolQueue::pool).collect(Collectors.joining(", "));
    }

    private static String figure(Optional<Double> v) {
        return v.map(n -> say("%.1f", n)).orElse("-");
    }

    private static void places(ThreadSamples threadSamples, List<String> lines) {
        if (threadSamples.busy().isEmpty()) {
            lines.add("No thread is in use.");
            return;
        }
        lines.add("");
        lines.add("Threads in use are in");
        threadSamples.busy().stream()
                .limit(PLACES)
                .forEach(b ->
                        lines.add(
                                say("%7.1f  %-10s %s", b.threads(), b.cause().key(), b.where())
                                        + b.holder().map(h -> "; holder: " + h.text()).orElse("")));
        more(threadSamples.busy().size(), PLACES, "places", lines);
    }

    private static void locks(ThreadReport r, List<String> lines) {
        if (r.locks().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("Waiting for a lock");
        for (ThreadReport.Queue q : r.locks().stream().limit(LOCKS).toList()) {
            lines.add(say("%7d  %s", q.waiters().size(), q.lock()));
            if (q.holder().isPresent()) {
                ThreadReport.Holder h = q.holder().get();
                lines.add(
                        say(
                                "         held by %s, %s%s",
                                h.name(),
                                h.state().toLowerCase(Locale.ROOT),
                                h.waitsFor().map(l -> ", which waits for " + l).orElse("")));
                lines.add("           " + stack(h.stack()));
            } else {
                lines.add(
                        r.owners()
                                ? "         held by no thread at that moment"
                                : "         holder unknown: --owners asks for it");
            }
        }
        more(r.locks().size(), LOCKS, "locks", lines);
    }

    private static void busiest(ThreadReport r, int most, List<String> lines) {
        lines.add("");
        lines.add(say("%7s %6s %7s  %s", "cores", "queue", "tid", "Busiest threads"));
        r.busiest().stream()
                .limit(most)
                .forEach(b ->
                        lines.add(
                                say(
                                        "%7.3f %6.3f %7d  %-28s %s",
                                        b.cores(),
                                        b.waitingCores(),
                                        b.tid(),
                                        cut(b.name(), 28),
                                        b.stack().isEmpty() ? "" : stack(b.stack()))));
        more(r.busiest().size(), most, "threads", lines);
    }

    private static String stack(List<String> frames) {
        return frames.stream()
                .limit(FRAMES)
                .map(ThreadsReport::shortFrame)
                .collect(Collectors.joining(" < "));
    }

    /// Shortens a frame: `java.util.concurrent.locks.LockSupport.park` becomes `LockSupport.park`.
    private static String shortFrame(String frame) {
        int method = frame.lastIndexOf('.');
        int type = method < 0 ? -1 : frame.lastIndexOf('.', method - 1);
        return frame.substring(type + 1);
    }

    private static void more(int all, int shown, String what, List<String> lines) {
        if (all > shown) {
            lines.add("        (+" + (all - shown) + " more " + what + "; --json has all)");
        }
    }

    private static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 3) + "...";
    }

    private static String say(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /// Returns the JSON document `jdyno/threads/1`.
    ///
    /// @param pid of the JVM
    public static String json(ThreadReport r, long pid, List<ThreadLimit> limits) {
        return JsonDocument.text(ThreadsForm.of(r, pid, limits)) + "\n";
    }
}
