package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualThreadsTest {
    private static final int KEPT = 1_500;

    @TempDir Path dir;

    private Target crowd() throws Exception {
        return Victims.launch(Victims.jdks().getFirst(), dir, "virtual-crowd-1000");
    }

    private static Path file(Target target) throws IOException {
        return Path.of(target.shared().seenByTarget("threads.json"));
    }

    private static VirtualThreads of(Target target, NanoClock clock, double mostOfFree) {
        return new VirtualThreads(
                new DumpToFile(ProcFs.SYSTEM, target, clock, mostOfFree), clock, KEPT);
    }

    /// 2,000 threads wait for a result, followed by 1,000 that sleep. A share of 1/3 of 1,500
    /// threads has a standard error of at most 0.012.
    @Test
    void aSampleOfARealDumpHasItsKindsByTheirShares() throws Exception {
        try (Target target = crowd()) {
            var virtuals = of(target, NanoClock.SYSTEM, DumpToFile.MAX_SHARE_OF_FREE);

            VirtualSample sample = virtuals.look(() -> false);

            assertThat(sample.total()).isEqualTo(3_000);
            assertThat(sample.threads()).hasSize(KEPT);
            double sleep =
                    sample.threads().stream()
                            .filter(t -> t.frames().contains("java.lang.Thread.sleep"))
                            .count();
            assertThat(sleep / KEPT).isCloseTo(1 / 3.0, Offset.offset(0.06));
            assertThat(virtuals.missing().map(Unseen::text))
                    .contains(
                            "virtual threads: 3,000 virtual threads, a random 1,500 of them read,"
                                    + " scaled");
            assertThat(file(target)).doesNotExist();
        }
    }

    /// By the simulated clock, each dump takes minutes.
    @Test
    void aDumpThatTakesLongIsNotRepeatedInItsWindow() throws Exception {
        var now = new AtomicLong();
        try (Target target = crowd()) {
            var virtuals =
                    of(target, () -> now.addAndGet(2_000_000_000L), DumpToFile.MAX_SHARE_OF_FREE);

            VirtualSample first = virtuals.look(() -> false);
            assertThat(virtuals.look(() -> false)).isSameAs(first);
            assertThat(virtuals.missing().orElseThrow().text())
                    .contains("3,000 virtual threads, a random 1,500 of them read, scaled; a dump")
                    .contains("so there was one in each window");

            virtuals.beginWindow();
            assertThat(virtuals.look(() -> false)).isNotSameAs(first);
        }
    }

    /// No space is available from the start, so any output of the dump is too large.
    @Test
    void cutsDumpWithoutSpaceAndMakesNoOther() throws Exception {
        try (Target target = crowd()) {
            var virtuals = of(target, NanoClock.SYSTEM, 0);

            assertThat(virtuals.look(() -> false)).isEqualTo(VirtualSample.NONE);
            assertThat(virtuals.missing().orElseThrow().text())
                    .contains("took more than the 0 B that its /tmp has room for, and was cut")
                    .contains("no further one is made")
                    .contains("what they do was not seen");
            assertThat(file(target)).doesNotExist();

            virtuals.beginWindow();
            assertThat(virtuals.look(() -> false)).isEqualTo(VirtualSample.NONE);
        }
    }

    /// The dump of the window before had this size, and the disk has filled since.
    @Test
    void skipsDumpThatExceedsFreeSpace() throws Exception {
        try (Target target = crowd()) {
            var dumps = new DumpToFile(ProcFs.SYSTEM, target, NanoClock.SYSTEM, 0);

            assertThat(catchThrowable(() -> dumps.order(Optional.of(Bytes.mebi(1)), () -> false)))
                    .isInstanceOf(DumpToFile.GivenUp.class)
                    .hasMessageContaining("the last dump took 1.00 MiB");
            assertThat(file(target)).doesNotExist();
        }
    }

    @Test
    void stopDoesNotWaitForDump() throws Exception {
        try (Target target = crowd()) {
            var virtuals = of(target, NanoClock.SYSTEM, DumpToFile.MAX_SHARE_OF_FREE);

            assertThat(virtuals.look(() -> true)).isEqualTo(VirtualSample.NONE);
            assertThat(file(target)).doesNotExist();
        }
    }

    @Test
    void removesFileOfDumpThatIsInterruptedByStop() throws Exception {
        var asked = new AtomicLong();
        try (Target target = crowd()) {
            var virtuals = of(target, NanoClock.SYSTEM, DumpToFile.MAX_SHARE_OF_FREE);

            assertThat(virtuals.look(() -> asked.incrementAndGet() > 1))
                    .isEqualTo(VirtualSample.NONE);
            // the next command is answered only after the dump has ended
            target.jcmd().run("VM.version");
            assertThat(file(target)).doesNotExist();
        }
    }

    /// A folder in place of the dump file has the effect of a `/tmp` that cannot be written.
    @Test
    void reportsDumpThatCannotBeWritten() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "virtual-sleep")) {
            Path inTheWay = Files.createDirectories(file(target).resolve("full"));
            try {
                var virtuals = new VirtualThreads(ProcFs.SYSTEM, target, NanoClock.SYSTEM);

                assertThat(virtuals.missing()).isEmpty();
                assertThat(virtuals.look(() -> false).threads()).isEmpty();
                assertThat(virtuals.missing().orElseThrow().text())
                        .startsWith("virtual threads: ")
                        .contains("what they do was not seen");
            } finally {
                Files.delete(inTheWay);
                Files.delete(inTheWay.getParent());
            }
        }
    }
}
