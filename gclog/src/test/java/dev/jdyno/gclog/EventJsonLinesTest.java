package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The keys of each kind of event and their order.
class EventJsonLinesTest {
    private static final GcEvent.When EARLY = new GcEvent.When(0.5, OptionalLong.empty());
    private static final GcEvent.When CLOCK = new GcEvent.When(12, OptionalLong.of(1_700_000));

    private static GcEvent.Pause full() {
        return new GcEvent.Pause(
                7,
                OptionalLong.of(3),
                CLOCK,
                PauseKind.YOUNG,
                "",
                1.25,
                Optional.of(new GcEvent.Occupancy(9, 4, OptionalLong.of(20))),
                Optional.of(new GcEvent.Occupancy(5, 0, OptionalLong.empty())),
                Optional.empty(),
                Optional.of(new GcEvent.Occupancy(1, 1, OptionalLong.of(2))),
                Optional.of(new GcEvent.Cpu(0.03, 0.01, 0.02)),
                Optional.of(new GcEvent.Tenuring(OptionalLong.of(64), 2, 15, List.of(40L, 8L))),
                OptionalLong.of(3),
                OptionalLong.of(6),
                List.of(new GcEvent.Phase("Evacuate", 1.0)),
                Set.of(Trouble.PROMOTION_FAILED, Trouble.EVACUATION_FAILURE),
                true);
    }

    private static GcEvent.Pause bare() {
        return new GcEvent.Pause(
                1,
                OptionalLong.empty(),
                EARLY,
                PauseKind.FULL,
                "System.gc()",
                3,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new GcEvent.Tenuring(OptionalLong.empty(), 1, 6, List.of())),
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                Set.of(),
                false);
    }

    private static GcEvent.Cycle cycle(OptionalDouble ms, OptionalLong bytes) {
        return new GcEvent.Cycle(
                4,
                bytes,
                EARLY,
                "minor",
                "Warmup",
                ms,
                Optional.empty(),
                bytes,
                bytes,
                bytes,
                Optional.empty(),
                Optional.empty());
    }

    static Stream<Arguments> events() {
        return Stream.of(
                Arguments.of(
                        full(),
                        """
                        {"line":7,"event":"pause","uptimeS":12.0,"epochMs":1700000,"id":3,\
                        "kind":"young","cause":"","ms":1.25,\
                        "heap":{"before":9,"after":4,"capacity":20},\
                        "young":{"before":5,"after":0},\
                        "metaspace":{"before":1,"after":1,"capacity":2},\
                        "cpu":{"userS":0.03,"sysS":0.01,"realS":0.02},\
                        "tenuring":{"desiredBytes":64,"threshold":2,"maxThreshold":15,\
                        "bytesByAge":[40,8]},"promotedBytes":3,"humongousBytes":6,\
                        "phases":[{"name":"Evacuate","ms":1.0}],\
                        "troubles":["evacuationFailure","promotionFailed"],"nested":true}
                        """),
                Arguments.of(
                        bare(),
                        """
                        {"line":1,"event":"pause","uptimeS":0.5,"kind":"full",\
                        "cause":"System.gc()","ms":3.0,\
                        "tenuring":{"threshold":1,"maxThreshold":6,"bytesByAge":[]}}
                        """),
                Arguments.of(
                        cycle(OptionalDouble.of(8), OptionalLong.of(2)),
                        """
                        {"line":4,"event":"cycle","uptimeS":0.5,"id":2,"kind":"minor",\
                        "cause":"Warmup","ms":8.0,"allocatedBytes":2,"liveBytes":2,\
                        "promotedBytes":2}
                        """),
                Arguments.of(
                        cycle(OptionalDouble.empty(), OptionalLong.empty()),
                        """
                        {"line":4,"event":"cycle","uptimeS":0.5,"kind":"minor","cause":"Warmup"}
                        """),
                Arguments.of(
                        new GcEvent.ConcurrentPhase(5, EARLY, "Concurrent Mark", 2),
                        """
                        {"line":5,"event":"concurrentPhase","uptimeS":0.5,\
                        "kind":"Concurrent Mark","ms":2.0}
                        """),
                Arguments.of(
                        new GcEvent.SafepointStop(
                                6, EARLY, "Cleanup", 0.25, 0.5, 1, OptionalDouble.empty()),
                        """
                        {"line":6,"event":"safepoint","uptimeS":0.5,"kind":"Cleanup","ms":1.0,\
                        "reachingMs":0.25,"leavingMs":0.5}
                        """),
                Arguments.of(
                        new GcEvent.Stall(8, EARLY, "main", 4),
                        """
                        {"line":8,"event":"stall","uptimeS":0.5,"thread":"main","ms":4.0}
                        """),
                Arguments.of(
                        new GcEvent.JvmStart(9, EARLY),
                        """
                        {"line":9,"event":"jvmStart","uptimeS":0.5}
                        """));
    }

    @ParameterizedTest
    @MethodSource("events")
    void anEventHasTheKeysThatTheLogShowed(GcEvent event, String line) {
        var out = new StringWriter();

        new EventJsonLines(out).accept(event);

        assertThat(out).hasToString(line);
    }

    @Test
    void eachEventIsALine() {
        var out = new StringWriter();
        var lines = new EventJsonLines(out);

        lines.accept(full());
        lines.accept(bare());

        assertThat(out.toString().lines()).hasSize(2);
    }
}
