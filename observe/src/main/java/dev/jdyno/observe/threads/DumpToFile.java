package dev.jdyno.observe.threads;

import dev.jdyno.files.Handle;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.host.MemoryLimit;
import dev.jdyno.observe.host.Mount;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.SharedFolder;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/// Thread dumps that the target writes to a file in its `/tmp`. They must not fill that disk.
///
/// The size of the first one is not known beforehand (a kilobyte for a thread with nine frames),
/// and a dump cannot be cancelled. But the file can be truncated while the target writes it: the
/// target continues behind that position and the disk gets its blocks back. So a dump that takes
/// too much of the free space is truncated, and is not used.
final class DumpToFile {
    private static final String FILE = "threads.json";

    /// Maximum size of a dump, as a share of the free space.
    static final double MAX_SHARE_OF_FREE = 0.5;

    /// Maximum size of a dump, as a share of the memory limit, if the folder is in memory.
    static final double MAX_SHARE_OF_MEMORY = 0.125;

    /// Maximum time to wait for a dump: a million threads take half a minute the first time.
    static final Duration LIMIT = Duration.ofSeconds(60);

    /// Time between two checks of the file. At 70 MB/s the target writes a few megabytes in
    /// between.
    private static final Duration POLL = Duration.ofMillis(50);

    /// Maximum number of checks until a running JVM has begun to write: five seconds, for a busy
    /// machine.
    private static final int BEGUN_POLLS = 100;

    /// Time without new data after which a dump counts as ended.
    private static final Duration SILENT = Duration.ofSeconds(5);

    private final ProcFs proc;
    private final Target target;
    private final NanoClock clock;
    private final double maxShareOfFree;

    DumpToFile(ProcFs proc, Target target, NanoClock clock) {
        this(proc, target, clock, MAX_SHARE_OF_FREE);
    }

    DumpToFile(ProcFs proc, Target target, NanoClock clock, double maxShareOfFree) {
        this.proc = proc;
        this.target = target;
        this.clock = clock;
        this.maxShareOfFree = maxShareOfFree;
    }

    /// @param seconds time until the target had written it
    record Written(Bytes size, double seconds) {}

    /// Thrown if further dumps are pointless or harmful.
    static final class GivenUp extends Exception {
        private static final long serialVersionUID = 1;

        GivenUp(String why) {
            super(why);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    /// Requests a dump, and waits until the target has written it.
    ///
    /// @param expected the size of the last one
    /// @param stop ends the wait early; the result is then empty
    /// @throws GivenUp when there is no room for it, or it takes too long
    /// @throws UserError when the target refuses
    Optional<Written> order(Optional<Bytes> expected, BooleanSupplier stop)
            throws GivenUp, InterruptedException, IOException {
        if (stop.getAsBoolean()) {
            return Optional.empty();
        }
        SharedFolder shared = target.shared();
        Bytes most = most(shared.disk());
        if (expected.filter(e -> e.compareTo(most) > 0).isPresent()) {
            throw new GivenUp(
                    "the last dump took "
                            + expected.get()
                            + " and its /tmp has room for "
                            + most
                            + " of one");
        }
        // a file left by an earlier dump: its size is not that of the new one
        shared.remove(FILE);
        long start = clock.nanos();
        var answer =
                new FutureTask<>(() ->
                        target.jcmd()
                                .run(
                                        "Thread.dump_to_file -overwrite -format=json "
                                                + shared.seenByTarget(FILE),
                                        LIMIT));
        Thread.ofPlatform().daemon().name("jdyno-dump").start(answer);
        try {
            return await(answer, shared, most, start, stop);
        } catch (InterruptedException ended) {
            leave(answer, shared);
            throw ended;
        }
    }

    /// The written dump, to be read once; the caller closes it.
    InputStream read(Written dump) throws IOException {
        try (Handle file = target.shared().read(FILE, dump.size().value())) {
            return file.stream();
        } finally {
            target.removeShared(FILE);
        }
    }

    private Optional<Written> await(
            FutureTask<String> answer,
            SharedFolder shared,
            Bytes most,
            long start,
            BooleanSupplier stop)
            throws GivenUp, InterruptedException, IOException {
        boolean cut = false;
        while (!stop.getAsBoolean()) {
            Optional<String> reply = within(answer, shared, start);
            cut |= cutAbove(most, shared);
            if (reply.isEmpty()) {
                continue;
            }
            if (cut) {
                shared.remove(FILE);
                throw new GivenUp(
                        "its dump took more than the "
                                + most
                                + " that its /tmp has room for, and was cut");
            }
            if (!shared.exists(FILE)) {
                // Failed: java.nio.file.FileSystemException: /tmp/…: Read-only file system
                throw new GivenUp(
                        reply.get().strip().lines().findFirst().orElse("it wrote no dump to /tmp"));
            }
            try (Handle written = shared.read(FILE, most.value())) {
                return Optional.of(
                        new Written(new Bytes(written.stat().bytes()), clock.secondsSince(start)));
            }
        }
        leave(answer, shared);
        return Optional.empty();
    }

    /// The command's answer, if it comes before the next check of the file.
    private Optional<String> within(FutureTask<String> answer, SharedFolder shared, long start)
            throws GivenUp, InterruptedException, IOException {
        try {
            return Optional.of(answer.get(POLL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException notYet) {
            return Optional.empty();
        } catch (ExecutionException failed) {
            if (clock.secondsSince(start) >= LIMIT.toSeconds()) {
                leave(answer, shared);
                throw new GivenUp("a dump takes more than " + LIMIT.toSeconds() + " s");
            }
            if (failed.getCause() instanceof UserError refused) {
                throw refused;
            }
            throw new IOException(failed.getCause());
        }
    }

    /// Lets the target write its dump to the end, and truncates the file meanwhile.
    private static void leave(FutureTask<String> answer, SharedFolder shared) throws IOException {
        awaitBegun(answer, shared);
        FileChannel open;
        try (Handle file = shared.read(FILE, Long.MAX_VALUE)) {
            open = file.writing();
        } catch (NoSuchFileException neverBegun) {
            return;
        }
        shared.remove(FILE);
        Thread.ofPlatform()
                .daemon()
                .name("jdyno-dump-left")
                .start(() -> {
                    try (open) {
                        long quiet = 0;
                        while (quiet < SILENT.toMillis()) {
                            quiet = open.size() > 0 ? 0 : quiet + POLL.toMillis();
                            open.truncate(0);
                            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                        }
                    } catch (IOException gone) {
                        // the disk is gone: nothing is left to be freed
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /// Waits until the target has begun to write a dump that was just ordered, or has answered.
    private static void awaitBegun(FutureTask<String> answer, SharedFolder shared)
            throws IOException {
        boolean interrupted = false;
        for (int i = 0; i < BEGUN_POLLS && !answer.isDone() && !shared.exists(FILE); i++) {
            try {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Truncates the dump if it is larger than `most`.
    ///
    /// @return true if it was truncated
    private static boolean cutAbove(Bytes most, SharedFolder shared) throws IOException {
        try (Handle file = shared.read(FILE, Long.MAX_VALUE)) {
            if (file.stat().bytes() <= most.value()) {
                return false;
            }
            try (FileChannel open = file.writing()) {
                open.truncate(0);
            }
            return true;
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }

    /// Maximum size of a dump at present.
    private Bytes most(Path folder) {
        double free = maxShareOfFree * folder.toFile().getUsableSpace();
        double memory =
                isInMemory()
                        ? MemoryLimit.of(target.pid())
                                .map(limit -> MAX_SHARE_OF_MEMORY * limit.value())
                                .orElse(free)
                        : free;
        return new Bytes((long) Math.min(free, memory));
    }

    /// True if the target's `/tmp` is a `tmpfs`: then the files in it count towards the target's
    /// memory limit.
    private boolean isInMemory() {
        return Mount.holding("/tmp", Mount.all(proc.text(target.pid(), "mountinfo")))
                .filter(m -> m.type().equals("tmpfs"))
                .isPresent();
    }
}
