package dev.jdyno.trial;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.remote.GroupLink;
import dev.jdyno.inside.remote.RemoteInside;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.Selector;
import dev.jdyno.trial.recording.RecordingFile;
import java.util.Optional;
import java.util.OptionalInt;

/// A target on another host, observed by the agent there.
///
/// @param run id of the run, which is shown at the agent
/// @param forwarded how run and agent authenticate each other if the agent is behind a port-forward
///   of this host; empty: the target names the file with the secret, and the agent reaches the run
record ByAgent(String run, Optional<Credentials> forwarded) implements InsideOpening {
    @Override
    public Inside open(Plan.TargetPlan.Observed target, NanoClock clock)
            throws InterruptedException {
        AgentAddress at = AgentAddress.parse(target.agent());
        GroupLink link =
                forwarded.isPresent()
                        ? GroupLink.throughForward(at, forwarded.get(), run, clock)
                        : GroupLink.to(at, AgentSecrets.read(target.tokenFile()), run, clock);
        try {
            return RemoteInside.open(
                    target.agent(),
                    link,
                    new Wire(RecordingFile.json()),
                    clock,
                    target.which().text(),
                    servicePort(target));
        } catch (RuntimeException | InterruptedException notOpened) {
            link.close();
            throw notOpened;
        }
    }

    /// The service's port on its host. Behind a port-forward, the URL has the port of the forward
    /// instead.
    private OptionalInt servicePort(Plan.TargetPlan.Observed target) {
        return forwarded.isPresent() && target.which() instanceof Selector.Port(int port)
                ? OptionalInt.of(port)
                : OptionalInt.empty();
    }
}
