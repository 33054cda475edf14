package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;
import static dev.jdyno.diagnose.evidence.Lines.tooFew;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A request calls several services one after the other (E13): its time is the sum of theirs, and
/// none of them queues. Called at the same time they would take as long as the longest (F1).
public final class DownstreamSerialRule implements Rule {
    /// Share of the busy threads in calls of other services.
    static final double CALLS_LIMIT = 0.70;

    /// Share of that time which a service must take to count as one of several.
    static final double PART_LIMIT = 0.10;

    /// Time that calls in parallel would save, as a share of the calls' time, from which it is
    /// worth it.
    static final double SAVED_LIMIT = 0.30;

    /// Share of the calls' time together that the median request must take for each to make them
    /// all: of requests that make one call or the other, half take less.
    static final double MEDIAN_LIMIT = 0.75;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DOWNSTREAM_SERIAL;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.LOAD, Bottleneck.DOWNSTREAM);
    }

    /// How many times as many requests the threads could serve with the calls side by side; 1 where
    /// requests make none in series.
    static double gain(Evidence evidence) {
        return new DownstreamSerialRule().evaluate(evidence) instanceof Finding.Limits limits
                ? limits.evidence().stream()
                        .filter(Figure.PARALLEL_SAVES::isOf)
                        .mapToDouble(l -> 1 / Math.max(0.01, 1 - l.value()))
                        .max()
                        .orElse(1)
                : 1;
    }

    private static boolean isKnown(ThreadSamples.Busy busy) {
        return busy.peer().filter(p -> !p.addresses().isEmpty()).isPresent();
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().isEmpty() || evidence.busyShare(Cause.DOWNSTREAM).isEmpty()) {
            return new Finding.NotApplicable("no thread dumps of busy threads at saturation");
        }
        ThreadSamples census = evidence.saturated().get();
        double share = evidence.busyShare(Cause.DOWNSTREAM).get();
        double all = census.threads(Cause.DOWNSTREAM);
        List<ThreadSamples.Busy> parts =
                census.busy().stream()
                        .filter(b -> b.cause() == Cause.DOWNSTREAM && isKnown(b))
                        .filter(b -> b.threads() >= PART_LIMIT * all)
                        .sorted(Comparator.comparingDouble(ThreadSamples.Busy::threads).reversed())
                        .toList();
        if (parts.size() < 2 || share < CALLS_LIMIT) {
            return new Finding.Cleared(0.1, seen(share, parts.size()));
        }
        double saved = 1 - parts.getFirst().threads() / all;
        boolean queues =
                evidence.growth(Cause.DOWNSTREAM).filter(g -> g > WaitRule.QUEUES_FROM).isPresent();
        if (saved < SAVED_LIMIT || queues) {
            return new Finding.Cleared(
                    0.3,
                    queues
                            ? "calls take longer with more load: one of the services queues"
                            : say("calls in parallel would save %.0f %%", saved * 100));
        }
        double qps = census.qps();
        if (qps <= 0 || evidence.plateau().rtMs().p50() <= 0) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "busy threads are in calls of %d services; whether each request makes all of"
                                    + " them only counted requests tell",
                            parts.size()));
        }
        double together = all / qps * 1000;
        if (evidence.plateau().rtMs().p50() < MEDIAN_LIMIT * together) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "half of the requests take less than %.0f of the %.0f ms that the calls take"
                                    + " together: a request makes one or the other",
                            evidence.plateau().rtMs().p50(), together));
        }
        return inSeries(evidence, census, parts, share);
    }

    /// @param parts calls of different services, the longest first
    /// @param share of the busy threads that are in calls
    private static Finding inSeries(
            Evidence evidence, ThreadSamples census, List<ThreadSamples.Busy> parts, double share) {
        double qps = census.qps();
        double all = census.threads(Cause.DOWNSTREAM);
        double together = all / qps * 1000;
        double saved = 1 - parts.getFirst().threads() / all;
        List<EvidenceLine> lines = new ArrayList<>();
        for (ThreadSamples.Busy part : parts) {
            double ms = part.threads() / qps * 1000;
            lines.add(
                    line(
                            Figure.CALL,
                            lines.size() + 1,
                            say("%s ms per request in %s", Lines.ms(ms), part.where()),
                            ms,
                            0));
        }
        lines.add(
                line(
                        Figure.PARALLEL_SAVES,
                        say("calls in parallel would save %.0f %% of that", saved * 100),
                        saved,
                        SAVED_LIMIT));
        return new Finding.Limits(
                String.join(" + ", parts.stream().map(ThreadSamples.Busy::where).toList()),
                confidence(share, CALLS_LIMIT, 0.95, 0.70, 0.85),
                say(
                                "A request calls %d services one after the other, %.0f ms in all; none of them"
                                        + " queues. Called at the same time they would take %.0f ms.",
                                parts.size(), together, parts.getFirst().threads() / qps * 1000)
                        + ThreadPoolRule.usedUp(evidence)
                                .map(p ->
                                        say(
                                                " Meanwhile they hold all %.0f threads of %s.",
                                                p.size(), p.name()))
                                .orElse(""),
                lines);
    }

    private static String seen(double share, int services) {
        if (services == 0) {
            return share == 0
                    ? "no busy thread was found in a call of another service"
                    : say(
                            "%.0f %% of the busy threads in calls, it is not known of which services",
                            share * 100);
        }
        return services == 1
                ? "only one service is called: there is nothing to do in parallel"
                : tooFew(
                        share,
                        CALLS_LIMIT,
                        "of busy threads are in calls, of " + services + " services");
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return ThreadPoolRule.usedUp(s.evidence()).isPresent()
                ? RemoteRecommendations.serialOnThreads(s)
                : RemoteRecommendations.serial(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.slowerDownstream();
    }
}
