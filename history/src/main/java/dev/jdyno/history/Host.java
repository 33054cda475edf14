package dev.jdyno.history;

import dev.jdyno.measure.Machine;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.trial.LiveService;
import java.util.List;
import java.util.Optional;

/// The machine of a service whose figures are stored.
final class Host {
    private static final String UNKNOWN = "unknown";

    private Host() {}

    /// The machine that jdyno runs on.
    static Entry.Environment environment(Optional<TargetFacts> target) {
        return environment(LiveService.machine(), target);
    }

    /// @param machine of the service, which may be another one than jdyno's. If it does not give
    ///   its name and processor, they are those of jdyno's machine
    static Entry.Environment environment(Machine machine, Optional<TargetFacts> target) {
        Machine here = LiveService.machine();
        return new Entry.Environment(
                machine.host().or(here::host).orElse(UNKNOWN),
                machine.cores(),
                machine.cpu().or(here::cpu).orElse(UNKNOWN),
                machine.kernel(),
                target.flatMap(TargetFacts::jdkVersion),
                target.map(TargetFacts::flags).orElse(List.of()));
    }
}
