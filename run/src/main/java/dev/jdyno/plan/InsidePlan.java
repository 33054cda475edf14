package dev.jdyno.plan;

import dev.jdyno.measure.thread.MethodName;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The measurements of a run inside the target, in addition to the counters of every round.
///
/// @param profile whether flame graphs are wanted
/// @param stages methods to time
/// @param frames a file of the user with the meaning of stack frames
/// @param liveCount whether live objects may be counted if the heap seems to leak
/// @param metrics place of the service's own metrics
public record InsidePlan(
        boolean profile,
        List<MethodName> stages,
        Optional<Path> frames,
        boolean liveCount,
        MetricsPlan metrics) {
    public static final InsidePlan NONE =
            new InsidePlan(false, List.of(), Optional.empty(), true, MetricsPlan.NONE);
    public static final InsidePlan DEFAULT =
            new InsidePlan(true, List.of(), Optional.empty(), true, MetricsPlan.SEARCH);

    public InsidePlan {
        stages = List.copyOf(stages);
    }

    InsidePlan with(MetricsPlan wanted) {
        return new InsidePlan(profile, stages, frames, liveCount, wanted);
    }
}
