package dev.jdyno.inside;

import dev.jdyno.target.ProcFs;
import java.util.Optional;

/// CPU use of this machine by other processes and by the hypervisor, measured while jdyno sends no
/// requests.
///
/// @param targetPid process id of the target, whose CPU use does not count as that of other
///   processes; empty without a target
public record HostAtRest(ProcFs proc, Optional<Long> targetPid) {
    /// Clock ticks per second in `/proc`: Linux fixes USER_HZ at 100.
    private static final double TICKS_PER_SECOND = 100;

    /// CPU time of the whole machine since boot, in clock ticks.
    ///
    /// @param steal time that the hypervisor gave to other guests
    /// @param all busy, stolen and idle time
    /// @param ours part of `busy` that jdyno and the target used
    public record Totals(long busy, long steal, long all, long ours) {}

    /// @param othersCores cores used by all processes except jdyno and the target
    public record Seen(double othersCores, double stealPct) {}

    /// Empty if there is no `/proc`.
    public Optional<Totals> read() {
        // columns: cpu  user nice system idle iowait irq softirq steal guest guest_nice
        Optional<String[]> machine =
                proc.text("stat")
                        .flatMap(t -> t.lines().findFirst())
                        .map(l -> l.trim().split("\\s+"))
                        .filter(f -> f.length >= 9);
        return machine.map(f -> {
            long[] v = new long[9];
            for (int i = 1; i < 9; i++) {
                v[i] = Long.parseLong(f[i]);
            }
            long busy = v[1] + v[2] + v[3] + v[6] + v[7];
            long ours =
                    ticks(ProcessHandle.current().pid()) + targetPid.map(this::ticks).orElse(0L);
            return new Totals(busy, v[8], busy + v[8] + v[4] + v[5], ours);
        });
    }

    private long ticks(long pid) {
        return proc.stat(pid).map(s -> Long.parseLong(s[11]) + Long.parseLong(s[12])).orElse(0L);
    }

    public static Seen between(Totals from, Totals to, double seconds) {
        long others = to.busy() - from.busy() - (to.ours() - from.ours());
        return new Seen(
                Math.max(0, others) / TICKS_PER_SECOND / seconds,
                100.0 * (to.steal() - from.steal()) / Math.max(1, to.all() - from.all()));
    }
}
