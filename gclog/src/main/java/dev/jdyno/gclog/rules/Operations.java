package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.sums.Analysis;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// The causes of the operations that stop a JVM, by HotSpot's names of the operations
/// (`vmOperations.hpp`).
enum Operations {
    DUMPS(
            "ThreadDump|PrintThreads|PrintJNI|FindDeadlocks|GetAllStackTraces|GetThreadList.*",
            "thread dumps: look for the monitor, profiler or script (jstack, jcmd Thread.print) that"
                    + " takes them, and let it ask less often"),
    HEAP(
            ".*HeapInspection|HeapDumper|HeapWalkOperation|HeapIterate.*|ClassHistogram.*",
            "heap inspection: look for the process that asks for class histograms or heap dumps"),
    BIASED_LOCKS(
            "(Bulk)?RevokeBias|EnableBiasedLocking",
            "biased locks: -XX:-UseBiasedLocking, as from JDK 15 by default",
            Operations.BIASED_LOCKING_GONE),
    DEOPTIMISATION(
            "Deoptimize.*|ICBufferFull|ClearICs|MarkActiveNMethods|.*MarkDependents.*",
            "deoptimisation: look for classes that are loaded, generated or redefined all the time,"
                    + " and for an agent"),
    /// HotSpot's periodic stop, named `None` or `no vm operation` up to JDK 12.
    OF_THE_JVM(
            "Cleanup|None|no vm operation",
            "the JVM makes these stops by itself, at most one a second, and each does next to nothing:"
                    + " long ones show too few cores for the runnable threads"),
    AGENTS(
            "RedefineClasses|Retransform.*|ChangeBreakpoints|GetOrSetLocal|UpdateForPop.*|VirtualThread.*",
            "an agent or a debugger redefines classes or looks into frames: run without it");

    /// First JDK without biased locking, which is off by default from 15 on (JEP 374).
    private static final int BIASED_LOCKING_GONE = 18;

    private final Pattern names;
    private final String advice;
    private final int goneFrom;

    Operations(String names, String advice) {
        this(names, advice, Integer.MAX_VALUE);
    }

    Operations(String names, String advice, int goneFrom) {
        this.names = Pattern.compile(names);
        this.advice = advice;
        this.goneFrom = goneFrom;
    }

    /// Returns one advice for each kind of operation, the most expensive first.
    ///
    /// @param found operations other than collections, the most expensive first
    static List<String> advice(Analysis a, List<Analysis.SafepointTotal> found) {
        int jdk = a.setup().feature().orElse(0);
        List<String> all =
                found.stream()
                        .flatMap(o ->
                                Arrays.stream(values())
                                        .filter(k -> k.names.matcher(o.operation()).matches())
                                        .filter(k -> jdk < k.goneFrom)
                                        .limit(1))
                        .map(k -> k.advice)
                        .distinct()
                        .toList();
        return all.isEmpty()
                ? List.of(
                        GcRule.byJdk(
                                a,
                                "look for what asks for these operations: a tool that attaches or an"
                                        + " agent (thread dumps, heap inspection, redefined classes)",
                                "-XX:+PrintSafepointStatistics -XX:PrintSafepointStatisticsCount=1"
                                        + " names the operations; usual are thread dumps, heap"
                                        + " inspection, deoptimisation and biased locks"
                                        + " (-XX:-UseBiasedLocking)"))
                : all;
    }
}
