package dev.jdyno.report.words.memory;

import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.heapmodel.forecast.HeapForecast;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Texts;
import dev.jdyno.sizing.HeapReading;
import dev.jdyno.sizing.LiveHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Sizing advice from a GC log, as `jdyno gc LOG --advise --slo pause=50ms,gc=5%` prints it.
public final class HeapAdviceText {
    private HeapAdviceText() {}

    public static List<String> lines(
            HeapReading read, HeapGoal goal, HeapAdvice advice, OptionalDouble qps) {
        Analysis a = read.analysis();
        var lines = new ArrayList<String>();
        lines.add("");
        lines.add(
                Texts.say(
                        "advice for at most %.1f %% of the time in pauses%s",
                        goal.gcShare() * 100,
                        goal.pauseMs()
                                .map(p -> Texts.say(" and none above %.0f ms", p))
                                .orElse("")));
        lines.add(
                "        heap       young    survivor  collections     full   pauses  share of time"
                        + "  longest    memory");
        for (HeapAdvice.Choice c : advice.choices()) {
            lines.add(row(c, mark(advice, c)));
        }
        lines.add(
                advice.chosen()
                        .map(c -> advised(read.seen(), goal, c))
                        .orElse("no size tried meets the goal: allocate less or change collector"));
        if (!advice.now().pauseMet()) {
            lines.add(pauseAdvice(a, read.longestPauseMs()));
        }
        qps.ifPresent(q -> lines.add(young(read, q)));
        survivors(read).ifPresent(lines::add);
        if (a.heap().liveIsUpperBound()) {
            lines.add("the live set may be smaller: no old collection ran");
        }
        HeapReading.leftOut(a).ifPresent(lines::add);
        var near = HeapForecast.MedianError.near(read.seen());
        var far = HeapForecast.MedianError.far(read.seen());
        lines.add(
                Texts.say(
                        "median error of such forecasts: collections %d %%, pauses %d %% for a heap"
                                + " 1.5 times as large or as small, %d %% and %d %% for 2.4 times"
                                + " (docs/heap-forecast-errors.md): try it, then read the new log",
                        near.collectionsPct(),
                        near.pausePct(),
                        far.collectionsPct(),
                        far.pausePct()));
        return lines;
    }

    /// Advice for a JVM that was observed for some time.
    public static List<String> lines(LiveHeap live) {
        HeapObservation seen = live.read().seen();
        var lines = new ArrayList<String>();
        lines.add(
                Texts.say(
                        "process %d in %.0f s: %d collections, %s allocated and %s promoted a second,"
                                + " %s alive",
                        live.pid(),
                        seen.spanS(),
                        seen.gcs(),
                        bytes(seen.allocatedBytes() / seen.spanS()),
                        bytes(seen.promotedBytes() / seen.spanS()),
                        bytes(seen.liveBytes())));
        live.container()
                .ifPresent(c ->
                        lines.add(
                                "memory limit "
                                        + c
                                        + (live.isAsked() ? " (--container)" : " (its cgroup)")));
        lines.addAll(lines(live.read(), live.goal(), live.advice(), OptionalDouble.empty()));
        return lines;
    }

    private static Bytes bytes(double bytes) {
        return new Bytes(Math.round(bytes));
    }

    private static String mark(HeapAdvice advice, HeapAdvice.Choice c) {
        String now = c.equals(advice.now()) ? "now " : "";
        String outside = c.fits() ? "" : "above the container ";
        return now + outside + (advice.chosen().map(c::equals).orElse(false) ? "<- advised" : "");
    }

    private static String row(HeapAdvice.Choice c, String mark) {
        HeapForecast f = c.forecast();
        if (f.tooSmall()) {
            return Texts.say("%12s  too small for what is alive  %s", f.heap(), mark);
        }
        return Texts.say(
                "%12s %11s %11s %12.0f %8.0f %8s %12.2f %% %8s %9s  %s",
                f.heap(),
                c.split().map(s -> s.young().toString()).orElse("-"),
                c.split().map(s -> s.survivor().toString()).orElse("-"),
                f.gcs(),
                f.fullGcs(),
                Durations.format(Durations.ofSeconds(f.pauseMs() / 1000)),
                f.pauseShare() * 100,
                Durations.format(Durations.ofSeconds(c.longestPauseMs() / 1000)),
                c.memory().total(),
                mark);
    }

    private static String advised(HeapObservation seen, HeapGoal goal, HeapAdvice.Choice c) {
        Footprint m = c.memory();
        return Texts.say(
                "%s: a container needs about %s (heap %s, collector %s, metaspace %s, code %s,"
                        + " stacks %s, direct buffers %s)",
                String.join(" ", c.flags(seen.kind(), goal)),
                m.total(),
                m.heap(),
                m.tables(),
                m.metaspace(),
                m.code(),
                m.stacks(),
                m.direct());
    }

    private static String pauseAdvice(Analysis a, double longest) {
        String seen = Texts.say("pauses reach %.0f ms without full collections; ", longest);
        return seen
                + switch (a.collector()) {
                    case G1 -> "lower -XX:MaxGCPauseMillis, or -XX:+UseZGC if CPU can be spared";
                    case SERIAL, PARALLEL, PARNEW, CMS ->
                            "a heap size does not fix that: -XX:+UseG1GC or -XX:+UseZGC";
                    case ZGC, SHENANDOAH, EPSILON, UNKNOWN ->
                            "look at time to safepoint and at the machine, not at the heap";
                };
    }

    private static String young(HeapReading read, double qps) {
        return read.requestBytes(qps)
                .map(request ->
                        Texts.say(
                                "a request allocates %s: a young generation above %s gains little"
                                        + " (F9)",
                                bytes(request), bytes(HeapReading.youngEnough(request))))
                .orElse("the log does not show the allocation rate");
    }

    private static Optional<String> survivors(HeapReading read) {
        return read.survivors()
                .map(s ->
                        s.isEnough()
                                ? "survivor spaces are large enough (F11)"
                                : Texts.say(
                                        "age 1 is %s, a survivor keeps %s: make survivor spaces %s"
                                                + " (F11)",
                                        s.ageOne(), s.kept(), s.advised()));
    }
}
