package dev.jdyno.diagnose.evidence;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Evidence for tests: any rounds, and one diagnostic window at the load of the last of them.
public final class OneWindow {
    private static final int DUMPS = 12;

    private final List<Round> rounds;
    private final List<ThreadSamples.Pool> pools = new ArrayList<>();
    private final List<ThreadSamples.Busy> busy = new ArrayList<>();
    private final List<Calls> calls = new ArrayList<>();
    private final Map<Sign, Double> signs = new EnumMap<>(Sign.class);
    private double unread;

    private OneWindow(List<Round> rounds) {
        this.rounds = rounds;
    }

    /// @param rounds in the order of rising concurrency
    public static OneWindow of(Round... rounds) {
        return new OneWindow(Arrays.asList(rounds));
    }

    public OneWindow busy(Cause cause, String where, double threads) {
        busy.add(new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads));
        return this;
    }

    public OneWindow pool(ThreadSamples.Pool pool) {
        pools.add(pool);
        return this;
    }

    /// Open connections to another service, and the number of them that await an answer.
    public OneWindow calls(String where, int connections, double awaiting) {
        calls.add(new Calls(PlaceText.peer(where), connections, awaiting, connections));
        return this;
    }

    public OneWindow sign(Sign sign, double value) {
        signs.put(sign, value);
        return this;
    }

    /// Connections with a request that no thread has read yet.
    public OneWindow unread(double connections) {
        unread = connections;
        return this;
    }

    public Evidence build() {
        Round last = rounds.getLast();
        var window =
                new ThreadSamples(
                        last.concurrency(),
                        last.qps(),
                        DUMPS,
                        1,
                        pools,
                        busy,
                        unread,
                        0,
                        calls,
                        new Signals(signs));
        var at = Saturation.of(rounds).orElseThrow();
        return new Evidence(
                rounds,
                at.plateau(),
                at.doubled(),
                Optional.of(window),
                Optional.empty(),
                Optional.empty());
    }

    public Verdict verdict() {
        return Diagnosis.of(build());
    }
}
