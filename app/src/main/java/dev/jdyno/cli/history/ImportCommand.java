package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.history.Entries;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.History;
import dev.jdyno.history.RoundLines;
import dev.jdyno.history.Unfinished;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Store results of any verb that lie in or below folders.",
            "Of a run, comparison or guard that was killed: what was finished, marked as unfinished."
        })
final class ImportCommand implements Callable<Integer> {
    private static final String RESULT = "result.json";
    private static final Set<String> NAMES = Set.of(EntryFile.NAME, RESULT, RoundLines.NAME);

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Folders of results, such as jdyno-out.")
    private List<Path> folders = List.of();

    @Mixin private StoreOption store = new StoreOption();

    @Override
    public Integer call() throws IOException {
        List<Path> found = new ArrayList<>();
        var problems = new Problems();
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                problems.add(folder.toString(), "is no folder", "give jdyno-out, or one in it");
                continue;
            }
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(f -> NAMES.contains(String.valueOf(f.getFileName())))
                        .filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                        .map(f -> f.toAbsolutePath().getParent())
                        .filter(Objects::nonNull)
                        .distinct()
                        .sorted()
                        .forEach(found::add);
            } catch (UncheckedIOException unreadable) {
                problems.add(
                        folder.toString(),
                        "cannot be read: " + unreadable.getMessage(),
                        "give folders that you may read");
            }
        }
        problems.throwIfAny("the command line");
        History history = store.open();
        int added = 0;
        int known = 0;
        int refused = 0;
        for (Path folder : found) {
            try {
                EntryFile.Content content = content(folder);
                if (history.add(content.entry(), content.reported())) {
                    added++;
                } else {
                    known++;
                }
            } catch (UserError unreadable) {
                if (unreadable.kind() == UserError.Kind.TARGET) {
                    throw unreadable;
                }
                refused++;
                err().println("not imported: " + unreadable.getMessage());
            }
        }
        out().println(
                        added
                                + " results imported, "
                                + known
                                + " were there already, "
                                + refused
                                + " could not be read");
        out().flush();
        err().flush();
        return refused > 0 ? UserError.Kind.USAGE.exitCode() : 0;
    }

    /// What the verb would have stored; of an earlier version its result; else what there is of it.
    private EntryFile.Content content(Path folder) throws IOException {
        if (Files.exists(folder.resolve(EntryFile.NAME))) {
            return EntryFile.read(folder);
        }
        Path file = folder.resolve(RESULT);
        if (!Files.exists(file)) {
            Unfinished.Found found = Unfinished.read(folder);
            found.dropped().ifPresent(err()::println);
            out().println(found.entry().id() + " is unfinished: " + folder);
            return new EntryFile.Content(found.entry(), List.of());
        }
        RunResult result = ResultJson.read(file);
        return new EntryFile.Content(
                Entries.of(
                        result,
                        new Entries.Origin(
                                result.jdyno().startedAt(),
                                result.jdyno().commandLine(),
                                Optional.empty(),
                                Optional.of(folder),
                                Optional.empty())),
                List.of());
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }

    @Spec private @Nullable CommandSpec spec;

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
