package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The application's own code in which the threads of a pool were found, by the stacks of a
/// profile: the place of an edit.
///
/// @param method the innermost own method in most of the stacks
/// @param caller the nearest own method of another class on the way to it; empty if there is none
/// @param share share of the pool's samples with this method and caller, 0…1
public record OwnCode(String method, Optional<String> caller, double share) {
    /// Minimum share of a pool's samples for a place to stand for all of them.
    private static final double MIN_SHARE = 0.5;

    /// Minimum number of samples of a place. The 95 % interval of fewer (Poisson, n ± 1.96 √n) has
    /// zero in it.
    private static final long MIN_SAMPLES = 4;

    private record Way(String method, Optional<String> caller) {}

    /// Returns the code in which the threads of a pool spend most of their time, busy or waiting;
    /// empty without a profile of all threads, without knowledge of its libraries, or if no method
    /// has most of the samples.
    static Optional<OwnCode> in(Insight insight, String pool) {
        var own = new OwnFrames(insight);
        return insight.profiles().stream()
                .filter(p -> p.kind() == Profile.Kind.WALL && p.samplesOf(pool) > 0)
                .filter(_ -> own.isKnown())
                .max(Comparator.comparingInt(Profile::concurrency))
                .flatMap(p -> most(p, pool, own));
    }

    /// Returns the code of the threads that wait for `cause`: that of the pool with most of these
    /// threads, if most of its threads in use wait for it.
    static Optional<OwnCode> waitingFor(Cause cause, ThreadSamples window, Insight insight) {
        return window.pools().stream()
                .filter(p -> p.busy() > 0 && p.doing(cause) >= MIN_SHARE * p.busy())
                .max(Comparator.comparingDouble(p -> p.doing(cause)))
                .flatMap(p -> in(insight, p.name()));
    }

    private static Optional<OwnCode> most(Profile profile, String pool, OwnFrames own) {
        Map<Way, Long> samples = new HashMap<>();
        profile.root().children().stream()
                .filter(p -> p.frame().equals(pool))
                .flatMap(p -> p.children().stream())
                .forEach(f -> add(f, Optional.empty(), own, samples));
        long all = profile.samplesOf(pool);
        return samples.entrySet().stream()
                .max(
                        Map.Entry.<Way, Long>comparingByValue()
                                .thenComparing(e -> e.getKey().toString()))
                .filter(e -> e.getValue() >= Math.max(MIN_SAMPLES, MIN_SHARE * all))
                .map(e ->
                        new OwnCode(
                                e.getKey().method(),
                                e.getKey().caller(),
                                (double) e.getValue() / all));
    }

    /// @param way the innermost own method outside of this node, with its caller
    private static void add(
            Profile.Node node, Optional<Way> way, OwnFrames own, Map<Way, Long> samples) {
        Optional<Way> here = own.isOwn(node.frame()) ? Optional.of(inner(way, node.frame())) : way;
        here.ifPresent(w -> samples.merge(w, node.self(), Long::sum));
        node.children().forEach(child -> add(child, here, own, samples));
    }

    private static Way inner(Optional<Way> outer, String frame) {
        return new Way(
                frame,
                outer.flatMap(o ->
                        typeOf(o.method()).equals(typeOf(frame))
                                ? o.caller()
                                : Optional.of(o.method())));
    }

    private static String typeOf(String method) {
        return method.substring(0, Math.max(0, method.lastIndexOf('.')));
    }

    /// Returns `Page.get, called by Handler.read, 97 % of the time of its threads`.
    public Sentence says() {
        return Sentence.format(
                "%s%s, %s",
                Sentence.name(method),
                caller.map(c -> Sentence.of(", called by ").and(Sentence.name(c)))
                        .orElse(Sentence.of("")),
                say("%.0f %% of the time of its threads", share * 100));
    }
}
