package dev.jdyno.target;

import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
public final class PerfData implements AutoCloseable {
    private static final int MAGIC = 0xcafec0c0;
    private static final int PROLOGUE_BYTES = 32;
    private static final int ENTRIES_AT = 28;
    private static final int NOT_PUBLISHED = -1;

    /// Bytes of an entry before its name.
    private static final int ENTRY_BYTES = 20;

    /// HotSpot's own most (`PerfDataMemorySize`, 32 KiB where nothing is set).
    private static final int MOST_BYTES = 32 << 20;

    /// Entries that are looked at: a JVM has some 300, and their number may change at any moment.
    private static final int MOST_ENTRIES = 20_000;

    private final Arena arena;
    private final MemorySegment memory;
    private final ByteOrder order;
    private final ByteBuffer bytes;
    private final Map<String, Integer> longs = new HashMap<>();
    private final Map<String, Text> texts = new HashMap<>();
    private int entriesRead;

    private record Text(int offset, int length) {
        String read(ByteBuffer from) {
            byte[] text = new byte[length];
            from.get(offset, text);
            int end = 0;
            while (end < length && text[end] != 0) {
                end++;
            }
            return new String(text, 0, end, StandardCharsets.UTF_8);
        }

        /// Whether it says this; HotSpot's names of causes are ASCII.
        boolean is(String expected, ByteBuffer in) {
            int n = expected.length();
            for (int i = 0; i < n; i++) {
                if (i == length || in.get(offset + i) != expected.charAt(i)) {
                    return false;
                }
            }
            return n == length || in.get(offset + n) == 0;
        }
    }

    private PerfData(Arena arena, MemorySegment memory) throws IOException {
        this.arena = arena;
        this.memory = memory;
        if (memory.byteSize() < PROLOGUE_BYTES || intAt(0, ByteOrder.BIG_ENDIAN) != MAGIC) {
            throw new IOException("not a hsperfdata file");
        }
        this.order =
                memory.get(ValueLayout.JAVA_BYTE, 4) == 0
                        ? ByteOrder.BIG_ENDIAN
                        : ByteOrder.LITTLE_ENDIAN;
        if (memory.get(ValueLayout.JAVA_BYTE, 5) != 2) {
            throw new IOException("hsperfdata of an unknown version");
        }
        this.bytes = memory.asByteBuffer().order(order);
        try {
            index();
        } catch (InternalError cutOff) {
            throw new IOException("the hsperfdata file was cut off while it was read", cutOff);
        }
    }

    /// Opens the counters of a running JVM.
    ///
    /// @throws UserError when it publishes none, they may not be read, or what lies in their place
    ///   is another JVM's
    public static PerfData of(long pid) {
        return of(ProcFs.SYSTEM, pid);
    }

    static PerfData of(ProcFs proc, long pid) {
        Path tmp = proc.of(pid, "root").resolve("tmp");
        String name = Long.toString(proc.innerPid(pid));
        var owner = new PerfDataOwner(proc, pid);
        List<String> others = new ArrayList<>();
        try (var users = Files.newDirectoryStream(tmp, "hsperfdata_*")) {
            for (Path user : users) {
                Path file = user.resolve(name);
                if (Files.exists(file)) {
                    Found found = look(file, owner);
                    if (found.its().isPresent()) {
                        return found.its().get();
                    }
                    others.add(user.getFileName() + "/" + name + ": " + found.whyNot());
                }
            }
        } catch (IOException unreadable) {
            throw missing(pid, "its perf data cannot be read: " + unreadable.getMessage())
                    .causedBy(unreadable);
        }
        throw missing(
                pid,
                others.isEmpty()
                        ? "it publishes no perf data (-XX:-UsePerfData or PerfDisableSharedMem)"
                        : "none of the files with its number is its perf data: "
                                + String.join("; ", others));
    }

    private record Found(Optional<PerfData> its, String whyNot) {}

    /// Another user's that may not be read need not be in the way of the target's own.
    private static Found look(Path file, PerfDataOwner owner) {
        try {
            PerfData data = open(file);
            Optional<String> whyNot = owner.whyNot(file, data.value("sun.rt.createVmBeginTime"));
            if (whyNot.isEmpty()) {
                return new Found(Optional.of(data), "");
            }
            data.close();
            return new Found(Optional.empty(), whyNot.get());
        } catch (IOException unreadable) {
            return new Found(Optional.empty(), "cannot be read: " + unreadable);
        }
    }

    private static UserError missing(long pid, String why) {
        return UserError.target(
                "no GC and safepoint counters of JVM " + pid,
                why,
                "start it without these flags, and run jdyno as the same user or as root");
    }

    /// Maps one file; for recorded ones too.
    static PerfData open(Path file) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > MOST_BYTES) {
                throw new IOException("larger than the perf data of any JVM");
            }
            return new PerfData(
                    arena, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
        } catch (IOException | RuntimeException notOne) {
            arena.close();
            throw notOne;
        }
    }

    /// The counter's value now; empty when this JVM does not publish it.
    public OptionalLong value(String name) {
        try {
            int offset = offsetOf(name);
            return offset == NOT_PUBLISHED
                    ? OptionalLong.empty()
                    : OptionalLong.of(bytes.getLong(offset));
        } catch (InternalError cutOff) {
            return OptionalLong.empty();
        }
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
        try {
            Text text = textOf(name);
            return text == null ? Optional.empty() : Optional.of(text.read(bytes));
        } catch (InternalError cutOff) {
            return Optional.empty();
        }
    }

    private synchronized @Nullable Text textOf(String name) {
        Text text = texts.get(name);
        if (text == null) {
            index();
            text = texts.get(name);
        }
        return text;
    }

    /// A counter to look at many times a second: its place is searched for only until it is found.
    public Counter counter(String name) {
        return new Counter(name);
    }

    /// A string to look at many times a second.
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

        /// Its value now.
        ///
        /// @param otherwise when this JVM does not publish it
        public long or(long otherwise) {
            try {
                return now(otherwise);
            } catch (InternalError cutOff) {
                return otherwise;
            }
        }

        private long now(long otherwise) {
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
            return at == NOT_PUBLISHED ? otherwise : bytes.getLong(at);
        }
    }

    /// One string of this JVM; for one thread at a time.
    public final class Label {
        private final String name;
        private @Nullable Text text;
        private @Nullable String seen;
        private int searchedEntries;

        private Label(String name) {
            this.name = name;
        }

        /// What it says now. A new object only when that has changed.
        ///
        /// @param otherwise when this JVM does not publish it
        public String or(String otherwise) {
            try {
                return now(otherwise);
            } catch (InternalError cutOff) {
                return otherwise;
            }
        }

        private String now(String otherwise) {
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
            String now = seen;
            if (now == null || !at.is(now, bytes)) {
                now = at.read(bytes);
                seen = now;
            }
            return now;
        }
    }

    private int entries() {
        return bytes.getInt(ENTRIES_AT);
    }

    /// Counters are added while the JVM starts; looks only at those that are new. Whoever owns the
    /// file writes what he likes into it, so each offset is checked against its own entry; behind
    /// the first entry that is none, nothing is read.
    ///
    /// @throws InternalError when the file was cut off behind the page that is read, here as
    ///   wherever its memory is read
    private void index() {
        int entries = Math.min(entries(), MOST_ENTRIES);
        if (entries == entriesRead) {
            return;
        }
        longs.clear();
        texts.clear();
        long entry = intAt(24, order);
        for (int i = 0; i < entries; i++) {
            if (entry < PROLOGUE_BYTES || entry + ENTRY_BYTES > memory.byteSize()) {
                break;
            }
            int length = intAt(entry, order);
            if (length < ENTRY_BYTES || entry + length > memory.byteSize()) {
                break;
            }
            entry(entry, length);
            entry += length;
        }
        entriesRead = entries;
    }

    private void entry(long entry, int length) {
        int name = intAt(entry + 4, order);
        int vectorLength = intAt(entry + 8, order);
        int data = intAt(entry + 16, order);
        byte type = memory.get(ValueLayout.JAVA_BYTE, entry + 12);
        boolean number = vectorLength == 0 && type == 'J';
        long dataBytes = number ? Long.BYTES : vectorLength;
        boolean inside =
                name >= ENTRY_BYTES
                        && name < length
                        && data >= ENTRY_BYTES
                        && dataBytes >= 0
                        && data + dataBytes <= length;
        if (!inside) {
            return;
        }
        // at most 32 MiB into the file
        int at = (int) entry + data;
        if (number) {
            longs.put(nameAt(entry + name, entry + length), at);
        } else if (type == 'B') {
            texts.put(nameAt(entry + name, entry + length), new Text(at, vectorLength));
        }
    }

    private String nameAt(long start, long behind) {
        long end = start;
        while (end < behind && memory.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return new String(
                memory.asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8);
    }

    private int intAt(long offset, ByteOrder as) {
        return memory.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(as), offset);
    }

    @Override
    public synchronized void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
