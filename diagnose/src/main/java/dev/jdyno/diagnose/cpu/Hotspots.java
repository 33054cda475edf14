package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.OwnFrames;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.Activity;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds the places that use the CPU time, from the samples of a recording or from the stacks of
/// threads that dumps found on a core. It also finds the place whose CPU time per request grows
/// with the load.
final class Hotspots {
    /// Maximum number of places named.
    static final int NAMED = 3;

    /// Minimum share of the CPU for a place to be named.
    static final double WORTH_NAMING = 0.10;

    /// Minimum growth of a place's CPU time per request, from a low load to saturation, at which it
    /// gets a line. Such growth comes from contention, spinning, or a cost that grows with the
    /// data.
    static final double GROWS_FROM = 1.5;

    /// Minimum share of the process's CPU in the kernel, at which system calls are the main cost
    /// and not the service's code.
    static final double SYSTEM_SHARE = 0.5;

    private Hotspots() {}

    /// Returns the kind of work and the hottest place: `exceptions:
    /// java.lang.Throwable.fillInStackTrace in com.acme.Page.find`.
    static String where(Evidence evidence) {
        Optional<ThreadSamples.Busy> hottest = hottest(evidence).stream().findFirst();
        String kind = kind(evidence, hottest.map(ThreadSamples.Busy::place));
        return hottest.map(ThreadSamples.Busy::where)
                .map(h -> kind.isEmpty() ? h : kind + ": " + h)
                .orElse(kind);
    }

    private static String kind(Evidence evidence, Optional<Place> hottest) {
        boolean kernel =
                evidence.cpu()
                        .map(CpuUse::ownCores)
                        .filter(all ->
                                evidence.cpu().orElseThrow().systemCores() > SYSTEM_SHARE * all)
                        .isPresent();
        if (kernel) {
            return "system calls";
        }
        return hottest.filter(Exceptions::worksOnOne).isPresent() ? "exceptions" : "";
    }

    /// Returns lines on the hottest places, each with its share of the CPU and its ms per request,
    /// and on the place whose cost grew.
    static List<EvidenceLine> lines(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        if (evidence.saturated().isEmpty()) {
            return lines;
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        for (ThreadSamples.Busy place : hottest(evidence)) {
            double share = share(evidence, place);
            lines.add(
                    line(
                            Figure.HOT,
                            lines.size() + 1,
                            Sentence.format(
                                    "%.0f %% of the CPU in %s", share * 100, place.place().named()),
                            share,
                            0));
        }
        if (!lines.isEmpty()) {
            path(evidence).ifPresent(lines::add);
            sampledBy(threadSamples).ifPresent(lines::add);
        }
        evidence.relaxed().flatMap(r -> grown(r, threadSamples)).ifPresent(lines::add);
        return lines;
    }

    /// Returns a line with the callers of the hottest place.
    private static Optional<EvidenceLine> path(Evidence evidence) {
        Place hottest = hottest(evidence).getFirst().place();
        List<String> callers = callers(evidence, hottest);
        return callers.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        line(
                                Figure.HOT_PATH,
                                Sentence.format(
                                        "%s is called by %s",
                                        Sentence.name(hottest.inFrame().orElseThrow()),
                                        Sentence.join(
                                                " < ",
                                                callers.stream().map(Sentence::name).toList())),
                                callers.size(),
                                0));
    }

    /// Returns the share of the CPU time at a place, 0…1.
    static double share(Evidence evidence, ThreadSamples.Busy place) {
        double all = evidence.saturated().map(c -> c.threads(Cause.CPU)).orElse(0.0);
        return all <= 0 ? 0 : Math.min(1, place.threads() / all);
    }

    /// Returns the method of the service's own code that spends the CPU time of a place. It is the
    /// method of the place itself, or the nearest one that calls it. Empty if library threads work
    /// without a call from the service's code.
    static Optional<String> site(Evidence evidence, Place place) {
        var own = new OwnFrames(evidence.insight());
        return place.inFrame()
                .flatMap(method ->
                        own.isOwn(method)
                                ? Optional.of(method)
                                : profiles(evidence)
                                        .flatMap(
                                                p -> HotPath.caller(p, method, own::isOwn).stream())
                                        .findFirst());
    }

    /// Returns the callers of a place's method, the nearest first, from the CPU profile at the load
    /// of the dumps; empty without a profile.
    static List<String> callers(Evidence evidence, Place place) {
        Optional<String> method = place.inFrame();
        return method.isEmpty() ? List.of() : callers(evidence, method.get());
    }

    private static List<String> callers(Evidence evidence, String method) {
        return profiles(evidence)
                .map(p -> HotPath.callers(p, method))
                .filter(callers -> !callers.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /// Returns the CPU profiles at the load of the dumps.
    private static Stream<Profile> profiles(Evidence evidence) {
        return evidence.insight().profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.CPU)
                .filter(p ->
                        evidence.saturated()
                                .filter(c -> c.concurrency() == p.concurrency())
                                .isPresent());
    }

    /// Returns a line that names the kind of samples from which the places come; empty if they come
    /// from dumps.
    private static Optional<EvidenceLine> sampledBy(ThreadSamples threadSamples) {
        return threadSamples
                .signals()
                .of(Sign.CPU_SAMPLES)
                .map(n ->
                        line(
                                Figure.HOT_SAMPLES,
                                say(
                                        "places from %.0f samples (%s)",
                                        n,
                                        threadSamples.signals().place(Sign.CPU_SAMPLES).orElse("")),
                                n,
                                0));
    }

    private static List<ThreadSamples.Busy> hottest(Evidence evidence) {
        return evidence.saturated().stream()
                .flatMap(c ->
                        c.busy().stream()
                                .filter(Hotspots::isPlaceOfWork)
                                .filter(b -> b.threads() >= WORTH_NAMING * c.threads(Cause.CPU)))
                .sorted(Comparator.comparingDouble(ThreadSamples.Busy::threads).reversed())
                .limit(NAMED)
                .toList();
    }

    private static boolean isPlaceOfWork(ThreadSamples.Busy busy) {
        return busy.cause() == Cause.CPU && !busy.place().is(Activity.ELSEWHERE);
    }

    /// Returns the place whose CPU time per request grew most, among those with enough CPU to be
    /// named.
    private static Optional<EvidenceLine> grown(ThreadSamples relaxed, ThreadSamples saturated) {
        if (relaxed.qps() <= 0 || saturated.qps() <= 0) {
            return Optional.empty();
        }
        Map<Place, Double> before =
                relaxed.busy().stream()
                        .filter(b -> b.cause() == Cause.CPU)
                        .collect(
                                Collectors.toMap(
                                        ThreadSamples.Busy::place,
                                        ThreadSamples.Busy::threads,
                                        Double::sum));
        double all = saturated.threads(Cause.CPU);
        return saturated.busy().stream()
                .filter(b -> isPlaceOfWork(b) && b.threads() >= WORTH_NAMING * all)
                .filter(b -> before.getOrDefault(b.place(), 0.0) > 0)
                .map(b -> {
                    double now = b.threads() / saturated.qps() * 1000;
                    double then = before.getOrDefault(b.place(), 0.0) / relaxed.qps() * 1000;
                    return line(
                            Figure.GREW_WITH_LOAD,
                            Sentence.format(
                                    "%s took %.2f ms per request at %d in flight, %.2f ms at %d",
                                    b.place().named(),
                                    then,
                                    relaxed.concurrency(),
                                    now,
                                    saturated.concurrency()),
                            now / then,
                            GROWS_FROM);
                })
                .filter(l -> l.value() >= GROWS_FROM)
                .max(Comparator.comparingDouble(EvidenceLine::value));
    }
}
