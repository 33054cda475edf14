package dev.jdyno.observe.stacks;

import dev.jdyno.foreign.ForeignNumber;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// CPU time and age of all threads of a dump, those of the JVM itself (collector, compilers)
/// included: HotSpot prints both since JDK 11.
///
/// @param byTid CPU time of each thread, by the kernel's thread id; empty if the dump contains no
///   times
public record ThreadTimes(Map<Long, Times> byTid) {
    // "GC Thread#0" os_prio=0 cpu=1.28ms elapsed=3.30s tid=0x00007f… nid=25540 runnable
    private static final Pattern CPU =
            Pattern.compile(" cpu=([\\d.]{1,20})ms elapsed=([\\d.]{1,20})s ");

    private static final int LONGEST_LINE = 2000;

    /// @param cpuMs CPU time since the thread's start
    /// @param elapsedS time since the thread's start, in seconds
    public record Times(String name, double cpuMs, double elapsedS) {}

    public ThreadTimes {
        byTid = Map.copyOf(byTid);
    }

    public static ThreadTimes parse(String dump) {
        Map<Long, Times> found = new HashMap<>();
        dump.lines()
                .filter(l -> l.startsWith("\""))
                .map(l -> l.length() > LONGEST_LINE ? l.substring(0, LONGEST_LINE) : l)
                .forEach(l -> add(found, l));
        return new ThreadTimes(found);
    }

    /// Names of all threads of a dump by the kernel's thread id, threads of the JVM included. Dumps
    /// of all JDKs have them.
    public static Map<Long, String> names(String dump) {
        Map<Long, String> found = new HashMap<>();
        dump.lines()
                .filter(l -> l.startsWith("\""))
                .map(l -> l.length() > LONGEST_LINE ? l.substring(0, LONGEST_LINE) : l)
                .forEach(l -> found.put(ThreadDump.tidOf(l), ThreadDump.nameOf(l)));
        found.remove(0L);
        return found;
    }

    private static void add(Map<Long, Times> found, String line) {
        Matcher times = CPU.matcher(line);
        long tid = ThreadDump.tidOf(line);
        if (tid == 0 || !times.find()) {
            return;
        }
        OptionalDouble cpu = ForeignNumber.decimal(times.group(1));
        OptionalDouble elapsed = ForeignNumber.decimal(times.group(2));
        if (cpu.isPresent() && elapsed.isPresent()) {
            found.put(
                    tid,
                    new Times(ThreadDump.nameOf(line), cpu.getAsDouble(), elapsed.getAsDouble()));
        }
    }

    /// Seconds from this dump to a later one of the same JVM: the median over the threads in both;
    /// 0 if the dumps have no thread in common.
    public double secondsTo(ThreadTimes later) {
        double[] ages =
                byTid.entrySet().stream()
                        .flatMapToDouble(e -> {
                            Times then = later.byTid.get(e.getKey());
                            return then != null && isSame(e.getValue(), then)
                                    ? DoubleStream.of(then.elapsedS() - e.getValue().elapsedS())
                                    : DoubleStream.empty();
                        })
                        .sorted()
                        .toArray();
        return ages.length == 0 ? 0 : Math.max(0, ages[ages.length / 2]);
    }

    private static boolean isSame(Times earlier, @Nullable Times later) {
        return later != null && later.name().equals(earlier.name());
    }

    /// CPU of each thread from this dump to a later one, in cores; a thread that started meanwhile
    /// counts from its start. Threads that ended meanwhile are missing.
    public Map<Long, Double> coresTo(ThreadTimes later) {
        double seconds = secondsTo(later);
        Map<Long, Double> cores = new HashMap<>();
        if (seconds <= 0) {
            return cores;
        }
        later.byTid.forEach((tid, now) -> {
            Times then = byTid.get(tid);
            double before = then != null && then.name().equals(now.name()) ? then.cpuMs() : 0;
            cores.put(tid, Math.max(0, now.cpuMs() - before) / 1000 / seconds);
        });
        return cores;
    }
}
