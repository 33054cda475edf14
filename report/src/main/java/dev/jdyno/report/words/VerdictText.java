package dev.jdyno.report.words;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A verdict in the words of the first screen: the limit in one short sentence, two figures that
/// prove it, and the causes that are ruled out.
public final class VerdictText {
    /// Number of figures that prove a verdict on the first screen.
    public static final int PROOFS = 2;

    /// Id of the evidence that throughput falls under more load. This evidence is an alarm. Alarms
    /// are always on the first screen: throughput that collapses under more load, workers that wait
    /// for each other, threads in a deadlock, waits that time out.
    static final String THROUGHPUT_LEFT = "throughput-left";

    private static final Set<String> ALARMS =
            Set.of(THROUGHPUT_LEFT, "waits-for-itself", "deadlocked-threads", "timeouts");

    private static final Set<Bottleneck> OF_CPU =
            EnumSet.of(Bottleneck.CPU, Bottleneck.CPU_QUOTA, Bottleneck.CPU_NEIGHBOUR);

    private static final Pattern AFTER_THE_CLAUSE = Pattern.compile("(?:, |: ).*");

    /// Bottlenecks that are full because requests hold their threads for a long time.
    private static final Set<Bottleneck> OF_HELD_THREADS =
            EnumSet.of(Bottleneck.THREAD_POOL, Bottleneck.POOL_STARVATION, Bottleneck.EVENT_LOOP);

    private VerdictText() {}

    /// The meaning of a bottleneck's name in one short sentence.
    public static String headline(Bottleneck name) {
        return switch (name) {
            case LOAD -> "The service is at no limit: it can serve more requests at once.";
            case CLIENT -> "The load generator is at its limit, not the service.";
            case PORTS -> "New connections find no free port.";
            case ACCEPT_QUEUE -> "The accept queue is full, so the kernel drops new connections.";
            case CPU -> "The service uses all of the CPU that it can get.";
            case CPU_QUOTA -> "The CPU quota of its control group stops the service.";
            case CPU_NEIGHBOUR -> "Other processes use the CPU that the service needs.";
            case EVENT_LOOP ->
                    "An event loop thread uses a whole core or is blocked, so its connections wait.";
            case LOCK -> "Threads wait for a lock that only one thread at a time can hold.";
            case THREAD_POOL -> "All threads of the pool are in use, so requests wait for one.";
            case POOL_STARVATION ->
                    "Threads wait for tasks that find no free thread in their pool.";
            case CONNECTION_POOL ->
                    "All connections of the pool are in use, so threads wait for one.";
            case DOWNSTREAM -> "Requests wait for the answers of another service.";
            case DOWNSTREAM_SERIAL -> "A request makes its calls of other services one by one.";
            case DATABASE -> "Requests wait for the answers of the database.";
            case DNS -> "Requests wait for the addresses of host names.";
            case RATE_LIMIT -> "A limiter in the service holds requests back.";
            case LOGGING -> "Requests wait until their log lines are written.";
            case DISK -> "Requests wait for the disk.";
            case GC_ALLOCATION ->
                    "Requests allocate so much that the collector limits the service.";
            case GC_PROMOTION ->
                    "Short-lived objects reach the old generation, so the collector"
                            + " works too much.";
            case GC_LIVE_SET -> "Live objects nearly fill the heap, so the collector never rests.";
            case GC_LEAK -> "Live objects grow in number and fill the heap.";
            case GC_EXPLICIT -> "Code calls System.gc(), and each call stops the service.";
            case GC_HUMONGOUS -> "Large arrays make G1 collect again and again.";
            case GC_STALL -> "Threads wait until the collector has freed memory.";
            case SAFEPOINT -> "The JVM stops all threads for operations other than collections.";
            case CLASS_LOADING -> "Requests load or generate classes.";
            case JIT -> "The JIT compilers slow the service down.";
            case THREAD_CHURN -> "Requests start new threads.";
            case VIRTUAL_THREAD_PINNING -> "Virtual threads block the threads that carry them.";
            case NETWORK -> "Requests wait for the network to take their answers.";
            case MEMORY -> "The machine lacks memory.";
            case UNKNOWN -> "No known limit was reached.";
        };
    }

    /// The strongest figures that prove the verdict, then all further alarms, such as throughput
    /// that collapses under more load.
    public static List<EvidenceLine> proofs(Verdict verdict) {
        List<EvidenceLine> all = verdict.evidence();
        return Stream.concat(
                        all.stream().limit(PROOFS),
                        all.stream().skip(PROOFS).filter(VerdictText::isAlarm))
                .toList();
    }

    /// The evidence below the first screen.
    public static List<EvidenceLine> further(Verdict verdict) {
        return verdict.evidence().stream().skip(PROOFS).filter(line -> !isAlarm(line)).toList();
    }

    private static boolean isAlarm(EvidenceLine line) {
        return ALARMS.contains(line.id()) && line.value() > 0;
    }

    /// The causes that the evidence rules out, the likeliest first, each with its reason: `cpu (CPU
    /// at 9 % of the cores available to it)`, `jit (…)`. A cause that is possible, or follows from
    /// the verdict, is not ruled out. A cause is left out if the holders of a contended resource
    /// spend time in it, because that time is part of the bottleneck. If the CPU limits, the thread
    /// pool is left out: its idle threads would seem to contradict the waiting requests.
    ///
    /// @param shown renders a sentence
    public static List<String> notBecauseOf(RunResult r, Function<Sentence, String> shown) {
        Set<Bottleneck> parts = partsOfTheCause(r);
        return r.verdict().runnersUp().stream()
                .filter(other -> !other.possible())
                .filter(other -> !parts.contains(other.bottleneck()))
                .filter(other ->
                        other.bottleneck() != Bottleneck.THREAD_POOL
                                || !isOfCpu(r.verdict().bottleneck()))
                .sorted(Comparator.comparingDouble(RunnerUp::confidence).reversed())
                .map(other ->
                        other.bottleneck().key()
                                + " ("
                                + brief(shown.apply(other.whyNot()), other.decided())
                                + ")")
                .toList();
    }

    /// The decisive clause of a reason: the text after `, but`, or else the whole text. It ends
    /// with the limit of the figure that decided: `only 15 % of its CPU …, limit 30 %`. Without
    /// that limit, it ends before the first comma or colon.
    static String brief(String reason, Optional<RunnerUp.Decided> decided) {
        int but = reason.indexOf(", but ");
        String clause = but < 0 ? reason : reason.substring(but + ", but ".length());
        return decided.stream()
                .flatMap(figure -> Stream.of(figure.limitText(100) + " %", figure.limitText(1)))
                .flatMap(limit -> upTo(limit, clause).stream())
                .findFirst()
                .orElseGet(() -> AFTER_THE_CLAUSE.matcher(clause).replaceFirst(""));
    }

    /// The clause up to this limit, including the text that qualifies the figure. Empty if the
    /// clause has another limit.
    private static Optional<String> upTo(String limit, String clause) {
        int at = clause.indexOf(" (limit " + limit + ")");
        return at < 0
                ? Optional.empty()
                : Optional.of(clause.substring(0, at) + ", limit " + limit);
    }

    /// True if requests wait for a CPU core, whichever process uses the cores.
    static boolean isOfCpu(Bottleneck limit) {
        return OF_CPU.contains(limit);
    }

    private static Set<Bottleneck> partsOfTheCause(RunResult r) {
        Stream<Cause> held =
                Highlights.window(r).stream()
                        .flatMap(w -> w.busy().stream())
                        .flatMap(b -> b.holder().stream())
                        .flatMap(h -> Stream.of(Cause.values()).filter(h::isIn));
        return Stream.concat(held, heldFor(r).stream())
                .flatMap(c -> named(c).stream())
                .collect(Collectors.toSet());
    }

    /// The cause in which most threads of a full pool spend their time.
    private static Optional<Cause> heldFor(RunResult r) {
        return Highlights.window(r)
                .filter(_ -> OF_HELD_THREADS.contains(r.verdict().bottleneck()))
                .flatMap(w ->
                        w.busy().stream()
                                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads)))
                .map(ThreadSamples.Busy::cause);
    }

    /// Bottlenecks that correspond to a wait of this kind. Empty for causes that have a figure of
    /// their own, such as the CPU.
    private static Set<Bottleneck> named(Cause cause) {
        return switch (cause) {
            case LOCK -> EnumSet.of(Bottleneck.LOCK);
            case POOL -> EnumSet.of(Bottleneck.CONNECTION_POOL, Bottleneck.RATE_LIMIT);
            case FUTURE -> EnumSet.of(Bottleneck.POOL_STARVATION);
            case DOWNSTREAM -> EnumSet.of(Bottleneck.DOWNSTREAM, Bottleneck.DOWNSTREAM_SERIAL);
            case DATABASE -> EnumSet.of(Bottleneck.DATABASE);
            case DNS -> EnumSet.of(Bottleneck.DNS);
            case DISK -> EnumSet.of(Bottleneck.DISK);
            case LOGGING -> EnumSet.of(Bottleneck.LOGGING);
            case SLEEP -> EnumSet.of(Bottleneck.RATE_LIMIT);
            case NETWORK -> EnumSet.of(Bottleneck.NETWORK);
            case CLASS_LOADING -> EnumSet.of(Bottleneck.CLASS_LOADING);
            case THREAD_START -> EnumSet.of(Bottleneck.THREAD_CHURN);
            case SAFEPOINT -> EnumSet.of(Bottleneck.SAFEPOINT);
            case CPU, RUN_QUEUE, GC, JVM_MUTEX, OTHER -> EnumSet.noneOf(Bottleneck.class);
        };
    }
}
