package dev.jdyno.report.words.memory;

import dev.jdyno.heapmodel.simulation.Arrivals;
import dev.jdyno.heapmodel.simulation.Collector;
import dev.jdyno.heapmodel.simulation.HeapAnswer;
import dev.jdyno.heapmodel.simulation.HeapLayout;
import dev.jdyno.heapmodel.simulation.HeapPrediction;
import dev.jdyno.heapmodel.simulation.HeapSizing;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The prediction of `jdyno heap` in words.
public record HeapText(HeapAnswer answer) {
    public String text() {
        HeapLayout l = run().layout();
        var lines = new ArrayList<String>();
        lines.add(
                Texts.say(
                        "heap        Eden %s, survivors 2 × %s, old %s",
                        new Bytes(l.edenBytes()),
                        new Bytes(l.survivorBytes()),
                        new Bytes(l.oldBytes())));
        lines.add(
                Texts.say(
                        "run         %,d requests in %s, %s/s",
                        run().requests(),
                        time(run().elapsedSeconds()),
                        figure(run().requestsPerSecond())));
        lines.add(
                Texts.say(
                        "young GCs   %,d%s",
                        run().youngGcs(),
                        run().youngIntervalSeconds().isPresent()
                                ? ", one every " + time(run().youngIntervalSeconds().getAsDouble())
                                : ""));
        lines.add(Texts.say("full GCs    %,d%s", run().fullGcs(), fullPace()));
        lines.add(
                Texts.say(
                        "into old    %s promoted, %s allocated there directly",
                        new Bytes(run().promotedBytes()), new Bytes(run().directBytes())));
        lines.add(
                Texts.say(
                        "GC time     %s, %s %% of the run",
                        time(run().gcSeconds()), figure(run().gcShare() * 100)));
        lines.add(
                "safe up to  "
                        + (answer.safeConcurrency().isPresent()
                                ? atATime(answer.safeConcurrency().getAsInt()) + " (F6)"
                                : "any concurrency tried (F6)"));
        lines.add(Texts.say("young       %s is enough (F9)", answer.youngEnough()));
        if (!answer.sweep().isEmpty()) {
            lines.add("");
            lines.add("     young  young GCs   full GCs  GC share         QPS");
            answer.sweep().forEach(s -> lines.add(row(s)));
        }
        lines.add("");
        lines.add(says());
        assumptions().forEach(a -> lines.add("assumed: " + a));
        return String.join(System.lineSeparator(), lines);
    }

    private static String row(HeapSizing.Step s) {
        HeapPrediction p = s.prediction();
        return Texts.say(
                "%10s %10d %10d %7.1f %% %11.1f",
                s.young(), p.youngGcs(), p.fullGcs(), p.gcShare() * 100, p.requestsPerSecond());
    }

    private String fullPace() {
        return run().fullGcIntervalSeconds().isPresent()
                ? ", at this pace one every " + time(run().fullGcIntervalSeconds().getAsDouble())
                : "";
    }

    /// The answer in plain words: whether the heap fits the load, why, and what would fix it.
    public String says() {
        if (run().outOfMemory()) {
            return "This ends with an OutOfMemoryError: what is alive at one time does not fit the"
                    + " heap.";
        }
        if (!run().fullGcsFrequent()) {
            return "Full collections are not frequent: "
                    + (run().steadyInflow() > 0
                            ? "little goes on into old."
                            : "requests die in the young generation.");
        }
        String why =
                run().directBytes() > run().promotedBytes()
                        ? "arrays of "
                                + new Bytes(
                                        answer.load()
                                                .objectBytes()
                                                .orElse(answer.load().requestBytes())
                                                .value())
                                + " are too large for Eden and go straight into old"
                        : "the objects that are alive when Eden is full exceed what a survivor"
                                + " space keeps (F6, F11)";
        return "Full collections are frequent"
                + fullPace()
                + ": "
                + why
                + ". "
                + (answer.safeConcurrency().isPresent() && answer.safeConcurrency().getAsInt() > 0
                        ? "Up to "
                                + atATime(answer.safeConcurrency().getAsInt())
                                + " would be safe. For more, enlarge the survivor spaces, hold"
                                + " less memory, or release it before the wait."
                        : "Not even one request at a time is safe: give the young generation more"
                                + " room or allocate in smaller pieces.");
    }

    /// The assumptions of the model.
    public List<String> assumptions() {
        var all = new ArrayList<String>();
        all.add("-Xms equals -Xmx");
        if (answer.load().objectBytes().isEmpty()) {
            all.add(
                    "a request allocates one array of "
                            + answer.load().requestBytes()
                            + "; --object-bytes for smaller pieces");
        }
        if (answer.flags().collector() == Collector.G1) {
            all.add("G1 is modelled to first order: its pause goal changes nothing");
        }
        if (answer.load().arrivals() instanceof Arrivals.Open) {
            all.add("independent users: exponential times between requests");
        }
        all.add("times are of the machine in docs/heap-model.md; counts do not depend on it");
        return List.copyOf(all);
    }

    private HeapPrediction run() {
        return answer.run();
    }

    private static String atATime(int requests) {
        return requests == 1 ? "one request at a time" : requests + " requests at a time";
    }

    private static String figure(double v) {
        return String.format(Locale.ROOT, v >= 100 ? "%.0f" : "%.1f", v);
    }

    private static String time(double seconds) {
        return Durations.format(Durations.ofSeconds(seconds));
    }
}
