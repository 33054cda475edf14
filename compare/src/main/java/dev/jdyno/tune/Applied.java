package dev.jdyno.tune;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.jdyno.compare.Additions;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Variant;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.observe.logging.LoggingConfig;
import dev.jdyno.observe.logging.LoggingEdits;
import dev.jdyno.observe.logging.LoggingFiles.Configuration;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Puts changes into a launch command. It never writes the user's files: the command refers to
/// copies in the tuning's own folder.
final class Applied {
    private final Plan plan;
    private final Path folder;
    private final Map<String, Configuration> logging = new LinkedHashMap<>();
    private final Map<String, String> patterns = new LinkedHashMap<>();
    private final Map<Copy, Path> written = new LinkedHashMap<>();
    private final Set<Note> notes = new LinkedHashSet<>();

    /// @param original file whose text the copy replaces
    private record Copy(String original, String text) {}

    private record TemplateValue(String file, String knob) {}

    /// @param folder folder for copies of configurations
    Applied(Plan plan, Path folder) {
        this.plan = plan;
        this.folder = folder;
    }

    /// Adds the known facts about the service's logging.
    ///
    /// @param found logging configurations of the service
    /// @param dearPatterns costly log patterns of Spring Boot, by the property that sets them
    void logging(List<Configuration> found, Map<String, String> dearPatterns) {
        found.forEach(c -> logging.put(c.name(), c));
        patterns.putAll(dearPatterns);
    }

    /// Returns the properties with cheaper patterns.
    List<Change.Launch> cheaperPatterns() {
        return patterns.entrySet().stream()
                .<Change.Launch>map(p ->
                        new Change.SystemProperty(
                                p.getKey(), LoggingEdits.withoutCaller(p.getValue())))
                .toList();
    }

    /// Returns the parts that make each log line costly, for configurations that allow a cheaper
    /// copy.
    List<LoggingCost> costlyLogging() {
        List<LoggingCost> costs = new ArrayList<>();
        logging.forEach((name, c) -> {
            try {
                costs.addAll(costly(c));
            } catch (IOException unread) {
                notes.add(new Note.LoggingUnread(name, String.valueOf(unread.getMessage())));
            }
        });
        return costs;
    }

    private static List<LoggingCost> costly(Configuration c) throws IOException {
        return LoggingConfig.read(c.name(), c.content()).stream()
                .filter(cost -> LoggingEdits.PARTS.contains(cost.part()))
                .filter(cost -> LoggingEdits.without(Set.of(cost.part()), c).isPresent())
                .toList();
    }

    /// True if a cheaper copy of the configuration can be made, or if it needs a note. Other
    /// configurations are not stored, because they may contain passwords.
    static boolean isOfUse(Configuration c) {
        try {
            return !costly(c).isEmpty();
        } catch (IOException _) {
            return true; // an unreadable configuration gets a note later
        }
    }

    /// Returns the notes on what could not be read.
    Set<Note> notes() {
        return notes;
    }

    /// Returns the service with these changes.
    Variant variant(List<Change.Launch> changes) {
        return new Variant(plan, additions(changes));
    }

    /// Returns the launch command with these changes, for a shell.
    String command(List<Change.Launch> changes) {
        return plan.target() instanceof Plan.TargetPlan.Launch(String command)
                ? additions(changes).in(command)
                : "";
    }

    private Additions additions(List<Change.Launch> changes) {
        List<String> flags = new ArrayList<>();
        List<String> without = new ArrayList<>();
        Map<String, String> environment = new LinkedHashMap<>();
        List<Change.ProgramArgument> arguments = new ArrayList<>();
        Map<TemplateValue, String> values = new LinkedHashMap<>();
        Map<String, Set<LogPart>> parts = new TreeMap<>();
        for (Change.Launch change : changes) {
            switch (change) {
                case Change.JvmFlag c -> flags.add(c.argument());
                case Change.WithoutJvmFlag c -> without.add(c.name());
                case Change.SystemProperty c -> flags.add("-D" + c.name() + "=" + c.value());
                case Change.EnvironmentVariable c -> environment.put(c.name(), c.value());
                case Change.ProgramArgument c -> arguments.add(c);
                case Change.FileValue c ->
                        values.put(new TemplateValue(c.template(), c.name()), c.value());
                case Change.LoggingEdit c ->
                        parts.computeIfAbsent(
                                        c.file().orElse(""), _ -> EnumSet.noneOf(LogPart.class))
                                .addAll(LogPart.of(c.part()).stream().toList());
            }
        }
        parts.forEach((file, out) -> flags.addAll(loggingFlags(file, out)));
        return new Additions(flags, without, environment, arguments, rendered(values));
    }

    private List<String> loggingFlags(String file, Set<LogPart> parts) {
        Configuration original = logging.get(file);
        Optional<String> text =
                original == null ? Optional.empty() : LoggingEdits.without(parts, original);
        if (text.isEmpty()) {
            throw UserError.target(
                    "the logging configuration " + file + " cannot be changed",
                    "it is not what it was when it was read first",
                    "leave it alone while jdyno tunes, and begin anew");
        }
        String copy = copy(file, text.get()).toAbsolutePath().toString();
        // Spring Boot reads its own property, and warns about the library's
        return simple(file).startsWith("log4j2")
                ? List.of("-Dlog4j2.configurationFile=" + copy, "-Dlogging.config=" + copy)
                : List.of("-Dlogback.configurationFile=" + copy, "-Dlogging.config=" + copy);
    }

    private static String simple(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    /// Renders the templates of all file knobs, each with its present value or with the value on
    /// trial.
    private Map<String, String> rendered(Map<TemplateValue, String> values) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Knob knob : plan.knobs()) {
            for (String file : knob.where().copied().stream().toList()) {
                String value = values.getOrDefault(new TemplateValue(file, knob.name()), now(knob));
                String text = texts.computeIfAbsent(file, Applied::template);
                texts.put(file, text.replace("{" + knob.name() + "}", value));
            }
        }
        Map<String, String> places = new LinkedHashMap<>();
        texts.forEach((file, text) ->
                places.put(Knob.place(file), copy(file, text).toAbsolutePath().toString()));
        return places;
    }

    private static String now(Knob knob) {
        return switch (knob.values()) {
            case Knob.Values.Listed(List<String> all) -> all.getFirst();
            case Knob.Values.Range(long from, long _) -> Long.toString(from);
        };
    }

    private static String template(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException gone) {
            throw UserError.usage(
                            "cannot read the template " + file,
                            String.valueOf(gone.getMessage()),
                            "leave it where it is while jdyno tunes")
                    .causedBy(gone);
        }
    }

    /// Writes a copy. The same text always gets the same file name, so that a printed command stays
    /// valid.
    private Path copy(String original, String text) {
        var copy = new Copy(original, text);
        Path known = written.get(copy);
        if (known != null) {
            return known;
        }
        Path file = folder.resolve(written.size() + 1 + "-" + simple(original));
        try {
            PrivateFolder.open(folder);
            PrivateFiles.write(file, text);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
        written.put(copy, file);
        return file;
    }

    /// Returns the copies that the changes refer to, each with a diff against its original.
    List<Tuned.ChangedFile> files(List<Change.Launch> changes) {
        String command = command(changes);
        List<Tuned.ChangedFile> files = new ArrayList<>();
        written.forEach((copy, file) -> {
            String path = file.toAbsolutePath().toString();
            if (command.contains(path)) {
                String before = before(copy.original());
                String diff = diff(copy.original(), before, path, copy.text());
                files.add(new Tuned.ChangedFile(copy.original(), path, diff));
            }
        });
        return files;
    }

    private String before(String original) {
        Configuration configuration = logging.get(original);
        return configuration == null ? template(original) : configuration.text();
    }

    private static String diff(String from, String before, String to, String after) {
        List<String> old = before.lines().toList();
        return String.join(
                "\n",
                UnifiedDiffUtils.generateUnifiedDiff(
                        from, to, old, DiffUtils.diff(old, after.lines().toList()), 2));
    }
}
