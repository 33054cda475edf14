package dev.jdyno.target;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// The original sizes of a target's pools, in a separate folder in the target's `/tmp` while the
/// pools have another size. A jdyno that is killed with SIGKILL leaves the folder there, and the
/// next jdyno on that JVM restores the sizes.
///
/// The folder's name identifies the JVM by its process id and start time. Each pool is a file of
/// one line, `SIZE ATTRIBUTE NAME`, written before the pool is changed.
final class PoolNote {
    /// Maximum size of the note of one pool.
    private static final long MAX_BYTES = 1 << 16;

    private final SharedFolder folder;
    private int pools;

    private PoolNote(SharedFolder folder) {
        this.folder = folder;
    }

    /// One pool with its original size.
    record Before(String name, String attribute, int size) {
        static Optional<Before> parse(String line) {
            String[] words = line.split(" ", 3);
            OptionalInt size = words.length == 3 ? size(words[0]) : OptionalInt.empty();
            return size.isPresent()
                    ? Optional.of(new Before(words[2], words[1], size.getAsInt()))
                    : Optional.empty();
        }

        private static OptionalInt size(String word) {
            return word.matches("\\d{1,9}")
                    ? OptionalInt.of(Integer.parseInt(word))
                    : OptionalInt.empty();
        }

        @Override
        public String toString() {
            return size + " " + attribute + " " + name;
        }
    }

    /// A new note without pools.
    ///
    /// @throws UserError when it cannot be written: then nothing may be changed, because no later
    ///   jdyno could restore it
    static PoolNote begin(ProcFs proc, long pid) {
        try {
            return new PoolNote(SharedFolder.make(proc, pid, SharedFolder.Purpose.POOLS));
        } catch (IOException notWritten) {
            throw UserError.target(
                            "the pool cannot be resized",
                            "its size cannot be noted in the target's /tmp, so it could not be restored"
                                    + " were jdyno killed: "
                                    + notWritten.getMessage(),
                            "let its /tmp be written")
                    .causedBy(notWritten);
        }
    }

    void add(Before pool) throws IOException {
        pools++;
        String file = String.format(Locale.ROOT, "pool-%04d", pools);
        folder.write(file, pool.toString().getBytes(StandardCharsets.UTF_8));
    }

    void remove() throws IOException {
        folder.close();
    }

    /// Leaves the note for the next jdyno.
    void leave() throws IOException {
        folder.leave();
    }

    /// The stored pools, in the order in which they were changed.
    List<Before> pools() throws IOException {
        List<Before> noted = new ArrayList<>();
        for (String file : folder.files()) {
            try (Handle pool = folder.read(file, MAX_BYTES)) {
                Before.parse(new String(pool.bytes(), StandardCharsets.UTF_8))
                        .ifPresent(noted::add);
            }
        }
        return noted;
    }

    /// Notes about this JVM from jdyno processes that no longer run. A jdyno restores existing
    /// notes before it changes anything, so there is at most one, unless several were killed at
    /// once.
    static List<PoolNote> leftAbout(ProcFs proc, long pid) throws IOException {
        Optional<String> started = proc.startTicks(pid);
        List<PoolNote> about = new ArrayList<>();
        for (SharedFolder left : SharedFolder.left(proc, pid)) {
            if (isAbout(left.label(), proc, pid, started)) {
                about.add(new PoolNote(left));
            } else {
                left.leave();
            }
        }
        return about;
    }

    /// True if the note is about this JVM. The jdyno that wrote it may have used the JVM's id in
    /// its own namespace.
    private static boolean isAbout(
            SharedFolder.Label label, ProcFs proc, long pid, Optional<String> started) {
        return label.purpose() == SharedFolder.Purpose.POOLS
                && started.isPresent()
                && label.target().started().equals(started)
                && (label.target().pid() == pid || label.target().pid() == proc.innerPid(pid));
    }
}
