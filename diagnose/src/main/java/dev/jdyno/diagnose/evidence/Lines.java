package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Holder;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Place.LogStep;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Builds evidence lines and sentences from figures.
public final class Lines {
    /// Maximum number of a holder's frames in a line.
    private static final int STACK_FRAMES = 4;

    private Lines() {}

    public static EvidenceLine line(Figure figure, CharSequence says, double value, double limit) {
        return line(figure, "", says, value, limit);
    }

    /// @param rank position in the list, from 1
    public static EvidenceLine line(
            Figure figure, int rank, CharSequence says, double value, double limit) {
        return line(figure, Integer.toString(rank), says, value, limit);
    }

    /// @param of the cause that the figure describes
    public static EvidenceLine line(
            Figure figure, String of, CharSequence says, double value, double limit) {
        return new EvidenceLine(figure.id(of), Sentence.of(says), value, figure.unit(), limit);
    }

    /// Returns a line with the CPU use, if it was measured. It is added to the evidence of a
    /// limiting wait, for which CPU use is usually low.
    public static Optional<EvidenceLine> cpuLine(Evidence evidence) {
        return evidence.cpuUtilisation()
                .map(u ->
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", u * 100)
                                        + cpuLoad(evidence)
                                        + (u < Saturation.CPU_SATURATED || evidence.cpuIsShort()
                                                ? ""
                                                : ", but few of the threads in use wait for a"
                                                        + " core"),
                                u,
                                Saturation.CPU_SATURATED));
    }

    /// Returns the load at which {@link Evidence#cpuUtilisation} was measured, as a part of a
    /// sentence. Empty if it is the load of the other figures.
    public static String cpuLoad(Evidence evidence) {
        int n = evidence.plateau().concurrency();
        return evidence.fullestRound()
                .filter(round -> round.concurrency() != n)
                .map(round -> say(" with %d in flight", round.concurrency()))
                .orElse("");
    }

    /// Returns the CPU use as a part of a sentence; empty if it was not measured. It includes the
    /// load if the threads were sampled at another one.
    ///
    /// @param before the separator from the text before it
    public static String cpuIs(String before, Evidence evidence) {
        return evidence.fullestRound()
                .map(round ->
                        say(
                                "%sCPU is at %.0f %%%s",
                                before,
                                round.cpu().orElseThrow().utilisation() * 100,
                                evidence.saturated()
                                        .filter(c -> c.concurrency() != round.concurrency())
                                        .map(_ -> say(" with %d in flight", round.concurrency()))
                                        .orElse("")))
                .orElse("");
    }

    /// Returns the two loads that {@link Evidence#growth} compares, as a part of a sentence.
    public static String betweenWindows(Evidence evidence) {
        return evidence.relaxed()
                .flatMap(r ->
                        evidence.saturated()
                                .map(s ->
                                        say(
                                                " from %d to %d in flight",
                                                r.concurrency(), s.concurrency())))
                .orElse(" with load");
    }

    public static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /// Milliseconds: `9.8`, and two significant digits below 1: `0.034`.
    public static String ms(double v) {
        int decimals = v >= 1 || v <= 0 ? 1 : 1 - (int) Math.floor(Math.log10(v));
        return say("%." + decimals + "f", v);
    }

    /// Formats a short time given in milliseconds: `9.8 ms`, `21 µs`.
    public static String time(double ms) {
        return ms >= 1 ? ms(ms) + " ms" : say(ms >= 0.01 ? "%.0f µs" : "%.1f µs", ms * 1000);
    }

    /// Returns the activity of the holder while other threads wait, in the words of an engineer:
    /// `waits for the answer of 10.0.0.7:80 in com.acme.Foyer.charge`.
    public static Sentence holder(Holder holder) {
        return switch (holder) {
            case Holder.AsyncClient _ -> Sentence.format("is %s", holder.named());
            case Holder.SeenThread(boolean guess, Optional<Holder.Doing> doing) ->
                    Sentence.format(
                            "%s%s",
                            guess ? "probably " : "",
                            doing.map(Lines::holds)
                                    .orElse(Sentence.of("has no request and keeps it")));
        };
    }

    private static Sentence holds(Holder.Doing doing) {
        if (doing.cause() == Cause.SLEEP) {
            return doing.frame()
                    .or(() -> doing.place().inFrame())
                    .map(f -> Sentence.of("sleeps in ").and(Sentence.name(f)))
                    .orElse(Sentence.of("sleeps"));
        }
        Sentence where =
                doing.frame()
                        .map(f -> doing.place().named().and(" in ").and(Sentence.name(f)))
                        .orElseGet(() -> doing.place().named());
        return Sentence.format("%s%s", doing(doing.cause(), where.isEmpty()), where);
    }

    /// @param whole true if no place follows
    private static String doing(Cause cause, boolean whole) {
        return switch (cause) {
            case DOWNSTREAM -> "waits for the answer of ";
            case DATABASE -> "waits for the database, ";
            case DISK -> "waits for the disk, ";
            case DNS -> "waits for a name, ";
            case CPU -> "computes in ";
            case LOCK -> "waits for another lock, ";
            case RUN_QUEUE,
                    POOL,
                    FUTURE,
                    LOGGING,
                    NETWORK,
                    SLEEP,
                    CLASS_LOADING,
                    THREAD_START,
                    GC,
                    SAFEPOINT,
                    JVM_MUTEX,
                    OTHER ->
                    "is at " + cause.key() + (whole ? "" : ", ");
        };
    }

    /// Returns the holder as a part of a sentence about the wait. Empty for a full queue, which has
    /// no holder.
    public static Sentence held(ThreadSamples.Busy waits, ThreadPlaces threadSamples) {
        if (waits.async()) {
            return Sentence.format(" through %s", new Holder.AsyncClient().named());
        }
        return waits.place() instanceof Place.Log log && log.step() == LogStep.FULL_QUEUE
                ? Sentence.of("")
                : threadSamples
                        .likelyHolder(waits)
                        .map(h -> Sentence.format("; the holder %s", holder(h)))
                        .orElse(Sentence.of(""));
    }

    /// Returns a line with the stack frames between the method that the holder executes and the
    /// method in which the others wait. Empty if no dump showed them or there are none.
    public static Optional<EvidenceLine> holderStack(ThreadSamples.Busy waits) {
        List<SourceLine> stack = waits.holderStack();
        Optional<String> entry = waits.place().inFrame();
        int entered =
                (int) stack.stream().takeWhile(f -> !entry.equals(Optional.of(f.method()))).count();
        int shown = Math.min(entered + 1, Math.min(stack.size(), STACK_FRAMES));
        // a holder at the line where the others wait adds no information
        return shown == 0 || entered == 0
                ? Optional.empty()
                : Optional.of(
                        line(
                                Figure.HOLDER_STACK,
                                (waits.holder().filter(Holder::isGuess).isPresent()
                                                ? "the holder probably is in "
                                                : "the holder is in ")
                                        + stack.stream()
                                                .limit(shown)
                                                .map(SourceLine::place)
                                                .collect(Collectors.joining(", called by ")),
                                stack.size(),
                                0));
    }

    /// Maps the position of `value` between `from` and `to` linearly to the range from `min` to
    /// `max`.
    public static double confidence(double value, double from, double to, double min, double max) {
        double share = Math.clamp((value - from) / (to - from), 0.0, 1.0);
        return min + share * (max - min);
    }
}
