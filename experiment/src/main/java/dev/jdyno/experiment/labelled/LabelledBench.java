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

/// Plants one bottleneck after the other and asks the diagnosis for its name. No published tool
/// reports how often it is right.
public final class LabelledBench {
    /// Share of the machine held by processes of nobody's from which a case is run again.
    private static final double OTHERS_SPOIL = 0.30;

    private static final int TRIES = 3;

    /// How the needs of a case begin that is run in a network namespace of its own.
    private static final String NAMESPACE = "network namespace";

    private static final Duration ROUND = Duration.ofSeconds(2);

    /// The short form's cases are clear, and there are two dozen of them in eight minutes.
    private static final Duration ROUND_OF_SHORT_FORM = Duration.ofMillis(1500);

    private static final Duration WARMUP_OF_SHORT_FORM = Duration.ofSeconds(2);

    private final Bench bench;
    private final Function<Recording, Verdict> judge;
    private final Settings settings;

    /// How it is run.
    ///
    /// @param seed draws the parameters of the cases, so that they cannot be learnt by heart
    /// @param jdk feature version of the JDK that the services run on
    /// @param keep folder for what was measured; empty to keep nothing
    /// @param clearOnly only the first case of each bottleneck that has one right name
    public record Settings(long seed, int jdk, Optional<Path> keep, boolean clearOnly) {}

    /// @param judge the diagnosis under test
    public LabelledBench(Bench bench, Function<Recording, Verdict> judge, Settings settings) {
        this.bench = bench;
        this.judge = judge;
        this.settings = settings;
    }

    /// @param wanted names of the lab's cases to run; empty for all
    /// @throws UserError if there are no such cases, with those there are
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
            rows.add(onQuietGround(planted, jdk));
        }
        return new Labelled(rows);
    }

    /// The cases of these names; all where none is given.
    ///
    /// @throws UserError if there are no such cases, with those there are
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

    /// Judges again what was kept, without measuring anything.
    public static Labelled again(List<KeptCase> kept, Function<Recording, Verdict> judge) {
        return new Labelled(
                kept.stream().map(k -> judged(k.planted(), judge.apply(k.recording()))).toList());
    }

    /// One case for each bottleneck that shows on this JDK, of those that have one right name.
    static List<PlantedCase> clear(List<PlantedCase> all, int jdk) {
        Set<String> named = new HashSet<>();
        return all.stream()
                .filter(c -> c.also().isEmpty() && c.needs().isEmpty() && c.showsOn(jdk))
                .filter(c -> named.add(c.bottleneck()))
                .toList();
    }

    /// Runs a case again when other processes held much of the machine: then a neighbour was there
    /// that was not planted.
    private Row onQuietGround(PlantedCase planted, Jdks.Jdk jdk) throws InterruptedException {
        Row row = one(planted, jdk);
        for (int i = 1; i < TRIES && row.isCrowded(); i++) {
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
                return failed(planted, Labelled.CROWDED);
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

    /// Empty where there is no such namespace to be had or the case was not measured in it.
    private Optional<KeptCase> measuredWithFewPorts(String name, int jdk, Path folder)
            throws InterruptedException {
        Path kept = folder.resolve("few-ports-kept");
        FewPorts.said(
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

    /// Shorter than a user's run: the verdict is what counts here, not the knee's interval.
    private Plan plan(PlantedCase planted, LabService service) {
        Duration round = settings.clearOnly() ? ROUND_OF_SHORT_FORM : ROUND;
        Duration warmUpAtMost = settings.clearOnly() ? WARMUP_OF_SHORT_FORM : Duration.ofSeconds(3);
        int n = planted.concurrency();
        return Plan.of(planted.name(), service.url("/"), new Plan.TargetPlan.Attach(service.pid()))
                .withWarmup(new Plan.Warmup(Duration.ofSeconds(2), warmUpAtMost, n))
                .withRounds(
                        new Plan.Rounds(
                                round,
                                Duration.ofMillis(500),
                                List.of(Math.max(1, n / 4), n, 2 * n),
                                2 * n))
                .withEvidence(new Plan.Evidence(Duration.ofMillis(1500), 10))
                .withLooking(Plan.Looking.NONE);
    }
}
