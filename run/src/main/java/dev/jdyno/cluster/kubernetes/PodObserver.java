package dev.jdyno.cluster.kubernetes;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.measure.text.UserError;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// An agent in an ephemeral container of a pod, which observes the JVM of the pod, and the
/// port-forward through which the agent and the JVM's service are reached.
public final class PodObserver implements AutoCloseable {
    /// Maximum time until the only run of an agent comes, in minutes. From the agent's start to its
    /// run there are four steps, each of at most {@link Client#LIMIT}: a query of the pod, its log,
    /// the port-forward, and the check of its key. The rest is for the start of the run.
    public static final int FIRST_RUN_MIN = 5;

    private static final String ENDS = " ends by itself within " + FIRST_RUN_MIN + " min";

    private final ObservedPod pod;
    private final AgentAddress agent;
    private final Credentials credentials;
    private final int servicePort;
    private final PortForward forward;
    private final BooleanSupplier awaitEnd;
    private final Consumer<String> progress;
    private final String container;

    /// @param container the ephemeral one
    /// @param remotePort at which the service listens in its pod
    /// @param awaitEnd waits for the end of the container; false if it has not ended
    PodObserver(
            ObservedPod pod,
            String container,
            AgentAddress agent,
            Credentials credentials,
            int remotePort,
            PortForward forward,
            BooleanSupplier awaitEnd,
            Consumer<String> progress) {
        this.pod = pod;
        this.container = container;
        this.agent = agent;
        this.credentials = credentials;
        this.servicePort = forward.local(remotePort);
        this.forward = forward;
        this.awaitEnd = awaitEnd;
        this.progress = progress;
    }

    /// The address at which this host reaches the agent.
    public AgentAddress agent() {
        return agent;
    }

    /// The way in which the run and this agent authenticate each other.
    public Credentials credentials() {
        return credentials;
    }

    /// The port of this host's loopback device that leads to the service.
    public int servicePort() {
        return servicePort;
    }

    /// Name of the container with the JVM.
    public String container() {
        return pod.container();
    }

    /// Waits a few seconds for the end of the agent, which ends after its run. Ends the
    /// port-forward.
    @Override
    public void close() {
        forward.ended()
                .ifPresent(why -> progress.accept("the port-forward ended during the run: " + why));
        String named = "container " + container + " of pod " + pod.name();
        try {
            boolean ended = awaitEnd.getAsBoolean();
            progress.accept(
                    ended
                            ? named + " has ended; it stays listed until the pod is deleted"
                            : named + ENDS + "; it stays listed until the pod is deleted");
        } catch (UserError unknown) {
            progress.accept(named + ENDS + ": " + unknown.why());
        } finally {
            forward.close();
        }
    }
}
