package dev.jdyno.cli.history;

import dev.jdyno.cli.options.StoreOption;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.RegularFile;
import dev.jdyno.history.Entries;
import dev.jdyno.history.EntryFile;
import dev.jdyno.history.History;
import dev.jdyno.history.RoundLines;
import dev.jdyno.history.UnfinishedResult;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
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
            "Of a run, comparison or guard that was killed, the finished part is stored and"
                    + " marked as unfinished."
        })
final class ImportCommand implements Callable<Integer> {
    private static final Set<String> NAMES =
            Set.of(EntryFile.NAME, EntryFile.RESULT, RoundLines.NAME);

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "Folders of results, such as jdyno-out.")
    private List<Path> folders = List.of();

    @Mixin private StoreOption store = new StoreOption();

    @Override
    public Integer call() throws IOException {
        Set<Path> found = new TreeSet<>();
        List<String> unreadable = new ArrayList<>();
        var problems = Problems.ofCommand("jdyno history import");
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                problems.add(folder.toString(), "is no folder", "give jdyno-out, or one in it");
                continue;
            }
            Files.walkFileTree(folder, new Finding(found, unreadable));
        }
        problems.throwIfAny();
        History history = store.open();
        int added = 0;
        int known = 0;
        int refused = unreadable.size();
        unreadable.forEach(why -> err().println("not imported: " + why));
        for (Path folder : found) {
            try {
                EntryFile.Content content = content(folder);
                content.entry().requireStorable();
                content.reported().forEach(History.Reported::requireStorable);
                if (history.add(content.entry(), content.reported())) {
                    added++;
                } else {
                    known++;
                }
            } catch (UserError notReadable) {
                if (notReadable.kind() == UserError.Kind.TARGET) {
                    throw notReadable;
                }
                refused++;
                err().println("not imported: " + notReadable.getMessage());
            } catch (IllegalArgumentException noResult) {
                refused++;
                err().println(
                                "not imported: no verb of jdyno wrote what is in "
                                        + folder
                                        + ": "
                                        + noResult.getMessage());
            } catch (IOException notReadable) {
                refused++;
                err().println("not imported: " + folder + " cannot be read: " + notReadable);
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

    /// The stored entry of a folder. If the folder has none, the entry is made from its
    /// `result.json`. If that is missing too, it is made from an unfinished result.
    private EntryFile.Content content(Path folder) throws IOException {
        if (Files.exists(folder.resolve(EntryFile.NAME), LinkOption.NOFOLLOW_LINKS)) {
            return EntryFile.read(folder);
        }
        Path file = folder.resolve(EntryFile.RESULT);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            UnfinishedResult.Found found = UnfinishedResult.read(folder);
            found.dropped().ifPresent(err()::println);
            out().println(found.entry().id() + " is unfinished: " + folder);
            return new EntryFile.Content(found.entry(), List.of());
        }
        UnfinishedResult.requireNone(folder);
        RunResult result = result(file);
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

    private static RunResult result(Path file) throws IOException {
        try {
            return ResultJson.read(file, RegularFile.bytes(file, ResultJson.MAX_BYTES));
        } catch (NotTrusted foreign) {
            throw UserError.usage(
                            file + " is no result of jdyno",
                            "it " + foreign.why(),
                            "give the folder that a verb of jdyno wrote")
                    .causedBy(foreign);
        }
    }

    /// Finds the folders of results, and the places that cannot be read. It does not follow links.
    private static final class Finding extends SimpleFileVisitor<Path> {
        private final Set<Path> found;
        private final List<String> unreadable;

        Finding(Set<Path> found, List<String> unreadable) {
            this.found = found;
            this.unreadable = unreadable;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes its) {
            Path folder = file.toAbsolutePath().getParent();
            if (its.isRegularFile()
                    && folder != null
                    && NAMES.contains(String.valueOf(file.getFileName()))) {
                found.add(folder);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            unreadable.add(file + " cannot be read: " + why);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why) {
            if (why != null) {
                unreadable.add(folder + " cannot be read to its end: " + why);
            }
            return FileVisitResult.CONTINUE;
        }
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    @Spec private CommandSpec spec;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
