package dev.jdyno.load.journey;

import dev.jdyno.load.reply.ReplyText;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.GrpcFrames;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpec.Header;
import dev.jdyno.load.request.OneLine;
import dev.jdyno.load.request.RequestParts;
import dev.jdyno.load.request.Template;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.Workload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A workload prepared for one session: its templates are parsed, its constant requests are encoded
/// once. Each user gets its own script.
public final class Journeys implements Scripts {
    /// A request. `constant` is the whole encoded request if it contains no placeholders.
    private record Request(
            Template method,
            Template path,
            Map<String, Template> headers,
            Template body,
            Optional<Body> constant) {}

    private record Ready(Workload.Step step, int number, Request request, Optional<Request> poll) {}

    private final LoadSpec spec;
    private final Workload workload;
    private final List<List<Ready>> journeys = new ArrayList<>();
    private final List<String> stepNames = new ArrayList<>();
    private final AtomicInteger nextJourney = new AtomicInteger();
    private final double totalWeight;

    public Journeys(LoadSpec spec, Workload workload) {
        this.spec = spec;
        this.workload = workload;
        for (Workload.Journey journey : workload.journeys()) {
            List<Ready> steps = new ArrayList<>();
            for (Workload.Step step : journey.steps()) {
                steps.add(ready(step));
            }
            journeys.add(steps);
        }
        this.totalWeight = workload.journeys().stream().mapToDouble(Workload.Journey::weight).sum();
    }

    @Override
    public List<String> stepNames() {
        return stepNames;
    }

    private Ready ready(Workload.Step step) {
        int number = stepNames.size();
        stepNames.add(step.name());
        return new Ready(
                step,
                number,
                request(step.method(), step.path(), step.headers(), step.body()),
                step.poll().map(p -> request(p.method(), p.path(), p.headers(), p.body())));
    }

    private Request request(
            String method, String path, Map<String, String> headerTexts, String body) {
        Map<String, Template> headers = new HashMap<>();
        headerTexts.forEach((k, v) -> headers.put(k, new Template(v)));
        var r =
                new Request(
                        new Template(method),
                        new Template(path),
                        headers,
                        new Template(body),
                        Optional.empty());
        boolean constant =
                r.method.isConstant()
                        && r.path.isConstant()
                        && r.body.isConstant()
                        && headers.values().stream().allMatch(Template::isConstant);
        return constant
                ? new Request(
                        r.method,
                        r.path,
                        headers,
                        r.body,
                        Optional.of(Body.of(spec.encode(parts(r, Map.of())))))
                : r;
    }

    private RequestParts parts(Request r, Map<String, String> values) {
        List<Header> headers = new ArrayList<>(spec.headers());
        r.headers.forEach((k, v) -> headers.add(new Header(k, OneLine.value(v.fill(values)))));
        return new RequestParts(
                OneLine.target(r.method.fill(values)),
                OneLine.target(r.path.fill(values)),
                headers,
                Body.of(r.body.fill(values)));
    }

    @Override
    public Script script(int user, RandomGenerator random) {
        return new UserScript(user, random);
    }

    private final class UserScript implements Script {
        private final int user;
        private final RandomGenerator random;
        private final ReplyText reply = new ReplyText();
        private final Map<String, String> values = new HashMap<>();
        private List<Ready> journey = List.of();
        private int at;
        private Ready current;

        /// Number of the arrival that this journey belongs to, if requests have a timetable.
        private long arrival;

        /// The limit that ended the last search for a value, or the reason why a gRPC reply is
        /// invalid; empty if neither occurred.
        private Optional<SocketFailure> failure = Optional.empty();

        /// The poll request while the effect of an operation is awaited.
        private Optional<Request> polled = Optional.empty();

        UserScript(int user, RandomGenerator random) {
            this.user = user;
            this.random = random;
            this.current = journeys.getFirst().getFirst();
        }

        @Override
        public byte[] next() {
            if (polled.isPresent()) {
                return bytes(polled.get());
            }
            if (at == journey.size()) {
                startJourney();
            }
            current = journey.get(at++);
            return bytes(current.request);
        }

        private void limited(SocketFailure limit) {
            failure = Optional.of(limit);
        }

        private byte[] bytes(Request request) {
            return request.constant.isPresent()
                    ? request.constant.get().shared()
                    : encoded(Journeys.this.parts(request, values));
        }

        private byte[] encoded(RequestParts parts) {
            try {
                return spec.encode(parts);
            } catch (IllegalArgumentException noMessage) {
                if (spec.grpc().isEmpty()) {
                    throw noMessage;
                }
                throw new GrpcUnfit(noMessage);
            }
        }

        private void startJourney() {
            double drawn = random.nextDouble() * totalWeight;
            int chosen = 0;
            while (chosen < journeys.size() - 1
                    && (drawn -= workload.journeys().get(chosen).weight()) >= 0) {
                chosen++;
            }
            journey = journeys.get(chosen);
            at = 0;
            values.clear();
            values.put("user", Integer.toString(user));
            List<Map<String, String>> rows = workload.data().rows();
            if (!rows.isEmpty()) {
                int row =
                        switch (workload.data().order()) {
                            case SEQUENTIAL -> Math.floorMod(nextRow(), rows.size());
                            case RANDOM -> random.nextInt(rows.size());
                            case UNIQUE -> user % rows.size();
                        };
                values.putAll(rows.get(row));
            }
        }

        private long nextRow() {
            return workload.timetable().isPresent()
                    ? arrival
                    : spec.part().global(nextJourney.getAndIncrement());
        }

        @Override
        public void arrived(long number) {
            arrival = number;
        }

        @Override
        public RequestParts parts() {
            return Journeys.this.parts(polled.orElse(current.request), values);
        }

        @Override
        public boolean isHead() {
            return polled.orElse(current.request).method.fill(values).equals("HEAD");
        }

        @Override
        public @Nullable ReplyText reply() {
            boolean searched =
                    polled.isPresent()
                            || !current.step.checks().isEmpty()
                            || !current.step.takes().isEmpty();
            return searched ? reply : null;
        }

        @Override
        public int step() {
            return current.number;
        }

        @Override
        public Judgement judge(int status) {
            if (polled.isPresent()) {
                return judgePoll(status);
            }
            if (workload.replay().isPresent() && status >= 400 && status == loggedStatus()) {
                return Judgement.GOOD;
            }
            failure = Optional.empty();
            if (isUnreadable(status)) {
                failed();
                return Judgement.CHECK_FAILED;
            }
            Judgement judgement =
                    ReplyChecks.judge(current.step, status, reply, values, this::limited);
            if (judgement != Judgement.GOOD) {
                failed();
            } else if (current.poll.isPresent()) {
                polled = current.poll;
                return Judgement.EFFECT_PENDING;
            }
            return judgement;
        }

        @Override
        public Optional<SocketFailure> failure() {
            return failure;
        }

        /// Status of the replayed request in the log; 0 if the log shows no status.
        private int loggedStatus() {
            String logged = values.getOrDefault("status", "");
            return logged.isEmpty() ? 0 : Integer.parseInt(logged);
        }

        /// Replaces the kept bytes of a gRPC reply by their JSON form, which the checks read.
        ///
        /// @return true if the bytes are no message of the method
        private boolean isUnreadable(int status) {
            if (spec.grpc().isEmpty() || status != 0 || reply() == null) {
                return false;
            }
            try {
                reply.setBody(
                        spec.grpc()
                                .get()
                                .messages()
                                .json(parts().target(), GrpcFrames.firstMessage(reply.bodyArray()))
                                .getBytes(StandardCharsets.UTF_8));
                return false;
            } catch (IllegalArgumentException noMessage) {
                String why = String.valueOf(noMessage.getMessage());
                limited(
                        new SocketFailure(
                                ErrorKind.CHECK, FailureReason.GRPC_MESSAGE_INVALID, why));
                return true;
            }
        }

        private Judgement judgePoll(int status) {
            if (isUnreadable(status)) {
                return Judgement.EFFECT_PENDING;
            }
            if (!ReplyChecks.hold(poll().until(), status, reply)) {
                return Judgement.EFFECT_PENDING;
            }
            polled = Optional.empty();
            return Judgement.GOOD;
        }

        private Workload.Poll poll() {
            return current.step.poll().orElseThrow();
        }

        @Override
        public long pollEveryNanos() {
            return poll().every().toNanos();
        }

        @Override
        public long effectWithinNanos() {
            return poll().within().toNanos();
        }

        @Override
        public boolean isMidway() {
            return at < journey.size();
        }

        /// Ends the journey, because later steps need the failed step. The user starts another
        /// journey.
        @Override
        public void failed() {
            at = journey.size();
            polled = Optional.empty();
        }
    }
}
