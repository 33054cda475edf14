package dev.jdyno.cli.options;

import dev.jdyno.compare.Drift;
import dev.jdyno.compare.Metric;
import dev.jdyno.history.Commit;
import dev.jdyno.history.Entries;
import dev.jdyno.history.Entry;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.History;
import dev.jdyno.history.RoundLines;
import dev.jdyno.history.Store;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of every verb that makes a result: whether and how the result is stored.
public final class KeepOptions {
    @Mixin private StoreOption where = new StoreOption();

    @Option(names = "--no-store", description = "Keep the result out of the history.")
    private boolean none;

    @Mixin private LabelOption label = new LabelOption();

    /// Makes the stored entry of a result.
    @FunctionalInterface
    public interface Making {
        Entry of(Entries.Origin origin) throws IOException;
    }

    /// A folder of the service's repository: the plan's folder, or the current one if there is no
    /// plan.
    ///
    /// @param plan path of the plan; a URL or null if there is no plan
    public static Path around(@Nullable String plan) {
        return Optional.ofNullable(plan)
                .filter(p -> !p.matches("(https?|grpcs?)://.*"))
                .flatMap(p -> Optional.ofNullable(Path.of(p).toAbsolutePath().getParent()))
                .orElse(Path.of(""));
    }

    /// The store of the results.
    public Store store() {
        return where.store();
    }

    /// The origin of a result that is measured now.
    public Entries.Origin origin(Instant startedAt, String commandLine, Path folder, Path around) {
        return new Entries.Origin(
                startedAt, commandLine, label.label(), Optional.of(folder), Commit.around(around));
    }

    /// The drift of a figure of a run's plan on its machine, from the stored runs. Without a
    /// history, or with too few runs in it, returns the published drift.
    public Drift drift(RunResult of, Metric metric) {
        return none || !where.exists()
                ? Drift.PUBLISHED
                : Drift.of(
                        where.open().runsHere(of.jdyno().name(), Entries.machine(), metric.key()));
    }

    /// Stores a result whose files are written already. If the store fails, a warning is printed
    /// and no file is lost.
    ///
    /// @param folder of the result's files
    /// @param around a folder of the service's repository
    public void keep(
            Instant startedAt,
            String commandLine,
            Optional<Path> folder,
            Path around,
            PrintWriter err,
            Making making) {
        try {
            Entry entry =
                    making.of(
                            new Entries.Origin(
                                    startedAt,
                                    commandLine,
                                    label.label(),
                                    folder,
                                    Commit.around(around)));
            keep(none ? Optional.empty() : Optional.of(where), entry, List.of(), folder, err);
        } catch (UserError | IOException failed) {
            warn(failed, folder, List.of(), err);
        }
    }

    /// Stores a result whose files are written already. It writes an {@link EntryFile} beside them,
    /// deletes the temporary records of the result's parts, and adds the result to the history. If
    /// a step fails, it prints a warning and continues.
    ///
    /// @param where empty if the result is not added to the history
    /// @param reported changes that are stored with the result
    /// @return true if the result is in the history
    public static boolean keep(
            Optional<StoreOption> where,
            Entry entry,
            List<History.Reported> reported,
            Optional<Path> folder,
            PrintWriter err) {
        boolean importable = folder.isPresent() && written(folder.get(), entry, reported, err);
        try {
            where.ifPresent(w -> w.open().add(entry, reported));
            return where.isPresent();
        } catch (UserError failed) {
            List<String> words = where.map(StoreOption::words).orElse(List.of());
            warn(failed, importable ? folder : Optional.empty(), words, err);
            return false;
        }
    }

    private static boolean written(
            Path folder, Entry entry, List<History.Reported> reported, PrintWriter err) {
        try {
            EntryFile.write(folder, entry, reported);
        } catch (IOException failed) {
            err.println(
                    "warning: `jdyno history import` will not find the whole result: cannot write "
                            + folder.resolve(EntryFile.NAME)
                            + ": "
                            + failed.getMessage());
            err.flush();
            return false;
        }
        try {
            RoundLines.done(folder);
        } catch (IOException stays) {
            err.println(
                    "warning: cannot delete "
                            + folder.resolve(RoundLines.NAME)
                            + ", whose rounds are in the result: "
                            + stays.getMessage());
            err.flush();
        }
        return true;
    }

    private static void warn(
            Exception failed, Optional<Path> folder, List<String> store, PrintWriter err) {
        err.println("warning: the result is not in the history: " + failed.getMessage());
        folder.ifPresent(f ->
                err.println(
                        "  fix: jdyno history import "
                                + ShellText.word(f.toString())
                                + (store.isEmpty() ? "" : " " + ShellText.words(store))));
        err.flush();
    }
}
