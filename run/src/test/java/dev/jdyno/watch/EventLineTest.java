package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventLineTest {
    private static final WatchedMinute.Room ROOM =
            minute(0).headroom(1.25).made().headroom().orElseThrow();

    private static final WatchEvent CPU =
            new WatchEvent.CpuPerRequestChanged(START, "shop", START.minusSeconds(600), 1.0, 1.25);

    static List<WatchEvent> events() {
        return List.of(
                new WatchEvent.Watching(START, "shop", 4711),
                new WatchEvent.Gone(START, "shop", 4711),
                new WatchEvent.Restarted(START, "shop", 4711, 5000, 12.5),
                new WatchEvent.BottleneckChanged(
                        START,
                        "shop",
                        Optional.empty(),
                        new WatchedMinute.Named(Bottleneck.LOAD, "", 0.5)),
                new WatchEvent.BottleneckChanged(
                        START,
                        "shop",
                        Optional.of(Bottleneck.LOAD),
                        new WatchedMinute.Named(Bottleneck.LOCK, "com.acme.Stock.load", 0.75)),
                new WatchEvent.HeadroomBelow(START, "shop", 1.5, ROOM),
                new WatchEvent.HeadroomBack(START, "shop", 1.5, ROOM),
                CPU);
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventIsReadBack(WatchEvent event) {
        assertThat(DayEntry.read(EventLine.text(event))).contains(new DayEntry.Event(event));
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyBeginningOfLineIsDamaged(WatchEvent event) {
        String line = EventLine.text(event);

        assertThat(line.lines()).hasSize(1);
        for (int i = 0; i < line.length(); i++) {
            assertThat(DayEntry.read(line.substring(0, i))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"event\":\"headroom\" \"event\":\"other\"",
                "\"event\":\"headroom\" \"event\":null",
                "\"event\":\"headroom\" \"event\":\"bottleneck\"",
                "\"event\":\"headroom\" \"event\":\"restarted\"",
                "\"event\":\"headroom\" \"event\":\"watching\"",
                "\"service\":\"shop\" \"service\":null",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":null",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"now\"",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":31556889864403199",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"+10000-01-01T00:00:00Z\"",
                "\"at\":\"2026-11-30T14:00:00Z\" \"at\":\"1969-12-31T23:59:59Z\"",
                "\"below\":1.5 \"below\":\"NaN\"",
                "\"below\":1.5 \"below\":null",
                "\"ratio\":1.25 \"ratio\":-1",
                "\"limitPerS\":125.0 \"limitPerS\":\"Infinity\"",
                "\"ci95\":[112.5,137.5] \"ci95\":[null,null]",
                "\"ci95\":[112.5,137.5] \"ci95\":[9,1]",
                "\"kind\":\"cpu\" \"kind\":\"other\"",
                "\"jdyno/event/1\" \"jdyno/event/2\""
            })
    void impossibleEventsAreDamaged(String change) {
        String line = EventLine.text(new WatchEvent.HeadroomBelow(START, "shop", 1.5, ROOM));
        String[] words = change.split(" ");

        assertThat(line).contains(words[0]);
        assertThat(DayEntry.read(line.replace(words[0], words[1]))).isEmpty();
    }

    @Test
    void unknownBottleneckIsDamaged() {
        String line =
                EventLine.text(
                        new WatchEvent.BottleneckChanged(
                                START,
                                "shop",
                                Optional.of(Bottleneck.LOAD),
                                new WatchedMinute.Named(Bottleneck.LOCK, "a", 0.5)));

        assertThat(DayEntry.read(line.replace("\"lock\"", "\"other\""))).isEmpty();
        assertThat(DayEntry.read(line.replace("\"load\"", "\"other\""))).isEmpty();
        assertThat(DayEntry.read(line.replace("0.5", "-1"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"beforeMs\":1.0 \"beforeMs\":0",
                "\"afterMs\":1.25 \"afterMs\":-1",
                "\"afterMs\":1.25 \"afterMs\":\"NaN\"",
                "\"since\":\"2 \"since\":\"x2",
                "\"since\":\"2 \"since\":-31557014167219200,\"x\":\"2",
                "\"since\":\"2 \"since\":31556889864403199,\"x\":\"2",
                "\"cpuPerRequest\":{ \"cpuPerRequest\":null,\"x\":{"
            })
    void impossibleChangesOfTheCpuPerRequestAreDamaged(String change) {
        String line = EventLine.text(CPU);
        String[] words = change.split(" ");

        assertThat(line).contains(words[0]);
        assertThat(DayEntry.read(line.replace(words[0], words[1]))).isEmpty();
    }
}
