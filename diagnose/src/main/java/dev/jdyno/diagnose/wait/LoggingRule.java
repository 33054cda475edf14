package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.LogOutput;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.LogWork;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Most threads in use write log lines or wait for the lock of an appender.
public final class LoggingRule implements WaitRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.LOGGING;
    }

    @Override
    public Cause cause() {
        return Cause.LOGGING;
    }

    @Override
    public String claim() {
        return "Logging is the bottleneck";
    }

    @Override
    public boolean isQueue(Evidence evidence) {
        return evidence.queues();
    }

    /// Returns the appender whose lines queue because the reader of standard output is slow. Other
    /// threads may wait for several locks, but the holder of each waits for that reader.
    @Override
    public Optional<Sentence> heldUp(Evidence evidence, ThreadSamples.Busy top) {
        return top.place() instanceof Place.Log log
                ? new LogOutput(evidence)
                        .slowReader()
                        .map(output ->
                                Sentence.format(
                                        "the console appender of %s whose %s's reader is slow%s",
                                        log.library(),
                                        output.replaceFirst("^an? ", ""),
                                        log.frame()
                                                .map(f ->
                                                        Sentence.of(", in ").and(Sentence.name(f)))
                                                .orElse(Sentence.of(""))))
                : Optional.empty();
    }

    @Override
    public List<EvidenceLine> lines(Evidence evidence, Found found) {
        List<EvidenceLine> lines = new ArrayList<>();
        toOutput(evidence).ifPresent(lines::add);
        evidence.place(Sign.LOGGED_LOW_SHARE).ifPresent(by -> lines.add(belowInfo(evidence, by)));
        return lines;
    }

    /// Returns a line with the number of threads that write to standard output, and its reader.
    private static Optional<EvidenceLine> toOutput(Evidence evidence) {
        return evidence.place(Sign.WRITES_TO_OUTPUT)
                .map(output -> {
                    double threads = evidence.sign(Sign.WRITES_TO_OUTPUT).orElse(0.0);
                    return line(
                            Figure.WRITES_TO_OUTPUT,
                            say(
                                    "%.1f threads are blocked in a write to standard output,"
                                            + " which is %s (%s)",
                                    threads, LogWork.read(output).orElse("a file"), output),
                            threads,
                            ThreadSamples.ONE_AT_A_TIME);
                });
    }

    private static EvidenceLine belowInfo(Evidence evidence, String by) {
        double share = evidence.sign(Sign.LOGGED_LOW_SHARE).orElse(0.0);
        return line(
                Figure.LOGGED_BELOW_INFO,
                say("%.0f %% of the log calls found are below INFO, most from %s", share * 100, by),
                share,
                0);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return LoggingRecommendations.logging(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
