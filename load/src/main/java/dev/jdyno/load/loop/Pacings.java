package dev.jdyno.load.loop;

import dev.jdyno.load.pacing.ArrivalTimes;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Backlog;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.pacing.Part;
import java.util.random.RandomGenerator;

/// Chooses how an event loop paces a level, going on from how it paced the one before.
final class Pacings {
    private final EventLoop loop;
    private final int number;
    private final int mostBacklog;
    private final RandomGenerator random;

    /// @param number of the loop
    Pacings(EventLoop loop, int number, RandomGenerator random) {
        this.loop = loop;
        this.number = number;
        this.mostBacklog = Math.max(1, loop.spec.mostBacklog() / loop.spec.loops());
        this.random = random;
    }

    /// @param share connections of this loop
    /// @param loops loops that share the level
    Pacing next(Pacing before, Level level, int share, int loops) {
        Backlog backlog = keptBacklog(before, level);
        return switch (level) {
            case Level.Closed closed -> new ClosedPacing(loop, closed.think().toNanos(), share);
            case Level.Open open when share > 0 ->
                    new OpenPacing(
                            loop,
                            ArrivalTimes.of(open.arrivals(), open.ratePerS() / loops, random),
                            backlog,
                            origin(before, open),
                            before instanceof OpenPacing);
            case Level.Replay replay when share > 0 ->
                    new OpenPacing(loop, ofThisLoop(replay, loops), backlog, loop.now, false);
            case Level.Open _, Level.Replay _ -> new ClosedPacing(loop, 0, 0);
            case Level.Idle _ -> new IdlePacing();
        };
    }

    private ArrivalTimes ofThisLoop(Level.Replay replay, int loops) {
        Part part = loop.spec.part();
        return ArrivalTimes.listed(replay.starts(), part.global(number), loops * part.of());
    }

    /// From when on the gaps of a new rate count. A constant schedule goes on from its last
    /// arrival, so that a ramp of many small changes loses none. A new one starts a part of a gap
    /// later in each loop, so that the loops together are one even schedule. A Poisson process has
    /// no memory.
    private long origin(Pacing before, Level.Open open) {
        if (open.arrivals() == Arrivals.POISSON) {
            return loop.now;
        }
        if (before instanceof OpenPacing running) {
            return running.lastDueNanos();
        }
        return loop.now + (long) (number * 1e9 / open.ratePerS());
    }

    /// The arrivals that wait stay, unless nobody will send them any more.
    private Backlog keptBacklog(Pacing before, Level next) {
        if (before instanceof OpenPacing open) {
            if (next instanceof Level.Open) {
                return open.arrivals();
            }
            open.expire(loop.now, Long.MIN_VALUE); // however short they waited
        }
        return new Backlog(mostBacklog);
    }
}
