package dev.jdyno.trial;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureText;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.load.RequestError;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.Selector;
import dev.jdyno.target.Target;
import dev.jdyno.trial.grpc.PlannedCalls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Waits until the service gives one good answer. If none comes, the error reports the answers and
/// failures until then.
final class FirstAnswer {
    /// Maximum time for a service that already runs.
    private static final Duration RUNNING_LIMIT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(100);

    /// Service unavailable: frameworks and proxies return it until the service behind them is
    /// ready.
    private static final RequestError.Status NOT_READY = new RequestError.Status(503);

    /// Maximum start-up time of a load tool on a JVM.
    private static final double DRIVER_START_SECONDS = 60;

    private FirstAnswer() {}

    /// @throws UserError of kind target if no good answer came in time
    static void await(Loading loading, Plan plan) throws InterruptedException {
        TrialSetup trialSetup = loading.trialSetup();
        if (plan.drive().isPresent()) {
            awaitDriver(loading, plan);
            return;
        }
        NanoClock clock = loading.clock();
        boolean launched = plan.target().isStarted();
        Duration limit =
                launched
                        ? plan.limits().startTimeout()
                        : max(RUNNING_LIMIT, plan.limits().requestTimeout());
        long start = clock.nanos();
        trialSetup.session().take();
        loading.apply(new Level.Closed(1, Duration.ofMillis(50)));
        // a refused client makes pauses, so the last failure that it counted may be some windows
        // old
        Map<String, Long> heard = new TreeMap<>();
        List<FailureCount> failures = List.of();
        while (!loading.stopped()) {
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            LoadWindow seen = trialSetup.session().take();
            if (seen.requests() > 0) {
                return;
            }
            trialSetup.requireStarting();
            seen.errorKinds().forEach((kind, n) -> heard.merge(kind, n, Long::sum));
            failures = FailureCount.sum(failures, seen.failures());
            boolean connects = heard.keySet().stream().noneMatch(FirstAnswer::isOfConnecting);
            // a service that answers "not ready yet" is still starting
            boolean starts =
                    launched
                            && (heard.containsKey(NOT_READY.key())
                                    || heard.containsKey(ErrorKind.GRPC_UNAVAILABLE.key()));
            boolean answersBadly = !heard.isEmpty() && (connects || !launched) && !starts;
            Duration patience = answersBadly ? min(limit, RUNNING_LIMIT) : limit;
            if (clock.secondsSince(start) > Durations.seconds(patience)) {
                loading.requireRunning(0);
                requireAnyJvm(trialSetup);
                throw noAnswer(trialSetup, plan, heard, failures, patience);
            }
        }
    }

    /// True if a driver loads a launched service, for which it does not wait.
    static boolean isDriven(Plan plan) {
        return plan.drive().isPresent() && plan.target() instanceof Plan.TargetPlan.Launch;
    }

    /// Waits until a launched service listens.
    static void awaitPort(TrialSetup trialSetup, Plan plan) throws InterruptedException {
        if (trialSetup.target().isPresent()) {
            trialSetup
                    .target()
                    .get()
                    .awaitPort(
                            new InetSocketAddress(
                                    HttpUrl.host(plan.url()).orElse("127.0.0.1"),
                                    HttpUrl.port(plan.url())),
                            plan.limits().startTimeout());
        }
    }

    /// Waits until the service answers the driver well.
    private static void awaitDriver(Loading loading, Plan plan) throws InterruptedException {
        loading.apply(new Level.Closed(1, Duration.ZERO));
        long start = loading.clock().nanos();
        Optional<LoadWindow> seen = Optional.empty();
        boolean waits = true;
        while (waits && !loading.stopped()) {
            seen = loading.slice(new Windows(LoadPoint.Part.WARM_UP));
            waits = loading.clock().secondsSince(start) < driverPatience(plan, seen);
        }
        if (!loading.stopped() && seen.filter(w -> w.requests() > 0).isEmpty()) {
            throw UserError.target(
                    "the driver gets no good answer",
                    seen.map(LoadWindow::errorKinds)
                            .filter(kinds -> !kinds.isEmpty())
                            .map(kinds -> "with one user, every request failed: " + kinds)
                            .orElse("with one user, it sent no request within 60 s"),
                    "see driver.out in the result's folder, and check the URL in its command");
        }
    }

    /// Seconds for a driver's first good answer.
    ///
    /// @param seen in the last window
    static double driverPatience(Plan plan, Optional<LoadWindow> seen) {
        if (seen.filter(w -> w.requests() + w.errors() > 0).isEmpty()) {
            return DRIVER_START_SECONDS; // one that sends through our proxy may need time to start
        }
        // a service that answers "not ready yet" is still starting; many drivers report no status
        boolean starts =
                plan.target().isStarted()
                        && seen.filter(w -> w.requests() > 0).isEmpty()
                        && seen.get().errorKinds().keySet().stream()
                                .map(RequestError::of)
                                .allMatch(e ->
                                        !(e instanceof RequestError.Status) || e.equals(NOT_READY));
        return starts ? Durations.seconds(plan.limits().startTimeout()) : 0;
    }

    /// @throws UserError with the last lines of its output if the JVM of a launched command has
    ///   ended, and no other one runs
    private static void requireAnyJvm(TrialSetup trialSetup) {
        trialSetup
                .target()
                .filter(t -> t.isOutlived() && t.otherJvms().isEmpty())
                .ifPresent(Target::requireAlive);
    }

    private static UserError noAnswer(
            TrialSetup trialSetup,
            Plan plan,
            Map<String, Long> kinds,
            List<FailureCount> failures,
            Duration limit) {
        String asked =
                plan.workload().isPresent()
                        ? "the workload on"
                        : GrpcUrl.is(plan.url().toString()) ? "the call of" : plan.method();
        String what = asked + " " + plan.url() + " gives no good answer";
        Optional<RequestError> worst = RequestError.mostFrequent(kinds);
        if (worst.isEmpty()) {
            return UserError.target(
                    what,
                    "no reply within " + Durations.format(limit),
                    "is the service up and the path right? raise limits.request for a slow one");
        }
        return switch (worst.get()) {
            case RequestError.Status status when status.equals(NOT_READY) ->
                    new UserError(
                            UserError.Kind.ANSWER,
                            what,
                            "it still answers with status "
                                    + status.status()
                                    + " after "
                                    + Durations.format(limit),
                            "see what it waits for in its own log; where it only starts slowly,"
                                    + " write limits: {start: 3m} into the plan");
            case RequestError.Status(int status) ->
                    new UserError(
                            UserError.Kind.ANSWER,
                            what,
                            "it answers with status " + status,
                            "check path, method and headers (curl -i '"
                                    + plan.url()
                                    + "' shows the reply)");
            case ErrorKind.CHECK ->
                    new UserError(
                            UserError.Kind.ANSWER,
                            what,
                            "every reply fails the plan's checks"
                                    + reason(ErrorKind.CHECK, failures)
                                            .map(f -> ": " + FailureText.says(f))
                                            .orElse(""),
                            reason(ErrorKind.CHECK, failures)
                                    .flatMap(f -> FailureText.advice(f.reason()))
                                    .orElse(
                                            "compare the checks with what curl -i '"
                                                    + plan.url()
                                                    + "' shows"));
            case ErrorKind.CONNECT_REFUSED -> refused(trialSetup, plan, what, limit);
            case ErrorKind other when other.grpcCode() > 0 ->
                    new UserError(
                            UserError.Kind.ANSWER,
                            what,
                            "it ends with "
                                    + other.key()
                                    + reason(other, failures)
                                            .flatMap(FailureCount::example)
                                            .map(e -> ": " + e)
                                            .orElse(""),
                            "check method, message and metadata (grpcurl shows the reply)");
            case ErrorKind other -> ended(plan, what, other, failures);
            case RequestError.Other other -> ended(plan, what, other, failures);
        };
    }

    private static UserError ended(
            Plan plan, String what, RequestError error, List<FailureCount> failures) {
        Optional<FailureCount> reason = reason(error, failures);
        return UserError.target(
                what,
                "every try ended with: "
                        + error.key()
                        + reason.map(f -> ": " + FailureText.says(f)).orElse(""),
                FailureText.adviceForNone(
                                reason.stream().toList(),
                                "https".equals(PlannedCalls.url(plan).getScheme()))
                        .orElse(
                                GrpcUrl.is(plan.url().toString())
                                        ? "see what grpcurl says of it"
                                        : "see what curl -v says of it"));
    }

    private static Optional<FailureCount> reason(RequestError error, List<FailureCount> failures) {
        return failures.stream().filter(f -> f.kind().equals(error.key())).findFirst();
    }

    private static boolean isOfConnecting(String key) {
        return RequestError.of(key) instanceof ErrorKind k && k.isOfConnecting();
    }

    private static UserError refused(
            TrialSetup trialSetup, Plan plan, String what, Duration limit) {
        String at = Secrets.withoutUser(plan.url().getRawAuthority());
        if (plan.target() instanceof Plan.TargetPlan.Observed o
                && o.which() instanceof Selector.Launch) {
            return UserError.target(
                    what,
                    "the service listens on its host, but refuses connections to " + at,
                    "let it listen on an address that this host reaches, not only on 127.0.0.1;"
                            + " and check the host in the URL and the firewall between");
        }
        if (!(plan.target() instanceof Plan.TargetPlan.Launch)) {
            return UserError.target(
                    what,
                    "no process listens on " + at,
                    "start the service, or check the port in the URL");
        }
        String ports =
                trialSetup.listeningPorts().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        String why =
                "it was started, and does not listen on "
                        + at
                        + " after "
                        + Durations.format(limit);
        return ports.isEmpty()
                ? UserError.target(
                        what,
                        why,
                        "check the port in the URL; where it only starts slowly, write"
                                + " limits: {start: 3m} into the plan")
                : UserError.target(
                        what,
                        why + "; it listens on " + ports,
                        "write that port into the URL; where it takes another one at each start,"
                                + " give it {port} in the command and in the URL");
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
