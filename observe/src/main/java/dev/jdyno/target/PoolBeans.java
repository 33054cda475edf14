package dev.jdyno.target;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.LayerLimit;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import javax.management.JMException;

/// Queues and limits that the pools and connectors in a target expose over JMX.
public final class PoolBeans {
    private PoolBeans() {}

    /// @param queues present queue of each pool
    /// @param limits limits of pools and connectors
    public record Reported(List<LibraryQueue> queues, List<LayerLimit> limits) {
        public static final Reported NOTHING = new Reported(List.of(), List.of());

        public Reported {
            queues = List.copyOf(queues);
            limits = List.copyOf(limits);
        }
    }

    /// Reads their present values. Nothing if no bean exposes them, or the JVM's local connector
    /// does not run: it is not started for this.
    ///
    /// @throws UserError when the JVM does not answer
    public static Reported read(Target target) throws InterruptedException {
        Optional<String> address = LocalConnector.address(target);
        if (address.isEmpty()) {
            return Reported.NOTHING;
        }
        try (JmxSession jmx = JmxSession.to(address.get())) {
            return new Reported(jmx.ask(PoolGauges::read), jmx.ask(ContainerLimits::read));
        } catch (IOException | JMException | RuntimeException why) {
            throw UserError.target(
                            "the pools' MBeans cannot be read",
                            String.valueOf(why.getMessage()),
                            "run jdyno in the target's network namespace")
                    .causedBy(why);
        }
    }
}
