package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;
import static java.util.stream.Collectors.joining;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.CallSites;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A request calls several services one after the other, or one service at several lines of a
/// method (experiment E13). The request takes the sum of the calls' times, and no call queues.
/// Parallel calls would take as long as the longest of them (critical path, F1).
public final class DownstreamSerialRule implements Rule {
    /// Minimum share of the threads in use in calls of other services.
    static final double CALLS_LIMIT = 0.70;

    /// Minimum share of the time in calls for a service to count as one of several.
    static final double PART_LIMIT = 0.10;

    /// Minimum time that parallel calls would save, as a share of the calls' time.
    static final double SAVED_LIMIT = 0.30;

    /// Minimum median response time, as a share of the sum of the calls' times, at which every
    /// request makes all calls. If each request makes only some of the calls, half of the requests
    /// take less time.
    static final double MEDIAN_LIMIT = 0.75;

    /// Minimum number of calls per request at each place, at which each request makes the calls of
    /// all places.
    static final double ALL_MADE = 0.75;

    /// Minimum time per request in each call, in ms, for the call to be counted reliably. A
    /// recording counts calls from 1 ms on.
    static final double COUNTED_MS = 2;

    /// Factor on the confidence if all calls go to one service. One call may need the result of
    /// another, which no measurement shows.
    private static final double OF_ONE_SERVICE = 0.95;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DOWNSTREAM_SERIAL;
    }

    @Override
    public Set<Bottleneck> bringsAbout() {
        return EnumSet.of(Bottleneck.LOAD, Bottleneck.DOWNSTREAM);
    }

    /// Returns the number of requests that the threads could serve with parallel calls ÷ the
    /// present number; 1 if requests make no sequential calls.
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

    /// Calls that a request probably makes one after the other.
    ///
    /// @param parts the calls, the longest first: calls of several services, or calls of one
    ///   service at several lines
    /// @param sites these lines; empty for several services
    /// @param threads mean number of threads in any call
    record Series(List<Part> parts, Optional<CallSites> sites, double threads) {
        static Series of(ThreadSamples threadSamples) {
            double all = threadSamples.threads(Cause.DOWNSTREAM);
            List<ThreadSamples.Busy> services =
                    threadSamples.busy().stream()
                            .filter(b -> b.cause() == Cause.DOWNSTREAM && isKnown(b))
                            .filter(b -> b.threads() >= PART_LIMIT * all)
                            .toList();
            Optional<CallSites> sites =
                    services.size() == 1 ? services.getFirst().sites() : Optional.empty();
            List<Part> parts =
                    sites.map(Series::atLines)
                            .orElseGet(() ->
                                    services.stream()
                                            .map(b ->
                                                    new Part(
                                                            b.place().named(),
                                                            b.where(),
                                                            b.threads()))
                                            .toList());
            return new Series(
                    parts.stream()
                            .sorted(Comparator.comparingDouble(Part::threads).reversed())
                            .toList(),
                    sites,
                    all);
        }

        private static List<Part> atLines(CallSites sites) {
            return sites.lines().stream()
                    .map(l ->
                            new Part(
                                    Sentence.of(sites.text(l)),
                                    sites.method(),
                                    sites.threads() * l.share()))
                    .toList();
        }

        /// Returns the share of the calls' time that parallel calls would save.
        double saved() {
            double together = parts.stream().mapToDouble(Part::threads).sum();
            return sites.isPresent()
                    ? (together - parts.getFirst().threads()) / Math.max(threads, together)
                    : 1 - parts.getFirst().threads() / threads;
        }

        String what() {
            return sites.isPresent()
                    ? say("at %d lines of one method", parts.size())
                    : say("of %d services", parts.size());
        }
    }

    /// @param text the text that names the call
    /// @param in the service or method
    record Part(Sentence text, String in, double threads) {}

    /// Returns the lines of one method that call one service one after the other.
    static Optional<CallSites> sites(Evidence evidence) {
        return evidence.saturated().flatMap(c -> Series.of(c).sites());
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        if (evidence.saturated().isEmpty() || evidence.busyShare(Cause.DOWNSTREAM).isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        double share = evidence.busyShare(Cause.DOWNSTREAM).get();
        Series series = Series.of(threadSamples);
        if (series.parts().size() < 2) {
            return new Finding.Cleared(0.1, seen(share, series));
        }
        Optional<BelowLimit> few = BelowLimit.of(share, CALLS_LIMIT);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                    0.1, few.get(), "of the threads in use are in calls, " + series.what());
        }
        boolean queues =
                evidence.growth(Cause.DOWNSTREAM).filter(g -> g > Waiting.QUEUES_FROM).isPresent();
        if (series.saved() < SAVED_LIMIT || queues) {
            return new Finding.Cleared(
                    0.3,
                    queues
                            ? "calls take longer with more load: one of the services queues"
                            : say("calls in parallel would save %.0f %%", series.saved() * 100));
        }
        Optional<Finding> alternatives = alternatives(evidence, series);
        if (alternatives.isPresent()) {
            return alternatives.get();
        }
        double qps = threadSamples.qps();
        if (qps <= 0 || evidence.plateau().rtMs().p50() <= 0) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "threads in use are in calls %s; only counted requests show whether"
                                    + " each request makes all of them",
                            series.what()));
        }
        double together = series.threads() / qps * 1000;
        if (evidence.plateau().rtMs().p50() < MEDIAN_LIMIT * together) {
            return new Finding.Cleared(
                    0.3,
                    say(
                            "half of the requests take less than %.0f of the %.0f ms that the calls"
                                    + " take together: a request makes one or the other",
                            evidence.plateau().rtMs().p50(), together));
        }
        return inSeries(evidence, series, qps, share);
    }

    /// Rules sequential calls out if a request makes fewer calls than there are lines, as for the
    /// two branches of an `if`. Calls that are too short to be counted are no evidence.
    private static Optional<Finding> alternatives(Evidence evidence, Series series) {
        double qps = evidence.saturated().map(ThreadSamples::qps).orElse(0.0);
        boolean allCounted =
                series.parts().stream()
                        .allMatch(p -> qps > 0 && p.threads() / qps * 1000 >= COUNTED_MS);
        return SiteLines.callsPerRequest(evidence)
                .filter(calls -> allCounted && calls < ALL_MADE * series.parts().size())
                .map(calls ->
                        new Finding.Cleared(
                                0.3,
                                say(
                                        "a request makes %.1f calls, and calls are made %s: it"
                                                + " makes one or the other",
                                        calls, series.what())));
    }

    /// @param share share of the threads in use that are in calls
    private static Finding inSeries(Evidence evidence, Series series, double qps, double share) {
        List<EvidenceLine> lines = new ArrayList<>();
        for (Part part : series.parts()) {
            double ms = part.threads() / qps * 1000;
            lines.add(
                    line(
                            Figure.CALL,
                            lines.size() + 1,
                            Sentence.format("%s ms per request in %s", Lines.ms(ms), part.text()),
                            ms,
                            0));
        }
        lines.add(
                line(
                        Figure.PARALLEL_SAVES,
                        say("calls in parallel would save %.0f %% of that", series.saved() * 100),
                        series.saved(),
                        SAVED_LIMIT));
        lines.addAll(SiteLines.calls(evidence));
        SiteLines.connections(evidence).ifPresent(lines::add);
        double sure = confidence(share, CALLS_LIMIT, 0.95, 0.70, 0.85);
        return new Finding.Limits(
                series.parts().stream().map(Part::in).distinct().collect(joining(" + ")),
                series.sites().isPresent() ? OF_ONE_SERVICE * sure : sure,
                says(series, qps)
                        + ThreadPoolRule.saturatedPool(evidence)
                                .map(p ->
                                        say(
                                                " Meanwhile they hold all %.0f threads of %s.",
                                                p.size(), p.name()))
                                .orElse(""),
                lines);
    }

    private static String says(Series series, double qps) {
        double together = series.threads() / qps * 1000;
        double after = together * (1 - series.saved());
        return series.sites()
                .map(s ->
                        say(
                                "A request calls one service at %d lines of %s one after the other,"
                                        + " %.0f ms in all; the service does not queue. Called at the"
                                        + " same time they would take %.0f ms, if the calls do not need"
                                        + " each other's results.",
                                s.lines().size(), s.text(), together, after))
                .orElseGet(() ->
                        say(
                                "A request calls %d services one after the other, %.0f ms in all;"
                                        + " none of them queues. Called at the same time they would"
                                        + " take %.0f ms.",
                                series.parts().size(), together, after));
    }

    /// Returns the reason why no sequential calls were found.
    private static String seen(double share, Series series) {
        if (series.parts().size() == 1) {
            return "one service is called, and no method was found that calls it at several lines";
        }
        return share == 0
                ? "no thread is in a call of another service"
                : say(
                        "%.0f %% of the threads in use wait in calls, but it is not known which"
                                + " services they call",
                        share * 100);
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return ThreadPoolRule.saturatedPool(s.evidence()).isPresent()
                ? RemoteRecommendations.serialOnThreads(s)
                : RemoteRecommendations.serial(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.slowerDownstream();
    }
}
