package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LogCallsTest {
    private final Frames frames = Frames.builtIn();

    /// A thread that serves a request and writes a log line.
    private SampledThread writes(String... calls) {
        List<String> stack =
                Stream.of(
                                Stream.of(
                                        "java.io.FileOutputStream.writeBytes",
                                        "java.io.FileOutputStream.write"),
                                Stream.of(calls),
                                Stream.of("jakarta.servlet.http.HttpServlet.service"))
                        .flatMap(s -> s)
                        .toList();
        var thread =
                new JavaThread(
                        "exec-1",
                        7,
                        State.RUNNABLE,
                        Optional.empty(),
                        stack,
                        Optional.empty(),
                        List.of());
        return new SampledThread(
                new StackClassifier(frames).classify(thread), Optional.empty(), false);
    }

    private Signals of(SampledThread... threads) {
        var calls = new LogCalls(frames, Optional.of("pipe:[4711]"));
        calls.add(List.of(threads));
        return calls.signals();
    }

    @Test
    void debugLinesOfAServerBelongToTheServer() {
        Signals reported =
                of(
                        writes(
                                "ch.qos.logback.core.OutputStreamAppender.append",
                                "ch.qos.logback.classic.Logger.filterAndLog_1",
                                "ch.qos.logback.classic.Logger.debug",
                                "org.eclipse.jetty.io.FillInterest.register",
                                "com.acme.Desk.serve"));

        assertThat(reported.of(Sign.LOGGED_LOW_SHARE)).contains(1.0);
        assertThat(reported.place(Sign.LOGGED_LOW_SHARE)).contains("org.eclipse.jetty");
    }

    @Test
    void countsThreadThatWritesToStandardOutput() {
        SampledThread toOutput =
                writes(
                        "java.io.PrintStream.write",
                        "ch.qos.logback.core.joran.spi.ConsoleTarget$1.write",
                        "ch.qos.logback.core.OutputStreamAppender.append",
                        "ch.qos.logback.classic.Logger.info",
                        "com.acme.Desk.serve");
        SampledThread toFile =
                writes(
                        "ch.qos.logback.core.OutputStreamAppender.append",
                        "ch.qos.logback.classic.Logger.info",
                        "com.acme.Desk.serve");

        Signals reported = of(toOutput, toFile);
        assertThat(reported.of(Sign.WRITES_TO_OUTPUT)).contains(1.0);
        assertThat(reported.place(Sign.WRITES_TO_OUTPUT)).contains("pipe:[4711]");
        assertThat(of(toFile).of(Sign.WRITES_TO_OUTPUT)).isEmpty();
    }

    @Test
    void findsCallerBehindLoggingBridges() {
        Signals reported =
                of(
                        writes(
                                "org.apache.logging.log4j.core.appender.ConsoleAppender.append",
                                "org.apache.logging.log4j.spi.AbstractLogger.logMessage",
                                "org.apache.logging.slf4j.Log4jLogger.debug",
                                "io.netty.util.internal.logging.LocationAwareSlf4JLogger.debug",
                                "io.netty.handler.codec.http2.Http2FrameLogger.logData",
                                "io.netty.handler.codec.http2.DefaultHttp2FrameReader.readFrame"));

        assertThat(reported.place(Sign.LOGGED_LOW_SHARE)).contains("io.netty.handler");
    }

    @Test
    void fineOfJavaUtilLoggingIsBelowInfo() {
        assertThat(
                        of(writes(
                                        "java.util.logging.ConsoleHandler.publish",
                                        "java.util.logging.Logger.log",
                                        "java.util.logging.Logger.fine",
                                        "Small.main"))
                                .place(Sign.LOGGED_LOW_SHARE))
                .contains("Small");
    }

    @Test
    void linesAtInfoAreCountedAndNamed() {
        SampledThread info =
                writes(
                        "ch.qos.logback.core.OutputStreamAppender.append",
                        "ch.qos.logback.classic.Logger.info",
                        "com.acme.desk.Orders.place");
        SampledThread debug =
                writes(
                        "ch.qos.logback.core.OutputStreamAppender.append",
                        "ch.qos.logback.classic.Logger.debug",
                        "com.acme.desk.Orders.place");

        Signals reported = of(info, info, info, debug);
        assertThat(reported.of(Sign.LOGGED_LOW_SHARE)).contains(0.25);
        assertThat(reported.place(Sign.LOGGED_LOW_SHARE)).contains("com.acme.desk");
        assertThat(of(info).of(Sign.LOGGED_LOW_SHARE)).contains(0.0);
        assertThat(of(info).place(Sign.LOGGED_LOW_SHARE)).isEmpty();
    }

    /// The fluent interface keeps the level in a field, and a plain print has no level.
    @Test
    void reportsNothingWithoutLogLevel() {
        assertThat(
                        of(
                                writes(
                                        "ch.qos.logback.classic.Logger.log",
                                        "org.slf4j.spi.DefaultLoggingEventBuilder.log",
                                        "com.acme.Desk.serve"),
                                writes("java.io.PrintStream.println", "com.acme.Desk.serve")))
                .isEqualTo(Signals.NONE);
    }
}
