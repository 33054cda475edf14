package dev.jdyno.diagnose.gain;

import dev.jdyno.measure.verdict.ChangeKind;
import dev.jdyno.measure.verdict.Recommendation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The share of valid predictions for each kind of change, by `bench/predict`. For a kind whose
/// predictions were wrong more often than right, no gain is predicted.
///
/// @param kinds the measured kinds
public record KindRecord(Map<ChangeKind, Held> kinds) {
    private static final String RESOURCE = "/dev/jdyno/diagnose/gain/record.tsv";

    /// Minimum number of pairs for a meaningful record: of three pairs, two may be wrong by chance.
    static final int FEW = 4;

    /// Minimum share of the pairs within their range for a kind to predict gains.
    static final double MIN = 0.5;

    /// @param pairs pairs of a service with a fault and without it
    /// @param within number of these pairs whose measured gain was in the predicted range
    /// @param least share of a bound that the next change will probably reach, 0…1. It is the
    ///   smallest share of all pairs, reduced because the pairs are few; 0 if fewer than {@link
    ///   #FEW} pairs had a bound.
    public record Held(int pairs, int within, double least) {
        public Held {
            if (pairs <= 0 || within < 0 || within > pairs || !(least >= 0 && least <= 1)) {
                throw new IllegalArgumentException(
                        within + " of " + pairs + " pairs, at least " + least + " of a bound");
            }
        }
    }

    public KindRecord {
        kinds = Map.copyOf(kinds);
    }

    /// Returns the record that is a resource of the jar.
    public static KindRecord builtIn() {
        try (InputStream in = KindRecord.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not in the jar");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// @param text a line of names, then `KIND PAIRS WITHIN LEAST`, separated by tabs
    /// @throws IllegalArgumentException if a line is no such record, or of an unknown kind
    static KindRecord parse(String text) {
        Map<ChangeKind, Held> kinds = new EnumMap<>(ChangeKind.class);
        text.lines()
                .skip(1)
                .filter(line -> !line.isBlank())
                .forEach(line -> {
                    String[] fields = line.split("\t", -1);
                    if (fields.length != 4) {
                        throw new IllegalArgumentException("no `KIND PAIRS WITHIN LEAST`: " + line);
                    }
                    ChangeKind kind =
                            Stream.of(ChangeKind.values())
                                    .filter(k -> k.key().equals(fields[0]))
                                    .findFirst()
                                    .orElseThrow(() ->
                                            new IllegalArgumentException("no such kind: " + line));
                    kinds.put(
                            kind,
                            new Held(
                                    Integer.parseInt(fields[1]),
                                    Integer.parseInt(fields[2]),
                                    Double.parseDouble(fields[3])));
                });
        return new KindRecord(kinds);
    }

    /// Returns why no gain is predicted for changes of this kind; empty if gains are predicted.
    public Optional<String> withholds(ChangeKind kind) {
        return Optional.ofNullable(kinds.get(kind))
                .filter(h -> h.pairs() >= FEW && h.within() < MIN * h.pairs())
                .map(h ->
                        "predictions of this kind ("
                                + kind.key()
                                + ") held for "
                                + h.within()
                                + " of "
                                + h.pairs()
                                + " measured changes");
    }

    /// Returns the minimum share of a bound that changes of this kind reached; 0 if few were
    /// measured.
    public double least(ChangeKind kind) {
        return Optional.ofNullable(kinds.get(kind))
                .filter(h -> h.pairs() >= FEW)
                .map(Held::least)
                .orElse(0.0);
    }

    /// Returns the recommendation. Its prediction is removed if no gain is predicted for its kind.
    public Recommendation applied(Recommendation r) {
        return r.predictedQpsRatio().isEmpty() && r.predictedRtRatio().isEmpty()
                ? r
                : withholds(ChangeKind.of(r)).map(r::notPredicting).orElse(r);
    }
}
