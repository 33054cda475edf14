package dev.jdyno.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.trial.ColdStart.Curve;
import dev.jdyno.trial.ColdStart.Second;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Warm-up studies with starts of one minute each, in simulated time.
class WarmStudyTest {
    private static final Duration LONG = Duration.ofHours(9);

    @TempDir private Path folder;
    private final Service service = new Service();

    /// A simulated service that records its starts and the user's stop of the study.
    private static final class Service implements Starting {
        private final List<Path> folders = new ArrayList<>();
        private final List<String> flags = new ArrayList<>();
        private long nanos;
        private int stopAt = Integer.MAX_VALUE;
        private int trained;
        private boolean writes = true;
        private String fails = "none";
        private double lastQps = 100;
        private long errors;

        boolean stopped() {
            return folders.size() >= stopAt;
        }

        private void took(Plan plan, Path own) {
            nanos += 60_000_000_000L;
            folders.add(own);
            flags.add(String.valueOf(plan.target()));
        }

        @Override
        public Optional<Curve> measure(
                Plan plan, ColdStart.Traffic traffic, boolean restAfter, Path own) {
            took(plan, own);
            if (stopped()) {
                return Optional.empty();
            }
            if (flags.getLast().contains(fails)) {
                throw UserError.target("it does not start", "a flag", "none");
            }
            List<Second> seconds =
                    IntStream.range(0, 12)
                            .mapToObj(i ->
                                    new Second(
                                            3 + i,
                                            1,
                                            i < 6 ? 50 : lastQps,
                                            10,
                                            errors,
                                            0,
                                            Optional.of(0)))
                            .toList();
            return Optional.of(new Curve(2, 2, seconds, Optional.empty(), Optional.of(facts())));
        }

        @Override
        public void train(Plan plan, int inFlight, double seconds, Path own) {
            took(plan, own);
            trained++;
            if (writes && !stopped()) {
                String line = flags.getLast();
                int at = line.indexOf('=', line.indexOf("-XX:A")) + 1;
                try {
                    Files.writeString(Path.of(line.substring(at).split("[\\s'\"\\]]")[0]), "a");
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        }

        private TargetFacts facts() {
            return new TargetFacts(
                    Optional.of(1L),
                    Optional.of("OpenJDK"),
                    Optional.of("25.0.3"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(flags.getLast().split("[\\s'\"\\]]+")),
                    2,
                    false,
                    List.of(),
                    List.of());
        }
    }

    private Optional<Warmed> study(int starts, Duration budget, Way... ways)
            throws InterruptedException {
        return new WarmStudy(
                        Plan.of(
                                "shop",
                                URI.create("http://127.0.0.1:1/"),
                                new Plan.TargetPlan.Launch("java -jar shop.jar")),
                        new WarmSettings(
                                8,
                                Duration.ofSeconds(12),
                                starts,
                                budget,
                                Optional.empty(),
                                List.of(ways)),
                        folder,
                        silent(),
                        () -> service.nanos,
                        service::stopped,
                        new Random(1),
                        service)
                .run();
    }

    private static TrialListener silent() {
        return (TrialListener)
                Proxy.newProxyInstance(
                        TrialListener.class.getClassLoader(),
                        new Class<?>[] {TrialListener.class},
                        (_, _, _) -> null);
    }

    private static Warmed.Tried.Measured measured(Warmed w, int i) {
        return (Warmed.Tried.Measured) w.tried().get(i);
    }

    @Test
    void eachRoundStartsEveryVariantOnce() throws InterruptedException {
        Warmed all = study(3, LONG, Way.C1, Way.FEW).orElseThrow();

        assertThat(all.asIs().curves()).hasSize(3);
        assertThat(measured(all, 0).starts().curves()).hasSize(3);
        assertThat(measured(all, 1).starts().curves()).hasSize(3);
        assertThat(all.partial()).isFalse();
        assertThat(service.folders).hasSize(9);
    }

    @Test
    void eachStartKeepsItsOutput() throws InterruptedException {
        var _ = study(3, LONG, Way.AOT, Way.CDS, Way.C1);

        assertThat(new HashSet<>(service.folders)).hasSameSizeAs(service.folders);
        assertThat(service.folders).allMatch(Files::isDirectory);
    }

    /// Each round starts the baseline and one way, which takes two minutes, also in the first
    /// round.
    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 2", "5, 2", "6, 3"})
    void aRoundStartsOnlyIfItFitsIntoTheBudget(int minutes, int rounds)
            throws InterruptedException {
        Warmed fitted = study(5, Duration.ofMinutes(minutes), Way.C1).orElseThrow();

        assertThat(fitted.asIs().curves()).hasSize(rounds);
        assertThat(fitted.notes()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 3"})
    void baselineStudyStartsRoundsThatFitBudget(int minutes, int rounds)
            throws InterruptedException {
        assertThat(study(5, Duration.ofMinutes(minutes)).orElseThrow().asIs().curves())
                .hasSize(rounds);
    }

    @Test
    void studyStoppedInFirstStartHasNoResult() throws InterruptedException {
        service.stopAt = 1;

        assertThat(study(3, LONG, Way.AOT)).isEmpty();
        assertThat(service.folders).hasSize(1);
    }

    /// The stop comes while an archive is written, or while a way is measured.
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void studyStartsNothingAfterStop(int stopAt) throws InterruptedException {
        service.stopAt = stopAt;

        Warmed cut = study(3, LONG, Way.AOT, Way.CDS, Way.C1).orElseThrow();

        assertThat(service.folders).hasSize(stopAt);
        assertThat(cut.partial()).isTrue();
        assertThat(cut.asIs().curves()).hasSize(1);
    }

    @Test
    void archivePreventedByStopIsNoJvmFault() throws InterruptedException {
        service.stopAt = 2;
        Warmed stopped = study(3, LONG, Way.AOT, Way.C1).orElseThrow();

        assertThat(stopped.tried()).allMatch(Warmed.Tried.Not.class::isInstance);
        // both ways have the same reason: the study ended before their turn
        assertThat(stopped.tried().stream().map(t -> ((Warmed.Tried.Not) t).why()).distinct())
                .hasSize(1);
    }

    @Test
    void ignoresArchiveOfEarlierStudy() throws IOException, InterruptedException {
        Files.writeString(
                Files.createDirectory(folder.resolve("archives")).resolve("app.jsa"), "old");
        service.writes = false;

        Warmed without = study(1, LONG, Way.CDS).orElseThrow();

        assertThat(service.trained).isEqualTo(1);
        assertThat(without.tried().getFirst()).isInstanceOf(Warmed.Tried.Not.class);
    }

    @Test
    void namesFailedMethodAndContinuesWithOthers() throws InterruptedException {
        service.fails = "TieredStopAtLevel";

        Warmed others = study(3, LONG, Way.C1, Way.FEW).orElseThrow();

        assertThat(others.tried().getFirst()).isInstanceOf(Warmed.Tried.Not.class);
        assertThat(measured(others, 1).starts().curves()).hasSize(3);
        assertThat(others.partial()).isFalse();
    }

    @Test
    void baselineWithoutGoodFinalReplyHasNoFullSpeed() {
        service.lastQps = 0;
        service.errors = 7;

        assertThatThrownBy(() -> study(3, LONG, Way.C1))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ANSWER));
    }

    @Test
    void failedRequestsAreNoted() throws InterruptedException {
        service.errors = 7;

        assertThat(study(3, LONG, Way.C1).orElseThrow().notes()).hasSize(2);
    }
}
