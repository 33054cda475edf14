package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.Frames.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds the callers of the log and their levels, from the stacks of logging threads: the method of
/// the log shows the level, the frame below it the caller. It also counts the threads that write to
/// standard output.
public final class LogCalls {
    /// Methods for levels below INFO in logback, log4j, slf4j, commons-logging and
    /// `java.util.logging`.
    private static final Set<String> LOW =
            Set.of("trace", "debug", "finest", "finer", "fine", "tracef", "debugf", "debugv");

    private static final Set<String> OTHER =
            Set.of("info", "warn", "warning", "error", "fatal", "severe", "infof", "warnf");

    // org.slf4j.spi.DefaultLoggingEventBuilder, io.netty.util.internal.logging.Slf4JLogger,
    // org.apache.juli.logging
    private static final Pattern BRIDGE =
            Pattern.compile("^org\\.slf4j\\.|\\.logging\\.|\\.log4j\\.|[.$]\\w*Log(ger)?\\.\\w+$");

    /// Number of leading parts of a package that identify one owner: `org.eclipse.jetty`.
    private static final int OWNER_PARTS = 3;

    // the call in which a thread waits if the reader of standard output is slow
    private static final String WRITE = "java.io.FileOutputStream.writeBytes";
    // System.out and System.err; a file's appender has no such stream
    private static final String OUTPUT = "java.io.PrintStream.write";

    private final Frames frames;
    private final Optional<String> output;
    private final Map<String, Double> low = new HashMap<>();
    private double all;
    private double writeToOutput;
    private int dumps;

    /// @param output the kernel's name of the target's standard output; empty if it cannot be read
    public LogCalls(Frames frames, Optional<String> output) {
        this.frames = frames;
        this.output = output;
    }

    public void add(List<SampledThread> dump) {
        dumps++;
        writeToOutput +=
                dump.stream()
                        .filter(s -> writesToOutput(s.thread().thread().frames()))
                        .mapToDouble(SampledThread::weight)
                        .sum();
        dump.stream()
                .filter(s -> s.thread().doing().filter(d -> d.cause() == Cause.LOGGING).isPresent())
                .forEach(s ->
                        call(s.thread().thread().frames()).ifPresent(c -> count(c, s.weight())));
    }

    private void count(Call call, double threads) {
        all += threads;
        if (call.low()) {
            low.merge(call.owner(), threads, Double::sum);
        }
    }

    /// Share of the calls below INFO, with the package of most of them; nothing if no level was
    /// found. In addition {@link Sign#WRITES_TO_OUTPUT}, if a thread writes to standard output.
    public Signals signals() {
        return Signals.share(Sign.LOGGED_LOW_SHARE, low, all).and(toOutput());
    }

    private Signals toOutput() {
        return writeToOutput == 0 || output.isEmpty()
                ? Signals.NONE
                : new Signals(
                        Map.of(Sign.WRITES_TO_OUTPUT, writeToOutput / dumps),
                        Map.of(Sign.WRITES_TO_OUTPUT, output.get()));
    }

    private static boolean writesToOutput(List<String> stack) {
        return !stack.isEmpty() && stack.getFirst().equals(WRITE) && stack.contains(OUTPUT);
    }

    /// @param owner leading parts of the caller's package
    record Call(boolean low, String owner) {}

    /// The innermost call of a log in a stack, whose top is first; empty if it does not show the
    /// level.
    private Optional<Call> call(List<String> stack) {
        List<String> below = stack.stream().dropWhile(f -> !isLog(f)).toList();
        List<String> log = below.stream().takeWhile(f -> isLog(f) || isBridge(f)).toList();
        return log.stream()
                .map(LogCalls::method)
                .filter(m -> LOW.contains(m) || OTHER.contains(m))
                .reduce((_, outer) -> outer)
                .flatMap(level ->
                        below.stream()
                                .skip(log.size())
                                .findFirst()
                                .map(caller -> new Call(LOW.contains(level), owner(caller))));
    }

    private boolean isLog(String frame) {
        return frames.of(frame).filter(m -> m.kind() == Kind.LOGGING).isPresent();
    }

    private static boolean isBridge(String frame) {
        return BRIDGE.matcher(frame).find();
    }

    private static String method(String frame) {
        return frame.substring(frame.lastIndexOf('.') + 1);
    }

    /// `org.eclipse.jetty.io.FillInterest.register` belongs to `org.eclipse.jetty`.
    private static String owner(String frame) {
        List<String> parts = Arrays.asList(frame.split("\\."));
        // the last two are class and method
        long inPackage = Math.max(1, parts.size() - 2L);
        return parts.stream()
                .limit(Math.min(OWNER_PARTS, inPackage))
                .collect(Collectors.joining("."));
    }
}
