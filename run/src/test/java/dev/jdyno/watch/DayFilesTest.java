package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.observe.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DayFilesTest {
    @TempDir Path dir;

    private Path folder;
    private final List<String> notes = new ArrayList<>();

    @BeforeEach
    void inside() {
        folder = dir.resolve("watch");
    }

    private DayFiles begin(int keep) {
        return DayFiles.begin(folder, "shop", keep, START, notes::add);
    }

    private static void add(DayFiles files, Instant at) {
        files.add(minute(0).at(at).made());
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    private DayReader.Found read() {
        return DayReader.read(
                folder, START.minus(Duration.ofDays(30)), START.plus(Duration.ofDays(1000)));
    }

    private int minutes() {
        return read().minutes().getOrDefault("shop", List.of()).size();
    }

    @Test
    void eachDayHasFileOfItsOwn() throws IOException {
        try (DayFiles files = begin(14)) {
            add(files, START);
            add(files, Instant.parse("2026-11-30T23:59:00Z"));
            add(files, Instant.parse("2026-12-01T00:00:00Z"));
        }

        assertThat(names()).containsExactly("shop-2026-11-30.jsonl", "shop-2026-12-01.jsonl");
        assertThat(folder.resolve("shop-2026-11-30.jsonl")).content().hasLineCount(2);
        assertThat(minutes()).isEqualTo(3);
        assertThat(notes).isEmpty();
    }

    @Test
    void secondWatchContinuesFile() {
        try (DayFiles files = begin(14)) {
            add(files, START);
        }
        try (DayFiles files = begin(14)) {
            add(files, START.plusSeconds(60));
        }

        assertThat(minutes()).isEqualTo(2);
    }

    @Test
    void lineThatKillCutShortIsSkippedAndThenReplaced() throws IOException {
        Path file = folder.resolve("shop-2026-11-30.jsonl");
        try (DayFiles files = begin(14)) {
            add(files, START);
            add(files, START.plusSeconds(60));
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 40));

        assertThat(minutes()).isEqualTo(1);
        assertThat(read().skipped().damaged()).isEqualTo(1);
        try (DayFiles files = begin(14)) {
            add(files, START.plusSeconds(120));
        }
        assertThat(minutes()).isEqualTo(2);
        assertThat(read().skipped().damaged()).isZero();
    }

    @Test
    void damageInMiddleOfFileIsSkippedAndKept() throws IOException {
        Path file = folder.resolve("shop-2026-11-30.jsonl");
        try (DayFiles files = begin(14)) {
            add(files, START);
        }
        Files.writeString(file, "\0\0\0garbage\n", StandardOpenOption.APPEND);
        try (DayFiles files = begin(14)) {
            add(files, START.plusSeconds(60));
        }

        assertThat(minutes()).isEqualTo(2);
        assertThat(read().skipped().damaged()).isEqualTo(1);
    }

    @Test
    void oldestFilesAboveNumberAreDeleted() throws IOException {
        try (DayFiles files = begin(3)) {
            for (int day = 0; day < 6; day++) {
                add(files, START.plus(Duration.ofDays(day)));
            }
        }

        assertThat(names())
                .containsExactly(
                        "shop-2026-12-03.jsonl", "shop-2026-12-04.jsonl", "shop-2026-12-05.jsonl");
    }

    @Test
    void onlyDayFilesOfServiceAreDeleted() throws IOException {
        Files.createDirectory(folder);
        List<String> others =
                List.of(
                        "orders-2020-01-01.jsonl",
                        "shop-2020-01-01.txt",
                        "shop-2020-13-01.jsonl",
                        "shop-eu-2020-01-01.jsonl",
                        "shop.jsonl");
        for (String other : others) {
            Files.writeString(folder.resolve(other), "kept");
        }
        Files.createDirectory(folder.resolve("shop-2020-01-02.jsonl"));
        try (DayFiles files = begin(1)) {
            add(files, START);
            add(files, START.plus(Duration.ofDays(1)));
        }

        assertThat(names())
                .containsAll(others)
                .contains("shop-2020-01-02.jsonl", "shop-2026-12-01.jsonl")
                .doesNotContain("shop-2026-11-30.jsonl");
    }

    @Test
    void clockThatIsSetYearsAheadForWhileDeletesOnlyOldest() throws IOException {
        try (DayFiles files = begin(3)) {
            add(files, START);
            add(files, START.plus(Duration.ofDays(1)));
            add(files, START.plus(Duration.ofDays(900)));
            add(files, START.plus(Duration.ofDays(1)).plusSeconds(60));
        }

        assertThat(names()).contains("shop-2026-11-30.jsonl", "shop-2026-12-01.jsonl").hasSize(3);
        assertThat(minutes()).isEqualTo(4);
    }

    /// Its file is older than all that are kept.
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void clockThatIsSetBackLosesNoMinute(int keep) throws IOException {
        try (DayFiles files = begin(keep)) {
            for (int day = 10; day < 13; day++) {
                add(files, START.plus(Duration.ofDays(day)));
            }
            for (int i = 0; i < 5; i++) {
                add(files, START.plusSeconds(60L * i));
            }
            assertThat(folder.resolve("shop-2026-11-30.jsonl")).content().hasLineCount(5);
            assertThat(names()).hasSize(keep);
            assertThatThrownBy(() -> begin(keep)).as("the lock").isInstanceOf(UserError.class);

            add(files, START.plus(Duration.ofDays(12)).plusSeconds(60));
            assertThat(names()).contains("shop-2026-12-12.jsonl").hasSize(keep);
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void failureIsNotedOnceAndWritingGoesOnAfterIt() throws IOException {
        Path file = folder.resolve("shop-2026-11-30.jsonl");
        try (DayFiles files = begin(14)) {
            add(files, START);
            Files.delete(file);
            Files.createDirectory(file);
            for (int i = 1; i <= 5; i++) {
                add(files, START.plusSeconds(60L * i));
            }
            assertThat(notes).hasSize(1);

            Files.delete(file);
            add(files, START.plusSeconds(600));
            assertThat(notes).hasSize(2);
            assertThat(notes.getLast()).contains("5");
            add(files, START.plusSeconds(660));
            assertThat(notes).hasSize(2);
        }

        assertThat(minutes()).isEqualTo(2);
    }

    @Test
    void folderThatWasDeletedIsMadeAgain() throws IOException {
        try (DayFiles files = begin(14)) {
            Files.delete(folder.resolve("shop-2026-11-30.jsonl"));
            Files.delete(folder);
            add(files, START);
        }

        assertThat(minutes()).isEqualTo(1);
        assertThat(notes).isEmpty();
    }

    @Test
    void linkInPlaceOfFileIsRefused() throws IOException {
        Files.createDirectory(folder);
        Path victim = Files.writeString(dir.resolve("victim"), "untouched");
        Files.createSymbolicLink(folder.resolve("shop-2026-11-30.jsonl"), victim);

        assertThatThrownBy(() -> begin(14)).isInstanceOf(UserError.class);
        assertThat(victim).content().isEqualTo("untouched");
    }

    @Test
    void linkInPlaceOfFolderIsRefused() throws IOException {
        Path other = Files.createDirectory(dir.resolve("other"));
        Files.createSymbolicLink(folder, other);

        assertThatThrownBy(() -> begin(14)).isInstanceOf(UserError.class);
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void secondWatchOfSameServiceIntoFolderIsRefused() {
        try (DayFiles _ = begin(14)) {
            assertThatThrownBy(() -> begin(14))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
        }
    }

    /// The disk is full at the end of a day, and still at the beginning of the next one.
    @Test
    void minutesAreWrittenAgainAfterDiskWasFull() throws Exception {
        Instant midnight = Instant.parse("2026-12-01T00:00:00Z");
        try (SmallDisk disk = SmallDisk.mount(dir.resolve("disk"), "64k")) {
            folder = disk.folder().resolve("watch");
            Path filler = Files.write(disk.folder().resolve("filler"), new byte[32 << 10]);
            int added = 0;
            try (DayFiles files = begin(14)) {
                while (notes.isEmpty() && added < 500) {
                    add(files, START.plusSeconds(60L * added++));
                }
                assertThat(notes).as("the disk is full").hasSize(1);
                add(files, midnight.minusSeconds(60));
                add(files, midnight);
                assertThat(notes).as("reported once").hasSize(1);

                Files.delete(filler);
                add(files, midnight.plusSeconds(60));
                add(files, midnight.plusSeconds(120));
            }

            assertThat(notes).hasSize(2);
            assertThat(notes.getLast()).as("minutes that are missing").endsWith(": 3");
            assertThat(minutes()).isEqualTo(added - 1 + 2);
            assertThat(read().skipped().damaged()).isZero();
        }
    }

    @Test
    void readerTakesMinutesThatBeginInRange() {
        try (DayFiles files = begin(14)) {
            for (int i = 0; i < 5; i++) {
                add(files, START.plusSeconds(60L * i));
            }
            // while the watch writes

            DayReader.Found found =
                    DayReader.read(folder, START.plusSeconds(60), START.plusSeconds(180));

            assertThat(found.minutes().get("shop")).hasSize(2);
            assertThat(found.files()).isEqualTo(1);
        }
    }

    @Test
    void readerRefusesLinkAndMissingFolder() throws IOException {
        Files.createDirectory(folder);
        Files.createSymbolicLink(folder.resolve("shop-2026-11-30.jsonl"), Path.of("/dev/zero"));

        assertThatThrownBy(this::read).isInstanceOf(UserError.class);
        Path missing = dir.resolve("missing");
        assertThatThrownBy(() -> DayReader.read(missing, START, START.plusSeconds(60)))
                .isInstanceOf(UserError.class);
    }

    @Test
    void readerKeepsMinutesOfFileUpToTheMaximumAndCountsTheOthers() throws IOException {
        Files.createDirectory(folder);
        String line = DayLine.text(minute(0).made()) + "\n";
        Files.writeString(
                folder.resolve("shop-2026-11-30.jsonl"), line.repeat(DayReader.MAX_LINES + 7));
        Files.writeString(
                folder.resolve("shop-2026-12-01.jsonl"), "\n".repeat(DayReader.MAX_READ + 3));

        assertThat(minutes()).isEqualTo(DayReader.MAX_LINES);
        assertThat(read().skipped()).isEqualTo(new SkippedLines(DayReader.MAX_READ, 10));
    }

    @Test
    void lineOfOtherServiceInFileIsDamaged() throws IOException {
        Files.createDirectory(folder);
        Files.writeString(
                folder.resolve("orders-2026-11-30.jsonl"), DayLine.text(minute(0).made()) + "\n");

        assertThat(read().minutes()).isEmpty();
        assertThat(read().skipped().damaged()).isEqualTo(1);
    }
}
