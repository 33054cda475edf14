package dev.jdyno.target;

import dev.jdyno.files.Stat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks the owner of a perf data file. `/tmp/hsperfdata_USER/PID` with the right PID may belong
/// to another JVM: a killed JVM left it and its pid was reused, or two containers share their
/// `/tmp` and both have a JVM with pid 1. Without this check, its counters would be taken for the
/// target's.
///
/// The target's memory map shows the right file: a JVM maps the file of its counters, with its
/// inode. An overlay file system may show another inode than the mapped one. In that case the
/// file's owner must be the target's, and the JVM that wrote it must not have begun before the
/// target.
final class PerfDataOwner {
    // 7faafb439000-7faafb441000 rw-s 00000000 fe:00 9986050    /tmp/hsperfdata_root/6700
    private static final Pattern MAPPED =
            Pattern.compile("(?m)^(\\S+) \\S+ \\S+ \\S+ (\\d{1,20})\\s+\\S*/(hsperfdata_.*)$");
    private static final Pattern BOOT = Pattern.compile("(?m)^btime (\\d+)$");
    private static final String REMOVED = " (deleted)";

    /// Maximum difference of the clocks in ms. The kernel's start times have ticks of 10 ms, from a
    /// boot time known to the second.
    private static final long CLOCKS_APART_MS = 2000;

    private static final long MS_PER_TICK = 10;

    private final ProcFs proc;
    private final long pid;
    private final Optional<String> maps;

    PerfDataOwner(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
        this.maps = proc.text(pid, "maps").filter(m -> !m.isBlank());
    }

    /// @param range addresses in the target's memory
    private record Mapped(String range, long inode, String file) {}

    /// The reason why a file does not belong to the target; empty when its name and owner agree
    /// with the target.
    ///
    /// @param name `hsperfdata_root/6700`
    Optional<String> whyNot(String name, Stat its) {
        List<Mapped> mapped = mapped();
        if (maps.isEmpty() || mapped.stream().anyMatch(m -> m.file().equals(name))) {
            return isMapped(name, its) ? Optional.empty() : anothersByOwner(its);
        }
        return mapped.stream().anyMatch(m -> m.file().equals(name + REMOVED))
                ? Optional.of("its own file was removed, and this is another JVM's")
                : Optional.of("it has not mapped this file, which is another JVM's");
    }

    /// True if the target has mapped exactly this file: then no other check is needed.
    boolean isMapped(String name, Stat its) {
        return mapped().stream()
                .anyMatch(m -> m.inode() == its.identity().inode() && m.file().equals(name));
    }

    /// The target's own file if it was removed from its `/tmp`, for example by a cleaner of old
    /// files. The JVM still writes to it, and the kernel shows it among the target's mapped files.
    ///
    /// @param number name of the file, which is the target's pid in its own namespace
    Optional<Path> removed(String number) {
        Predicate<String> its =
                Pattern.compile("hsperfdata_[^/]+/" + number + Pattern.quote(REMOVED))
                        .asMatchPredicate();
        return mapped().stream()
                .filter(m -> its.test(m.file()))
                .map(m -> proc.of(pid, "map_files").resolve(m.range()))
                .findFirst();
    }

    private List<Mapped> mapped() {
        return MAPPED.matcher(maps.orElse(""))
                .results()
                .map(m ->
                        new Mapped(
                                m.group(1), Long.parseUnsignedLong(m.group(2)), m.group(3).strip()))
                .toList();
    }

    private Optional<String> anothersByOwner(Stat its) {
        OptionalLong user = proc.effectiveUid(pid);
        return user.isPresent() && user.getAsLong() != its.uid()
                ? Optional.of(
                        "it runs as uid "
                                + user.getAsLong()
                                + " and this file is of uid "
                                + its.uid())
                : Optional.empty();
    }

    /// The reason why a file that is not mapped does not belong to the target, by the start of the
    /// JVM that wrote it.
    ///
    /// @param begunMs start in ms since 1970; empty when the file does not contain it
    Optional<String> whyNotSince(OptionalLong begunMs) {
        OptionalLong started = startedMs();
        return started.isPresent()
                        && begunMs.isPresent()
                        && begunMs.getAsLong() < started.getAsLong() - CLOCKS_APART_MS
                ? Optional.of(
                        "the JVM that wrote this file began "
                                + (started.getAsLong() - begunMs.getAsLong()) / 1000
                                + " s before it")
                : Optional.empty();
    }

    /// Start of the process in ms since 1970, by the present setting of the clock.
    private OptionalLong startedMs() {
        // btime 1764034567
        Optional<Long> boot =
                proc.text("stat")
                        .map(BOOT::matcher)
                        .filter(Matcher::find)
                        .map(m -> Long.parseLong(m.group(1)));
        Optional<Long> ticks = proc.startTicks(pid).map(Long::parseLong);
        return boot.isPresent() && ticks.isPresent()
                ? OptionalLong.of(boot.get() * 1000 + ticks.get() * MS_PER_TICK)
                : OptionalLong.empty();
    }
}
