package dev.jdyno.otlp;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.trial.TrialListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Sends the rounds of one run to a collector while it goes on, and its verdict at the end.
///
/// The run hands over the values and continues at once; one thread sends them between the rounds.
/// If the collector does not answer, the values are kept and sent with those of the next round.
/// {@link #close} reports what the collector did not get.
public final class OtlpExport implements AutoCloseable {
    /// Maximum number of rounds that wait for the collector: about 8 MB as JSON.
    private static final int MAX_WAITING = 1000;

    private static final Duration PAUSE_BEFORE_LAST = Duration.ofMillis(500);

    /// Maximum time that the end of a run waits for the collector.
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final OtlpEndpoint endpoint;
    private final String version;
    private final InstantSource clock;
    private final Consumer<String> warning;
    private final OtlpPoints points;
    private final Map<String, String> resource;
    private final ThreadPoolExecutor sender;

    // The run's thread and the sender's use these fields, each under this object's lock.
    private final Deque<Batch> waiting = new ArrayDeque<>();
    private final Missed missed = new Missed();
    private int rounds;
    private boolean ends;

    /// Values that were measured together.
    ///
    /// @param isRound false if they are those of the verdict
    private record Batch(List<OtlpPoint> points, boolean isRound) {}

    /// What the collector did not get, and the newest reason.
    private static final class Missed {
        private int rounds;
        private boolean verdict;
        private long points;
        private String why = "";

        private void add(Batch batch) {
            if (batch.isRound()) {
                rounds++;
            } else {
                verdict = true;
            }
        }

        private Optional<String> says(int of) {
            List<String> all = new ArrayList<>();
            if (rounds > 0) {
                all.add(rounds + " of " + of + " rounds");
            }
            if (verdict) {
                all.add("the verdict");
            }
            if (points > 0) {
                all.add(points + " values that it rejected");
            }
            return all.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", all));
        }
    }

    /// @param service `service.name` of the sender
    /// @param plan name of the run
    /// @param version of jdyno
    /// @param warning receives at most one line, at the end
    public OtlpExport(
            OtlpEndpoint endpoint,
            String service,
            String plan,
            String version,
            InstantSource clock,
            Consumer<String> warning) {
        this.endpoint = endpoint;
        this.version = version;
        this.clock = clock;
        this.warning = warning;
        this.points = new OtlpPoints(plan);
        this.resource =
                Map.of(
                        "service.name", service,
                        "service.version", version,
                        "service.instance.id", UUID.randomUUID().toString());
        // One task in the queue is enough: it sends all values that wait.
        this.sender =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(1),
                        Thread.ofPlatform().name("jdyno-otlp").daemon().factory(),
                        new ThreadPoolExecutor.DiscardPolicy());
    }

    /// Returns a listener that sends each round.
    ///
    /// @param also another listener of the same run
    public TrialListener watching(TrialListener also) {
        return new Watching(also);
    }

    /// Sends the result of the run.
    public void end(RunResult result) {
        add(new Batch(points.of(result, clock.instant()), false));
    }

    private void add(Batch batch) {
        synchronized (this) {
            if (batch.isRound()) {
                rounds++;
            }
            if (waiting.size() >= MAX_WAITING) {
                missed.add(batch);
            } else {
                waiting.add(batch);
            }
        }
        sender.execute(this::deliver);
    }

    private void deliver() {
        try {
            if (!sent() && isEnding()) {
                Thread.sleep(PAUSE_BEFORE_LAST);
                sent();
            }
        } catch (InterruptedException late) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isEnding() {
        return ends;
    }

    /// Sends all values that wait.
    ///
    /// @return false if they must be sent again
    private boolean sent() {
        List<Batch> batches;
        synchronized (this) {
            batches = List.copyOf(waiting);
        }
        if (batches.isEmpty()) {
            return true;
        }
        List<OtlpPoint> all = batches.stream().flatMap(b -> b.points().stream()).toList();
        OtlpRequest.Answer answer = OtlpRequest.send(endpoint, OtlpJson.of(resource, version, all));
        synchronized (this) {
            switch (answer) {
                case OtlpRequest.Answer.Away(String why) -> {
                    missed.why = why;
                    return false;
                }
                case OtlpRequest.Answer.Refused(String why) -> {
                    missed.why = why;
                    batches.forEach(missed::add);
                }
                case OtlpRequest.Answer.Accepted(long rejected, String why) -> {
                    missed.points += rejected;
                    missed.why = rejected > 0 ? why : missed.why;
                }
            }
            batches.forEach(_ -> waiting.remove());
            return true;
        }
    }

    /// Sends what is left, and reports what the collector did not get. Returns after at most 10 s.
    @Override
    public void close() {
        synchronized (this) {
            ends = true;
        }
        sender.execute(this::deliver);
        sender.shutdown();
        boolean ended = false;
        try {
            ended = sender.awaitTermination(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            sender.shutdownNow();
        }
        synchronized (this) {
            waiting.forEach(missed::add);
            missed.says(rounds)
                    .ifPresent(what ->
                            warning.accept(
                                    "warning: the OpenTelemetry collector at "
                                            + endpoint
                                            + " did not get "
                                            + what
                                            + ": "
                                            + (missed.why.isEmpty()
                                                    ? "no answer in time"
                                                    : missed.why)));
        }
    }

    private final class Watching implements TrialListener {
        private final TrialListener also;

        private Watching(TrialListener also) {
            this.also = also;
        }

        @Override
        public void phase(String says) {
            also.phase(says);
        }

        @Override
        public void measuring(String says) {
            also.measuring(says);
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            also.progress(seconds, of, qps);
        }

        @Override
        public void round(Round round) {
            also.round(round);
            add(new Batch(points.of(round, clock.instant()), true));
        }

        @Override
        public void block(Block block, Round round) {
            also.block(block, round);
        }

        @Override
        public void knee(double concurrency, Interval ci95, double qps) {
            also.knee(concurrency, ci95, qps);
        }

        @Override
        public void note(String says) {
            also.note(says);
        }
    }
}
