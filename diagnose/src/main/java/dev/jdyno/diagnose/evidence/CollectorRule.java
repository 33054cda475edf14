package dev.jdyno.diagnose.evidence;

/// A bottleneck that can be removed only by other flags of the collector or by other code.
public interface CollectorRule extends Rule {
    @Override
    default void challenge(Experiments experiments) {
        experiments.not("the collector's flags can only be given when a JVM starts: jdyno tune");
    }
}
