package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.LogOutput;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogPart;
import dev.jdyno.measure.thread.LoggingCost;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.LogStep;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.ChangeName;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import java.util.List;
import java.util.Optional;

/// Recommendations for requests that wait until their log lines are written (experiment E10).
public final class LoggingRecommendations {
    /// Minimum share of log calls below INFO for a recommendation to turn these levels off.
    private static final double DEBUG_FROM = 0.2;

    /// The part of a configuration whose queue holds few lines.

    private static final ChangeName CALLER_DATA = ChangeName.of("logging-caller-data");

    /// Maximum share of a log line's time that is used to find its caller. According to log4j's
    /// manual, lines with the caller take 1.3 to 5 times as long.
    private static final double MAX_SHARE_OF_CALLER = 0.8;

    private static final String LOGBACK = "ch.qos.logback.";

    private static final Gain READER_FIRST =
            Gain.unknown(
                    "each line waits until the reader of standard output has read it; its format"
                            + " and queue change nothing while lines come faster than they are"
                            + " read");

    private LoggingRecommendations() {}

    /// Recommends changes of the expensive parts of the service's own logging configuration, and
    /// fewer lines.
    public static RecommendationList logging(Situation s) {
        var recommendations = new RecommendationList();
        Gain all = s.fewerLogLines(1);
        Optional<String> reader = new LogOutput(s.evidence()).slowReader();
        reader.ifPresent(output ->
                recommendations.byHand(
                        KnownChange.LOGGING_READER,
                        say(
                                "Make the reader of standard output faster, or log to a file:"
                                        + " standard output is %s, and nearly always a thread is"
                                        + " blocked in a write to it",
                                output),
                        "`ls -l /proc/PID/fd/1`; for a pipe, the other process that holds it is the reader",
                        s.linesTakenAtOnce(),
                        List.of(new Change.Outside())));
        Gain together =
                reader.isPresent()
                        ? READER_FIRST
                        : new Gain(
                                all.qps(),
                                all.rt(),
                                true,
                                "all costly parts together: " + all.formula());
        s.insight().logging().forEach(c -> configured(s, c, together, recommendations));
        debugLines(s).forEach(recommendations::add);
        callerData(s, reader.isPresent(), recommendations);
        if (isFull(s)) {
            if (reader.isEmpty()) {
                fasterSink(all, recommendations);
            }
            dropLines(s, recommendations);
        }
        return recommendations.byHand(
                KnownChange.LOGGING_LESS,
                s.evidence()
                        .top(Cause.LOGGING)
                        .flatMap(b -> b.place().inFrame())
                        .map(at ->
                                Sentence.format("Log half as many lines in %s", Sentence.name(at)))
                        .orElse(Sentence.of("Log half as many lines per request")),
                "a level below that of the logger, one line for a loop instead of one for each"
                        + " iteration, a sample of lines that repeat",
                s.model(StandardChange.LOGGING, s.fewerLogLines(0.5)));
    }

    /// @param together the gain if all expensive parts are changed
    private static void configured(
            Situation s, LoggingCost c, Gain together, RecommendationList recommendations) {
        var edit = new Change.LoggingEdit(Optional.of(c.file()), c.part().key(), c.change());
        if (c.unread()) {
            recommendations.byHand(
                    KnownChange.LOGGING_UNREAD,
                    c.file() + ": " + c.says(),
                    c.change()
                            + ": caller data, a flush for each line, a small queue, and appenders that"
                            + " write on the request's own thread",
                    Gain.unknown("the contents of this configuration are not known"),
                    List.of(edit));
            return;
        }
        recommendations.setting(
                new ChangeName.OfLogging(c.part().key()),
                c.file() + ": " + c.says(),
                "change it there and run again with --since",
                c.part() == LogPart.SMALL_QUEUE && isFull(s)
                        ? Gain.unknown(
                                "a longer queue takes longer bursts; under a load that lasts it is full,"
                                        + " too")
                        : together,
                edit);
    }

    /// Adds a recommendation on the caller in log lines if the configuration was not read. It
    /// relies on stacks: Logback creates a Throwable per line only if the pattern contains the
    /// caller.
    private static void callerData(
            Situation s, boolean readSlowly, RecommendationList recommendations) {
        Gain gain = readSlowly ? READER_FIRST : s.fewerLogLines(MAX_SHARE_OF_CALLER);
        if (recommendations.list().stream().anyMatch(r -> r.change().name().equals(CALLER_DATA))) {
            return;
        }
        s.insight().exceptionsAtHighestLoad().stream()
                .filter(t -> t.type().equals("java.lang.Throwable"))
                .filter(t -> t.site().startsWith(LOGBACK) && t.perRequest() >= 1)
                .findFirst()
                .ifPresent(t ->
                        recommendations.setting(
                                CALLER_DATA,
                                Sentence.format(
                                        "Take caller data out of logback's pattern: it creates"
                                                + " %.0f Throwables per request to find the"
                                                + " caller, in %s",
                                        t.perRequest(),
                                        PlaceText.frame(t.site())
                                                .map(Sentence::name)
                                                .orElseGet(() -> PlaceText.named(t.site()))),
                                "no %caller, %C, %M, %L and %F in the pattern of logback.xml, and no"
                                        + " <includeCallerData>true</includeCallerData>; %logger names"
                                        + " the class at no cost",
                                gain,
                                new Change.LoggingEdit(
                                        Optional.empty(),
                                        "caller-data",
                                        "no %caller, %C, %class, %M, %method, %L, %line, %F,"
                                                + " %file")));
    }

    private static void fasterSink(Gain all, RecommendationList recommendations) {
        recommendations.byHand(
                KnownChange.LOGGING_SINK,
                "Let the queue be emptied faster: a quicker file, console or receiver, or fewer bytes a"
                        + " line",
                "requests wait because the log's own thread is slower than they are; the waits in the"
                        + " report say what it writes to",
                all,
                List.of(new Change.Outside()));
    }

    /// Recommends to drop lines if the queue is full. Requests still format the lines that the
    /// queue drops.
    private static void dropLines(Situation s, RecommendationList recommendations) {
        recommendations.setting(
                KnownChange.LOGGING_DROP,
                "Let the queue drop lines when it is full, if they may be lost",
                "requests never wait then, but still take the CPU of making their lines",
                s.linesTakenAtOnce(),
                new Change.LoggingEdit(
                        Optional.empty(),
                        "drop",
                        "logback: neverBlock = true; log4j2: blocking = false"));
    }

    /// True if most threads that log wait for a free place in a queue.
    private static boolean isFull(Situation s) {
        return s.evidence()
                .top(Cause.LOGGING)
                .filter(b -> b.place() instanceof Place.Log log && log.step() == LogStep.FULL_QUEUE)
                .isPresent();
    }

    /// Recommends to turn off levels below INFO if such log calls were found. The recommendation is
    /// given with every verdict, because many users do not know that these levels are on.
    public static List<Recommendation> debugLines(Situation s) {
        double share = s.evidence().sign(Sign.LOGGED_LOW_SHARE).orElse(0.0);
        Optional<String> by = s.evidence().place(Sign.LOGGED_LOW_SHARE);
        if (by.isEmpty() || share < DEBUG_FROM) {
            return List.of();
        }
        return new RecommendationList()
                .setting(
                        KnownChange.LOGGING_LEVEL,
                        say(
                                "Set the log level of %s to INFO: %.0f %% of the log calls found are below it",
                                by.get(), share * 100),
                        "in the logging configuration; without a configuration, logback and log4j"
                                + " 1 log from DEBUG on",
                        s.fewerLogLines(share),
                        new Change.LoggingEdit(
                                Optional.empty(), "level", "level of " + by.get() + " = INFO"))
                .list();
    }
}
