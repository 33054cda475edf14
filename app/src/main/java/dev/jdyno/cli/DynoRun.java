package dev.jdyno.cli;

import dev.jdyno.cli.load.OtherLoads;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.LiveOption;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cli.terminal.Terminal;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.compare.Variant;
import dev.jdyno.diagnose.Growth;
import dev.jdyno.diagnose.Proofs;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.gclog.GcLogReading;
import dev.jdyno.history.Entries;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.Kind;
import dev.jdyno.history.RoundLines;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.otlp.OtlpExport;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.StagesText;
import dev.jdyno.report.words.TextLines;
import dev.jdyno.trial.InsideOpening;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.TrialOutcome;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One run from plan to report; `run` and `demo` share it.
public final class DynoRun {
    /// Reason why a result has no verdict: it was written before the judgement.
    private static final String NOT_YET = "jdyno ended before it had judged the measurement";

    private final OutputOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final String commandLine;
    private Optional<RunResult> earlier = Optional.empty();
    private Recommendations.Aim aim = Recommendations.Aim.QPS;
    private boolean force;
    private Optional<InsideOpening> away = Optional.empty();
    private Optional<Keeping> keeping = Optional.empty();
    private Optional<LiveOption.Serving> serving = Optional.empty();
    private Optional<OtlpExport> otlp = Optional.empty();
    private Judging judging =
            (about, outcome, aim) -> judge(outcome.goal(), aim).result(about, outcome.recording());

    /// Makes a result from a measurement.
    @FunctionalInterface
    public interface Judging {
        RunResult of(RunResult.About about, TrialOutcome outcome, Recommendations.Aim aim);
    }

    public DynoRun(OutputOptions options, PrintWriter out, PrintWriter err, String commandLine) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.commandLine = commandLine;
    }

    /// Compares the hot spots with those of an earlier run, if there is one.
    DynoRun since(Optional<RunResult> before) {
        earlier = before;
        return this;
    }

    /// Sets the figure by which recommendations are ranked; without a call, this is throughput.
    DynoRun aim(Recommendations.Aim wanted) {
        aim = wanted;
        return this;
    }

    /// Sets whether the run continues if another jdyno uses the same target.
    DynoRun force(boolean wanted) {
        force = wanted;
        return this;
    }

    /// Replaces the way in which a target on another host is observed.
    DynoRun away(Optional<InsideOpening> wanted) {
        away = wanted;
        return this;
    }

    /// Stores the result in the history.
    ///
    /// @param around a folder of the service's repository
    DynoRun kept(KeepOptions options, Path around) {
        keeping = Optional.of(new Keeping(options, around));
        return this;
    }

    /// Serves the run to browsers while it is measured.
    DynoRun live(Optional<LiveOption.Serving> wanted) {
        serving = wanted;
        return this;
    }

    /// Sends the rounds and the result to a collector.
    DynoRun otlp(Optional<OtlpExport> wanted) {
        otlp = wanted;
        return this;
    }

    private record Keeping(KeepOptions options, Path around) {}

    /// Replaces the judgement of the measurement, for tests.
    public DynoRun judging(Judging wanted) {
        judging = wanted;
        return this;
    }

    /// @return the exit code (docs/contract.md)
    /// @throws UserError if the run was cut short or could not be explained; in that case the
    ///   measurement is written
    public int run(Plan plan, Interrupt interrupt) throws IOException, InterruptedException {
        var terminal =
                new TerminalReport(options.colour(), Terminal.columns().orElse(TextLines.WIDTH));
        var view = new LiveView(err, terminal, options);
        Path folder = OutputFolder.create(options.out(), plan.name());
        PrivateFiles.write(folder.resolve("plan.yaml"), PlanText.of(plan));
        Instant startedAt = Instant.now();
        NanoClock clock = NanoClock.SYSTEM;
        long start = clock.nanos();

        Plan started = new Variant(plan, List.of()).started();
        TrialListener listener = listener(view);
        boolean proves = plan.proving().wanted();
        // Held until the result is stored: no other jdyno begins in this folder or imports a
        // partial result.
        try (var kept =
                RoundLines.begin(
                        folder, Kind.RUN, plan.name(), origin(startedAt, folder), listener)) {
            TrialOutcome outcome;
            try (var others = OtherLoads.begin(started.url(), Optional.empty(), err)) {
                var trial =
                        new Trial(started, new Session(folder, kept, clock, interrupt::isSet))
                                .force(force);
                away.ifPresent(trial::away);
                outcome =
                        (proves
                                        ? trial.run((seen, goal) ->
                                                judge(goal, aim).challenges(seen).wanted())
                                        : trial.run())
                                .with(others.seen());
            }
            var about =
                    new RunResult.About(
                            Version.text(),
                            commandLine,
                            startedAt,
                            clock.secondsSince(start),
                            plan.name());
            // Written before the judgement, which may fail in any way.
            RecordingFile.write(outcome.recording(), folder.resolve(RecordingFile.NAME));
            ResultJson.write(
                    judge(outcome.goal(), aim).unjudged(about, outcome.recording(), NOT_YET),
                    folder.resolve(EntryFile.RESULT));
            List<UserError> failures = new ArrayList<>(outcome.failure().stream().toList());
            RunResult result = explained(about, plan, outcome, folder, failures);
            Explaining.attempt(
                    "it wrote report.html",
                    () -> HtmlReport.write(result, folder.resolve("report.html")),
                    failures::add);
            serving.ifPresent(s -> s.end(result.verdict().says().text()));
            view.say("");
            Explaining.attempt(
                    "it printed the result",
                    () -> print(result, plan, terminal, folder),
                    failures::add);
            out.flush();
            keep(result, folder);
            otlp.ifPresent(o -> o.end(result));
            return exitCode(result, failures, interrupt);
        }
    }

    private TrialListener listener(LiveView view) {
        TrialListener shown = serving.<TrialListener>map(s -> s.watching(view)).orElse(view);
        return otlp.map(o -> o.watching(shown)).orElse(shown);
    }

    private void keep(RunResult result, Path folder) throws IOException {
        if (keeping.isEmpty()) {
            RoundLines.done(folder);
            return;
        }
        Keeping k = keeping.get();
        k.options()
                .keep(
                        result.jdyno().startedAt(),
                        commandLine,
                        Optional.of(folder),
                        k.around(),
                        err,
                        origin -> Entries.of(result, origin));
    }

    private Entries.Origin origin(Instant startedAt, Path folder) {
        return keeping.map(k -> k.options().origin(startedAt, commandLine, folder, k.around()))
                .orElseGet(() ->
                        new Entries.Origin(
                                startedAt,
                                commandLine,
                                Optional.empty(),
                                Optional.of(folder),
                                Optional.empty()));
    }

    /// Judges the measurement and writes the result. If that fails, the measurement alone is marked
    /// and written.
    private RunResult explained(
            RunResult.About about,
            Plan plan,
            TrialOutcome outcome,
            Path folder,
            List<UserError> failures)
            throws InterruptedException {
        List<UserError> broken = new ArrayList<>();
        Optional<RunResult> judged =
                Explaining.orElse(
                        Optional.empty(),
                        "it judged the measurement",
                        () -> {
                            RunResult made = judging.of(about, outcome, aim);
                            RunResult tested =
                                    plan.proving().wanted()
                                            ? made.withProof(proof(made, outcome))
                                            : made;
                            RunResult whole =
                                    GcLogReading.added(
                                            earlier.map(e -> tested.withInsight(since(e, tested)))
                                                    .orElse(tested),
                                            folder);
                            ResultJson.write(whole, folder.resolve(EntryFile.RESULT));
                            return Optional.of(whole);
                        },
                        broken::add);
        if (judged.isPresent()) {
            return judged.get();
        }
        failures.addAll(broken);
        UserError why = broken.getFirst();
        RunResult alone =
                judge(outcome.goal(), aim)
                        .unjudged(about, outcome.recording(), why.what() + ": " + why.why());
        ResultJson.write(alone, folder.resolve(EntryFile.RESULT));
        return alone;
    }

    private void print(RunResult result, Plan plan, TerminalReport terminal, Path folder) {
        if (options.json) {
            out.println(ResultJson.toString(result));
            return;
        }
        out.print(terminal.verdict(result, Optional.of(folder)));
        out.print(StagesText.of(result.insight().stages()));
        earlier.ifPresent(_ -> out.print(TerminalReport.grown(result.insight().since())));
        if (!plan.inside().stages().isEmpty()) {
            result.insight().missing().stream()
                    .filter(m -> m.source().equals(Unseen.STAGES))
                    .map(Unseen::text)
                    .forEach(out::println);
        }
    }

    private static Insight since(RunResult earlier, RunResult now) {
        return now.insight().withSince(Growth.since(earlier.insight(), now.insight()));
    }

    private static Judge judge(Optional<GoalKnee> goal, Recommendations.Aim aim) {
        return Judge.rankingBy(aim).withGoal(goal);
    }

    private Proof proof(RunResult judged, TrialOutcome outcome) {
        List<String> none =
                outcome.recording().rounds().isEmpty()
                        ? List.of("there is no round to judge")
                        : judge(outcome.goal(), aim).challenges(outcome.recording()).none();
        return Proofs.of(judged.verdict(), outcome.attempts(), none);
    }

    /// @param failures reasons why the run was cut short or could not be explained, the first one
    ///   first
    /// @throws UserError the first failure, whose kind sets the exit code
    private int exitCode(RunResult result, List<UserError> failures, Interrupt interrupt) {
        if (interrupt.isSet()) {
            return Interrupt.EXIT_CODE;
        }
        failures.stream().skip(1).forEach(f -> Failures.print(f, err));
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        return result.validity().ok() ? 0 : UserError.Kind.INVALID.exitCode();
    }
}
