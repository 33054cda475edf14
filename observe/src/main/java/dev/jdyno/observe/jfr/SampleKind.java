package dev.jdyno.observe.jfr;

import dev.jdyno.measure.JdkRelease;
import java.time.Duration;
import java.util.Optional;

/// The clock by which a flight recording samples running threads. Only one of the two kinds is
/// requested.
enum SampleKind {
    /// Each thread is sampled after a period of its own CPU time, in Java code and in native code
    /// (JEP 509, JDK 25, Linux). Shares and sums are right, except for samples that the JVM reports
    /// as lost.
    CPU_TIME("jdk.CPUTimeSample", "eventThread"),

    /// A few threads are sampled at each tick, and only threads that run Java code: shares are
    /// right, sums are not.
    EXECUTION("jdk.ExecutionSample", "sampledThread");

    /// The event for CPU-time samples that could not be kept.
    static final String LOST = "jdk.CPUTimeSamplesLost";

    /// The first JDK with JEP 509.
    private static final int CPU_TIME_SINCE = 25;

    /// CPU time between two samples of one thread. A period of 10 ms took 0.7 % of the CPU of a
    /// service, one of 20 ms 0.3 % (docs/target-safety.md, "Cost").
    private static final Duration SHORTEST_PERIOD = Duration.ofMillis(20);

    /// Maximum samples per second when all cores are busy: the JVM's own default. On 2 cores the
    /// minimum period limits the rate to 100.
    private static final int MAX_PER_SECOND = 500;

    private final String event;
    private final String thread;

    SampleKind(String event, String thread) {
        this.event = event;
        this.thread = thread;
    }

    /// @param jdk feature release of the target; empty if it is unknown
    static SampleKind of(Optional<Integer> jdk) {
        return jdk.filter(v -> v >= CPU_TIME_SINCE).isPresent() ? CPU_TIME : EXECUTION;
    }

    static SampleKind ofVersion(Optional<String> version) {
        return of(version.flatMap(JdkRelease::of));
    }

    String event() {
        return event;
    }

    /// The event's field with the sampled thread.
    String thread() {
        return thread;
    }

    /// `jdyno.jfc` with this kind enabled and the other one disabled.
    ///
    /// @param cores cores that the target may use
    String in(String settings, double cores) {
        return settings.replace("@execution@", String.valueOf(this == EXECUTION))
                .replace("@cpu-time@", String.valueOf(this == CPU_TIME))
                .replace("@cpu-time-period@", period(cores).toMillis() + " ms");
    }

    static Duration period(double cores) {
        Duration limited = Duration.ofMillis((long) Math.ceil(cores * 1000 / MAX_PER_SECOND));
        return limited.compareTo(SHORTEST_PERIOD) > 0 ? limited : SHORTEST_PERIOD;
    }
}
