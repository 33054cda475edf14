package dev.jdyno.trial;

import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.inside.Inside;
import dev.jdyno.inside.remote.GroupLink;
import dev.jdyno.inside.remote.RemoteInside;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.recording.RecordingFile;

/// A target on another host, observed by the agent there.
///
/// @param run id of the run, which is shown at the agent
record ByAgent(String run) implements InsideOpening {
    @Override
    public Inside open(Plan.TargetPlan.Observed target, NanoClock clock)
            throws InterruptedException {
        GroupLink link =
                GroupLink.to(
                        AgentAddress.parse(target.agent()),
                        AgentSecrets.read(target.tokenFile()),
                        run,
                        clock);
        try {
            return RemoteInside.open(
                    target.agent(),
                    link,
                    new Wire(RecordingFile.json()),
                    clock,
                    target.which().text());
        } catch (RuntimeException | InterruptedException notOpened) {
            link.close();
            throw notOpened;
        }
    }
}
