package dev.jdyno.history;

import dev.jdyno.compare.Arm;
import dev.jdyno.compare.Metric;
import dev.jdyno.files.PrivateLines;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import tools.jackson.core.JacksonException;

/// The finished rounds of a measurement that was killed, as a result marked as partial.
public final class UnfinishedResult {
    /// The verdict of such a result.
    public static final String VERDICT = "unfinished";

    /// Name of the figure with the number of finished rounds.
    public static final String ROUNDS = "rounds";

    private UnfinishedResult() {}

    /// @throws UserError while a jdyno still measures into this folder, or writes its result
    public static void requireNone(Path folder) throws IOException {
        if (PrivateLines.isWritten(folder.resolve(RoundLines.NAME))) {
            throw notYet(folder);
        }
    }

    private static UserError notYet(Path folder) {
        return UserError.usage(
                folder + " is still being measured",
                "another jdyno writes " + RoundLines.NAME + " there",
                "import it when that jdyno has ended");
    }

    /// True if a stored result is an unfinished part of this one, from before it was completed or
    /// continued.
    static boolean isPartOf(Entry.Row stored, Entry.Row whole) {
        return stored.verdict().equals(VERDICT)
                && (!whole.verdict().equals(VERDICT) || whole.seconds() > stored.seconds());
    }

    /// @param dropped a sentence about an unreadable last line, if any
    public record Found(Entry entry, Optional<String> dropped) {}

    /// @param folder a folder with {@link RoundLines#NAME}
    /// @throws UserError if the file is not such a file, holds no round, or is still being written
    public static Found read(Path folder) throws IOException {
        Path file = folder.resolve(RoundLines.NAME);
        var content = new Content();
        PrivateLines.Found found;
        try {
            found = PrivateLines.read(file, content);
        } catch (PrivateLines.Busy busy) {
            throw notYet(folder).causedBy(busy);
        } catch (PrivateLines.BadLine broken) {
            throw noRounds(file, "line " + broken.number() + " cannot be read").causedBy(broken);
        }
        RoundLines.Header header =
                content.header.orElseThrow(
                        () -> noRounds(file, "line 1 does not say what was measured"));
        if (content.lines.isEmpty()) {
            throw noRounds(file, "no round was finished");
        }
        var origin =
                new Entries.Origin(
                        header.startedAt(),
                        header.commandLine(),
                        header.label(),
                        Optional.of(folder),
                        header.code());
        Entry entry =
                Entries.entry(
                        header.kind(),
                        header.plan(),
                        content.lines.stream().mapToDouble(l -> l.round().seconds()).sum(),
                        origin,
                        header.environment(),
                        VERDICT,
                        Optional.empty(),
                        false,
                        figures(header.kind(), content.lines),
                        List.of(),
                        Artifacts.ofUnfinished(folder));
        return new Found(
                entry,
                found.dropped()
                        .map(n -> file + ": line " + n + " was unfinished, and is left out"));
    }

    private static UserError noRounds(Path file, String why) {
        return UserError.usage(
                file + " holds no rounds of jdyno",
                why,
                "give the folder of a run, a comparison or a guard that was interrupted");
    }

    private static List<Entry.Figure> figures(Kind kind, List<RoundLines.Line> lines) {
        List<Entry.Figure> figures = new ArrayList<>();
        switch (kind) {
            case RUN, DIAGNOSE, TUNE ->
                    lines.stream()
                            .filter(l -> l.block().isEmpty())
                            .map(RoundLines.Line::round)
                            .max(Comparator.comparingDouble(Round::qps))
                            .ifPresent(r -> figures.addAll(Entries.figures(r)));
            case COMPARE -> {
                for (Metric metric : Metric.values()) {
                    ratio(
                                    metric,
                                    values(metric, lines, Arm.A.key()),
                                    values(metric, lines, Arm.B.key()))
                            .ifPresent(figures::add);
                }
            }
            case GUARD -> {
                for (Metric metric : Metric.values()) {
                    List<Double> values = new ArrayList<>();
                    values.addAll(values(metric, lines, TrialListener.Block.SERVICE).values());
                    values.addAll(values(metric, lines, Arm.B.key()).values());
                    values.stream()
                            .mapToDouble(Double::doubleValue)
                            .average()
                            .ifPresent(
                                    v -> figures.add(Entries.figure(metric, v, Optional.empty())));
                }
            }
        }
        figures.add(new Entry.Figure(ROUNDS, "finished", lines.size(), Optional.empty()));
        return figures;
    }

    /// Values of a figure for one variant, from blocks at the figure's load, by the number of the
    /// pair.
    private static SortedMap<Integer, Double> values(
            Metric metric, List<RoundLines.Line> lines, String of) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        for (RoundLines.Line line : lines) {
            line.block()
                    .filter(b -> b.of().equals(of))
                    .filter(b -> b.load().equals(metric.load().name()))
                    .ifPresent(
                            b -> metric.of(line.round()).ifPresent(v -> values.put(b.pair(), v)));
        }
        return values;
    }

    /// Geometric mean of B ÷ A over the complete pairs.
    private static Optional<Entry.Figure> ratio(
            Metric metric, SortedMap<Integer, Double> a, SortedMap<Integer, Double> b) {
        double[] logs =
                a.entrySet().stream()
                        .flatMap(e ->
                                Optional.ofNullable(b.get(e.getKey()))
                                        .map(of -> Math.log(of / e.getValue()))
                                        .stream())
                        .mapToDouble(Double::doubleValue)
                        .toArray();
        double sum = DoubleStream.of(logs).sum();
        return logs.length > 0 && Double.isFinite(sum)
                ? Optional.of(
                        new Entry.Figure(
                                metric.key(),
                                "ratio",
                                Math.exp(sum / logs.length),
                                Optional.empty()))
                : Optional.empty();
    }

    private static final class Content implements PrivateLines.Reader {
        private final List<RoundLines.Line> lines = new ArrayList<>();
        private Optional<RoundLines.Header> header = Optional.empty();

        @Override
        public boolean read(int number, String line) {
            try {
                if (number == 1) {
                    var first = RoundLines.JSON.readValue(line, RoundLines.Header.class);
                    header =
                            Optional.of(first)
                                    .filter(h -> RoundLines.SCHEMA.equals(h.schema()))
                                    .filter(h -> h.kind() != null && h.startedAt() != null)
                                    .filter(h -> h.plan() != null && h.environment() != null)
                                    .filter(h -> h.commandLine() != null);
                    return header.isPresent();
                }
                var read = RoundLines.JSON.readValue(line, RoundLines.Line.class);
                for (Metric metric : Metric.values()) {
                    // fails here if a part of the round is missing
                    var _ = metric.of(read.round());
                }
                var _ = Entries.figures(read.round());
                return lines.add(read);
            } catch (JacksonException | IllegalArgumentException | NullPointerException broken) {
                // a record's constructor rejects values that no run could have measured
                return false;
            }
        }
    }
}
