package dev.jdyno.observe.heap;

import dev.jdyno.measure.JvmMemory;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs a full collection, and reads where the memory of the JVM is then.
public final class FullCollection {
    private static final long KIB = 1024;

    /// A line of GC.heap_info about a part of the heap; details of a part begin with more blanks:
    /// `garbage-first heap total reserved 4096K, committed 512K, used 90K [0x006, 0x008)`
    private static final Pattern USED = Pattern.compile("^ ?\\S.*\\bused (\\d{1,15})([KMG])");

    private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-f]{8,16})\\b");

    /// A line that begins a mapping of smaps: `7f8a4c000000-7f8a4c021000 rw-p 00000000 00:00 0`
    private static final Pattern MAPPING = Pattern.compile("^([0-9a-f]{1,16})-([0-9a-f]{1,16}) .*");

    /// `Rss: 132 kB`
    private static final Pattern RSS = Pattern.compile("^Rss:\\s+(\\d{1,15}) kB$");

    private FullCollection() {}

    /// Runs a full collection in the JVM, and reads where its memory is. Empty if its collector
    /// does not report the range of its heap (ZGC), or the kernel does not show its memory.
    ///
    /// @throws dev.jdyno.measure.text.UserError if the JVM does not answer
    public static Optional<JvmMemory> memoryOf(Target target) throws InterruptedException {
        var _ = target.jcmd().run("GC.run");
        String heap = target.jcmd().run("GC.heap_info");
        return of(heap, ProcFs.SYSTEM.text(target.pid(), "smaps").orElse(""));
    }

    static Optional<JvmMemory> of(String heapInfo, String smaps) {
        List<String> lines =
                heapInfo.lines().takeWhile(l -> !l.strip().startsWith("Metaspace")).toList();
        long used = 0;
        long from = -1;
        long to = 0;
        for (String line : lines) {
            Matcher part = USED.matcher(line);
            if (part.find()) {
                int power = 1 + "KMG".indexOf(part.group(2));
                used += Long.parseLong(part.group(1)) << (10 * power);
            }
            Matcher address = ADDRESS.matcher(line);
            while (address.find()) {
                long at = Long.parseUnsignedLong(address.group(1), 16);
                from = Long.compareUnsigned(at, from) < 0 ? at : from;
                to = Long.compareUnsigned(at, to) > 0 ? at : to;
            }
        }
        long outside = outside(smaps, from, to);
        return used > 0 && to != 0 && outside > 0
                ? Optional.of(new JvmMemory(used, outside))
                : Optional.empty();
    }

    /// Resident bytes of the mappings that do not begin in a range.
    private static long outside(String smaps, long from, long to) {
        long bytes = 0;
        boolean inside = false;
        for (String line : smaps.lines().toList()) {
            Matcher mapping = MAPPING.matcher(line);
            if (mapping.matches()) {
                long at = Long.parseUnsignedLong(mapping.group(1), 16);
                inside = Long.compareUnsigned(at, from) >= 0 && Long.compareUnsigned(at, to) < 0;
                continue;
            }
            Matcher rss = RSS.matcher(line);
            if (rss.matches() && !inside) {
                bytes += Long.parseLong(rss.group(1)) * KIB;
            }
        }
        return bytes;
    }
}
