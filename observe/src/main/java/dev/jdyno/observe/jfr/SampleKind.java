package dev.jdyno.observe.jfr;

import dev.jdyno.measure.JdkRelease;
import java.time.Duration;
import java.util.Optional;

/// By which clock a flight recording samples running threads. One of the two is asked for, never
/// both.
enum SampleKind {
    /// Each thread after so much CPU time of its own, in Java code as in native code (JEP 509, JDK
    /// 25, Linux): shares and sums are right, but for what the JVM says it lost.
    CPU_TIME("jdk.CPUTimeSample", "eventThread"),

    /// A few threads at each tick, and only those that run Java code: shares are right, sums are
    /// not.
    EXECUTION("jdk.ExecutionSample", "sampledThread");

    /// What the JVM writes where a CPU-time sample could not be kept.
    static final String LOST = "jdk.CPUTimeSamplesLost";

    /// The first JDK with JEP 509.
    private static final int CPU_TIME_SINCE = 25;

    /// CPU time between two samples of one thread. Every 10 ms they took 0.7 % of the CPU of a
    /// service, every 20 ms 0.3 % (docs/target-safety.md, "Cost").
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(20);

    /// Samples per second when all cores are busy: the JVM's own default. On 2 cores the period
    /// makes it 100.
    private static final int MOST_PER_SECOND = 500;

    private final String event;
    private final String thread;

    SampleKind(String event, String thread) {
        this.event = event;
        this.thread = thread;
    }

    /// @param jdk feature release of the target; empty where nobody knows it
    static SampleKind of(Optional<Integer> jdk) {
        return jdk.filter(v -> v >= CPU_TIME_SINCE).isPresent() ? CPU_TIME : EXECUTION;
    }

    static SampleKind ofVersion(Optional<String> version) {
        return of(version.flatMap(JdkRelease::of));
    }

    String event() {
        return event;
    }

    /// The event's field with the thread that was sampled.
    String thread() {
        return thread;
    }

    /// `jdyno.jfc` with this kind asked for and the other one not.
    ///
    /// @param cores that the target may use
    String in(String settings, double cores) {
        return settings.replace("@execution@", String.valueOf(this == EXECUTION))
                .replace("@cpu-time@", String.valueOf(this == CPU_TIME))
                .replace("@cpu-time-period@", period(cores).toMillis() + " ms");
    }

    static Duration period(double cores) {
        Duration limited = Duration.ofMillis((long) Math.ceil(cores * 1000 / MOST_PER_SECOND));
        return limited.compareTo(SHORTEST_PERIOD) > 0 ? limited : SHORTEST_PERIOD;
    }
}
