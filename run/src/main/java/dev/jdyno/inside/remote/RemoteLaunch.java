package dev.jdyno.inside.remote;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// A service on another host that the agent there has started for this run.
///
/// @param port on which it listens
/// @param inside closing it ends the service
public record RemoteLaunch(int port, RemoteInside inside) {
    private static final Duration POLL = Duration.ofMillis(200);

    /// The service to start. Only the name of its command goes to the agent, which has the command
    /// itself and chooses the port.
    ///
    /// @param agent address of the agent, for messages
    /// @param name of the command in the agent's list
    /// @param startLimit maximum time from the start of the command until the service listens
    /// @param stop polled; true ends the wait
    public record Wanted(String agent, String name, Duration startLimit, BooleanSupplier stop) {}

    /// Starts the service, and waits until it listens.
    ///
    /// @throws UserError if the agent refuses or does not answer, or the service does not listen
    public static RemoteLaunch start(Wanted wanted, Link link, Wire wire, NanoClock clock)
            throws InterruptedException {
        var port = new AtomicInteger();
        RemoteInside inside =
                RemoteInside.begin(
                        wanted.agent(),
                        link,
                        wire,
                        clock,
                        calls -> {
                            try {
                                port.set(launched(wanted, calls, wire));
                                return listening(wanted, calls, wire, clock);
                            } catch (UserError
                                    | InterruptedException
                                    | Wire.Unreadable
                                    | RemoteCalls.Unrecorded notStarted) {
                                calls.post(new Ask.Close());
                                throw notStarted;
                            }
                        },
                        OptionalInt.empty());
        return new RemoteLaunch(port.get(), inside);
    }

    private static int launched(Wanted wanted, RemoteCalls calls, Wire wire)
            throws InterruptedException, Wire.Unreadable, RemoteCalls.Unrecorded {
        return wire.convert(
                        calls.call(new Ask.Launch(wanted.name()), RemoteInside.OPEN_LIMIT),
                        Wire.Launched.class)
                .port();
    }

    private static Wire.Opened listening(
            Wanted wanted, RemoteCalls calls, Wire wire, NanoClock clock)
            throws InterruptedException, Wire.Unreadable, RemoteCalls.Unrecorded {
        long until = clock.nanos() + wanted.startLimit().toNanos();
        while (!wanted.stop().getAsBoolean()) {
            List<Wire.Opened> opened =
                    wire.list(
                            calls.call(new Ask.Begin(), RemoteInside.OPEN_LIMIT),
                            Wire.Opened.class);
            if (!opened.isEmpty()) {
                return opened.getFirst();
            }
            if (clock.nanos() > until) {
                throw UserError.target(
                        "the service of launch:" + wanted.name() + " does not listen",
                        "none of its JVMs listens on the port that {port} stands for after "
                                + Durations.format(wanted.startLimit()),
                        "check where the agent's --launch "
                                + wanted.name()
                                + " has {port}; where it only starts slowly, write limits: {start:"
                                + " 3m} into the plan");
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
        throw new UserError(
                UserError.Kind.INVALID,
                "launch:" + wanted.name() + " was not measured",
                "the run was stopped while the service started",
                "run it again");
    }
}
