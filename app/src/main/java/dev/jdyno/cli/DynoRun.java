package dev.jdyno.cli;

import dev.jdyno.diagnose.Growth;
import dev.jdyno.diagnose.Prescriptions;
import dev.jdyno.diagnose.Proofs;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.PrivateFiles;
import dev.jdyno.measure.Proof;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.report.HtmlReport;
import dev.jdyno.report.ResultJson;
import dev.jdyno.report.StagesText;
import dev.jdyno.report.TerminalReport;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One run from plan to report: what `run` and `demo` share.
final class DynoRun {
    /// Exit code of an interrupted run, as shells have it for SIGINT.
    static final int INTERRUPTED = 130;

    private final OutputOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final String commandLine;
    private Optional<RunResult> earlier = Optional.empty();
    private Prescriptions.Aim aim = Prescriptions.Aim.QPS;

    DynoRun(OutputOptions options, PrintWriter out, PrintWriter err, String commandLine) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.commandLine = commandLine;
    }

    /// Hot spots are compared with those of an earlier run, if there is one.
    DynoRun since(Optional<RunResult> before) {
        earlier = before;
        return this;
    }

    /// What cures are ranked by; throughput otherwise.
    DynoRun aim(Prescriptions.Aim wanted) {
        aim = wanted;
        return this;
    }

    /// @return the exit code of the contract
    int run(Plan plan, Interrupt interrupt) throws IOException, InterruptedException {
        var terminal = new TerminalReport(options.colour());
        var view = new LiveView(err, terminal, options);
        Path folder = OutputFolder.create(options.out(), plan.name());
        PrivateFiles.write(folder.resolve("plan.yaml"), PlanText.of(plan));
        Instant started = Instant.now();
        NanoClock clock = NanoClock.SYSTEM;
        long start = clock.nanos();

        var trial = new Trial(plan, folder, view, clock, interrupt::isSet);
        boolean proves = plan.proving().wanted();
        TrialOutcome outcome =
                proves
                        ? trial.run((seen, goal) -> Judgement.challenges(seen, goal).wanted())
                        : trial.run();
        var about =
                new RunResult.About(
                        Version.text(),
                        commandLine,
                        started,
                        clock.secondsSince(start),
                        plan.name());
        RunResult judged = Judgement.of(about, outcome.recording(), outcome.goal(), aim);
        RunResult tested = proves ? judged.withProof(proof(judged, outcome)) : judged;
        RunResult result = earlier.map(e -> tested.withInsight(since(e, tested))).orElse(tested);
        ResultJson.write(result, folder.resolve("result.json"));
        HtmlReport.write(result, folder.resolve("report.html"));

        view.say("");
        if (options.json) {
            out.println(ResultJson.toString(result));
        } else {
            out.print(terminal.verdict(result, Optional.of(folder)));
            out.print(StagesText.of(result.insight().stages()));
            earlier.ifPresent(_ -> out.print(TerminalReport.grown(result.insight().since())));
            if (!plan.looking().stages().isEmpty()) {
                result.insight().missing().stream()
                        .filter(m -> m.startsWith("stages:"))
                        .forEach(out::println);
            }
        }
        out.flush();
        return exitCode(result, outcome, interrupt);
    }

    private static Insight since(RunResult earlier, RunResult now) {
        return now.insight().withSince(Growth.since(earlier.insight(), now.insight()));
    }

    private static Proof proof(RunResult judged, TrialOutcome outcome) {
        List<String> none =
                outcome.recording().rounds().isEmpty()
                        ? List.of("there is no round to judge")
                        : Judgement.challenges(outcome.recording(), outcome.goal()).none();
        return Proofs.of(judged.verdict(), outcome.attempts(), none);
    }

    private int exitCode(RunResult result, TrialOutcome outcome, Interrupt interrupt) {
        if (interrupt.isSet()) {
            return INTERRUPTED;
        }
        if (outcome.failure().isPresent()) {
            UserError failure = outcome.failure().get();
            Failures.print(failure, err);
            return failure.kind().exitCode();
        }
        return result.validity().ok() ? 0 : UserError.Kind.INVALID.exitCode();
    }
}
