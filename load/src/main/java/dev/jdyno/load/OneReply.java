package dev.jdyno.load;

import dev.jdyno.load.journey.Script;
import dev.jdyno.load.journey.Scripts;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/// The reply to one request, which is sent in the same way as the load engine sends all others.
///
/// @param status status of gRPC (below 100) or of HTTP
/// @param body the body, if it was kept
/// @param bytes length of the body, whether it was kept or not
public record OneReply(int status, Body body, long bytes) {
    private static final long CHECK_INTERVAL_NANOS = 2_000_000;

    /// Sends one request and waits for its reply.
    ///
    /// @throws UserError of kind target if no whole reply comes within the timeouts of the spec
    public static OneReply to(LoadSpec spec, NanoClock clock) {
        var answer = new CompletableFuture<OneReply>();
        Body request = Body.of(spec.encode(spec.parts()));
        Scripts once =
                new Scripts() {
                    @Override
                    public Script script(int user, RandomGenerator random) {
                        return new Once(request, spec.parts(), answer);
                    }

                    @Override
                    public List<String> stepNames() {
                        return List.of();
                    }
                };
        long end = clock.nanos() + spec.connectTimeout().plus(spec.requestTimeout()).toNanos();
        try (LoadSession session =
                LoadSession.start(spec, clock, new SplittableRandom(), Optional.of(once))) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            Optional<LoadWindow> seen = Optional.empty();
            while (!answer.isDone()) {
                LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
                LoadWindow window = session.take();
                LoadWindow all = seen.map(s -> s.plus(window)).orElse(window);
                seen = Optional.of(all);
                boolean failed = all.errors() > 0 || clock.nanos() > end;
                if (failed && !answer.isDone()) {
                    throw unanswered(spec, all);
                }
            }
            return answer.join();
        }
    }

    private static UserError unanswered(LoadSpec spec, LoadWindow seen) {
        String kinds = String.join(", ", seen.errorKinds().keySet());
        return UserError.target(
                "no reply from " + spec.url(),
                seen.failures().stream()
                        .findFirst()
                        .map(FailureText::says)
                        .orElse(kinds.isEmpty() ? "none came in time" : kinds),
                FailureText.adviceForNone(seen.failures(), spec.isTls())
                        .orElse("check that the service runs there"));
    }

    private record Once(
            Body request, RequestParts parts, CompletableFuture<OneReply> answer, ReplyText reply)
            implements Script {
        Once(Body request, RequestParts parts, CompletableFuture<OneReply> answer) {
            this(request, parts, answer, new ReplyText());
        }

        @Override
        public byte[] next() {
            return request.shared();
        }

        @Override
        public boolean isHead() {
            return parts.isHead();
        }

        @Override
        public int step() {
            return 0;
        }

        @Override
        public Judgement judge(int status) {
            answer.complete(new OneReply(status, Body.of(reply.bodyArray()), reply.bodyBytes()));
            return Judgement.GOOD;
        }

        @Override
        public void failed() {}
    }
}
