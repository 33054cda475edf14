package dev.jdyno.tune;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.jdyno.plan.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The files that a command line starts a service from, by content. It reads the command as text:
/// what a script in it starts is not seen, but the script is.
///
/// @param files digests by path
/// @param java digests of the `release` files of the JDKs, by the path of the JDK
record Programs(Map<String, String> files, Map<String, String> java) {
    static final Programs NONE = new Programs(Map.of(), Map.of());

    /// A class path of more is not that of a service.
    private static final int MOST_FILES = 50_000;

    private static final int DIGEST_BYTES = 12;
    private static final int BUFFER = 1 << 16;

    // what stands between paths: java -javaagent:a.jar=b, -cp "x.jar:lib/*"
    private static final Pattern BETWEEN = Pattern.compile("[\\s'\"=:;,@&|()<>]+");

    private static final Pattern STARTED_FROM =
            Pattern.compile(
                    "\\.(?:jar|war|ear|zip|jmod|jsa|class|so|sh|py|argfile|args|options"
                            + "|ya?ml|properties|conf|xml|json|toml)$");

    private static final Set<String> CLASS_PATH =
            Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

    static Programs of(String command, Environment environment) throws IOException {
        Map<String, String> files = new TreeMap<>();
        Map<String, String> java = new TreeMap<>();
        List<String> words = List.of(BETWEEN.split(command.strip()));
        Set<Path> folders = new LinkedHashSet<>(List.of(Path.of("")));
        for (String word : words) {
            path(word).filter(Files::isDirectory).ifPresent(folders::add);
        }
        boolean classes = false;
        for (String word : words) {
            for (Path folder : folders) {
                Optional<Path> path = path(word).map(folder::resolve).map(Path::toAbsolutePath);
                if (path.isPresent()) {
                    add(path.get().normalize(), classes, files);
                }
            }
            if (word.equals("java") || word.endsWith("/java")) {
                add(jdk(word, environment), java);
            }
            // a class path of several folders was taken apart: it lasts until the next option
            classes = CLASS_PATH.contains(word) || (classes && !word.startsWith("-"));
        }
        return new Programs(files, java);
    }

    private static Optional<Path> path(String word) {
        try {
            return word.isEmpty() || word.contains("{")
                    ? Optional.empty()
                    : Optional.of(Path.of(word));
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    private static void add(Path path, boolean classes, Map<String, String> files)
            throws IOException {
        Path folder = path.getParent();
        if (folder != null && path.endsWith("*")) {
            jars(folder, files);
        } else if (Files.isRegularFile(path) && isStartedFrom(path)) {
            files.put(path.toString(), digest(path));
        } else if (classes && Files.isDirectory(path)) {
            files.put(path.toString(), folder(path));
        }
    }

    /// What `-cp lib/*` takes.
    private static void jars(Path folder, Map<String, String> files) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
                for (Path jar : jars) {
                    files.put(jar.toString(), digest(jar));
                }
            }
        }
    }

    /// Not a log or a data base, which a service writes.
    private static boolean isStartedFrom(Path file) {
        return Files.isExecutable(file)
                || STARTED_FROM.matcher(String.valueOf(file.getFileName())).find();
    }

    private static void add(Optional<Path> jdk, Map<String, String> java) throws IOException {
        if (jdk.isPresent()) {
            Path release = jdk.get().resolve("release");
            java.put(
                    "JDK " + jdk.get(), Files.isRegularFile(release) ? digest(release) : "no file");
        }
    }

    /// The folder of the JDK that a command's `java` belongs to.
    private static Optional<Path> jdk(String word, Environment environment) throws IOException {
        Optional<Path> java =
                word.contains("/")
                        ? path(word)
                        : Stream.of(environment.value("PATH").orElse("").split(":"))
                                .filter(d -> !d.isEmpty())
                                .map(d -> Path.of(d, word))
                                .filter(Files::isExecutable)
                                .findFirst();
        return java.isPresent() && Files.exists(java.get())
                ? Optional.ofNullable(java.get().toRealPath().getParent())
                        .flatMap(bin -> Optional.ofNullable(bin.getParent()))
                : Optional.empty();
    }

    private static String folder(Path folder) throws IOException {
        MessageDigest all = sha256();
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> files =
                    walk.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                            .limit(MOST_FILES + 1L)
                            .sorted()
                            .toList();
            if (files.size() > MOST_FILES) {
                throw new IOException(
                        folder + " has more than " + MOST_FILES + " files, which is no class path");
            }
            for (Path file : files) {
                all.update((folder.relativize(file) + "\n" + digest(file) + "\n").getBytes(UTF_8));
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        return HexFormat.of().formatHex(all.digest(), 0, DIGEST_BYTES);
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    }

    /// Of a text or a file: enough of SHA-256 that no two differ by chance only.
    static String digest(byte[] content) {
        return HexFormat.of().formatHex(sha256().digest(content), 0, DIGEST_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
