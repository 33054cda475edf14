package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.BelowLimit;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.SeenShare;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Most threads in use wait for one lock, and twice the load gives no more throughput (experiment
/// E12). The lock's demand D is its hold time, and its number of units P is 1.
public final class LockRule implements Rule {
    /// Names of log classes and methods: `AccessLogValve`, `NCSARequestLog`, `Logger.log`, but not
    /// `Login`, `Logic` or `Catalog`.
    private static final Pattern A_LOG =
            Pattern.compile("(Log|(?<![A-Za-z])log)(g(er|ing)|s)?(?![a-z])|Appender");

    /// Minimum share of the waiters that wait for the same lock.
    static final double ONE_LOCK = 0.6;

    /// Minimum mean number of waiters at which the lock is never free. A thread then waits nearly
    /// all the time, so each release passes the lock to the next thread, and its utilisation is
    /// near 1.
    static final double NEVER_FREE_FROM = 2;

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.LOCK;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Double> share = evidence.busyShare(Cause.LOCK);
        if (share.isEmpty()) {
            return SeenShare.notKnown(evidence.saturated());
        }
        double locked = share.get();
        Optional<BelowLimit> few = BelowLimit.of(locked, Limits.LOCK_WAITERS);
        if (few.isPresent()) {
            return Finding.Cleared.only(
                            locked * 0.5, few.get(), "of the threads in use wait for locks")
                    .and(deadlock(evidence).map(d -> "; but " + d).orElse(""));
        }
        Optional<ThreadSamples.Busy> top = evidence.top(Cause.LOCK);
        if (top.isEmpty()) {
            return new Finding.NotApplicable("no thread was found waiting for a lock");
        }
        Optional<Sentence> deadlock = deadlock(evidence).filter(_ -> limitsByDeadlock(evidence));
        if (deadlock.isPresent()) {
            return new Finding.Limits(
                    top.get().where(),
                    confidence(locked, Limits.LOCK_WAITERS, 0.8, 0.85, 0.97),
                    Statement.of(
                            "A deadlock is the bottleneck",
                            "%s. They wait for ever, and on average %.1f" + " threads wait for %s.",
                            deadlock.get(),
                            top.get().threads(),
                            top.get().place().named()),
                    lines(evidence, top.get(), locked));
        }
        double one =
                top.get().threads()
                        / evidence.saturated().map(c -> c.threads(Cause.LOCK)).orElse(1.0);
        double sure = confidence(locked, Limits.LOCK_WAITERS, 0.8, 0.70, 0.97);
        if (one < ONE_LOCK) {
            sure *= 0.8;
        }
        if (evidence.cpuIsShort()) {
            // if every core is busy, threads mostly wait for a lock because its holder waits for a
            // core
            sure *= 0.6;
        } else if (usesUpCpu(evidence)) {
            sure = Doubt.CPU_SATURATED.cap(sure);
        }
        if (evidence.scalingWhenDoubled().filter(x -> x > Limits.STILL_RISING).isPresent()) {
            sure *= 0.3;
        }
        if (evidence.isRare(Cause.LOCK)) {
            sure *= 0.5;
        }
        Sentence holder = top.get().holder().map(Lines::holder).orElse(Sentence.of("was not seen"));
        return new Finding.Limits(
                top.get().where(),
                sure,
                Statement.of(
                        "A lock is the bottleneck",
                        "on average %.1f threads wait for %s; its holder %s.",
                        top.get().threads(),
                        top.get().place().named().and(ofMap(top.get())),
                        holder),
                lines(evidence, top.get(), locked));
    }

    /// True if most threads that wait for locks are in a deadlock or behind one. The condition
    /// excludes a deadlock of a few threads that does not affect requests.
    static boolean limitsByDeadlock(Evidence evidence) {
        double waiters = evidence.saturated().map(c -> c.threads(Cause.LOCK)).orElse(0.0);
        return evidence.sign(Sign.BEHIND_DEADLOCK)
                .filter(behind -> waiters > 0 && behind >= ONE_LOCK * waiters)
                .isPresent();
    }

    /// Returns which threads wait for each other, as a sentence without a full stop.
    private static Optional<Sentence> deadlock(Evidence evidence) {
        return evidence.place(Sign.DEADLOCKED_THREADS)
                .map(circle ->
                        Sentence.format(
                                "%.0f threads wait for each other: %s",
                                evidence.sign(Sign.DEADLOCKED_THREADS).orElse(0.0),
                                PlaceText.named(circle)));
    }

    /// Explains the lock of a map, because few users know that these methods lock.
    private static String ofMap(ThreadSamples.Busy waits) {
        return lockType(waits.place())
                        .filter(t -> t.startsWith("java.util.concurrent.ConcurrentHashMap$"))
                        .isPresent()
                ? " (a bin of the map, which its compute methods lock)"
                : "";
    }

    private static boolean usesUpCpu(Evidence evidence) {
        return evidence.cpuUtilisation().filter(u -> u >= Saturation.CPU_SATURATED).isPresent();
    }

    private static List<EvidenceLine> lines(
            Evidence evidence, ThreadSamples.Busy top, double share) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.LOCK_WAITERS,
                        Sentence.format(
                                "%.1f threads (%.0f %% of the threads in use) wait for %s",
                                top.threads(), share * 100, top.place().named()),
                        share,
                        Limits.LOCK_WAITERS));
        Lines.holderStack(top).ifPresent(lines::add);
        Lines.cpuLine(evidence).ifPresent(lines::add);
        Optional<Double> deadlocked = evidence.sign(Sign.DEADLOCKED_THREADS);
        deadlocked.ifPresent(threads ->
                lines.add(
                        line(
                                Figure.DEADLOCKED_THREADS,
                                say("%.0f threads wait for each other in a circle", threads),
                                threads,
                                0)));
        double qps = evidence.plateau().qps();
        // threads in a deadlock hold their locks forever, even if other threads still serve
        // requests
        if (qps > 0 && !limitsByDeadlock(evidence)) {
            lines.add(line(Figure.SERIAL_TIME, heldFor(evidence.plateau(), top), 1000 / qps, 0));
        }
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    /// Returns how long a request holds the lock, by the utilisation law U = X · S. If the lock is
    /// never free (U = 1), a request holds it for 1 / QPS in total. If the lock is sometimes free,
    /// the time is shorter. The length of a single hold is unknown, because dumps do not count
    /// acquisitions.
    private static String heldFor(Round at, ThreadSamples.Busy top) {
        boolean neverFree = top.threads() >= NEVER_FREE_FROM;
        return say(
                "throughput %.0f/s at N=%d: %s, a request holds it for %s1 / QPS = %s ms, all its acquisitions"
                        + " together (the number of acquisitions in a request was not measured)",
                at.qps(),
                at.concurrency(),
                neverFree
                        ? say("with %.1f waiting the lock is never free", top.threads())
                        : say("with %.1f waiting the lock is free at times", top.threads()),
                neverFree ? "" : "at most ",
                Lines.ms(1000 / at.qps()));
    }

    @Override
    public Optional<Sentence> notRuledOut(Evidence evidence, Function<Bottleneck, Finding> found) {
        return evidence.top(Cause.LOCK).flatMap(b -> ofALog(b.place()));
    }

    /// Recognises locks of server logs by their names, because the list of logging frames does not
    /// contain them. An access log that writes while it holds its lock is limited by its
    /// destination.
    private static Optional<Sentence> ofALog(Place place) {
        return place.inFrame()
                .or(() -> lockType(place))
                .filter(A_LOG.asPredicate())
                .map(name ->
                        Sentence.format(
                                "logging is not ruled out: the name of %s suggests a lock of a"
                                        + " log",
                                Sentence.name(name)));
    }

    /// Returns the class of a lock.
    static Optional<String> lockType(Place place) {
        return place instanceof Place.Lock lock ? lock.type() : Optional.empty();
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return LockRecommendations.lock(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.flatAtTwice();
        experiments.enoughCores();
    }
}
