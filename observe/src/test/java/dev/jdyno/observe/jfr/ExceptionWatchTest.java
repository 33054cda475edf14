package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExceptionWatchTest {
    private static final Frames FRAMES = Frames.builtIn();

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// The JVM counts an error twice and writes two events for it. Here it counts once.
    @ParameterizedTest
    @MethodSource("jdks")
    void reportsExceptionsByClassAndPlace(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "throw")) {
            // another recording that counts exceptions once a second
            target.jcmd().run("JFR.start name=another settings=default", FlightRecording.LIMIT);
            var asked = new AtomicInteger();
            DoubleSupplier qps = () -> asked.incrementAndGet() == 2 ? 10 : 99;
            ExceptionWatch.Seen seen =
                    ExceptionWatch.during(
                            target,
                            NanoClock.SYSTEM,
                            () -> false,
                            Duration.ofSeconds(1),
                            qps,
                            FRAMES);

            assertThat(seen.leftOut()).isEmpty();
            assertThat(seen.qps()).as("from the start of the counting to its end").isEqualTo(10);
            Thrown first = seen.exceptions().getFirst();
            assertThat(first.type()).isEqualTo("java.lang.NumberFormatException");
            assertThat(first.site()).isEqualTo("java.lang.Integer.parseInt in Victim.parse");
            assertThat(first.share()).isCloseTo(0.75, within(0.1));
            Thrown second = seen.exceptions().get(1);
            assertThat(second.type()).isEqualTo("Victim$Refused");
            assertThat(second.site()).isEqualTo("Victim.parse");
            assertThat(first.perSecond() / second.perSecond()).isCloseTo(3, within(1.0));
            assertThat(first.perSecond()).isBetween(30.0, 6000.0);
            assertThat(target.jcmd().run("JFR.check")).contains("another").doesNotContain("jdyno-");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void serviceWithoutExceptionsHasNoEntries(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "steps")) {
            ExceptionWatch.Seen seen =
                    ExceptionWatch.during(
                            target,
                            NanoClock.SYSTEM,
                            () -> false,
                            Duration.ofMillis(500),
                            () -> 10,
                            FRAMES);

            assertThat(seen.exceptions()).isEmpty();
            assertThat(seen.leftOut()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10, 1000",
        "10000, 1000",
        "20000, 500",
        "100000, 100",
        "200000, 50",
        "199999999, 50"
    })
    void frequentExceptionsShortenWindow(double perSecond, long millis) {
        assertThat(ExceptionWatch.lasting(Duration.ofSeconds(1), perSecond).toMillis())
                .isEqualTo(millis);
    }

    @Test
    void reportsOmittedExceptionsWithReason() {
        assertThat(ExceptionWatch.TOO_OFTEN_PER_S).isEqualTo(200_000.0);
        assertThat(ExceptionWatch.tooOften(345_678))
                .contains("345,678 exceptions/s", "200,000/s", "slow");
    }

    @Test
    void placeIsTheCallerOfTheExceptionsConstructors() {
        List<String> own =
                List.of(
                        "java.lang.Throwable.<init>",
                        "java.lang.Exception.<init>",
                        "com.acme.NotFound.<init>",
                        "com.acme.NotFound.<init>",
                        "com.acme.Page.<init>",
                        "com.acme.Site.open");

        assertThat(FlightExceptions.site("com.acme.NotFound", own, FRAMES))
                .isEqualTo("com.acme.Page.<init>");
    }

    @Test
    void namesLibraryMethodCalledByApplication() {
        List<String> stack =
                List.of(
                        "java.lang.Throwable.<init>",
                        "java.lang.NumberFormatException.<init>",
                        "java.lang.NumberFormatException.forInputString",
                        "java.lang.Integer.parseInt",
                        "com.acme.Page.get",
                        "com.acme.Site.open");

        assertThat(FlightExceptions.site("java.lang.NumberFormatException", stack, FRAMES))
                .isEqualTo("java.lang.Integer.parseInt in com.acme.Page.get");
    }

    @Test
    void namesThrowingMethodWithoutApplicationFrame() {
        assertThat(
                        FlightExceptions.site(
                                "java.io.IOException",
                                List.of(
                                        "java.io.IOException.<init>",
                                        "sun.nio.ch.Net.close",
                                        "java.lang.Thread.run"),
                                FRAMES))
                .isEqualTo("sun.nio.ch.Net.close");
        assertThat(FlightExceptions.site("java.io.IOException", List.of(), FRAMES))
                .isEqualTo("not known");
    }
}
