package dev.jdyno.report.words;

import dev.jdyno.measure.SourceFile;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Describes the files of a diagnosis, with several files of one kind in one line.
public final class FilesText {
    private FilesText() {}

    /// Returns lines such as `12 thread dumps in 10 files 2026-11-29T17:34:37Z, 60 s`.
    public static List<String> lines(List<SourceFile> files) {
        Map<SourceFile.Kind, List<SourceFile>> kinds = new LinkedHashMap<>();
        files.stream()
                .filter(SourceFile::used)
                .forEach(f -> kinds.computeIfAbsent(f.kind(), _ -> new ArrayList<>()).add(f));
        List<String> lines = new ArrayList<>();
        kinds.forEach((kind, of) -> lines.add("  " + line(kind, of)));
        return lines;
    }

    private static String line(SourceFile.Kind kind, List<SourceFile> of) {
        String what =
                of.size() == 1
                        ? kind.says() + " " + of.getFirst().name()
                        : kind.says() + " in " + of.size() + " files";
        long records = of.stream().mapToLong(SourceFile::records).sum();
        return String.format(Locale.ROOT, "%s: %,d %s%s", what, records, unit(kind), span(of));
    }

    private static String unit(SourceFile.Kind kind) {
        return switch (kind) {
            case THREAD_DUMPS, THREAD_DUMP_JSON -> "dumps";
            case FLIGHT_RECORDING -> "events";
            case GC_LOG -> "collections";
            case ACCESS_LOG -> "requests";
            case THREAD_CPU -> "reports";
        };
    }

    private static String span(List<SourceFile> of) {
        Optional<Instant> from =
                of.stream().flatMap(f -> f.from().stream()).min(Instant::compareTo);
        Optional<Instant> to = of.stream().flatMap(f -> f.to().stream()).max(Instant::compareTo);
        return from.isEmpty() || to.isEmpty()
                ? ", without a time"
                : String.format(
                        Locale.ROOT,
                        ", %s, %.0f s",
                        from.get().truncatedTo(ChronoUnit.SECONDS),
                        Duration.between(from.get(), to.get()).toMillis() / 1e3);
    }
}
