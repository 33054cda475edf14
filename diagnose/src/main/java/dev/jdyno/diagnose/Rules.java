package dev.jdyno.diagnose;

import dev.jdyno.diagnose.cpu.ClassLoadingRule;
import dev.jdyno.diagnose.cpu.CpuNeighbourRule;
import dev.jdyno.diagnose.cpu.CpuQuotaRule;
import dev.jdyno.diagnose.cpu.CpuRule;
import dev.jdyno.diagnose.cpu.JitRule;
import dev.jdyno.diagnose.cpu.ThreadChurnRule;
import dev.jdyno.diagnose.edge.AcceptQueueRule;
import dev.jdyno.diagnose.edge.ClientRule;
import dev.jdyno.diagnose.edge.LoadRule;
import dev.jdyno.diagnose.edge.NetworkRule;
import dev.jdyno.diagnose.edge.PortsRule;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.gc.GcAllocationRule;
import dev.jdyno.diagnose.gc.GcExplicitRule;
import dev.jdyno.diagnose.gc.GcHumongousRule;
import dev.jdyno.diagnose.gc.GcLeakRule;
import dev.jdyno.diagnose.gc.GcLiveSetRule;
import dev.jdyno.diagnose.gc.GcPromotionRule;
import dev.jdyno.diagnose.gc.GcStallRule;
import dev.jdyno.diagnose.gc.MemoryRule;
import dev.jdyno.diagnose.gc.SafepointRule;
import dev.jdyno.diagnose.wait.ConnectionPoolRule;
import dev.jdyno.diagnose.wait.DatabaseRule;
import dev.jdyno.diagnose.wait.DiskRule;
import dev.jdyno.diagnose.wait.DnsRule;
import dev.jdyno.diagnose.wait.DownstreamRule;
import dev.jdyno.diagnose.wait.DownstreamSerialRule;
import dev.jdyno.diagnose.wait.EventLoopRule;
import dev.jdyno.diagnose.wait.LockRule;
import dev.jdyno.diagnose.wait.LoggingRule;
import dev.jdyno.diagnose.wait.PoolStarvationRule;
import dev.jdyno.diagnose.wait.RateLimitRule;
import dev.jdyno.diagnose.wait.ThreadPoolRule;
import dev.jdyno.diagnose.wait.VirtualThreadPinningRule;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rules, one for each bottleneck except `unknown`. A new rule is added only here.
final class Rules {
    static final List<Rule> ALL = rules();

    private Rules() {}

    /// The rule for a bottleneck; empty for `unknown`.
    static Optional<Rule> of(Bottleneck bottleneck) {
        return ALL.stream().filter(r -> r.bottleneck() == bottleneck).findFirst();
    }

    private static List<Rule> rules() {
        List<Rule> all = new ArrayList<>();
        all.add(new ClientRule());
        all.add(new LoadRule());
        all.add(new CpuRule());
        all.add(new CpuQuotaRule());
        all.add(new CpuNeighbourRule());
        all.add(new LockRule());
        all.add(new ThreadPoolRule());
        all.add(new ConnectionPoolRule());
        all.add(new DownstreamRule());
        all.add(new DatabaseRule());
        all.add(new LoggingRule());
        all.add(new DiskRule());
        all.add(new DnsRule());
        all.add(new RateLimitRule());
        all.add(new PoolStarvationRule());
        all.add(new EventLoopRule());
        all.add(new PortsRule());
        all.add(new AcceptQueueRule());
        all.add(new SafepointRule());
        all.add(new ClassLoadingRule());
        all.add(new JitRule());
        all.add(new ThreadChurnRule());
        all.add(new VirtualThreadPinningRule());
        all.add(new NetworkRule());
        all.add(new MemoryRule());
        all.add(new DownstreamSerialRule());
        all.add(new GcAllocationRule());
        all.add(new GcPromotionRule());
        all.add(new GcLiveSetRule());
        all.add(new GcLeakRule());
        all.add(new GcExplicitRule());
        all.add(new GcHumongousRule());
        all.add(new GcStallRule());
        return List.copyOf(all);
    }
}
