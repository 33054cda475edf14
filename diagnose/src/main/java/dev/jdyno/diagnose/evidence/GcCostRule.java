package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One of the reasons for a collector that takes a large share of the time. {@link GcCost} decides
/// between the reasons; each rule contains only the conditions of its own reason.
public interface GcCostRule extends CollectorRule {
    /// The reason for the collector's high cost, as the end of a sentence without its full stop.
    String why(GcActivity gc);

    /// Returns a line with the size of the live data and its source; empty if live data is not the
    /// reason.
    default Optional<EvidenceLine> lives(GcActivity gc, Round round) {
        return Optional.empty();
    }

    /// Evidence that only this reason has.
    default List<EvidenceLine> lines(Evidence evidence) {
        return List.of();
    }

    @Override
    default Set<Bottleneck> bringsAbout() {
        return Set.of(Bottleneck.CPU);
    }

    @Override
    default Finding evaluate(Evidence evidence) {
        return new GcCost(this, evidence).finding();
    }
}
