package dev.jdyno.observe.throughput;

import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Counts the lines that are appended to a growing file: an access log has one for each request. A
/// file that was replaced (rotation) is counted to its end, because it stays open here, and its
/// successor from its beginning. A file that shrank is read from its beginning: lines written to it
/// after the last count are lost.
public final class LineCount implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    /// Number of bytes of a line in which its request is searched for.
    private static final int MAX_LINE_BYTES = 4096;

    /// Maximum number of files read at the same time, including the newest. A service writes to the
    /// previous file until it opens the new one on request.
    private static final int MAX_OPEN_FILES = 3;

    private final Path file;

    /// Counts the requests by endpoint; empty if only lines are counted.
    private final Optional<LoggedEndpoints> endpoints;

    private final List<Tail> tails = new ArrayList<>();
    private int rotations;
    private int truncations;

    private LineCount(Path file, Optional<LoggedEndpoints> endpoints, Tail first) {
        this.file = file;
        this.endpoints = endpoints;
        tails.add(first);
    }

    /// One file, by its identity and not by its name.
    private static final class Tail {
        private final FileChannel channel;
        private final Object identity;
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
        private long position;

        private Tail(FileChannel channel, Object identity, long position) {
            this.channel = channel;
            this.identity = identity;
            this.position = position;
        }

        static Tail open(Path file) throws IOException {
            return new Tail(FileChannel.open(file, StandardOpenOption.READ), identityOf(file), 0);
        }

        boolean shrank() throws IOException {
            return channel.size() < position;
        }

        long lines(Optional<LoggedEndpoints> endpoints) throws IOException {
            long lines = 0;
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (channel.read(buffer.clear(), position) > 0) {
                position += buffer.flip().limit();
                while (buffer.hasRemaining()) {
                    byte next = buffer.get();
                    lines += next == '\n' ? 1 : 0;
                    if (endpoints.isPresent()) {
                        add(next, endpoints.get());
                    }
                }
            }
            return lines;
        }

        private void add(byte next, LoggedEndpoints endpoints) {
            if (next == '\n') {
                endpoints.add(begun.toString(StandardCharsets.UTF_8));
                begun.reset();
            } else if (begun.size() < MAX_LINE_BYTES) {
                begun.write(next);
            }
        }
    }

    /// Starts at the file's end.
    ///
    /// @throws UserError when the file cannot be read
    public static LineCount of(Path file) {
        return open(file, Optional.empty());
    }

    /// Starts at the file's end, and also counts by endpoint, which reads each line.
    ///
    /// @throws UserError when the file cannot be read
    public static LineCount byEndpoint(Path file) {
        return open(file, Optional.of(new LoggedEndpoints()));
    }

    private static LineCount open(Path file, Optional<LoggedEndpoints> endpoints) {
        try {
            Tail first = Tail.open(file);
            first.position = first.channel.size();
            return new LineCount(file, endpoints, first);
        } catch (IOException unreadable) {
            throw UserError.usage(
                            "cannot read the access log " + file,
                            String.valueOf(unreadable.getMessage()),
                            "give the file that the service appends a line to for each request")
                    .causedBy(unreadable);
        }
    }

    private static Object identityOf(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? file : key;
    }

    /// Number of lines since the last call.
    ///
    /// @throws IOException when the file can no longer be read
    public long take() throws IOException {
        long lines = 0;
        for (Tail tail : tails) {
            if (tail.shrank()) {
                truncations++;
                tail.position = 0;
                tail.begun.reset();
            }
            lines += tail.lines(endpoints);
        }
        Optional<Tail> next = successor();
        if (next.isPresent()) {
            rotations++;
            tails.add(next.get());
            lines += next.get().lines(endpoints);
            if (tails.size() > MAX_OPEN_FILES) {
                tails.removeFirst().channel.close();
            }
        }
        return lines;
    }

    /// Requests by endpoint in the lines of all calls of {@link #take} since the last call of this
    /// method. Empty if they are not counted, or if no line has a request.
    public Map<String, Double> takeEndpoints() {
        return endpoints.map(LoggedEndpoints::take).orElse(Map.of());
    }

    /// The file that has the name now, if it is another one. Empty between renaming the old file
    /// and creating the new one.
    private Optional<Tail> successor() throws IOException {
        try {
            if (identityOf(file).equals(tails.getLast().identity)) {
                return Optional.empty();
            }
            return Optional.of(Tail.open(file));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        }
    }

    /// Number of times that another file replaced it.
    public int rotations() {
        return rotations;
    }

    /// Number of times that it was emptied (`copytruncate`): lines may then be lost.
    public int truncations() {
        return truncations;
    }

    @Override
    public void close() {
        for (Tail tail : tails) {
            try {
                tail.channel.close();
            } catch (IOException alreadyGone) {
                // it was only read: nothing is lost
            }
        }
    }
}
