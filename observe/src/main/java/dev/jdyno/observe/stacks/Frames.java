package dev.jdyno.observe.stacks;

import dev.jdyno.foreign.ForeignText;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Meanings of stack frames: the knowledge of frameworks, read from `frames.txt`, which documents
/// its format. A user's file comes before it, so that its lines have precedence.
public final class Frames {
    public enum Kind {
        SERVING,
        SERVER_IO,
        IDLE,
        SELECTOR,
        LOOP,
        TASK,
        POOL,
        LIMITER,
        LOGGING,
        DATABASE,
        PROXY,
        REMOTE,
        DNS,
        DISK,
        SLEEP,
        FUTURE,
        LOCK,
        CONDITION,
        QUEUE,
        SEMAPHORE,
        SOCKET_READ,
        SOCKET_WRITE,
        SOCKET_CONNECT,
        CLASS_LOADING,
        THREAD_START,
        COLLECT,
        PARK,
        WAIT,
        MAKES_CLASSES,
        APPLICATION,
        THROUGH;

        /// True if a library above the JDK determines the meaning of the wait.
        boolean isLibrary() {
            return switch (this) {
                case SERVER_IO, POOL, LIMITER, LOGGING, DATABASE, PROXY, REMOTE -> true;
                case SERVING, IDLE, SELECTOR, LOOP, TASK, DNS, DISK -> false;
                case SLEEP, FUTURE, LOCK, CONDITION, QUEUE -> false;
                case SEMAPHORE, SOCKET_READ, SOCKET_WRITE, SOCKET_CONNECT -> false;
                case CLASS_LOADING, THREAD_START, COLLECT, PARK, WAIT -> false;
                case MAKES_CLASSES, APPLICATION, THROUGH -> false;
            };
        }
    }

    /// One line of the file.
    ///
    /// @param name the library's name; empty when the line gives none
    public record Meaning(Kind kind, String pattern, String name) {
        boolean leafOnly() {
            return kind == Kind.LOOP || name.equals("leaf-only");
        }

        /// The library's name, or else the packages that identify it.
        private String library() {
            var packages = PACKAGES.matcher(pattern);
            boolean named = !name.isEmpty() && !name.equals("leaf-only") && !isNotTheDisk();
            return !named && packages.lookingAt() ? packages.group() : name;
        }

        /// True if the frames above belong to a socket although their code is that of files.
        boolean isNotTheDisk() {
            return name.equals("not-the-disk");
        }

        private boolean matches(String frame) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                return frame.startsWith(pattern);
            }
            return frame.startsWith(pattern.substring(0, star))
                    && frame.indexOf(pattern.substring(star + 1), star) >= 0;
        }
    }

    /// Positions inside a name at which the name of a relocated library may begin. The JDK's own
    /// classes are not relocated.
    private static final Pattern RELOCATED =
            Pattern.compile(
                    "\\.(?=(?:org|com|io|net|ch|akka|redis|reactor|javax|jakarta|kotlinx|okhttp3|oracle|tools)\\.)");

    // org.springframework.samples.petclinic, io.quarkus.sample.superheroes
    private static final Pattern SAMPLE =
            Pattern.compile("\\.(samples?|examples?|demos?|quickstarts?|guides?|petclinic)\\.");

    // org.h2.mvstore of org.h2.mvstore.MVStore$BackgroundWriterThread.run
    private static final Pattern PACKAGES = Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*(?=\\.))*");

    // java.io.FileDescriptor.sync0, sun.nio.ch.FileDispatcherImpl.force0
    private static final Pattern FORCED = Pattern.compile("\\.(sync|force)\\w*$");

    /// Number of frames from the top that may contain a call which forces data to the disk.
    private static final int FORCED_WITHIN = 4;

    private final List<Meaning> meanings;
    private final List<Meaning> makers;
    private final Map<String, Optional<Meaning>> known = new ConcurrentHashMap<>();
    private final Map<String, Optional<Meaning>> knownMakers = new ConcurrentHashMap<>();

    private Frames(List<Meaning> all) {
        meanings = all.stream().filter(m -> m.kind() != Kind.MAKES_CLASSES).toList();
        makers = all.stream().filter(m -> m.kind() == Kind.MAKES_CLASSES).toList();
    }

    /// True if a stack, its top first, forces data to the device.
    public static boolean forcesToDisk(List<String> stack) {
        return stack.stream().limit(FORCED_WITHIN).anyMatch(FORCED.asPredicate());
    }

    /// The meanings that are part of jdyno.
    public static Frames builtIn() {
        return new Frames(shipped());
    }

    /// The user's meanings, if any, before those of jdyno.
    ///
    /// @throws UserError of kind usage when the file cannot be read, or with all its mistakes at
    ///   once, each with its line
    public static Frames with(Optional<Path> usersFile) {
        if (usersFile.isEmpty()) {
            return builtIn();
        }
        Path file = usersFile.get();
        List<String> lines;
        try {
            lines =
                    ForeignText.decode(ForeignText.bytes(file), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
        } catch (IOException unread) {
            throw UserError.usage(
                            "cannot read the frames file " + file,
                            unread.getClass().getSimpleName() + ": " + unread.getMessage(),
                            "give a text file of lines such as: pool com.acme.Pool.borrow AcmePool")
                    .causedBy(unread);
        }
        var problems = new Problems();
        List<Meaning> all = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            try {
                meaning(lines.get(i), i + 1).ifPresent(all::add);
            } catch (IllegalArgumentException wrong) {
                problems.add(
                        file + ":" + (i + 1),
                        String.valueOf(wrong.getMessage()).replaceFirst("^line \\d+: ", ""),
                        "write KIND PATTERN [NAME]; kinds: " + kinds());
            }
        }
        problems.throwIfAny("the frames file " + file);
        all.addAll(shipped());
        return new Frames(all);
    }

    private static String kinds() {
        return Arrays.stream(Kind.values())
                .map(k -> k.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", "));
    }

    private static List<Meaning> shipped() {
        try (InputStream in = Frames.class.getResourceAsStream("/dev/jdyno/observe/frames.txt")) {
            if (in == null) {
                throw new IllegalStateException("frames.txt is not in the jar");
            }
            var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return meanings(reader.lines().toList());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @throws IllegalArgumentException with the number of the invalid line
    public static Frames parse(List<String> lines) {
        return new Frames(meanings(lines));
    }

    private static List<Meaning> meanings(List<String> lines) {
        List<Meaning> meanings = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            meaning(lines.get(i), i + 1).ifPresent(meanings::add);
        }
        return meanings;
    }

    /// The meaning in one line of the file; empty for a blank line or a comment.
    private static Optional<Meaning> meaning(String text, int number) {
        String line = text.strip();
        if (line.isEmpty() || line.startsWith("#")) {
            return Optional.empty();
        }
        String[] parts = line.split("\\s+", 3);
        if (parts.length < 2) {
            throw new IllegalArgumentException("line " + number + ": no pattern: " + line);
        }
        return Optional.of(
                new Meaning(
                        kind(parts[0], number),
                        parts[1],
                        parts.length > 2 ? parts[2].strip() : ""));
    }

    private static Kind kind(String word, int line) {
        try {
            return Kind.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("line " + line + ": no such kind: " + word, unknown);
        }
    }

    /// The meaning of the first line that matches. Empty for an application's frame, including
    /// samples of frameworks, whose packages are below those of the frameworks. A library that was
    /// relocated into a jar (`wiremock.org.eclipse.jetty.…`) has the same meaning as under its own
    /// name. This also holds if the jar belongs to a library that only passes work on
    /// (`io.grpc.netty.shaded.io.netty.…`).
    public Optional<Meaning> of(String frame) {
        return known.computeIfAbsent(
                frame,
                f -> {
                    Optional<Meaning> own = first(f);
                    return own.filter(m -> m.kind() != Kind.THROUGH)
                            .or(() -> relocated(f))
                            .or(() -> own);
                });
    }

    /// The libraries whose frames are in the profiles, by name, without the JDK. The meanings of
    /// the JDK's frames do not matter here.
    public List<Library> libraries(List<Profile> profiles) {
        var frames = new TreeSet<String>();
        profiles.forEach(p ->
                p.root().children().forEach(pool -> pool.children().forEach(f -> add(f, frames))));
        Map<String, List<String>> byName = new TreeMap<>();
        for (String frame : frames) {
            if (!Profile.isOfTheJdk(frame)) {
                of(frame)
                        .ifPresent(m ->
                                byName.computeIfAbsent(m.library(), _ -> new ArrayList<>())
                                        .add(frame));
            }
        }
        return byName.entrySet().stream().map(e -> new Library(e.getKey(), e.getValue())).toList();
    }

    private static void add(Profile.Node node, Set<String> frames) {
        frames.add(node.frame());
        node.children().forEach(child -> add(child, frames));
    }

    /// The library that creates classes at this frame, regardless of the frame's other meaning.
    public Optional<Meaning> maker(String frame) {
        return knownMakers.computeIfAbsent(frame, f -> first(makers, f));
    }

    private Optional<Meaning> first(String frame) {
        return first(meanings, frame)
                .filter(m -> m.kind() != Kind.APPLICATION)
                .filter(m -> m.kind() != Kind.THROUGH || !SAMPLE.matcher(frame).find());
    }

    private static Optional<Meaning> first(List<Meaning> meanings, String frame) {
        return meanings.stream().filter(m -> m.matches(frame)).findFirst();
    }

    private Optional<Meaning> relocated(String frame) {
        return RELOCATED
                .matcher(frame)
                .results()
                .map(below -> first(frame.substring(below.end())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    List<Meaning> all() {
        return Stream.concat(meanings.stream(), makers.stream()).toList();
    }
}
