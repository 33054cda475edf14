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

/// The facts that agents give about themselves when all of them are asked at once.
///
/// @param answers of the agents that answered
public record Survey(List<Answer> answers) {
    /// @param local our address for the connection to the agent
    /// @param wallOffsetMs the agent's wall clock minus our wall clock
    /// @param wallErrorMs maximum error of the offset
    public record Answer(
            AgentAddress agent,
            Facts facts,
            InetAddress local,
            double wallOffsetMs,
            double wallErrorMs) {}

    public Survey {
        answers = List.copyOf(answers);
    }

    /// @param problems receives the agents that did not answer, and why
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
                            // the first exchange loads classes on both sides, so it cannot measure
                            // clocks
                            Door.Visit _ = credentials.visit(at, asked, clock);
                            Door.Visit v = credentials.visit(at, asked, clock);
                            return new Answer(
                                    at, v.facts(), v.local(), v.wallOffsetMs(), v.wallErrorMs());
                        },
                        problems));
    }

    /// Does the same work for all agents at the same time, each on its own thread.
    ///
    /// @param problems receives the failures
    /// @return the results of the others
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

    /// The address at which agents reach us: our address towards them. It must be the same for all,
    /// because a run listens at one address. If an agent is reached over the loopback device, only
    /// processes of this host can reach us there.
    ///
    /// @param problems receives the agents that cannot reach us at that address
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
