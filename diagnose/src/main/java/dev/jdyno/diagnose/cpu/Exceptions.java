package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.line;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Exceptions as work: how many a request creates and where, and the CPU share of their stack
/// traces.
public final class Exceptions {
    /// Minimum number of exceptions per request for them to be reported.
    static final double PER_REQUEST = 1;

    /// Minimum share of the CPU in the constructors of exceptions for fewer exceptions to be
    /// recommended.
    static final double WORTH_CURING = Hotspots.WORTH_NAMING;

    /// Code that works with exceptions in any way.
    private static final List<String> WORK = List.of("java.lang.Throwable");

    /// Methods that create an exception. Other methods of the class, such as `getStackTrace`, use
    /// an existing one.
    private static final List<String> MAKING =
            List.of("java.lang.Throwable.fillInStackTrace", "java.lang.Throwable.<init>");

    private Exceptions() {}

    /// True if a place creates an exception or works with one.
    static boolean worksOnOne(Place place) {
        return isIn(place, WORK);
    }

    private static boolean isIn(Place place, List<String> methods) {
        return place instanceof Place.Code(Optional<String> called, String frame)
                && methods.stream().anyMatch(called.orElse(frame)::startsWith);
    }

    /// Returns the share of the running threads' CPU used to create exceptions, mostly for their
    /// stack traces; 0 if it was not measured.
    public static double shareOfCpu(Evidence evidence) {
        return shareOfCpu(evidence, MAKING);
    }

    private static double shareOfCpu(Evidence evidence, List<String> methods) {
        double all = evidence.saturated().map(c -> c.threads(Cause.CPU)).orElse(0.0);
        double there =
                evidence.saturated().stream()
                        .flatMap(c -> c.busy().stream())
                        .filter(b -> b.cause() == Cause.CPU && isIn(b.place(), methods))
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        return all <= 0 ? 0 : there / all;
    }

    /// True if creating exceptions and working with them uses enough CPU for a recommendation.
    static boolean isHottest(Evidence evidence) {
        return shareOfCpu(evidence, WORK) >= WORTH_CURING;
    }

    /// Returns a line for each place that creates a large part of the exceptions, the most frequent
    /// first. Returns none if a request creates less than one exception.
    static List<EvidenceLine> lines(Evidence evidence) {
        List<Thrown> thrown = atSaturation(evidence);
        double perRequest = Insight.exceptionsPerRequest(thrown);
        List<EvidenceLine> lines = new ArrayList<>();
        if (perRequest < PER_REQUEST) {
            return lines;
        }
        for (Thrown t : thrown) {
            if (t.share() >= Hotspots.WORTH_NAMING && lines.size() < Hotspots.NAMED) {
                lines.add(
                        line(
                                Figure.EXCEPTIONS,
                                lines.size() + 1,
                                Sentence.format(
                                        "%.3g exceptions per request (%,.0f/s) are %s, created by"
                                                + " %s",
                                        t.perRequest(),
                                        t.perSecond(),
                                        Sentence.name(t.type()),
                                        PlaceText.named(t.site())),
                                t.perRequest(),
                                PER_REQUEST));
            }
        }
        return lines;
    }

    private static List<Thrown> atSaturation(Evidence evidence) {
        int load = evidence.saturated().map(ThreadSamples::concurrency).orElse(0);
        return evidence.insight().exceptions().stream()
                .filter(t -> t.concurrency() == load)
                .toList();
    }

    /// Recommends fewer exceptions, or exceptions without a stack trace, if creating them uses a
    /// large part of the CPU.
    static void recommendation(Situation s, RecommendationList recommendations) {
        double share = shareOfCpu(s.evidence());
        if (share < WORTH_CURING) {
            return;
        }
        Optional<Thrown> mostFrequent = atSaturation(s.evidence()).stream().findFirst();
        recommendations.byHand(
                KnownChange.EXCEPTIONS_CHEAP,
                mostFrequent
                        .map(t ->
                                Sentence.format(
                                        "Do not throw %s in %s for a usual case (%.0f %% of all"
                                                + " exceptions): return a value, or create it"
                                                + " without a stack trace",
                                        Sentence.name(t.type()),
                                        PlaceText.named(t.site()),
                                        t.share() * 100))
                        .orElse(
                                Sentence.of(
                                        "Do not throw exceptions for usual cases: return a value,"
                                                + " or create them without a stack trace")),
                "an exception has no stack trace if its constructor calls super(message, cause,"
                        + " false, false), or if its class overrides fillInStackTrace(); if the"
                        + " class is not yours, throw it less often",
                Gain.without(share, "creating exceptions takes that share of the CPU"));
    }
}
