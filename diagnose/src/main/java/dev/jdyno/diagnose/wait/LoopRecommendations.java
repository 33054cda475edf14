package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.SettingValue;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.measure.verdict.WrittenChange;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Recommendations for requests that queue for an event loop.
final class LoopRecommendations {
    /// @param packages the beginning of the framework's class names
    private record Hint(String packages, String says) {}

    // the order matters: a framework that is built on another one comes before it
    private static final List<Hint> OFF_THE_LOOP =
            List.of(
                    new Hint(
                            "org.springframework.web.reactive.",
                            "WebFlux: subscribeOn(Schedulers.boundedElastic())"),
                    new Hint("io.vertx.", "Vert.x: executeBlocking"),
                    new Hint("io.undertow.", "Undertow: exchange.dispatch"),
                    new Hint("io.netty.", "Netty: an EventExecutorGroup for the handler"));

    private static final List<Hint> LOOPS =
            List.of(
                    new Hint(
                            "io.vertx.",
                            "Vert.x: eventLoopPoolSize, and instances of the verticle"),
                    new Hint("io.undertow.", "Undertow: ioThreads"),
                    new Hint("io.netty.", "Netty: the size given to its EventLoopGroup"));

    /// Properties that set the number of event loops.
    private static final List<String> LOOP_SIZES =
            List.of("io.netty.eventLoopThreads", "reactor.netty.ioWorkerCount");

    private LoopRecommendations() {}

    static RecommendationList eventLoop(Situation s) {
        var recommendations = new RecommendationList();
        boolean waits = s.figure(Figure.LOOP_WAITING).isPresent();
        if (waits) {
            recommendations.byHand(
                    KnownChange.LOOP_UNBLOCK,
                    Sentence.of("Take the blocking call off the event loop").and(code(s)),
                    ofFramework(s, OFF_THE_LOOP)
                            .orElse(
                                    "a thread pool for blocking work, which sends the answer at"
                                            + " its end"),
                    s.turns(Double.POSITIVE_INFINITY));
        } else {
            recommendations.byHand(
                    KnownChange.LOOP_OFFLOAD,
                    Sentence.of(
                                    "Take the computing off the event loop, to a pool with a thread for"
                                            + " each core")
                            .and(code(s)),
                    "a loop should only read and write; `jdyno threads PID` of the running service shows what it"
                            + " does instead",
                    s.turns(Double.POSITIVE_INFINITY));
            loops(s).filter(p -> p.size() < s.target().cores())
                    .ifPresent(p -> {
                        double factor = s.target().cores() / p.size();
                        recommendations.setting(
                                KnownChange.LOOPS_MORE,
                                say(
                                        "Run %.0f event loops instead of %.0f",
                                        s.target().cores(), p.size()),
                                loopsWritten(s),
                                "the program or a flag requested fewer loops than cores"
                                        + ofFramework(s, LOOPS).map(f -> ": " + f).orElse(""),
                                s.turns(factor),
                                loopsChange(s, p));
                        recommendations.sets(
                                new SettingValue(
                                        loopsName(s, p),
                                        say("%.0f", p.size()),
                                        say("%.0f", s.target().cores())));
                    });
        }
        return recommendations;
    }

    /// Returns the code that blocks the loops or computes on them, as a clause; an empty text if no
    /// profile shows it.
    private static Sentence code(Situation s) {
        return loops(s).flatMap(p -> s.codeIn(p.name()))
                .map(own -> Sentence.of(": ").and(own.says()))
                .orElse(Sentence.of(""));
    }

    /// Returns the hint for the first framework whose code was found.
    private static Optional<String> ofFramework(Situation s, List<Hint> hints) {
        return hints.stream().filter(h -> s.runs(h.packages())).map(Hint::says).findFirst();
    }

    /// Returns how to write the number of loops. By default Netty starts two per core. Its flag has
    /// no effect on a group whose size the program sets.
    private static WrittenChange loopsWritten(Situation s) {
        boolean flag = LOOP_SIZES.stream().anyMatch(name -> s.hasFlag("-D" + name + "="));
        return flag
                ? new WrittenChange.AsValues()
                : new WhatIfChange.Units("event loops", Math.rint(s.target().cores()));
    }

    /// Returns the name by which the number of loops is set: the flag with which the service was
    /// started, or else a name with the pool in it.
    private static String loopsName(Situation s, ThreadSamples.Pool loops) {
        return LOOP_SIZES.stream()
                .filter(name -> s.hasFlag("-D" + name + "="))
                .findFirst()
                .map(name -> "-D" + name)
                .orElse("event loops of " + loops.name());
    }

    /// Returns the flag with which the service was started, if it sets the number of loops.
    private static Change loopsChange(Situation s, ThreadSamples.Pool loops) {
        String cores = say("%.0f", s.target().cores());
        return LOOP_SIZES.stream()
                .filter(name -> s.hasFlag("-D" + name + "="))
                .<Change>map(name -> new Change.SystemProperty(name, cores))
                .findFirst()
                .orElse(new Change.PoolSize(loops.name(), new Amount.Exactly(cores)));
    }

    private static Optional<ThreadSamples.Pool> loops(Situation s) {
        return s.evidence().saturated().stream()
                .flatMap(c -> c.pools().stream())
                .filter(p -> p.loop() && p.serving() && p.size() > 0)
                .max(Comparator.comparingDouble(ThreadSamples.Pool::busy));
    }
}
