package dev.jdyno.cli.guard;

import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.guard.GuardSettings;
import dev.jdyno.guard.Guarded;
import dev.jdyno.guard.Guarding;
import dev.jdyno.guard.PinnedGuarding;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.RoundLines;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.report.GuardReport;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/// One guarded run from plan to report.
final class GuardRun {
    private final OutputOptions output;
    private final StoreOption store;
    private final PrintWriter out;
    private final PrintWriter err;
    private final LiveView view;
    private final Interrupt interrupt;

    GuardRun(
            OutputOptions output,
            StoreOption store,
            PrintWriter out,
            PrintWriter err,
            Interrupt interrupt) {
        this.output = output;
        this.store = store;
        this.out = out;
        this.err = err;
        this.view = new LiveView(err, output);
        this.interrupt = interrupt;
    }

    /// @param markdown true to print a table for a pull request
    /// @param around a folder of the service's repository
    Guarded run(
            Plan plan,
            GuardSettings settings,
            boolean markdown,
            String typed,
            Optional<String> label,
            Path around)
            throws IOException, InterruptedException {
        // Opened before the measurement, because a day cannot be judged without its history.
        History history = store.open();
        Path folder = OutputFolder.create(output.out(), plan.name());
        PrivateFiles.write(folder.resolve("plan.yaml"), PlanText.of(plan));
        var origin =
                new Entries.Origin(
                        Instant.now(), typed, label, Optional.of(folder), Commit.around(around));
        Guarding.Outcome outcome;
        boolean stored;
        try (var kept = RoundLines.begin(folder, Kind.GUARD, plan.name(), origin, view)) {
            outcome = guarded(plan, settings, history, folder, kept, origin);
            write(outcome.result(), folder);
            stored = kept(outcome, folder);
        }
        print(outcome, markdown, folder, stored);
        return outcome.result();
    }

    private static void write(Guarded result, Path folder) throws IOException {
        PrivateFiles.write(folder.resolve("guard.json"), GuardReport.json(result) + "\n");
        PrivateFiles.write(folder.resolve("guard.md"), GuardReport.markdown(result));
        PrivateFiles.write(folder.resolve("junit.xml"), GuardReport.junit(result));
    }

    /// @return true if the result is stored
    private boolean kept(Guarding.Outcome outcome, Path folder) throws IOException {
        if (outcome.entry().isEmpty()) {
            RoundLines.done(folder);
            return false;
        }
        Entry entry = outcome.entry().get();
        try {
            entry = entry.with(Entries.files(folder));
        } catch (IOException unreadable) {
            err.println(
                    "warning: the result is stored without checksums of its files: "
                            + unreadable.getMessage());
        }
        return KeepOptions.keep(
                Optional.of(store), entry, outcome.reported(), Optional.of(folder), err);
    }

    private void print(Guarding.Outcome outcome, boolean markdown, Path folder, boolean stored) {
        Guarded result = outcome.result();
        view.say("");
        if (output.json) {
            out.println(GuardReport.json(result));
        } else if (markdown) {
            out.print(GuardReport.markdown(result));
        } else {
            out.print(GuardReport.terminal(result));
            out.println("Files  " + folder + " (guard.json, guard.md, junit.xml)");
            if (stored) {
                outcome.entry().ifPresent(e -> out.println("Stored " + e.id()));
            }
        }
        out.flush();
    }

    private Guarding.Outcome guarded(
            Plan plan,
            GuardSettings settings,
            History history,
            Path folder,
            TrialListener listener,
            Entries.Origin origin)
            throws IOException, InterruptedException {
        var session = new Session(folder, listener, interrupt::isSet);
        return plan.reference().isPresent()
                ? new PinnedGuarding(
                                plan,
                                settings,
                                new LiveService(),
                                session,
                                new SplittableRandom(System.nanoTime()))
                        .run((_, _, _) -> {}, origin)
                : new Guarding(plan, settings, history, new LiveService(), session).run(origin);
    }
}
