package dev.jdyno.load.statistics;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Measures the CPU time, GC time and steal of this process and its machine since the last call.
public final class ClientMeter {
    private static final Path STAT = Path.of("/proc/stat");
    private static final int STEAL_FIELD = 8;
    private static final Path SOCKSTAT = Path.of("/proc/net/sockstat");
    private static final Pattern TIME_WAIT = Pattern.compile("^TCP:.* tw (\\d+)");

    /// CPU time and run-queue wait of a loop's thread since it started.
    private record LoopTimes(long cpuNanos, long coreWaitNanos) {}

    private record Reading(long cpuNanos, long gcMs, long stealTicks, long totalTicks) {}

    private final List<GarbageCollectorMXBean> collectors =
            ManagementFactory.getGarbageCollectorMXBeans();
    private final com.sun.management.OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private final List<LoopTimes> loopTimes = new ArrayList<>();
    private Reading last = read();

    private Reading read() {
        long gc = collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
        long[] ticks = ticks();
        return new Reading(system.getProcessCpuTime(), gc, ticks[0], ticks[1]);
    }

    /// Steal and total ticks since boot; zeros without /proc. The first line of the file is:
    ///
    /// `cpu 10132153 290696 3084719 46828483 16683 0 25195 175628 0 0`
    private static long[] ticks() {
        if (!Files.isReadable(STAT)) {
            return new long[2];
        }
        try (var lines = Files.lines(STAT)) {
            String[] fields = lines.findFirst().orElse("").trim().split("\\s+");
            long total = 0;
            for (int i = 1; i < Math.min(fields.length, STEAL_FIELD + 1); i++) {
                total += Long.parseLong(fields[i]);
            }
            long steal = fields.length > STEAL_FIELD ? Long.parseLong(fields[STEAL_FIELD]) : 0;
            return new long[] {steal, total};
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + STAT, e);
        }
    }

    /// Resource use since the last call.
    public ClientUse since(List<LoopStats> loops) {
        Reading before = last;
        last = read();
        List<ClientUse.Loop> used = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            LoopStats s = loops.get(i);
            if (loopTimes.size() <= i) {
                loopTimes.add(new LoopTimes(0, 0));
            }
            LoopTimes then = loopTimes.set(i, new LoopTimes(s.cpuNanos, s.coreWaitNanos));
            double wall = (s.endNanos - s.startNanos) / 1e9;
            used.add(
                    new ClientUse.Loop(
                            wall,
                            wall - s.waitedNanos / 1e9,
                            (s.cpuNanos - then.cpuNanos()) / 1e9,
                            (s.coreWaitNanos - then.coreWaitNanos()) / 1e9,
                            s.lagNanos / 1e9,
                            s.stallNanos / 1e9,
                            s.stalls));
        }
        return new ClientUse(
                used,
                (last.cpuNanos - before.cpuNanos) / 1e9,
                last.gcMs - before.gcMs,
                last.stealTicks - before.stealTicks,
                last.totalTicks - before.totalTicks,
                timeWait());
    }

    /// Number of sockets in TIME_WAIT, from `TCP: inuse 5 orphan 0 tw 12 alloc 8 mem 1`; 0 if the
    /// system does not report it.
    private static long timeWait() {
        if (!Files.isReadable(SOCKSTAT)) {
            return 0;
        }
        try (var lines = Files.lines(SOCKSTAT)) {
            return lines.map(TIME_WAIT::matcher)
                    .filter(Matcher::find)
                    .mapToLong(m -> Long.parseLong(m.group(1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + SOCKSTAT, e);
        }
    }
}
