package dev.jdyno.target;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.Trust;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The counters that HotSpot publishes in a memory-mapped file (`/tmp/hsperfdata_USER/PID`, format
/// 2.0 of PerfMemory). Reading them costs the target nothing: no signal, no safepoint, no thread.
///
/// Layout (all in the target's byte order, given by the fifth byte):
///
/// ```
/// prologue  0 magic 0xcafec0c0 (big endian) · 4 byte order · 5 major · 6 minor · 7 accessible
///           8 used · 12 overflow · 16 modification time · 24 offset of first entry · 28 entries
/// entry     0 length · 4 name offset · 8 vector length (0 = scalar) · 12 type ('J' or 'B')
///           13 flags · 14 units · 15 variability · 16 data offset
/// ```
///
/// The file is read, not mapped: its owner can truncate it, and a process that accesses a mapped
/// page that no longer exists is killed or fails at some later time.
public final class PerfData implements AutoCloseable {
    /// Maximum size of the file. `-XX:PerfDataMemorySize` is 32 KiB by default.
    private static final long MAX_BYTES = 32L << 20;

    private static final int MAGIC = 0xcafec0c0;
    private static final int PROLOGUE_BYTES = 32;
    private static final int FIRST_ENTRY_AT = 24;
    private static final int ENTRIES_AT = 28;
    private static final int ENTRY_BYTES = 20;
    private static final int NOT_PUBLISHED = -1;

    /// Start of the JVM in ms since 1970.
    private static final String BEGUN = "sun.rt.createVmBeginTime";

    /// Flags of a JVM that publishes no counters.
    private static final List<String> NOT_PUBLISHING =
            List.of("-XX:-UsePerfData", "-XX:+PerfDisableSharedMem");

    private final FileChannel channel;
    private final ByteOrder order;
    private final Map<String, Integer> longs = new HashMap<>();
    private final Map<String, Text> texts = new HashMap<>();
    private int entriesRead;

    /// Buffer for reading a single value.
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(Long.BYTES);

    private record Text(int offset, int length) {}

    private PerfData(FileChannel channel) throws IOException {
        this.channel = channel;
        ByteBuffer prologue = at(0, PROLOGUE_BYTES);
        if (prologue.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC) {
            throw new IOException("not a hsperfdata file");
        }
        this.order = prologue.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        if (prologue.get(5) != 2) {
            throw new IOException("hsperfdata of an unknown version");
        }
        scratch.order(order);
        index();
    }

    /// Opens the counters of a running JVM.
    ///
    /// @throws UserError when it publishes none, they cannot be read, or the file belongs to
    ///   another JVM
    public static PerfData of(long pid) {
        return of(ProcFs.SYSTEM, pid);
    }

    static PerfData of(ProcFs proc, long pid) {
        String name = Long.toString(proc.innerPid(pid));
        var owner = new PerfDataOwner(proc, pid);
        List<String> others = new ArrayList<>();
        try (Folder tmp = SharedFolder.tmpToRead(proc, pid)) {
            for (String user : tmp.names()) {
                if (user.startsWith("hsperfdata_")) {
                    Found found = look(tmp, user, name, owner);
                    if (found.its().isPresent()) {
                        return found.its().get();
                    }
                    found.whyNot().ifPresent(why -> others.add(user + "/" + name + ": " + why));
                }
            }
        } catch (IOException unreadable) {
            throw missing(pid, "its perf data cannot be read: " + unreadable.getMessage())
                    .causedBy(unreadable);
        }
        Optional<Path> removed = owner.removed(name);
        if (removed.isPresent()) {
            PerfData data = removed(pid, removed.get());
            Optional<String> older = owner.whyNotSince(data.value(BEGUN));
            if (older.isEmpty()) {
                return data;
            }
            data.close();
            others.add("the removed one: " + older.get());
        }
        throw missing(
                pid,
                others.isEmpty()
                        ? "it publishes no perf data (" + flags(proc, pid) + ")"
                        : "none of the files with its number is its perf data: "
                                + String.join("; ", others));
    }

    /// The flag of a JVM's command line with which it publishes no counters. If there is none, all
    /// such flags.
    private static String flags(ProcFs proc, long pid) {
        String line = proc.text(pid, "cmdline").orElse("");
        return NOT_PUBLISHING.stream()
                .filter(line::contains)
                .findFirst()
                .orElse(String.join(" or ", NOT_PUBLISHING));
    }

    /// Opens the file that was removed from `/tmp`, by the kernel's link to a mapped file.
    private static PerfData removed(long pid, Path mapped) {
        try {
            if (Files.isRegularFile(mapped)) {
                return open(mapped);
            }
            throw new IOException("only root may open it");
        } catch (IOException unreadable) {
            throw UserError.target(
                            "no GC and safepoint counters of JVM " + pid,
                            "its perf data file was removed from its /tmp: "
                                    + unreadable.getMessage(),
                            "run jdyno as root, which can still read it; and exclude"
                                    + " /tmp/hsperfdata_* from what cleans /tmp")
                    .causedBy(unreadable);
        }
    }

    /// The perf data, or why a file is not the target's; neither if there is no such file.
    private record Found(Optional<PerfData> its, Optional<String> whyNot) {
        static Found not(String why) {
            return new Found(Optional.empty(), Optional.of(why));
        }
    }

    /// Checks the file before it is opened, because any user can put a link or a FIFO there. An
    /// unreadable file of another user must not hide the target's own.
    private static Found look(Folder tmp, String user, String name, PerfDataOwner owner) {
        try (Folder folder = tmp.folder(user);
                Handle file = folder.file(name, Trust.madeBy(Set.of(), MAX_BYTES))) {
            Optional<String> another = owner.whyNot(user + "/" + name, file.stat());
            if (another.isPresent()) {
                return Found.not(another.get());
            }
            PerfData data = open(file.channel());
            Optional<String> older =
                    owner.isMapped(user + "/" + name, file.stat())
                            ? Optional.empty()
                            : owner.whyNotSince(data.value(BEGUN));
            if (older.isEmpty()) {
                return new Found(Optional.of(data), Optional.empty());
            }
            data.close();
            return Found.not(older.get());
        } catch (NoSuchFileException none) {
            return new Found(Optional.empty(), Optional.empty());
        } catch (IOException unreadable) {
            return Found.not("cannot be read: " + unreadable.getMessage());
        }
    }

    private static UserError missing(long pid, String why) {
        return UserError.target(
                "no GC and safepoint counters of JVM " + pid,
                why,
                "start it without these flags, and run jdyno as the same user or as root");
    }

    /// Opens a file that jdyno created, such as a recorded one.
    static PerfData open(Path file) throws IOException {
        return open(FileChannel.open(file, StandardOpenOption.READ));
    }

    /// @param channel closed with the result, or if it does not contain counters
    private static PerfData open(FileChannel channel) throws IOException {
        try {
            if (channel.size() > MAX_BYTES) {
                throw new IOException("larger than the perf data of any JVM");
            }
            return new PerfData(channel);
        } catch (IOException | RuntimeException notOne) {
            channel.close();
            throw notOne;
        }
    }

    /// Start time of a JVM, from its own data and the wall clock; empty if it publishes none.
    public static Optional<Instant> startOf(long pid) {
        try (PerfData perf = of(pid)) {
            OptionalLong ms = perf.value(BEGUN);
            return ms.isPresent() && ms.getAsLong() > 0
                    ? Optional.of(Instant.ofEpochMilli(ms.getAsLong()))
                    : Optional.empty();
        } catch (UserError none) {
            return Optional.empty();
        }
    }

    /// The counter's present value; empty when this JVM does not publish it.
    public OptionalLong value(String name) {
        int offset = offsetOf(name);
        return offset == NOT_PUBLISHED ? OptionalLong.empty() : longAt(offset);
    }

    private synchronized int offsetOf(String name) {
        Integer offset = longs.get(name);
        if (offset == null) {
            index();
            offset = longs.get(name);
        }
        return offset == null ? NOT_PUBLISHED : offset;
    }

    /// A string of the JVM, such as `java.property.java.vm.name`.
    public Optional<String> text(String name) {
        Text text = textOf(name);
        return text == null ? Optional.empty() : read(text);
    }

    private synchronized @Nullable Text textOf(String name) {
        Text text = texts.get(name);
        if (text == null) {
            index();
            text = texts.get(name);
        }
        return text;
    }

    /// A counter for many readings per second: its position is searched only until it is found.
    public Counter counter(String name) {
        return new Counter(name);
    }

    /// A string for many readings per second.
    public Label label(String name) {
        return new Label(name);
    }

    /// One counter of this JVM.
    public final class Counter {
        private final String name;
        private volatile int offset = NOT_PUBLISHED;
        private volatile int searchedEntries;

        private Counter(String name) {
            this.name = name;
        }

        /// The present value of the counter.
        ///
        /// @param otherwise result when this JVM does not publish it
        public long or(long otherwise) {
            int at = offset;
            if (at == NOT_PUBLISHED) {
                int entries = entries();
                if (entries == searchedEntries) {
                    return otherwise;
                }
                at = offsetOf(name);
                offset = at;
                searchedEntries = entries;
            }
            return at == NOT_PUBLISHED ? otherwise : longAt(at).orElse(otherwise);
        }
    }

    /// One string of this JVM; not thread-safe.
    public final class Label {
        private final String name;
        private @Nullable Text text;
        private @Nullable String seen;
        private int searchedEntries;

        private Label(String name) {
            this.name = name;
        }

        /// The present text of the counter; the same object until the text has changed.
        ///
        /// @param otherwise result when this JVM does not publish it
        public String or(String otherwise) {
            Text at = text;
            if (at == null) {
                int entries = entries();
                if (entries == searchedEntries) {
                    return otherwise;
                }
                searchedEntries = entries;
                at = textOf(name);
                text = at;
                if (at == null) {
                    return otherwise;
                }
            }
            Optional<String> now = read(at);
            if (now.isEmpty()) {
                return otherwise;
            }
            String before = seen;
            if (before != null && before.equals(now.get())) {
                return before;
            }
            seen = now.get();
            return now.get();
        }
    }

    private synchronized int entries() {
        return fits(ENTRIES_AT, Integer.BYTES) ? scratch.getInt(0) : entriesRead;
    }

    private synchronized OptionalLong longAt(int offset) {
        return fits(offset, Long.BYTES)
                ? OptionalLong.of(scratch.getLong(0))
                : OptionalLong.empty();
    }

    /// Reads into the scratch buffer.
    ///
    /// @return true if the file contains all of it
    private boolean fits(int offset, int length) {
        try {
            scratch.clear().limit(length);
            while (scratch.hasRemaining()) {
                if (channel.read(scratch, offset + (long) scratch.position()) < 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException closedOrGone) {
            return false;
        }
    }

    private Optional<String> read(Text text) {
        try {
            byte[] all = at(text.offset(), text.length()).array();
            int end = 0;
            while (end < all.length && all[end] != 0) {
                end++;
            }
            return Optional.of(new String(all, 0, end, StandardCharsets.UTF_8));
        } catch (IOException cutMeanwhile) {
            return Optional.empty();
        }
    }

    /// @throws IOException if the file does not contain all of it
    private ByteBuffer at(long offset, int length) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(length);
        while (part.hasRemaining()) {
            if (channel.read(part, offset + part.position()) < 0) {
                throw new IOException("the hsperfdata file ends early");
            }
        }
        return part;
    }

    /// Reads the positions of all counters. Counters are added while the JVM starts; existing ones
    /// keep their position. An entry outside the file ends the list.
    private synchronized void index() {
        int entries = entries();
        if (entries == entriesRead) {
            return;
        }
        longs.clear();
        texts.clear();
        try {
            ByteBuffer all = at(0, (int) Math.min(MAX_BYTES, channel.size())).order(order);
            long entry = Integer.toUnsignedLong(all.getInt(FIRST_ENTRY_AT));
            for (int i = 0; i < entries && entry + ENTRY_BYTES <= all.capacity(); i++) {
                int length = all.getInt((int) entry);
                if (length < ENTRY_BYTES || entry + length > all.capacity()) {
                    break;
                }
                index(all.slice((int) entry, length).order(order), (int) entry);
                entry += length;
            }
        } catch (IOException cutMeanwhile) {
            // the file was truncated: further counters are treated as not published
        }
        entriesRead = entries;
    }

    /// @param at position of the entry in the file
    private void index(ByteBuffer entry, int at) {
        int nameAt = entry.getInt(4);
        int vectorLength = entry.getInt(8);
        int data = entry.getInt(16);
        if (nameAt < ENTRY_BYTES || nameAt >= entry.capacity() || data < 0 || vectorLength < 0) {
            return;
        }
        byte type = entry.get(12);
        if (vectorLength == 0 && type == 'J' && data <= entry.capacity() - Long.BYTES) {
            longs.put(nameAt(entry, nameAt), at + data);
        } else if (type == 'B' && data <= entry.capacity() - vectorLength) {
            texts.put(nameAt(entry, nameAt), new Text(at + data, vectorLength));
        }
    }

    private static String nameAt(ByteBuffer entry, int start) {
        int end = start;
        while (end < entry.capacity() && entry.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - start];
        entry.get(start, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        try {
            channel.close();
        } catch (IOException alreadyClosed) {
            // it was only read
        }
    }
}
