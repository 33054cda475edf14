package dev.jdyno.recorded;

import dev.jdyno.observe.window.ThreadCpu;
import dev.jdyno.recorded.ThreadCpuText.Row;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// CPU of a JVM's threads by an output of top or pidstat, of the judged time and for the threads of
/// the dumps. In the PID namespace of the JVM, thread ids are the same as in the dumps. On the host
/// of a container they differ; there, a name identifies a thread if no other thread has it.
///
/// @param span time from the first to the last report of the tool within the judged time
/// @param cpus processors of the host; empty if the output does not show them
record MatchedCpu(String file, ThreadCpu cpu, TimeSpan span, OptionalInt cpus) {
    /// Minimum share of the matching ids whose threads must also have matching names.
    private static final double AGREE = 0.5;

    /// Uses the output whose reports cover most of this time. Empty if no output has a report of
    /// this time with a thread of the dumps.
    ///
    /// @param threads names of the threads of the dumps, by id
    static Optional<MatchedCpu> of(
            List<FoundRecords.Cpu> found,
            TimeSpan time,
            ZoneOffset zone,
            Map<Long, String> threads) {
        return found.stream()
                .flatMap(f -> of(f, time, zone, threads).stream())
                .max(Comparator.comparingDouble(m -> m.cpu().seconds()));
    }

    private static Optional<MatchedCpu> of(
            FoundRecords.Cpu found, TimeSpan time, ZoneOffset zone, Map<Long, String> threads) {
        TreeMap<Instant, List<Row>> reports = new TreeMap<>();
        for (Row row : found.text().rows()) {
            at(row, time, zone)
                    .ifPresent(t -> reports.computeIfAbsent(t, _ -> new ArrayList<>()).add(row));
        }
        Map<Long, Long> ids =
                ids(reports.values().stream().flatMap(List::stream).toList(), threads);
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        Map<Long, Double> cores = new HashMap<>();
        for (List<Row> report : reports.values()) {
            for (Row row : report) {
                Long id = ids.get(row.tid());
                if (id != null) {
                    cores.merge(id, row.cores() / reports.size(), Double::sum);
                }
            }
        }
        var span = new TimeSpan(reports.firstKey(), reports.lastKey());
        return Optional.of(
                new MatchedCpu(
                        found.file(),
                        new ThreadCpu(Math.max(1, span.seconds()), cores, threads),
                        span,
                        found.text().cpus()));
    }

    /// Time of the row, if it can be inside the diagnosed time. An output of top has no date.
    private static Optional<Instant> at(Row row, TimeSpan time, ZoneOffset zone) {
        LocalDate first = time.from().atOffset(zone).toLocalDate();
        LocalDate last = time.to().atOffset(zone).toLocalDate();
        return Stream.of(first, last)
                .filter(d ->
                        row.dates().isEmpty()
                                || row.dates().contains(d)
                                || row.dates().contains(d.minusDays(1)))
                .map(d -> d.atTime(row.at()).toInstant(zone))
                .filter(t -> !t.isBefore(time.from()) && !t.isAfter(time.to()))
                .findFirst();
    }

    /// Thread ids of the dumps by those of the rows.
    private static Map<Long, Long> ids(List<Row> rows, Map<Long, String> threads) {
        Map<Long, String> names = new HashMap<>();
        rows.forEach(r -> names.put(r.tid(), r.name()));
        Set<Long> same = new HashSet<>(names.keySet());
        same.retainAll(threads.keySet());
        Set<String> kernelNames =
                same.stream().map(t -> names.getOrDefault(t, "")).collect(Collectors.toSet());
        long agree =
                same.stream()
                        .filter(t -> isSame(threads.getOrDefault(t, ""), names.getOrDefault(t, "")))
                        .count();
        // The JVM of JDK 8 does not name its threads: all threads have the name of the program.
        boolean unnamed = same.size() > 1 && kernelNames.size() == 1;
        return !same.isEmpty() && (unnamed || agree >= AGREE * same.size())
                ? same.stream().collect(Collectors.toMap(t -> t, t -> t))
                : byName(names, threads);
    }

    private static Map<Long, Long> byName(Map<Long, String> names, Map<Long, String> threads) {
        Map<String, Integer> rows = new HashMap<>();
        names.values().forEach(name -> rows.merge(name, 1, Integer::sum));
        var known = new KernelNames(threads);
        Map<Long, Long> ids = new HashMap<>();
        names.forEach((tid, name) -> {
            if (rows.getOrDefault(name, 0) == 1) {
                known.only(name).ifPresent(id -> ids.put(tid, id));
            }
        });
        return ids;
    }

    /// True if the kernel's name can be that of the thread. In a narrow terminal, top shortens it
    /// to `C2 Compil+`.
    static boolean isSame(String thread, String kernel) {
        return (kernel.endsWith("+") && thread.startsWith(kernel.substring(0, kernel.length() - 1)))
                || KernelNames.of(thread).contains(kernel);
    }
}
