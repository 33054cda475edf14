package dev.jdyno.cli;

import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.cli.terminal.Version;
import dev.jdyno.compare.Note;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.report.TuneReport;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.words.NoteText;
import dev.jdyno.report.words.TuneText;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import dev.jdyno.tune.BudgetPlan;
import dev.jdyno.tune.Costs;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Measured;
import dev.jdyno.tune.PoolSettings;
import dev.jdyno.tune.Step;
import dev.jdyno.tune.TuneSettings;
import dev.jdyno.tune.Tuned;
import dev.jdyno.tune.Tuning;
import dev.jdyno.tune.Watch;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// One tuning from plan to report; `tune` and `lab --tune` share it.
final class TuneRun {
    /// Length of a round if the plan sets none: short, because a tuning has many rounds.
    private static final Duration ROUND = Duration.ofSeconds(4);

    private final OutputOptions output;
    private final PrintWriter out;
    private final Interrupt interrupt;
    private final LiveView view;

    TuneRun(OutputOptions output, PrintWriter out, PrintWriter err, Interrupt interrupt) {
        this.output = output;
        this.out = out;
        this.interrupt = interrupt;
        this.view = new LiveView(err, output);
    }

    /// Adds a mistake if the budget is too short for one comparison.
    ///
    /// @param fix what to write instead
    static void requireTime(TuneSettings settings, String fix, Problems problems) {
        double min = Tuning.minSeconds(settings);
        if (Durations.seconds(settings.budget()) < min) {
            problems.add(
                    "--budget " + Durations.format(settings.budget()),
                    "too short for one comparison: a diagnosis, one candidate and its"
                            + " confirmation take about "
                            + Durations.format(Duration.ofSeconds(Math.round(min))),
                    fix);
        }
    }

    /// Prints the candidates without trying them.
    void preview(Plan plan, TuneSettings settings, PoolSettings pools, Path folder)
            throws IOException, InterruptedException {
        try (UserLock _ = alone();
                Tuning tuning = open(plan, settings, pools, folder)) {
            var preview = tuning.preview();
            view.say("");
            preview.ifPresent(p -> out.print(TuneReport.preview(p)));
            out.flush();
        }
    }

    /// Runs the tuning, and writes and prints its result.
    Tuned tuned(Plan plan, TuneSettings settings, PoolSettings pools, Path folder)
            throws IOException, InterruptedException {
        Tuned result;
        try (UserLock _ = alone();
                Tuning tuning = open(plan, settings, pools, folder)) {
            view.say(TuneText.budget(Costs.ofUnseen(settings)));
            result = tuning.run();
        }
        PrivateFiles.write(folder.resolve("tune.json"), TuneReport.json(result) + "\n");
        HtmlReport.write(result, Version.text(), folder.resolve("report.html"));
        view.say("");
        if (output.json) {
            out.println(TuneReport.json(result));
        } else {
            out.print(TuneReport.terminal(result));
            out.println("Files  " + folder + " (report.html, tune.json, journal.jsonl)");
            String name = ShellText.word(folder.toString());
            if (result.partial()) {
                out.println("Go on with  jdyno tune --resume " + name);
            } else {
                result.searchEnd()
                        .map(TuneText::budget)
                        .ifPresent(enough ->
                                out.println(
                                        "Go on with  jdyno tune --resume "
                                                + name
                                                + " --budget "
                                                + enough));
            }
        }
        out.flush();
        return result;
    }

    private Tuning open(Plan plan, TuneSettings settings, PoolSettings pools, Path folder) {
        return Tuning.open(
                inShortRounds(plan),
                settings,
                pools,
                OptionTexts.OF_SERVICES,
                new LiveService(),
                new Session(folder, view, interrupt::isSet),
                new Spoken(view));
    }

    private static Plan inShortRounds(Plan plan) {
        Plan.Rounds preset = Plan.Rounds.DEFAULT;
        return plan.rounds().length().equals(preset.length())
                ? plan.withRounds(
                        new Plan.Rounds(
                                ROUND,
                                plan.rounds().settle(),
                                plan.rounds().concurrency(),
                                plan.rounds().maxConcurrency()))
                : plan;
    }

    private record Spoken(LiveView view) implements Watch {
        @Override
        public void plans(BudgetPlan plan) {
            TuneReport.plan(plan).lines().forEach(view::say);
        }

        @Override
        public void diagnosed(Diagnosed d) {
            view.say(d.bottleneck().key() + ": " + d.says());
        }

        @Override
        public void begins(Step step) {
            view.phase(TuneText.step(step));
        }

        @Override
        public void starts(Step step, int start, int min, int max) {
            view.phase(TuneText.start(step, start, min, max));
        }

        @Override
        public void soFar(Step step, Measured soFar) {
            view.say("    " + TuneText.soFar(soFar));
        }

        @Override
        public void promising(Tuned.Tried t) {
            view.say(TuneReport.promising(t));
        }

        @Override
        public void tried(Tuned.Tried t) {
            view.say(TuneReport.line(t));
        }

        @Override
        public void ablated(Tuned.Ablated a) {
            view.say(
                    "  without "
                            + TuneText.change(a.change())
                            + a.instead()
                                    .map(i -> ", with " + TuneText.change(i) + " instead")
                                    .orElse("")
                            + ": "
                            + TuneText.gain(a.measured())
                            + (a.kept() ? ", kept" : ", left out"));
        }

        @Override
        public void noted(Note note) {
            NoteText.of(List.of(note)).forEach(view::note);
        }
    }

    /// @throws UserError if another tuning of this user runs: both would measure each other
    private UserLock alone() {
        UserLock lock = UserLock.take("tune", OptionTexts.ENVIRONMENT);
        lock.note().ifPresent(view::say);
        return lock;
    }
}
