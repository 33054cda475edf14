package dev.jdyno.experiment.labelled;

import static java.util.stream.Collectors.joining;

import dev.jdyno.experiment.Bench;
import dev.jdyno.experiment.FewPorts;
import dev.jdyno.experiment.lab.Jdks;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.experiment.labelled.Labelled.Row;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Plants one bottleneck after another and checks whether the diagnosis names it. No published tool
/// reports how often it is right.
public final class LabelledBench {
    /// Maximum share of the machine that other processes may use; with more, a case is run again.
    private static final double OTHERS_SPOIL = 0.30;

    private static final int TRIES = 3;

    /// Prefix of `needs` for cases that run in their own network namespace.
    private static final String NAMESPACE = "network namespace";

    private static final Duration ROUND = Duration.ofSeconds(2);

    /// Duration of a round in the short form: its cases are clear, and two dozen of them fit in
    /// eight minutes.
    private static final Duration ROUND_OF_SHORT_FORM = Duration.ofMillis(1500);

    private static final Duration WARMUP_OF_SHORT_FORM = Duration.ofSeconds(2);

    private final Bench bench;
    private final Function<Recording, Verdict> judge;
    private final Settings settings;

    /// Settings of the benchmark.
    ///
    /// @param seed seed for the cases' parameters, so that rules cannot be fitted to fixed ones
    /// @param jdk feature version of the JDK that the services run on
    /// @param keep folder for the measurements; empty to keep none
    /// @param clearOnly whether to run only the first case of each bottleneck that has one correct
    ///   name
    public record Settings(long seed, int jdk, Optional<Path> keep, boolean clearOnly) {}

    /// @param judge the diagnosis under test
    public LabelledBench(Bench bench, Function<Recording, Verdict> judge, Settings settings) {
        this.bench = bench;
        this.judge = judge;
        this.settings = settings;
    }

    /// @param wanted names of the cases to run; empty for all
    /// @throws UserError if a name is unknown; it lists the known names
    public Labelled run(List<String> wanted) throws InterruptedException {
        Jdks.Jdk jdk = Jdks.of(settings.jdk());
        List<PlantedCase> listed =
                only(
                        bench
                                .print("planted.Planted", List.of("--list"), Duration.ofMinutes(1))
                                .stream()
                                .map(PlantedCase::parse)
                                .toList(),
                        wanted);
        List<PlantedCase> cases = settings.clearOnly() ? clear(listed, jdk.feature()) : listed;
        List<Row> rows = new ArrayList<>();
        for (PlantedCase planted : cases) {
            if (bench.stop().getAsBoolean()) {
                break;
            }
            bench.listener()
                    .phase(
                            String.format(
                                    Locale.ROOT,
                                    "── %d of %d: %s",
                                    rows.size() + 1,
                                    cases.size(),
                                    planted.name()));
            rows.add(repeatedIfDisturbed(planted, jdk));
        }
        return new Labelled(rows);
    }

    /// Returns the cases with these names; all if none is given.
    ///
    /// @throws UserError if a name is unknown; it lists the known names
    static List<PlantedCase> only(List<PlantedCase> all, List<String> wanted) {
        Set<String> unknown = new LinkedHashSet<>(wanted);
        all.forEach(c -> unknown.remove(c.name()));
        if (!unknown.isEmpty()) {
            throw UserError.usage(
                    "--case: there is no case " + String.join(", ", unknown),
                    "the names are " + all.stream().map(PlantedCase::name).collect(joining(", ")),
                    "take some of these, or leave --case out for all");
        }
        return all.stream().filter(c -> wanted.isEmpty() || wanted.contains(c.name())).toList();
    }

    /// Judges the kept measurements again, without a new measurement.
    public static Labelled again(List<KeptCase> kept, Function<Recording, Verdict> judge) {
        return new Labelled(
                kept.stream().map(k -> judged(k.planted(), judge.apply(k.recording()))).toList());
    }

    /// Returns one case for each bottleneck that shows on this JDK, of the cases with one correct
    /// name.
    static List<PlantedCase> clear(List<PlantedCase> all, int jdk) {
        Set<String> named = new HashSet<>();
        return all.stream()
                .filter(c -> c.also().isEmpty() && c.needs().isEmpty() && c.showsOn(jdk))
                .filter(c -> named.add(c.bottleneck()))
                .toList();
    }

    /// Runs a case again if other processes used much of the machine, because they are a neighbour
    /// that was not planted.
    private Row repeatedIfDisturbed(PlantedCase planted, Jdks.Jdk jdk) throws InterruptedException {
        Row row = one(planted, jdk);
        for (int i = 1; i < TRIES && row.isDisturbedByOthers(); i++) {
            row = one(planted, jdk);
        }
        return row;
    }

    private static boolean isSpoilt(PlantedCase planted, Recording recording) {
        return !planted.isRight(Bottleneck.CPU_NEIGHBOUR.key())
                && recording.rounds().stream()
                        .flatMap(r -> r.cpu().stream())
                        .anyMatch(c -> c.otherCores() > OTHERS_SPOIL * recording.machine().cores());
    }

    private Row one(PlantedCase planted, Jdks.Jdk jdk) throws InterruptedException {
        if (!planted.showsOn(jdk.feature())) {
            return failed(planted, "does not show on JDK " + jdk.feature());
        }
        if (planted.needs().startsWith(NAMESPACE) && !FewPorts.areHere()) {
            return withFewPorts(planted, jdk);
        }
        try (LabService service =
                bench.lab()
                        .startOn(
                                jdk.home(),
                                "planted.Planted",
                                planted.jvmArgs(),
                                List.of(
                                        "--port",
                                        "0",
                                        "--case",
                                        planted.name(),
                                        "--seed",
                                        Long.toString(settings.seed())))) {
            Recording recording =
                    new Trial(
                                    plan(planted, service),
                                    new Session(
                                            bench.folder(),
                                            bench.listener(),
                                            bench.clock(),
                                            bench.stop()))
                            .run()
                            .recording();
            if (recording.partial() || recording.rounds().isEmpty()) {
                return failed(planted, "cut short");
            }
            if (isSpoilt(planted, recording)) {
                return failed(planted, Labelled.BUSY_MACHINE);
            }
            var kept = new KeptCase(planted, jdk.feature(), settings.seed(), recording);
            settings.keep().ifPresent(folder -> kept.keepIn(folder, bench.folder()));
            return judged(planted, judge.apply(recording));
        } catch (UserError e) {
            String needs = planted.needs().isEmpty() ? "" : " (needs " + planted.needs() + ")";
            return failed(planted, e.what() + ": " + e.why() + needs);
        }
    }

    private Row withFewPorts(PlantedCase planted, Jdks.Jdk jdk) throws InterruptedException {
        Optional<KeptCase> measured =
                measuredWithFewPorts(planted.name(), jdk.feature(), bench.folder());
        measured.ifPresent(
                kept -> settings.keep().ifPresent(folder -> kept.keepIn(folder, bench.folder())));
        return measured.map(kept -> judged(planted, judge.apply(kept.recording())))
                .orElseGet(() -> failed(planted, "not measured (needs " + planted.needs() + ")"));
    }

    /// Measures a case in a network namespace with few local ports. Empty if no such namespace can
    /// be created, or the case was not measured in it.
    private Optional<KeptCase> measuredWithFewPorts(String name, int jdk, Path folder)
            throws InterruptedException {
        Path kept = folder.resolve("few-ports-kept");
        FewPorts.output(
                List.of(
                        "lab",
                        "bottlenecks",
                        "--case",
                        name,
                        "--seed",
                        Long.toString(settings.seed()),
                        "--jdk",
                        Integer.toString(jdk),
                        "--keep",
                        kept.toString(),
                        "--quiet",
                        "--out",
                        folder.resolve("few-ports").toString()),
                folder,
                bench.stop());
        return Files.isDirectory(kept)
                ? KeptCase.allIn(kept).stream().findFirst()
                : Optional.empty();
    }

    private static Row judged(PlantedCase planted, Verdict verdict) {
        return new Row(
                planted,
                verdict.bottleneck().key(),
                verdict.where(),
                verdict.confidence(),
                verdict.runnersUp().isEmpty()
                        ? ""
                        : verdict.runnersUp().getFirst().bottleneck().key(),
                Optional.empty());
    }

    private static Row failed(PlantedCase planted, String why) {
        return new Row(planted, "", "", 0, "", Optional.of(why));
    }

    /// Returns a plan that is shorter than a user's run: only the verdict counts, not the knee's
    /// interval.
    private Plan plan(PlantedCase planted, LabService service) {
        Duration round = settings.clearOnly() ? ROUND_OF_SHORT_FORM : ROUND;
        Duration maxWarmUp = settings.clearOnly() ? WARMUP_OF_SHORT_FORM : Duration.ofSeconds(3);
        int n = planted.concurrency();
        return Plan.of(planted.name(), service.url("/"), new Plan.TargetPlan.Attach(service.pid()))
                .withWarmup(new Plan.Warmup(Duration.ofSeconds(2), maxWarmUp, n))
                .withRounds(
                        new Plan.Rounds(
                                round,
                                Duration.ofMillis(500),
                                List.of(Math.max(1, n / 4), n, 2 * n),
                                2 * n))
                .withEvidence(new Plan.Evidence(Duration.ofMillis(1500), 10))
                .withInside(InsidePlan.NONE);
    }
}
