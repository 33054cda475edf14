package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.rules.Diagnoses;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcFacts;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.ThreadCounts;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A run and the GC log in its folder belong to one service, so `run` and `gc` must not contradict
/// each other. The logs are those of kept recordings.
class GcAgreementTest {
    private static final String SUFFIX = ".gc.log.gz";

    /// Ids for the collector's cost, whatever its cause.
    private static final Set<String> SHARES = Set.of("gc-overhead", "gc-cpu");

    /// Reasons for which a log may name another fault than its run.
    private enum Reason {
        /// The fault takes less time than the bottleneck of the service. `gc` also reports single
        /// long stops and full heaps, `run` only bottlenecks.
        COSTS_LITTLE,
        /// The collector's share of time or CPU, which a run shows as evidence of the cause that it
        /// names.
        SHARE_OF_THE_CAUSE,
        /// Stops other than collections take less time than collections.
        LESS_THAN_COLLECTIONS,
        /// The run lists it as a consequence of the verdict or as a possible alternative.
        RUN_NAMES_IT_TOO
    }

    /// A figure that a run and its log both measure. The log also covers the warm-up and the
    /// diagnostic windows. Its figure must lie within the range of the rounds, widened by this
    /// factor.
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Fact {
        STOPPED(1.5, r -> facts(r).stopped(), a -> a.facts().stopped()),
        REACHING(
                1.5,
                r -> r.threads().flatMap(ThreadCounts::stops).orElseThrow().syncShare(),
                a -> a.spanPct(a.stopped().reachingMs()) / 100),
        ASKED(1.1, r -> facts(r).causes().asked(), a -> a.facts().causes().asked()),
        HUMONGOUS(1.1, r -> facts(r).causes().humongous(), a -> a.facts().causes().humongous()),
        PROMOTED(1, r -> facts(r).promotedShare(), a -> a.facts().promotedShare()),
        ALLOCATED(
                2,
                r -> r.gc().orElseThrow().allocBytesPerS().orElseThrow(),
                a -> a.allocBytesPerS().orElseThrow());

        private final double times;
        private final ToDoubleFunction<Round> ofRound;
        private final ToDoubleFunction<Analysis> ofLog;

        Fact(double times, ToDoubleFunction<Round> ofRound, ToDoubleFunction<Analysis> ofLog) {
            this.times = times;
            this.ofRound = ofRound;
            this.ofLog = ofLog;
        }

        private static GcFacts facts(Round round) {
            return round.gc().orElseThrow().facts();
        }
    }

    /// Reasons for which a figure of a log may differ from the one of its run.
    private enum Difference {
        /// Both figures are below the limit of every rule.
        BELOW_ALL_LIMITS,
        /// Counters show humongous objects only if collections leave some of them in the old
        /// generation. They then count as promoted and not as allocated.
        COUNTERS_MISS_HUMONGOUS
    }

    static List<String> recordings() throws IOException {
        try (Stream<Path> logs = Files.list(Corpus.FOLDER.resolve("logs"))) {
            return logs.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(SUFFIX))
                    .map(f -> f.substring(0, f.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        }
    }

    private static Analysis log(String name) {
        Path log = Corpus.FOLDER.resolve("logs/" + name + SUFFIX);
        return GcLog.read(List.of(log), GcLog.Options.DEFAULT);
    }

    private static List<GcDiagnosis> ofLog(String name) {
        return Diagnoses.of(log(name), OptionalDouble.empty());
    }

    private static Verdict verdict(String name) {
        return Corpus.judged(name, Corpus.planted(name)).verdict();
    }

    private static Bottleneck ofRun(String name) {
        return verdict(name).bottleneck();
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
    void logAndRunNameSameCauseFirst(String name) {
        assertThat(ofLog(name).getFirst().illness().bottleneck()).contains(ofRun(name));
    }

    /// The run must give every advice of the log that has an id, with the same flags and sizes. It
    /// may add advice that needs data outside of the log.
    @ParameterizedTest
    @MethodSource("recordings")
    void logAndRunGiveSameAdviceFirst(String name) {
        Map<String, Recommendation> ofRun =
                Corpus.judged(name, Corpus.planted(name)).recommendations().stream()
                        .collect(Collectors.toMap(Recommendation::id, r -> r, (first, _) -> first));
        List<GcAdvice> ofLog =
                ofLog(name).getFirst().advised().stream().filter(a -> !a.id().isEmpty()).toList();

        assertThat(ofLog).isNotEmpty();
        for (GcAdvice advice : ofLog) {
            String id = advice.id();
            if (ofRun.containsKey(KNOWN_BETTER.getOrDefault(id, ""))) {
                continue;
            }
            assertThat(ofRun).containsKey(id);
            List<Change> changes = Objects.requireNonNull(ofRun.get(id)).changes();
            assertThat(changes).as(id).hasSameSizeAs(advice.changes());
            for (int i = 0; i < changes.size(); i++) {
                assertThat(isAlike(advice.changes().get(i), changes.get(i)))
                        .as("%s by the log, %s by the run", advice.changes(), changes)
                        .isTrue();
            }
        }
    }

    /// Advice of the log → more exact advice of the run. Only a run knows the method of the late
    /// thread; the log recommends a flag that names it.
    private static final Map<String, String> KNOWN_BETTER = Map.of("late-thread", "stop-in-pieces");

    /// Maximum ratio of two sizes of one heap, one from a log and one from counters. They differ by
    /// the allocation between the two readings.
    private static final double SIZES_DIFFER = 1.15;

    private static boolean isAlike(Change one, Change other) {
        if (one instanceof Change.JvmFlag a
                && other instanceof Change.JvmFlag b
                && a.name().startsWith("-Xm")) {
            double ratio = size(a) / size(b);
            return a.name().equals(b.name()) && ratio < SIZES_DIFFER && ratio > 1 / SIZES_DIFFER;
        }
        return one.equals(other);
    }

    private static double size(Change.JvmFlag flag) {
        return Bytes.parse(flag.value().orElseThrow()).inMebi();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void diagnoseAndRunNameSameCause(String name) {
        Judged diagnosed =
                Judge.rankingBy(Recommendations.Aim.QPS)
                        .underOwnLoad(Corpus.planted(name), Optional.empty());

        assertThat(diagnosed.verdict().bottleneck()).isEqualTo(ofRun(name));
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void everyOtherFindingOfLogHasAReason(String name) {
        Analysis log = log(name);
        Verdict verdict = verdict(name);

        for (GcDiagnosis d : ofLog(name)) {
            Optional<Bottleneck> other =
                    d.severity() == Severity.INFO
                            ? Optional.empty()
                            : d.illness().bottleneck().filter(b -> b != verdict.bottleneck());
            other.ifPresent(
                    b -> assertThat(reason(d.id(), b, log, verdict)).as(d.id()).isPresent());
        }
    }

    private static Optional<Reason> reason(String id, Bottleneck other, Analysis log, Verdict run) {
        double stopped =
                other == Bottleneck.SAFEPOINT
                        ? log.spanPct(log.stopped().otherMs())
                        : log.spanPct(log.pauses().total());
        if (stopped < 100 * GcLimits.STOPPED_SHARE) {
            return Optional.of(Reason.COSTS_LITTLE);
        }
        if (SHARES.contains(id) && run.bottleneck() != Bottleneck.SAFEPOINT) {
            return Optional.of(Reason.SHARE_OF_THE_CAUSE);
        }
        if (other == Bottleneck.SAFEPOINT && log.stopped().otherMs() < log.stopped().gcMs()) {
            return Optional.of(Reason.LESS_THAN_COLLECTIONS);
        }
        return run.runnersUp().stream()
                        .anyMatch(r ->
                                r.bottleneck() == other && (r.possible() || r.from().isPresent()))
                ? Optional.of(Reason.RUN_NAMES_IT_TOO)
                : Optional.empty();
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void figuresAgreeOrDifferByARule(String name) {
        Analysis log = log(name);
        List<Round> rounds = Corpus.planted(name).rounds();

        for (Fact fact : Fact.values()) {
            double min = rounds.stream().mapToDouble(fact.ofRound).min().orElseThrow();
            double max = rounds.stream().mapToDouble(fact.ofRound).max().orElseThrow();
            double logged = fact.ofLog.applyAsDouble(log);
            boolean agree = logged >= min / fact.times && logged <= max * fact.times;
            if (!agree) {
                assertThat(difference(fact, log, min, max, logged))
                        .as("%s: %s to %s by the rounds, %s by the log", fact, min, max, logged)
                        .isPresent();
            }
        }
    }

    private static Optional<Difference> difference(
            Fact fact, Analysis log, double min, double max, double logged) {
        Optional<Difference> humongous =
                log.facts().causes().humongous() >= GcLimits.HUMONGOUS_SHARE
                        ? Optional.of(Difference.COUNTERS_MISS_HUMONGOUS)
                        : Optional.empty();
        return switch (fact) {
            case STOPPED, REACHING ->
                    Math.max(max, logged) < GcLimits.STOPPED_SHARE
                            ? Optional.of(Difference.BELOW_ALL_LIMITS)
                            : Optional.empty();
            case PROMOTED ->
                    Math.max(max, logged) < GcLimits.PROMOTED_SHARE
                            ? Optional.of(Difference.BELOW_ALL_LIMITS)
                            : logged < min ? humongous : Optional.empty();
            case ALLOCATED -> logged > max ? humongous : Optional.empty();
            case ASKED, HUMONGOUS -> Optional.empty();
        };
    }

    @ParameterizedTest
    @MethodSource("recordings")
    void slowSafepointComesFirstInRunAndLog(String name) {
        boolean first = ofLog(name).getFirst().id().equals("time-to-safepoint");

        assertThat(first).isEqualTo(isLate(name));
    }

    private static boolean isLate(String name) {
        return verdict(name).where().startsWith("time to safepoint");
    }
}
