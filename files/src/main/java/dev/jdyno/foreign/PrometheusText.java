package dev.jdyno.foreign;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Metrics in the text format of Prometheus (0.0.4) or OpenMetrics 1.0. Every line is checked;
/// samples that are not wanted are not kept. Timestamps, exemplars, help texts and units are
/// ignored.
///
/// @param families in the order of the text; a sample without a type is a family of its own
public record PrometheusText(List<Family> families) {
    /// Maximum number of bytes of a line.
    private static final int MAX_LINE_BYTES = 1 << 16;

    private static final String TYPE = "# TYPE ";
    private static final String END = "# EOF";

    public PrometheusText {
        families = List.copyOf(families);
    }

    /// The type of a family, with the suffixes of its samples.
    public enum Type {
        COUNTER("_total", "_created"),
        GAUGE,
        HISTOGRAM("_count", "_sum", "_bucket", "_created"),
        SUMMARY("_count", "_sum", "_created"),
        GAUGEHISTOGRAM("_gcount", "_gsum", "_bucket"),
        INFO("_info"),
        STATESET,
        UNTYPED;

        @SuppressWarnings("ImmutableEnumChecker") // List.of
        private final List<String> suffixes;

        Type(String... suffixes) {
            this.suffixes = List.of(suffixes);
        }

        /// True if samples of this type may have the suffix.
        private boolean has(String suffix) {
            return suffixes.contains(suffix);
        }

        private static Optional<Type> of(String word) {
            if (word.equals("unknown")) {
                return Optional.of(UNTYPED);
            }
            for (Type type : values()) {
                if (type.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }

    /// @param name without the suffixes of its samples
    public record Family(String name, Type type, List<Sample> samples) {
        public Family {
            samples = List.copyOf(samples);
        }
    }

    /// @param name with its suffix: `http_server_requests_seconds_count`
    /// @param value may be infinite or NaN, as the format allows
    public record Sample(String name, Map<String, String> labels, double value) {
        public Sample {
            labels = Map.copyOf(labels);
        }

        /// Returns the text of a label; empty if the sample has no such label.
        public String label(String key) {
            return labels.getOrDefault(key, "");
        }
    }

    /// Limits of a text; a text beyond one of them is refused.
    ///
    /// @param lines maximum number of lines
    /// @param kept maximum number of samples that are wanted
    /// @param labels maximum number of labels of a sample
    /// @param letters maximum length of a name or a label's value
    public record Limits(int lines, int kept, int labels, int letters) {
        public static final Limits DEFAULT = new Limits(500_000, 20_000, 64, 2048);
    }

    /// @param wanted names of the samples to keep
    /// @throws Malformed if a line does not have the format, a series occurs twice, or a limit is
    ///   exceeded
    public static PrometheusText read(byte[] text, Predicate<String> wanted, Limits limits)
            throws Malformed {
        var reading = new Reading(wanted, limits);
        try (var lines =
                new ForeignLines(
                        new ByteArrayInputStream(text), StandardCharsets.UTF_8, MAX_LINE_BYTES)) {
            for (Optional<ForeignLines.Line> line = lines.next();
                    line.isPresent();
                    line = lines.next()) {
                reading.add(line.get());
            }
        } catch (Malformed refused) {
            throw refused;
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes in memory can be read", impossible);
        }
        return reading.text();
    }

    /// Returns all samples of a name.
    public List<Sample> samples(String name) {
        return families.stream()
                .flatMap(f -> f.samples().stream())
                .filter(s -> s.name().equals(name))
                .toList();
    }

    private static final class Reading {
        private final Predicate<String> wanted;
        private final Limits limits;
        private final Map<String, Type> types = new LinkedHashMap<>();
        private final Map<String, List<Sample>> families = new LinkedHashMap<>();
        private final Set<String> series = new HashSet<>();
        private boolean ended;
        private int kept;

        Reading(Predicate<String> wanted, Limits limits) {
            this.wanted = wanted;
            this.limits = limits;
        }

        void add(ForeignLines.Line line) throws Malformed {
            int number = (int) Math.min(Integer.MAX_VALUE, line.number());
            String text = line.text().strip();
            if (number > limits.lines()) {
                throw Malformed.at(number, "too many lines");
            }
            if (!line.whole()) {
                throw Malformed.at(number, "the line is too long");
            }
            if (text.isEmpty()) {
                return;
            }
            if (ended) {
                throw Malformed.at(number, "text after the end");
            }
            if (text.startsWith("#")) {
                comment(text, number);
            } else {
                Sample sample = new PrometheusLine(text, number, limits).sample();
                if (wanted.test(sample.name())) {
                    keep(sample, number);
                }
            }
        }

        private void comment(String text, int number) throws Malformed {
            ended = text.equals(END);
            if (!text.startsWith(TYPE)) {
                return;
            }
            String[] words = text.substring(TYPE.length()).strip().split("\\s+", 3);
            Optional<Type> type = words.length == 2 ? Type.of(words[1]) : Optional.empty();
            if (type.isEmpty() || words[0].length() > limits.letters()) {
                throw Malformed.at(number, "not a type of a metric");
            }
            if (types.put(words[0], type.get()) != null) {
                throw Malformed.at(number, "the type of a metric is there twice");
            }
        }

        private void keep(Sample sample, int number) throws Malformed {
            if (++kept > limits.kept()) {
                throw Malformed.at(number, "too many samples");
            }
            // the order of labels in the text does not matter
            String key = sample.name() + new TreeMap<>(sample.labels());
            if (!series.add(key)) {
                throw Malformed.at(number, "the same series is there twice");
            }
            families.computeIfAbsent(family(sample.name()), _ -> new ArrayList<>()).add(sample);
        }

        /// Returns the name without its suffix if that is a family with such samples, else the
        /// sample's own name.
        private String family(String sample) {
            if (types.containsKey(sample)) {
                return sample;
            }
            int at = sample.lastIndexOf('_');
            if (at > 0) {
                Type type = types.get(sample.substring(0, at));
                if (type != null && type.has(sample.substring(at))) {
                    return sample.substring(0, at);
                }
            }
            return sample;
        }

        PrometheusText text() {
            return new PrometheusText(
                    families.entrySet().stream()
                            .map(e ->
                                    new Family(
                                            e.getKey(),
                                            types.getOrDefault(e.getKey(), Type.UNTYPED),
                                            e.getValue()))
                            .toList());
        }
    }
}
