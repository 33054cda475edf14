package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.RequestError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// Adds up the counts of a session's event loops over the same time.
public final class LoopSums {
    /// Suffix of an asynchronous operation's name for the statistics of its replies, before the
    /// effect.
    private static final String ACCEPTED = ": reply";

    private final List<String> stepNames;
    private final Histogram latency = LoopStats.histogram();
    private final Histogram service = LoopStats.histogram();
    private final Histogram sendError = LoopStats.histogram();
    private final Histogram connect = LoopStats.histogram();
    private final Histogram handshake = LoopStats.histogram();
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Map<String, LoadWindow.NamedRequests> named = new TreeMap<>();
    private List<FailureCount> failures = List.of();
    private Detours detours = Detours.NONE;
    private ReplyWindow replies = ReplyWindow.NONE;
    private long start = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private long lastReply = Long.MIN_VALUE;
    private long good;
    private long read;
    private long written;
    private long backlogged;
    private int backlogMost;
    private long inFlight;
    private long polls;
    private long open;
    private long lost;
    private long min = Long.MAX_VALUE;

    private LoopSums(List<String> stepNames) {
        this.stepNames = stepNames;
    }

    /// @param stepNames names of the requests with separate statistics, by step number
    /// @param use resource use of the client process in this time
    public static LoadWindow window(List<LoopStats> loops, List<String> stepNames, ClientUse use) {
        var sums = new LoopSums(stepNames);
        loops.forEach(sums::add);
        return sums.window(use);
    }

    private void add(LoopStats s) {
        start = Math.min(start, s.startNanos);
        end = Math.max(end, s.endNanos);
        lastReply = Math.max(lastReply, s.lastReplyNanos);
        Histogram corrected = s.onTime.copy();
        corrected.add(s.lateCorrected);
        latency.add(corrected);
        replies = replies.plus(s.replies.window(corrected));
        service.add(s.onTime);
        service.add(s.lateService);
        sendError.add(s.sendError);
        connect.add(s.connect);
        handshake.add(s.handshake);
        failures = FailureCount.sum(failures, s.failures.counts());
        s.errors.forEach((kind, n) -> add(errors, kind.key(), n));
        for (int status = 0; status < s.statuses.length; status++) {
            add(statuses, status, s.statuses[status]);
            add(errors, error(status), s.badStatuses[status]);
        }
        for (int i = 0; i < s.steps.length; i++) {
            addStep(stepNames.get(i), s.steps[i]);
        }
        polls += s.polls;
        detours = detours.plus(s.detours());
        open += s.open;
        lost += s.lost;
        min = Math.min(min, s.leastReplyNanos);
        good += s.good;
        read += s.bytesRead;
        written += s.bytesWritten;
        backlogged += s.backlogged;
        backlogMost = Math.max(backlogMost, s.backlogMost);
        inFlight += s.inFlight;
    }

    /// Name of the error for a status. Codes below those of HTTP are gRPC codes.
    private static String error(int status) {
        return status > 0 && status <= ErrorKind.MAX_GRPC_CODE
                ? ErrorKind.ofGrpc(status).key()
                : new RequestError.Status(status).key();
    }

    private void addStep(String name, LoopStats.Step step) {
        named.merge(
                name,
                new LoadWindow.NamedRequests(step.good, step.errors, step.latency),
                LoadWindow.NamedRequests::plus);
        if (step.accepted.getTotalCount() > 0) {
            named.merge(
                    name + ACCEPTED,
                    new LoadWindow.NamedRequests(step.accepted.getTotalCount(), 0, step.accepted),
                    LoadWindow.NamedRequests::plus);
        }
    }

    private LoadWindow window(ClientUse use) {
        return new LoadWindow(
                start,
                end,
                lastReply,
                latency,
                service,
                sendError,
                connect,
                handshake,
                good,
                errors,
                failures,
                statuses,
                read,
                written,
                backlogged,
                backlogMost,
                inFlight,
                named,
                polls,
                detours,
                new LoadWindow.Connections(open, lost, min == Long.MAX_VALUE ? 0 : min),
                use,
                Optional.empty(),
                replies);
    }

    private static <K> void add(Map<K, Long> to, K key, long n) {
        if (n > 0) {
            to.merge(key, n, Long::sum);
        }
    }
}
