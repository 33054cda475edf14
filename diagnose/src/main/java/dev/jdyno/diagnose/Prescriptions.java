package dev.jdyno.diagnose;

import dev.jdyno.diagnose.cpu.CpuCures;
import dev.jdyno.diagnose.evidence.Cures;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.gc.GcCures;
import dev.jdyno.diagnose.gc.MemoryRule;
import dev.jdyno.diagnose.gc.SafepointRule;
import dev.jdyno.diagnose.wait.LockCures;
import dev.jdyno.diagnose.wait.LoggingCures;
import dev.jdyno.diagnose.wait.PinningCures;
import dev.jdyno.diagnose.wait.QueueCures;
import dev.jdyno.diagnose.wait.RemoteCures;
import dev.jdyno.diagnose.wait.ThreadPoolRule;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Prescription;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Verdict;
import dev.jdyno.measure.WhatIf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The cures for a verdict, each with what a formula foretells of it.
public final class Prescriptions {
    /// What the user wants more of, or less.
    public enum Aim {
        /// The best throughput.
        QPS,
        /// The response time at the same load.
        RT
    }

    /// Confidence from which a runner-up's cure is worth telling, too.
    private static final double AS_LIKELY = 0.7;

    /// Share of the busy threads found in a log from which fewer lines are worth telling beside
    /// another verdict.
    private static final double LOGS_MUCH = 0.1;

    private Prescriptions() {}

    /// @param whatIf what the calibrated model foretells of standard changes
    /// @return those with the largest foretold gain first, and those that no formula foretells
    ///   last, in the order in which they would be tried
    public static List<Prescription> of(
            Verdict verdict,
            Evidence evidence,
            Optional<Knee> knee,
            List<WhatIf> whatIf,
            Recording recording,
            Aim aim) {
        Situation situation = Situation.of(verdict, evidence, knee, whatIf, recording);
        List<Prescription> all = new ArrayList<>(cures(situation).list());
        if (verdict.bottleneck() == Bottleneck.THREAD_POOL && callsInSeries(verdict)) {
            all.addAll(RemoteCures.serialOnThreads(situation).list());
        }
        if (verdict.bottleneck() == Bottleneck.DOWNSTREAM_SERIAL) {
            ThreadPoolRule.usedUp(evidence)
                    .ifPresent(p -> all.addAll(QueueCures.threads(situation, p.name()).list()));
        }
        if (verdict.bottleneck() != Bottleneck.LOGGING
                && evidence.busyShare(Cause.LOGGING).orElse(0.0) >= LOGS_MUCH) {
            all.addAll(LoggingCures.debugLines(situation));
        }
        if (aim == Aim.RT) {
            all.addAll(QueueCures.ofResponseTime(situation));
        }
        all.sort(Comparator.comparingDouble(p -> -worth(p, aim)));
        return List.copyOf(all);
    }

    /// Whether threads that are all busy are so because a request calls one service after the
    /// other.
    private static boolean callsInSeries(Verdict verdict) {
        return verdict.runnersUp().stream()
                .anyMatch(r ->
                        r.bottleneck() == Bottleneck.DOWNSTREAM_SERIAL
                                && r.confidence() >= AS_LIKELY);
    }

    /// Higher is better; 0 where nothing is foretold.
    private static double worth(Prescription p, Aim aim) {
        return switch (aim) {
            case QPS -> p.predictedQpsRatio().orElse(0.0);
            case RT -> p.predictedRtRatio().map(r -> r <= 0 ? 0 : 1 / r).orElse(0.0);
        };
    }

    private static Cures cures(Situation s) {
        return switch (s.verdict().bottleneck()) {
            case LOAD -> RemoteCures.load(s);
            case CLIENT -> RemoteCures.client(s);
            case PORTS -> RemoteCures.ports(s);
            case ACCEPT_QUEUE -> QueueCures.acceptQueue(s);
            case CPU -> CpuCures.cpu(s);
            case CPU_QUOTA -> CpuCures.quota(s);
            case CPU_NEIGHBOUR -> CpuCures.neighbour(s);
            case EVENT_LOOP -> QueueCures.eventLoop(s);
            case LOCK -> LockCures.lock(s);
            case THREAD_POOL -> QueueCures.threadPool(s);
            case POOL_STARVATION -> QueueCures.poolStarvation(s);
            case CONNECTION_POOL -> QueueCures.connectionPool(s);
            case DOWNSTREAM -> RemoteCures.downstream(s);
            case DOWNSTREAM_SERIAL ->
                    ThreadPoolRule.usedUp(s.evidence()).isPresent()
                            ? RemoteCures.serialOnThreads(s)
                            : RemoteCures.serial(s);
            case DATABASE -> RemoteCures.database(s);
            case DNS -> RemoteCures.dns(s);
            case RATE_LIMIT -> QueueCures.rateLimit(s);
            case LOGGING -> LoggingCures.logging(s);
            case DISK -> QueueCures.disk(s);
            case GC_ALLOCATION -> GcCures.allocation(s);
            case GC_PROMOTION -> GcCures.promotion(s);
            case GC_LIVE_SET -> GcCures.liveSet(s);
            case GC_LEAK -> GcCures.leak(s);
            case GC_EXPLICIT -> GcCures.explicit(s);
            case GC_HUMONGOUS -> GcCures.humongous(s);
            case GC_STALL -> GcCures.stall(s);
            case SAFEPOINT -> SafepointRule.recommendations(s);
            case CLASS_LOADING -> CpuCures.classLoading(s);
            case JIT -> CpuCures.jit(s);
            case THREAD_CHURN -> CpuCures.threadChurn(s);
            case VIRTUAL_THREAD_PINNING -> PinningCures.pinning(s);
            case NETWORK -> RemoteCures.network(s);
            case MEMORY -> MemoryRule.recommendations(s);
            case UNKNOWN -> new Cures();
        };
    }
}
