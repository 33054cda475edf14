package dev.jdyno.tune;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// What was measured, a line each, written before anything is made of it. Whoever goes on with an
/// interrupted tuning decides anew from the same measurements, and so comes to the same decisions.
final class Journal implements AutoCloseable {
    static final String NAME = "journal.jsonl";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// One finished measurement.
    ///
    /// @param step what was measured, as a digest
    /// @param about the same in words
    /// @param seconds it took
    /// @param elapsed of the tuning when it was finished, in seconds, without the time in which
    ///   nothing tuned
    /// @param recording file of a diagnosis; else empty
    /// @param raced the outcome of a comparison; else empty
    /// @param look what was found by one start without load; else empty
    record Entry(
            String step,
            String about,
            double seconds,
            double elapsed,
            Optional<String> recording,
            Optional<Race.Raced> raced,
            Optional<Look> look) {}

    private final Path file;
    private final FileChannel channel;
    private final NanoClock clock;
    private final long opened;
    private final Map<String, Entry> known = new LinkedHashMap<>();
    private boolean resumes;
    private double replayed;

    private Journal(Path file, FileChannel channel, NanoClock clock) {
        this.file = file;
        this.channel = channel;
        this.clock = clock;
        this.opened = clock.nanos();
    }

    /// Opens it, or begins one. A line that was cut short by a kill was not finished: it goes.
    ///
    /// @throws UserError when another tuning writes it
    static Journal open(Path folder, NanoClock clock) {
        Path file = folder.resolve(NAME);
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            var journal = new Journal(file, channel, clock);
            try {
                if (channel.tryLock() == null) {
                    throw UserError.usage(
                            "another jdyno tunes in " + folder,
                            "it writes " + NAME + " there",
                            "wait until it ends, or give another --out DIR");
                }
                journal.read();
                journal.resumes = !journal.known.isEmpty();
                return journal;
            } catch (IOException | RuntimeException notOurs) {
                channel.close();
                throw notOurs;
            }
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot open " + file,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    private void read() throws IOException {
        byte[] all = Files.readAllBytes(file);
        int at = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                add(new String(all, at, i - at, StandardCharsets.UTF_8));
                at = i + 1;
            }
        }
        channel.truncate(at);
        channel.position(at);
    }

    private void add(String line) {
        try {
            Entry entry = JSON.readValue(line, Entry.class);
            known.put(entry.step(), entry);
        } catch (JacksonException broken) {
            throw UserError.usage(
                            file + " is no journal of this jdyno",
                            "line " + (known.size() + 1) + " cannot be read",
                            "begin anew without --resume")
                    .causedBy(broken);
        }
    }

    /// Whether it held something when it was opened.
    boolean resumes() {
        return resumes;
    }

    /// Seconds of the tuning. What earlier runs finished counts from where it is used again: so a
    /// budget ends where it ended without the interruption.
    double elapsed() {
        return replayed + clock.secondsSince(opened);
    }

    Optional<Entry> of(String step) {
        Optional<Entry> entry = Optional.ofNullable(known.get(digest(step)));
        entry.ifPresent(e -> replayed += Math.max(0, e.elapsed() - elapsed()));
        return entry;
    }

    /// @param recording its file
    void diagnosed(String step, double seconds, String recording) {
        write(
                entry(
                        step,
                        "diagnosis",
                        seconds,
                        Optional.of(recording),
                        Optional.empty(),
                        Optional.empty()));
    }

    /// @param about the step in words
    void raced(String step, String about, double seconds, Race.Raced raced) {
        write(entry(step, about, seconds, Optional.empty(), Optional.of(raced), Optional.empty()));
    }

    void looked(String step, double seconds, Look look) {
        write(entry(step, "look", seconds, Optional.empty(), Optional.empty(), Optional.of(look)));
    }

    /// @param step what was measured, in full
    private Entry entry(
            String step,
            String about,
            double seconds,
            Optional<String> recording,
            Optional<Race.Raced> raced,
            Optional<Look> look) {
        return new Entry(
                digest(step), Secrets.text(about), seconds, elapsed(), recording, raced, look);
    }

    /// On the disk when this returns.
    private void write(Entry entry) {
        try {
            channel.write(
                    ByteBuffer.wrap(
                            (JSON.writeValueAsString(entry) + "\n")
                                    .getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e.getMessage()),
                            "free some space, then go on with --resume " + file.getParent())
                    .causedBy(e);
        }
        known.put(entry.step(), entry);
    }

    private static String digest(String step) {
        try {
            byte[] whole =
                    MessageDigest.getInstance("SHA-256")
                            .digest(step.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(whole, 0, 12);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot close " + file, String.valueOf(e.getMessage()), "see the disk")
                    .causedBy(e);
        }
    }
}
