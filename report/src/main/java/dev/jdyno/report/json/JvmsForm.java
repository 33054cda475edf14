package dev.jdyno.report.json;

import dev.jdyno.measure.RunningJvm;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// `jdyno/jvms/1`: its components are the keys of the contract, in their order.
public record JvmsForm(String schema, List<Jvm> jvms) {
    /// @param observe `all`, or `load-only` where nothing inside can be observed
    /// @param container whether it has a network of its own
    public record Jvm(
            long pid,
            Optional<String> name,
            String main,
            Optional<String> user,
            List<Integer> ports,
            Optional<Double> ageSeconds,
            Optional<Double> cores,
            String observe,
            boolean container) {}

    public static JvmsForm of(List<RunningJvm> jvms) {
        return new JvmsForm("jdyno/jvms/1", jvms.stream().map(JvmsForm::jvm).toList());
    }

    private static Jvm jvm(RunningJvm j) {
        return new Jvm(
                j.pid(),
                j.serviceName(),
                j.main(),
                j.user(),
                j.ports(),
                j.ageSeconds(),
                j.cores(),
                j.access().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                j.ownNetwork());
    }
}
