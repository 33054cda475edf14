package dev.jdyno.observe.host;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.target.ProcFs;
import java.util.List;

/// CPU use of other processes, window by window. One reading opens a file for each process of the
/// machine. If there are many processes, it is made less often than once per window.
public final class NeighbourWatch {
    private final Neighbours neighbours;
    private final NanoClock clock;
    private final double costShare;
    private Neighbours.Reading before;
    private long takenAt;
    private double costSeconds;
    private List<Neighbour> last = List.of();
    private List<ChildProgram> children = List.of();

    /// @param target and `tool` are not neighbours, nor are the processes they started
    /// @param costShare maximum cost of the readings, as a share of one core
    public NeighbourWatch(ProcFs proc, long target, long tool, NanoClock clock, double costShare) {
        this.costShare = costShare;
        this.neighbours = Neighbours.ofUnrelatedProcesses(proc, target, tool);
        this.clock = clock;
        this.takenAt = clock.nanos();
        this.before = neighbours.read();
        this.costSeconds = clock.secondsSince(takenAt);
    }

    /// Neighbours since the last reading, the largest first; those of the previous window as long
    /// as a reading would cost too much.
    public List<Neighbour> take() {
        double seconds = clock.secondsSince(takenAt);
        if (seconds <= 0 || costSeconds > costShare * seconds) {
            return last;
        }
        long now = clock.nanos();
        Neighbours.Reading read = neighbours.read(before);
        costSeconds = clock.secondsSince(now);
        last = neighbours.users(before, read, seconds);
        children = neighbours.children(before, read, seconds);
        before = read;
        takenAt = now;
        return last;
    }

    /// The programs that the target started, in the window of the last {@link #take}.
    public List<ChildProgram> children() {
        return children;
    }
}
