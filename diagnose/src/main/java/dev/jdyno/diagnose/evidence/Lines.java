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

/// Evidence lines and sentences, built from the numbers they carry.
public final class Lines {
    /// Frames of a holder that are shown.
    private static final int STACK_FRAMES = 4;

    private Lines() {}

    public static EvidenceLine line(Figure figure, CharSequence says, double value, double limit) {
        return line(figure, "", says, value, limit);
    }

    /// @param rank from 1
    public static EvidenceLine line(
            Figure figure, int rank, CharSequence says, double value, double limit) {
        return line(figure, Integer.toString(rank), says, value, limit);
    }

    /// @param of the cause that the figure is of
    public static EvidenceLine line(
            Figure figure, String of, CharSequence says, double value, double limit) {
        return new EvidenceLine(figure.id(of), Sentence.of(says), value, figure.unit(), limit);
    }

    /// How much CPU was used beside a wait that limits, where it was seen: little, as a rule.
    public static Optional<EvidenceLine> cpuBeside(Evidence evidence) {
        return evidence.cpuUtilisation()
                .map(u ->
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", u * 100)
                                        + cpuLoad(evidence)
                                        + (u < Saturation.CPU_USED_UP || evidence.cpuIsShort()
                                                ? ""
                                                : ", but few of the threads in use want one"),
                                u,
                                Saturation.CPU_USED_UP));
    }

    /// The load of {@link Evidence#cpuUtilisation}, as a part of a sentence; nothing at the load
    /// that the other figures are of.
    public static String cpuLoad(Evidence evidence) {
        int n = evidence.plateau().concurrency();
        return evidence.fullestRound()
                .filter(round -> round.concurrency() != n)
                .map(round -> say(" with %d in flight", round.concurrency()))
                .orElse("");
    }

    /// How much CPU was used, as a part of a sentence; nothing where that was not seen. With the
    /// load where threads were looked at under another.
    ///
    /// @param before what separates it from what stands before
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

    /// From which load to which {@link Evidence#growth} goes, as a part of a sentence.
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

    /// A short time, from milliseconds: `9.8 ms`, `21 µs`.
    public static String time(double ms) {
        return ms >= 1 ? ms(ms) + " ms" : say(ms >= 0.01 ? "%.0f µs" : "%.1f µs", ms * 1000);
    }

    /// The holder of what others wait for, as an engineer would say it: `waits for the answer of
    /// 10.0.0.7:80 in com.acme.Foyer.charge`.
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
        Sentence where =
                doing.frame()
                        .map(f -> doing.place().named().and(" in ").and(Sentence.name(f)))
                        .orElseGet(() -> doing.place().named());
        return Sentence.format("%s%s", doing(doing.cause(), where.isEmpty()), where);
    }

    /// @param whole whether no place follows
    private static String doing(Cause cause, boolean whole) {
        return switch (cause) {
            case DOWNSTREAM -> "waits for the answer of ";
            case DATABASE -> "waits for the database, ";
            case DISK -> "waits for the disk, ";
            case SLEEP -> "waits for the clock, ";
            case DNS -> "waits for a name, ";
            case CPU -> "computes in ";
            case LOCK -> "waits for another lock, ";
            case RUN_QUEUE,
                    POOL,
                    FUTURE,
                    LOGGING,
                    NETWORK,
                    CLASS_LOADING,
                    THREAD_START,
                    GC,
                    SAFEPOINT,
                    JVM_MUTEX,
                    OTHER ->
                    "is at " + cause.key() + (whole ? "" : ", ");
        };
    }

    /// The same as a part of a sentence on what is waited for; a queue that is full is held by
    /// nobody.
    public static Sentence held(ThreadSamples.Busy waits, ThreadPlaces census) {
        if (waits.async()) {
            return Sentence.format(" through %s", new Holder.AsyncClient().named());
        }
        return waits.place() instanceof Place.Log log && log.step() == LogStep.FULL_QUEUE
                ? Sentence.of("")
                : census.likelyHolder(waits)
                        .map(h -> Sentence.format("; the holder %s", holder(h)))
                        .orElse(Sentence.of(""));
    }

    /// The code between what the holder does and where the others wait; absent where no dump showed
    /// it, or there is none.
    public static Optional<EvidenceLine> holderStack(ThreadSamples.Busy waits) {
        List<SourceLine> stack = waits.holderStack();
        Optional<String> entry = waits.place().inFrame();
        int entered =
                (int) stack.stream().takeWhile(f -> !entry.equals(Optional.of(f.method()))).count();
        int shown = Math.min(entered + 1, Math.min(stack.size(), STACK_FRAMES));
        // a holder at the line where the others wait says nothing
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

    /// Maps how far `value` lies between `from` and `to` onto `least`…`most`, clamped.
    public static double confidence(
            double value, double from, double to, double least, double most) {
        double share = Math.clamp((value - from) / (to - from), 0.0, 1.0);
        return least + share * (most - least);
    }
}
