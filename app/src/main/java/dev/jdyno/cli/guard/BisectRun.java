package dev.jdyno.cli.guard;

import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.guard.BisectSettings;
import dev.jdyno.guard.Bisected;
import dev.jdyno.guard.Bisecting;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanText;
import dev.jdyno.report.BisectReport;
import dev.jdyno.repository.GitVersions;
import dev.jdyno.repository.Repository;
import dev.jdyno.repository.Revision;
import dev.jdyno.trial.LiveService;
import dev.jdyno.trial.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// One search for a commit from plan to report.
final class BisectRun {
    private static final String JOURNAL = "bisect.jsonl";

    private final OutputOptions output;
    private final PrintWriter out;
    private final LiveView view;
    private final Interrupt interrupt;

    BisectRun(OutputOptions output, PrintWriter out, PrintWriter err, Interrupt interrupt) {
        this.output = output;
        this.out = out;
        this.view = new LiveView(err, output);
        this.interrupt = interrupt;
    }

    /// The two commits of `GOOD..BAD`.
    record Range(String good, String bad) {
        /// @throws IllegalArgumentException if the text has another form
        static Range parse(String text) {
            int dots = text.indexOf("..");
            String bad = dots < 0 ? "" : text.substring(dots + 2);
            if (dots <= 0 || bad.isEmpty() || bad.startsWith(".")) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not GOOD..BAD, such as v1.4..main");
            }
            return new Range(text.substring(0, dots), bad);
        }
    }

    /// Searches, writes and prints.
    ///
    /// @param around the plan's folder
    /// @param resume the folder of an interrupted search
    /// @param typed command line as typed
    Bisected run(
            Plan plan,
            BisectSettings settings,
            Range range,
            Path around,
            Optional<Path> resume,
            String typed)
            throws IOException, InterruptedException {
        Path here = Path.of("").toRealPath();
        Repository repository = repository(here, around);
        requireRelative(plan, repository);
        List<Revision> revisions = repository.between(range.good(), range.bad());
        Path folder = folder(plan, resume);
        Bisected result;
        try (var versions =
                new GitVersions(
                        repository,
                        revisions,
                        plan.builds().command(),
                        here.startsWith(repository.root())
                                ? repository.root().relativize(here)
                                : Path.of(""),
                        folder,
                        NanoClock.SYSTEM,
                        interrupt::isSet)) {
            result =
                    new Bisecting(
                                    plan,
                                    settings,
                                    versions,
                                    new LiveService(),
                                    new Session(folder, view, interrupt::isSet),
                                    new SplittableRandom(System.nanoTime()))
                            .run();
        }
        PrivateFiles.write(folder.resolve("bisect.json"), BisectReport.json(result) + "\n");
        print(result, folder, resume.isPresent() ? typed : typed + resuming(folder));
        return result;
    }

    private static String resuming(Path folder) {
        return " --resume " + ShellText.word(folder.toString());
    }

    private void print(Bisected result, Path folder, String again) {
        view.say("");
        if (output.json) {
            out.println(BisectReport.json(result));
        } else {
            out.print(BisectReport.terminal(result));
            out.println("Files  " + folder + " (bisect.json, bisect.jsonl)");
            if (result.verdict() == Bisected.Verdict.UNCLEAR) {
                out.println("Go on with  " + again);
            }
        }
        out.flush();
    }

    private Path folder(Plan plan, Optional<Path> resume) throws IOException {
        if (resume.isEmpty()) {
            Path made = OutputFolder.create(output.out(), plan.name());
            PrivateFiles.write(made.resolve("plan.yaml"), PlanText.of(plan));
            return made;
        }
        if (!Files.isRegularFile(resume.get().resolve(JOURNAL))) {
            throw UserError.usage(
                    "cannot go on in " + resume.get(),
                    "there is no " + JOURNAL + " of a search",
                    "give the folder that `jdyno guard --bisect` named at its end");
        }
        return OutputFolder.open(resume.get());
    }

    private static Repository repository(Path here, Path around) throws InterruptedException {
        Optional<Repository> found = Repository.around(around.toAbsolutePath());
        if (found.isEmpty()) {
            found = Repository.around(here);
        }
        return found.orElseThrow(() ->
                UserError.usage(
                        around.toAbsolutePath() + " is in no git repository",
                        "git knows no working tree there that is yours",
                        "put the plan into a clone of the service's repository"));
    }

    /// Refuses a launch command with absolute paths into the repository: every commit would start
    /// the same build.
    private static void requireRelative(Plan plan, Repository repository) {
        String command = plan.target() instanceof Plan.TargetPlan.Launch(String line) ? line : "";
        if (command.contains(repository.root() + "/")) {
            throw UserError.usage(
                    "the launch command names " + repository.root(),
                    "all commits would run the build that is there",
                    "write paths that begin in the folder in which you call jdyno");
        }
    }
}
