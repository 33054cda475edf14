package dev.jdyno.target;

import java.io.IOException;
import java.util.Optional;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// The local JMX connector of a JVM: listens on loopback for whoever may read the JVM's agent
/// properties, where its address is. It runs from the start with `-Dcom.sun.management.jmxremote`;
/// no JVM can stop it again.
final class LocalConnector {
    private static final String ADDRESS = "com.sun.management.jmxremote.localConnectorAddress";

    private LocalConnector() {}

    /// Where it listens; empty when it does not run.
    static Optional<String> address(Target target) throws InterruptedException {
        return Optional.ofNullable(target.jcmd().agentProperties().get(ADDRESS));
    }

    /// Starts it by attach; it then runs until the JVM ends.
    ///
    /// @throws dev.jdyno.measure.UserError when the JVM refuses
    static void start(Target target) throws InterruptedException {
        target.jcmd().run("ManagementAgent.start_local");
    }

    /// Connects; waits without a limit for a JVM that accepts and does not answer ({@link
    /// JmxSession} sets one).
    @SuppressWarnings("BanJNDI") // the address is the JVM's own, read from it over attach
    static JMXConnector connect(String address) throws IOException {
        return JMXConnectorFactory.connect(new JMXServiceURL(address));
    }
}
