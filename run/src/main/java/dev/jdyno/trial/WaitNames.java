package dev.jdyno.trial;

import dev.jdyno.measure.Insight.Wait;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gives each wait the same name in all sources. A flight recording shows that a thread waits for a
/// result; thread samples and open connections together show what completes that result.
final class WaitNames {
    private WaitNames() {}

    private record Name(int concurrency, Cause cause, String where) {}

    /// The waits of a recording under the names of the thread samples, largest first. A wait for a
    /// result counts as a call of an asynchronous client if most threads in such waits wait for
    /// such a call.
    static List<Wait> of(List<Wait> waits, List<ThreadSamples> samples) {
        Map<Name, Wait> named = new LinkedHashMap<>();
        for (Wait wait : waits) {
            Wait same = named(wait, samples);
            named.merge(
                    new Name(same.concurrency(), same.cause(), same.where()), same, WaitNames::sum);
        }
        List<Wait> all = new ArrayList<>(named.values());
        all.sort(Comparator.comparingDouble(Wait::perRequestMs).reversed());
        return all;
    }

    private static Wait sum(Wait a, Wait b) {
        return new Wait(
                a.concurrency(),
                a.cause(),
                a.where(),
                a.count() + b.count(),
                a.perRequestMs() + b.perRequestMs(),
                Optional.empty());
    }

    private static Wait named(Wait wait, List<ThreadSamples> samples) {
        boolean forAResult =
                wait.cause() == Cause.FUTURE
                        && PlaceText.place(wait.cause(), wait.where())
                                .is(Place.Activity.OTHER_TASK);
        return samples.stream()
                .filter(s -> forAResult && s.concurrency() == wait.concurrency())
                .flatMap(s -> call(s).stream())
                .findFirst()
                .map(call ->
                        new Wait(
                                wait.concurrency(),
                                call.cause(),
                                call.where(),
                                wait.count(),
                                wait.perRequestMs(),
                                wait.length()))
                .orElse(wait);
    }

    /// The call for which most threads wait through an asynchronous client, if more threads wait
    /// this way than for tasks.
    private static Optional<ThreadSamples.Busy> call(ThreadSamples seen) {
        List<ThreadSamples.Busy> calls =
                seen.busy().stream().filter(ThreadSamples.Busy::async).toList();
        double threads = calls.stream().mapToDouble(ThreadSamples.Busy::threads).sum();
        return calls.stream()
                .filter(_ -> threads > seen.threads(Cause.FUTURE))
                .max(Comparator.comparingDouble(ThreadSamples.Busy::threads));
    }
}
