package dev.jdyno.cluster;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/// What agents say of themselves when they are asked, all at once.
///
/// @param answers of those that answered
public record Survey(List<Answer> answers) {
    /// @param local our address towards it
    /// @param wallOffsetMs its wall clock minus ours
    /// @param wallErrorMs by how much that may be wrong at most
    public record Answer(
            AgentAddress agent,
            Facts facts,
            InetAddress local,
            double wallOffsetMs,
            double wallErrorMs) {}

    public Survey {
        answers = List.copyOf(answers);
    }

    /// @param problems gets those that did not answer, and why
    public static Survey of(
            List<AgentAddress> agents,
            Credentials credentials,
            Problems problems,
            NanoClock clock) {
        return new Survey(
                together(
                        agents,
                        at -> {
                            var asked = new Door.Question(Optional.empty());
                            // the first exchange loads classes on both sides: no measure of clocks
                            Door.Visit _ = credentials.visit(at, asked, clock);
                            Door.Visit v = credentials.visit(at, asked, clock);
                            return new Answer(
                                    at, v.facts(), v.local(), v.wallOffsetMs(), v.wallErrorMs());
                        },
                        problems));
    }

    /// Does the same for each at the same time, each on a thread of its own.
    ///
    /// @param problems gets what failed
    /// @return what came of the others
    public static <A, T> List<T> together(List<A> of, Function<A, T> work, Problems problems) {
        List<CompletableFuture<T>> all =
                of.stream()
                        .map(a ->
                                CompletableFuture.supplyAsync(
                                        () -> work.apply(a),
                                        r -> Thread.ofVirtual().name("jdyno-ask").start(r)))
                        .toList();
        List<T> done = new ArrayList<>();
        for (CompletableFuture<T> each : all) {
            try {
                done.add(each.join());
            } catch (CompletionException e) {
                if (e.getCause() instanceof UserError refused) {
                    problems.add(refused.what(), refused.why(), refused.fix());
                } else {
                    throw e;
                }
            }
        }
        return done;
    }

    /// Where agents reach us: our address towards them, which must be the same for all, since a run
    /// listens at one address. One that is reached over the loopback device can only be reached so
    /// by processes of this host.
    ///
    /// @param problems gets the agents that would not reach us there
    public InetAddress meetingPoint(Problems problems) {
        List<Answer> far = answers.stream().filter(a -> !a.local().isLoopbackAddress()).toList();
        Answer first = far.isEmpty() ? answers.getFirst() : far.getFirst();
        for (Answer a : answers) {
            if (a.local().isLoopbackAddress() && !far.isEmpty()) {
                problems.add(
                        "agent " + a.agent(),
                        "it is reached over the loopback device, the others are not",
                        "let it listen at an address of this host");
            } else if (!a.local().equals(first.local())) {
                problems.add(
                        "agent " + a.agent(),
                        "this host reaches it from "
                                + a.local().getHostAddress()
                                + ", and agent "
                                + first.agent()
                                + " from "
                                + first.local().getHostAddress()
                                + "; a run listens at one address",
                        "name agents that this host reaches over the same network");
            }
        }
        return first.local();
    }
}
