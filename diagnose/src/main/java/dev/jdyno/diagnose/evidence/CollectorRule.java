package dev.jdyno.diagnose.evidence;

/// A bottleneck that only other flags of the collector, or other code, take away.
public interface CollectorRule extends Rule {
    @Override
    default void challenge(Experiments experiments) {
        experiments.not("the collector's flags can only be given when a JVM starts: jdyno tune");
    }
}
