package dev.jdyno.tune;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.jdyno.compare.Note;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Digests of files and of the class folders that a service is started from.
///
/// A folder has two digests: one of its programs and one of its configuration files, because a
/// service may rewrite its configuration while it runs. Other files, such as logs, do not count.
/// Files that jdyno writes do not count either.
final class Digests {
    /// Maximum number of files in a class folder. A larger folder does not belong to a service.
    private static final int MAX_FILES = 50_000;

    private static final String CONFIGURATION = " (configuration)";
    private static final String UNREADABLE = "unreadable";

    /// Default folder for results.
    private static final Path RESULTS = Path.of("jdyno-out");

    private static final int DIGEST_BYTES = 12;
    private static final int BUFFER = 1 << 16;

    // not .jsa: a JVM itself writes class archives when it ends
    private static final Pattern PROGRAM =
            Pattern.compile(".*\\.(?:jar|war|ear|zip|jmod|class|so|sh|py)");
    private static final Pattern CONFIGURED =
            Pattern.compile(".*\\.(?:argfile|args|options|ya?ml|properties|conf|xml|json|toml)");

    private final Path result;
    private final Map<String, String> files = new TreeMap<>();
    private final List<Note> notes = new ArrayList<>();
    private final List<Path> programs = new ArrayList<>();

    /// @param result the folder that jdyno writes into
    Digests(Path result) {
        this.result = result.toAbsolutePath().normalize();
    }

    /// Digests by path; the configuration of a folder has its own key.
    Map<String, String> files() {
        return files;
    }

    /// Returns the notes on files whose changes cannot be detected.
    List<Note> notes() {
        return notes;
    }

    /// @param besides programs that are left out, because they run other programs, such as `java`
    boolean hasProgram(Set<Path> besides) {
        return programs.stream().anyMatch(p -> !besides.contains(p));
    }

    private static boolean isProgram(Path file) {
        return PROGRAM.matcher(String.valueOf(file.getFileName())).matches();
    }

    private static boolean isConfiguration(Path file) {
        return CONFIGURED.matcher(String.valueOf(file.getFileName())).matches();
    }

    /// Adds a file that a command names, unless it is a log or a database.
    ///
    /// @return whether a file of that name exists
    boolean file(Path file) {
        if (!Files.isRegularFile(file)) {
            return Files.exists(file);
        }
        boolean configuration = isConfiguration(file);
        if (configuration || isProgram(file) || Files.isExecutable(file)) {
            files.put(file.toString(), now(file));
            if (!configuration) {
                programs.add(file);
            }
        }
        return true;
    }

    /// Adds the files that match a pattern, and their names, so that an added file counts as a
    /// change.
    ///
    /// @return whether any file matches
    boolean all(Path pattern, List<Path> found) {
        List<Path> sorted = found.stream().sorted().toList();
        sorted.forEach(this::file);
        if (!sorted.isEmpty()) {
            files.put(pattern.toString(), of(sorted.toString()));
        }
        return !sorted.isEmpty();
    }

    /// Adds a folder of a class path.
    void folder(Path folder) {
        programs.add(folder);
        files.put(folder.toString(), content(folder, false));
        files.put(folder + CONFIGURATION, content(folder, true));
        if (files.get(folder.toString()).equals(tooMany())) {
            notes.add(new Note.FolderTooLarge(folder, MAX_FILES));
        }
    }

    /// Returns the given {@link #files} that a service may rewrite and that have changed since.
    List<String> rewritten(Map<String, String> begun) {
        return begun.entrySet().stream()
                .filter(e -> mayBeRewritten(e.getKey()))
                .filter(e -> !now(e.getKey()).equals(e.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static boolean mayBeRewritten(String key) {
        return key.endsWith(CONFIGURATION) || CONFIGURED.matcher(key).matches();
    }

    private String now(String key) {
        return key.endsWith(CONFIGURATION)
                ? content(Path.of(key.substring(0, key.length() - CONFIGURATION.length())), true)
                : now(Path.of(key));
    }

    /// Digest of a file. An unreadable file gets a fixed digest: the service cannot read it either.
    private static String now(Path file) {
        try {
            return of(file);
        } catch (IOException unreadable) {
            return UNREADABLE;
        }
    }

    private static String tooMany() {
        return "more than " + MAX_FILES;
    }

    private String content(Path folder, boolean configuration) {
        var found = new Finding(folder, configuration);
        try {
            Files.walkFileTree(folder, found);
        } catch (IOException unreadable) {
            return UNREADABLE;
        }
        if (found.files.size() > MAX_FILES) {
            return tooMany();
        }
        MessageDigest all = sha256();
        found.files.forEach(
                (name, file) -> all.update((name + "\n" + now(file) + "\n").getBytes(UTF_8)));
        return HexFormat.of().formatHex(all.digest(), 0, DIGEST_BYTES);
    }

    /// Finds the files of one kind below a folder, by relative name. Links are not followed.
    private final class Finding extends SimpleFileVisitor<Path> {
        private final Path top;
        private final boolean configuration;
        private final Map<String, Path> files = new TreeMap<>();

        Finding(Path top, boolean configuration) {
            this.top = top;
            this.configuration = configuration;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes its) {
            boolean ours =
                    RESULTS.equals(folder.getFileName())
                            || folder.toAbsolutePath().normalize().equals(result);
            return ours ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes its) {
            if (its.isRegularFile() && (configuration ? isConfiguration(file) : isProgram(file))) {
                files.put(top.relativize(file).toString(), file);
            }
            return files.size() > MAX_FILES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            // the service probably cannot read this folder either
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException why) {
            return FileVisitResult.CONTINUE;
        }
    }

    static String of(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    }

    /// Digest of a text: enough bytes of SHA-256 to avoid accidental collisions.
    static String of(String text) {
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(UTF_8)), 0, DIGEST_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
