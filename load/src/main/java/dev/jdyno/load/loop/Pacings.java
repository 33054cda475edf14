package dev.jdyno.load.loop;

import dev.jdyno.load.pacing.ArrivalTimes;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Backlog;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.pacing.Part;
import java.util.random.RandomGenerator;

/// Chooses the pacing of an event loop for a level, and continues from the pacing before it.
final class Pacings {
    private final EventLoop loop;
    private final int number;
    private final int mostBacklog;
    private final RandomGenerator random;

    /// @param number number of the loop
    Pacings(EventLoop loop, int number, RandomGenerator random) {
        this.loop = loop;
        this.number = number;
        this.mostBacklog = Math.max(1, loop.spec.mostBacklog() / loop.spec.loops());
        this.random = random;
    }

    /// @param share number of connections of this loop
    /// @param loops number of loops that share the level
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

    /// Time from which the gaps of a new rate count. A constant schedule continues from its last
    /// arrival, so that a ramp of many small changes loses none. A new one starts later by a part
    /// of a gap in each loop, so that all loops together form one even schedule. A Poisson process
    /// has no memory.
    private long origin(Pacing before, Level.Open open) {
        if (open.arrivals() == Arrivals.POISSON) {
            return loop.now;
        }
        if (before instanceof OpenPacing running) {
            return running.lastDueNanos();
        }
        return loop.now + (long) (number * 1e9 / open.ratePerS());
    }

    /// Keeps the waiting arrivals if the next level is open too. Otherwise they fail.
    private Backlog keptBacklog(Pacing before, Level next) {
        if (before instanceof OpenPacing open) {
            if (next instanceof Level.Open) {
                return open.arrivals();
            }
            open.expire(loop.now, Long.MIN_VALUE); // whatever their wait
        }
        return new Backlog(mostBacklog);
    }
}
