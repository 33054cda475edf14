package dev.jdyno.report.words;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.Verdict.RunnerUp;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A verdict in the words of the first screen: what limits in one short sentence, two figures that
/// prove it, and what it is not.
public final class VerdictText {
    /// Figures that prove a verdict on the first screen.
    public static final int PROOFS = 2;

    private VerdictText() {}

    /// What the name of a bottleneck means, in one short sentence: the subject and its limit.
    public static String headline(Bottleneck name) {
        return switch (name) {
            case LOAD -> "The service is at no limit: it can serve more requests at once.";
            case CLIENT -> "The load generator is at its limit, not the service.";
            case PORTS -> "New connections find no free port.";
            case ACCEPT_QUEUE -> "The accept queue is full, so the kernel drops new connections.";
            case CPU -> "The service uses all of the CPU that it can get.";
            case CPU_QUOTA -> "The CPU quota of its control group stops the service.";
            case CPU_NEIGHBOUR -> "Other processes use the CPU that the service needs.";
            case EVENT_LOOP -> "An event loop thread uses a whole core or is blocked, so its connections wait.";
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
            case GC_PROMOTION -> "Short-lived objects get old, so the collector works too much.";
            case GC_LIVE_SET -> "Live objects nearly fill the heap, so the collector never rests.";
            case GC_LEAK -> "Live objects grow in number and fill the heap.";
            case GC_EXPLICIT -> "Code calls System.gc(), and each call stops the service.";
            case GC_HUMONGOUS -> "Large arrays make G1 collect again and again.";
            case GC_STALL -> "Threads wait until the collector has freed memory.";
            case SAFEPOINT -> "The JVM stops all threads for something else than collections.";
            case CLASS_LOADING -> "Requests load or generate classes.";
            case JIT -> "The JIT compilers hold the service up.";
            case THREAD_CHURN -> "Requests start new threads.";
            case VIRTUAL_THREAD_PINNING -> "Virtual threads block the threads that carry them.";
            case NETWORK -> "Requests wait for the network to take their answers.";
            case MEMORY -> "The machine lacks memory.";
            case UNKNOWN -> "No known limit was reached.";
        };
    }

    /// The figures that prove it, the strongest first.
    public static List<EvidenceLine> proofs(Verdict verdict) {
        return verdict.evidence().stream().limit(PROOFS).toList();
    }

    /// The evidence below the first screen.
    public static List<EvidenceLine> further(Verdict verdict) {
        return verdict.evidence().stream().skip(PROOFS).toList();
    }

    /// `cpu (CPU at 9 % of its cores), jit, gc-leak`: names that the evidence is against, the
    /// likeliest first with its reason; empty where there is none.
    ///
    /// @param shown how a sentence is shown
    public static Optional<String> notBecauseOf(Verdict verdict, Function<Sentence, String> shown) {
        List<RunnerUp> ruledOut = ruledOut(verdict);
        return ruledOut.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ruledOut.getFirst().bottleneck().key()
                                + " ("
                                + shown.apply(ruledOut.getFirst().whyNot())
                                + ")"
                                + ruledOut.stream()
                                        .skip(1)
                                        .map(r -> ", " + r.bottleneck().key())
                                        .collect(Collectors.joining()));
    }

    /// The same names without a reason.
    public static Optional<String> notBecauseOf(Verdict verdict) {
        List<RunnerUp> ruledOut = ruledOut(verdict);
        return ruledOut.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ruledOut.stream()
                                .map(r -> r.bottleneck().key())
                                .collect(Collectors.joining(", ")));
    }

    private static List<RunnerUp> ruledOut(Verdict verdict) {
        return verdict.runnersUp().stream().filter(r -> !r.possible()).toList();
    }
}
