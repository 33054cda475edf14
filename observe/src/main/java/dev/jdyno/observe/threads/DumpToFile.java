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

/// Thread dumps that the target writes to a file in its `/tmp`, which must not fill that disk.
///
/// Nobody knows before the first one how large it gets (a kilobyte for a thread with nine frames),
/// and a dump that was begun cannot be ended. But what it wrote can be taken away while it writes:
/// it goes on behind that and the disk has its blocks back. So a dump that takes too much of what
/// was free is cut, and is none.
final class DumpToFile {
    private static final String FILE = "threads.json";

    /// Share of the free space that one may take.
    static final double MOST_OF_FREE = 0.5;

    /// Share of the memory limit that one may take where the folder is in memory.
    static final double MOST_OF_MEMORY = 0.125;

    /// How long one is waited for: a million threads take half a minute the first time.
    static final Duration LIMIT = Duration.ofSeconds(60);

    /// At 70 MB/s a few megabytes are written in between.
    private static final Duration POLL = Duration.ofMillis(50);

    /// Half a second: a JVM that runs has begun to write by then.
    private static final int BEGUN_POLLS = 10;

    /// A dump that wrote nothing for so long has ended.
    private static final Duration SILENT = Duration.ofSeconds(5);

    private final ProcFs proc;
    private final Target target;
    private final NanoClock clock;
    private final double mostOfFree;

    DumpToFile(ProcFs proc, Target target, NanoClock clock) {
        this(proc, target, clock, MOST_OF_FREE);
    }

    DumpToFile(ProcFs proc, Target target, NanoClock clock, double mostOfFree) {
        this.proc = proc;
        this.target = target;
        this.clock = clock;
        this.mostOfFree = mostOfFree;
    }

    /// @param seconds until the target had written it
    record Written(Bytes size, double seconds) {}

    /// Thrown for what makes every further one pointless or harmful.
    static final class GivenUp extends Exception {
        private static final long serialVersionUID = 1;

        GivenUp(String why) {
            super(why);
        }

        String why() {
            return String.valueOf(getMessage());
        }
    }

    /// @param expected the size of the last one
    /// @param stop who wants to end early does not wait for it; empty is returned then
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
        // an earlier one that was left: its size is not the new one's
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
            leave(shared);
            throw ended;
        }
    }

    /// The dump that was written, to be read once; the caller closes it.
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
            Optional<String> said = within(answer, shared, start);
            cut |= cutAbove(most, shared);
            if (said.isEmpty()) {
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
                        said.get().strip().lines().findFirst().orElse("it wrote no dump to /tmp"));
            }
            try (Handle written = shared.read(FILE, most.value())) {
                return Optional.of(
                        new Written(new Bytes(written.stat().bytes()), clock.secondsSince(start)));
            }
        }
        leave(shared);
        return Optional.empty();
    }

    /// The command's answer, if it comes before the file is to be looked at again.
    private Optional<String> within(FutureTask<String> answer, SharedFolder shared, long start)
            throws GivenUp, InterruptedException, IOException {
        try {
            return Optional.of(answer.get(POLL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException notYet) {
            return Optional.empty();
        } catch (ExecutionException failed) {
            if (clock.secondsSince(start) >= LIMIT.toSeconds()) {
                leave(shared);
                throw new GivenUp("a dump takes more than " + LIMIT.toSeconds() + " s");
            }
            if (failed.getCause() instanceof UserError refused) {
                throw refused;
            }
            throw new IOException(failed.getCause());
        }
    }

    /// Lets the target write on, into nothing: until it has ended, what it wrote is taken away.
    private static void leave(SharedFolder shared) throws IOException {
        awaitBegun(shared);
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
                        // with its disk: nothing is left to be freed
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /// One that was ordered a moment ago may not have been begun.
    private static void awaitBegun(SharedFolder shared) throws IOException {
        boolean interrupted = false;
        for (int i = 0; i < BEGUN_POLLS && !shared.exists(FILE); i++) {
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

    /// @return whether it had to be
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

    /// How much one may take there now.
    private Bytes most(Path folder) {
        double free = mostOfFree * folder.toFile().getUsableSpace();
        double memory =
                isInMemory()
                        ? MemoryLimit.of(target.pid())
                                .map(limit -> MOST_OF_MEMORY * limit.value())
                                .orElse(free)
                        : free;
        return new Bytes((long) Math.min(free, memory));
    }

    /// Whether the target's `/tmp` is a `tmpfs`, whose files its memory limit counts.
    private boolean isInMemory() {
        return Mount.holding("/tmp", Mount.all(proc.text(target.pid(), "mountinfo")))
                .filter(m -> m.type().equals("tmpfs"))
                .isPresent();
    }
}
