package dev.jdyno.inside.remote;

import dev.jdyno.inside.InsideWindows;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.StageTimes;
import dev.jdyno.observe.jfr.ExceptionWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import tools.jackson.databind.JsonNode;

/// Diagnostic windows of a target on another host.
final class RemoteWindows implements InsideWindows {
    /// Time for the start and the end of a window in the target. The maximum wait adds it to three
    /// times the length of the window.
    private static final Duration WINDOW_OVERHEAD = Duration.ofSeconds(30);

    private static final int WINDOW_GROWS = 3;

    private final RemoteCalls calls;
    private final Wire wire;
    private final BooleanSupplier stop;
    private final Optional<String> profilerMissing;

    RemoteWindows(
            RemoteCalls calls, Wire wire, BooleanSupplier stop, Optional<String> profilerMissing) {
        this.calls = calls;
        this.wire = wire;
        this.stop = stop;
        this.profilerMissing = profilerMissing;
    }

    private JsonNode during(Ask ask, Duration window, Runnable moment) throws InterruptedException {
        try {
            return calls.await(
                    calls.send(ask),
                    window.multipliedBy(WINDOW_GROWS).plus(WINDOW_OVERHEAD),
                    new RemoteCalls.Meanwhile(stop, moment));
        } catch (RemoteCalls.Unrecorded unread) {
            throw UserError.target(
                            "a recording of the window cannot be read",
                            String.valueOf(unread.getMessage()),
                            "look at the agent's host")
                    .causedBy(unread);
        }
    }

    private <T> T during(Ask ask, Duration window, Class<T> type) throws InterruptedException {
        try {
            return wire.convert(during(ask, window, () -> {}), type);
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        }
    }

    @Override
    public Sampled sample(Duration window, int dumps) throws InterruptedException {
        return during(new Ask.Sample(window, dumps), window, Sampled.class);
    }

    @Override
    public Growth growth(Duration apart) throws InterruptedException {
        return during(new Ask.Growth(apart), apart, Growth.class);
    }

    @Override
    public Optional<String> profilerMissing() {
        return profilerMissing;
    }

    @Override
    public Optional<Profile> profile(Profile.Kind kind, Duration window)
            throws InterruptedException {
        try {
            return wire
                    .list(
                            during(new Ask.ProfileWindow(kind, window), window, () -> {}),
                            Profile.class)
                    .stream()
                    .findFirst();
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        }
    }

    /// The agent counts the exceptions and marks the beginning and the end of its window. Requests
    /// are counted here.
    @Override
    public ExceptionWatch.Seen exceptions(Duration window, DoubleSupplier qps)
            throws InterruptedException {
        var counted = new AtomicReference<>(0.0);
        try {
            ExceptionWatch.Seen seen =
                    wire.convert(
                            during(
                                    new Ask.Exceptions(window),
                                    window,
                                    () -> counted.set(qps.getAsDouble())),
                            ExceptionWatch.Seen.class);
            return new ExceptionWatch.Seen(seen.exceptions(), counted.get(), seen.leftOut());
        } catch (Wire.Unreadable broken) {
            throw calls.unreadable(broken);
        }
    }

    @Override
    public StageTimes stages(List<MethodName> methods, Duration window)
            throws InterruptedException {
        return during(new Ask.Stages(methods, window), window, StageTimes.class);
    }

    @Override
    public void close() {
        calls.post(new Ask.EndLook());
    }
}
