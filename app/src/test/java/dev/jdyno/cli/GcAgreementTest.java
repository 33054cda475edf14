package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A run and the GC log in its folder are of one service: `run` and `gc` must not contradict each
/// other. The logs are those of the kept recordings that have one.
class GcAgreementTest {
    private static final String SUFFIX = ".gc.log.gz";

    /// What the diagnoses of a log are called that mean the bottleneck of a run.
    private static final Map<Bottleneck, Set<String>> SAME =
            new EnumMap<>(
                    Map.of(
                            Bottleneck.GC_ALLOCATION,
                            Set.of("gc-overhead", "young-too-small", "gc-cpu"),
                            Bottleneck.GC_PROMOTION,
                            Set.of("premature-promotion", "survivor-overflow", "promotion-rate"),
                            Bottleneck.GC_LIVE_SET,
                            Set.of("live-set"),
                            Bottleneck.GC_LEAK,
                            Set.of("leak"),
                            Bottleneck.GC_EXPLICIT,
                            Set.of("explicit-gc"),
                            Bottleneck.GC_HUMONGOUS,
                            Set.of("humongous"),
                            Bottleneck.GC_STALL,
                            Set.of("allocation-stall", "degenerated", "pacing"),
                            Bottleneck.SAFEPOINT,
                            Set.of("time-to-safepoint", "other-safepoints")));

    /// Faults for which the application stands still: throughput is lower by so much.
    private static final Set<String> STOPS =
            Set.of("gc-overhead", "time-to-safepoint", "other-safepoints");

    static List<String> recordings() throws IOException {
        try (Stream<Path> logs = Files.list(Corpus.FOLDER.resolve("logs"))) {
            return logs.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(SUFFIX))
                    .map(f -> f.substring(0, f.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    private static List<GcDiagnosis> ofLog(String name) {
        Path log = Corpus.FOLDER.resolve("logs/" + name + SUFFIX);
        return Diagnoses.of(
                GcLog.read(List.of(log), GcLog.Options.DEFAULT), OptionalDouble.empty());
    }

    private static Bottleneck ofRun(String name) {
        RunResult result = Corpus.judged(name, Corpus.planted(name));
        return result.verdict().bottleneck();
    }

    @Test
    void severalKindsOfFaultsHaveALog() throws IOException {
        assertThat(recordings().stream().map(GcAgreementTest::ofRun))
                .contains(
                        Bottleneck.SAFEPOINT,
                        Bottleneck.GC_LIVE_SET,
                        Bottleneck.GC_EXPLICIT,
                        Bottleneck.GC_HUMONGOUS);
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void theLogHasTheFaultThatTheRunNames(String name) {
        Set<String> same = SAME.getOrDefault(ofRun(name), Set.of());

        if (!same.isEmpty()) {
            assertThat(ofLog(name))
                    .filteredOn(d -> d.severity() != Severity.INFO)
                    .extracting(GcDiagnosis::id)
                    .containsAnyElementsOf(same);
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void theRunNamesWhatStopsTheServiceByItsLog(String name) {
        boolean stops =
                ofLog(name).stream()
                        .anyMatch(d -> d.severity() == Severity.CRITICAL && STOPS.contains(d.id()));

        if (stops) {
            assertThat(SAME).containsKey(ofRun(name));
        }
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void aSlowWayToASafepointStandsBeforeAllElseInBoth(String name) {
        boolean first = ofLog(name).getFirst().id().equals("time-to-safepoint");

        assertThat(first).isEqualTo(isLate(name));
    }

    private static boolean isLate(String name) {
        return Corpus.judged(name, Corpus.planted(name))
                .verdict()
                .where()
                .startsWith("time to safepoint");
    }
}
