package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Machine;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunningJvm;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.Unseen;
import dev.jdyno.measure.statistics.Throughput;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.trial.watch.LiveDiagnosis.Seen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A watch of a simulated host. Its clock advances by 12 s with each look at it, so no wait takes
/// time, and a JVM that is missed in two searches in a row is gone.
class ServiceWatchTest {
    private static final long STEP_NANOS = 12_000_000_000L;

    private final Deque<Supplier<List<RunningJvm>>> searches = new ArrayDeque<>();
    private final Deque<Supplier<Seen>> minutes = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<RuntimeException> refusesEvents = Optional.empty();
    private int minutesSeen;
    private boolean stopped;
    private boolean alive;
    private long nanos;

    private final NanoClock clock = () -> nanos += STEP_NANOS;

    /// Finds these JVMs in the next search, each of which has the name of the service.
    private void found(long... pids) {
        searches.add(() -> Arrays.stream(pids).mapToObj(ServiceWatchTest::jvm).toList());
    }

    private static RunningJvm jvm(long pid) {
        return new RunningJvm(
                pid,
                Optional.empty(),
                List.of(),
                "/opt/shop.jar",
                Optional.empty(),
                Optional.of(1.0),
                Optional.empty(),
                RunningJvm.Access.ALL,
                false);
    }

    /// Observes the next minute.
    ///
    /// @param ends true if the JVM ends in it
    private void minute(boolean ends, Supplier<Seen> seen) {
        minutes.add(() -> {
            alive = !ends;
            return seen.get();
        });
    }

    /// The watch ends when it has made all searches.
    private final class Host implements HostJvms {
        @Override
        public List<RunningJvm> running() {
            stopped = searches.size() <= 1;
            return searches.isEmpty() ? List.of() : searches.removeFirst().get();
        }

        @Override
        public Observed attach(long pid) {
            alive = true;
            return new Observed() {
                @Override
                public boolean isAlive() {
                    return alive;
                }

                @Override
                public Seen minute(double seconds, int dumps) {
                    return minutes.removeFirst().get();
                }

                @Override
                public void close() {}
            };
        }
    }

    private WatchListener listener() {
        return new WatchListener() {
            @Override
            public List<WatchEvent> minute(WatchedMinute minute) {
                minutesSeen++;
                return List.of();
            }

            @Override
            public void event(WatchEvent event) {
                Optional<RuntimeException> fault = refusesEvents;
                refusesEvents = Optional.empty();
                fault.ifPresent(ServiceWatchTest::fails);
                events.add(event.kind());
            }

            @Override
            public void note(String says) {
                notes.add(says);
            }
        };
    }

    private void watch() throws InterruptedException {
        new ServiceWatch(
                        new ServiceWatch.Settings(
                                new Wanted("shop", Optional.empty(), "shop"),
                                Optional.empty(),
                                Optional.empty()),
                        new Host(),
                        listener(),
                        () -> START.plusNanos(nanos),
                        clock,
                        () -> stopped)
                .run();
    }

    private static Seen seen() {
        return seen(List.of());
    }

    private static Seen seen(List<Unseen> unmeasured) {
        Round round =
                Round.watched(
                        8,
                        60,
                        100,
                        8,
                        Optional.of(CpuUse.ofWholeMachine(2, 0, 0, 0, 4, 50, 0, 0)),
                        Optional.empty(),
                        _ -> Optional.empty());
        var recording =
                new Recording(
                        new Machine(4, 8L << 30, "6.1", 0),
                        new TargetFacts(
                                Optional.of(1L),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                4,
                                true,
                                List.of(),
                                List.of()),
                        Optional.empty(),
                        List.of(round),
                        List.of(),
                        List.of(),
                        false,
                        Insight.NONE,
                        Optional.empty(),
                        List.of());
        return new Seen(
                recording,
                Optional.of(8.0),
                Optional.of(new Throughput(100, Throughput.Source.METRICS, Optional.empty())),
                List.of(),
                unmeasured,
                Optional.empty());
    }

    private static Seen fails(RuntimeException with) {
        throw with;
    }

    @Test
    void jvmThatEndsIsGoneOrReplaced() throws InterruptedException {
        found(1);
        minute(false, ServiceWatchTest::seen);
        minute(true, ServiceWatchTest::seen);
        found();
        found();
        found();
        found(2);
        minute(true, ServiceWatchTest::seen);
        found(3);
        minute(true, ServiceWatchTest::seen);
        found();

        watch();

        assertThat(events).containsExactly("watching", "gone", "restarted", "restarted");
        assertThat(minutesSeen).isEqualTo(4);
    }

    /// The advice is about options of other verbs. A reason may have a semicolon of its own.
    @Test
    void unknownFiguresAreNotedWithTheirReasonOnceAndWithoutAdvice() throws InterruptedException {
        var unread = new Unseen("metrics", "http://127.0.0.1:1/m: 401; token needed", "open it");
        var uncounted = new Unseen("data segments", "no right to read them");
        found(1);
        minute(false, () -> seen(List.of(unread, uncounted)));
        minute(true, () -> seen(List.of(unread)));
        found();
        found();

        watch();

        assertThat(notes)
                .containsExactly(
                        "shop: not measured: " + unread.withoutFix(),
                        "shop: not measured: " + uncounted.withoutFix());
        assertThat(unread.withoutFix()).endsWith("401; token needed");
    }

    @Test
    void jvmWhoseEndMakesTheObservationFailIsGone() throws InterruptedException {
        found(1);
        minute(true, () -> fails(new IllegalStateException("the JVM has ended")));
        found();
        found();
        found();

        watch();

        assertThat(events).containsExactly("watching", "gone");
        assertThat(notes).hasSize(1);
    }

    static List<RuntimeException> faults() {
        return List.of(
                new NullPointerException("a"),
                new ArithmeticException("b"),
                new UncheckedIOException(new IOException("c")),
                new DirectoryIteratorException(new IOException("d")),
                UserError.usage("e", "f", "g"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void failureOfSearchIsNotedAndSearchIsTriedAgain(RuntimeException fault)
            throws InterruptedException {
        searches.add(() -> {
            throw fault;
        });
        found(1);
        minute(true, ServiceWatchTest::seen);
        found();

        watch();

        assertThat(events).containsExactly("watching");
        assertThat(minutesSeen).isEqualTo(1);
        assertThat(notes).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void failureInMinuteIsNotedAndJvmIsWatchedOn(RuntimeException fault)
            throws InterruptedException {
        found(1);
        minute(false, ServiceWatchTest::seen);
        minute(false, () -> fails(fault));
        found(1);
        minute(true, ServiceWatchTest::seen);
        found();

        watch();

        assertThat(events).containsExactly("watching");
        assertThat(minutesSeen).isEqualTo(2);
        assertThat(notes).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void failureOfReportIsNotedAndWatchGoesOn(RuntimeException fault) throws InterruptedException {
        refusesEvents = Optional.of(fault);
        found(1);
        found(1);
        minute(true, ServiceWatchTest::seen);
        found();
        found();
        found();

        watch();

        assertThat(events).containsExactly("gone");
        assertThat(minutesSeen).isEqualTo(1);
        assertThat(notes).hasSize(1);
    }

    @Test
    void numberOfNotesThatWereNotPrintedIsNotedAtTheEnd() throws InterruptedException {
        for (int i = 0; i < Notes.MAX + 3; i++) {
            var fault = new IllegalStateException("fault " + i);
            searches.add(() -> {
                throw fault;
            });
        }

        watch();

        assertThat(notes).hasSize(Notes.MAX + 2);
        assertThat(notes.getLast()).endsWith(": 3");
    }
}
