package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.WaitRule;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;

/// Most threads in use wait for the address of a host name.
public final class DnsRule implements WaitRule {
    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DNS;
    }

    @Override
    public Cause cause() {
        return Cause.DNS;
    }

    @Override
    public String claim() {
        return "Name lookup is the bottleneck";
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return RemoteRecommendations.dns(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        experiments.not("the resolver is shared by the whole machine");
    }
}
