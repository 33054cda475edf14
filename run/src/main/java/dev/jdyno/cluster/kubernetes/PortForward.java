package dev.jdyno.cluster.kubernetes;

import java.util.List;
import java.util.Optional;

/// Ports of this host that lead to ports of a pod's loopback device.
interface PortForward extends AutoCloseable {
    /// Begins to forward ports of a pod.
    @FunctionalInterface
    interface Opening {
        /// @param place options of `kubectl` for the context and the namespace
        /// @param remote ports of the pod
        /// @throws dev.jdyno.measure.text.UserError if it is refused
        PortForward to(List<String> place, String pod, List<Integer> remote);
    }

    /// The port of this host's loopback device that leads to a port of the pod.
    int local(int remote);

    /// The reason why it has ended; empty while it runs.
    Optional<String> ended();

    @Override
    void close();
}
