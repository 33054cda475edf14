package dev.jdyno.observe.host;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.observe.probe.Probe;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Program;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;

/// CPU time of the target, of jdyno itself (with the processes it started) and of the whole
/// machine, from `/proc`.
public final class CpuProbe implements Probe {
    /// Linux fixes USER_HZ, the unit of `/proc/PID/stat`, at 100 on every architecture of interest.
    static final double TICKS_PER_SECOND = 100;

    private final ProcFs proc;
    private final long pid;
    private final long clientPid;
    private final CpuLimits limits;

    public CpuProbe(ProcFs proc, long pid, long clientPid, CpuLimits limits) {
        this.proc = proc;
        this.pid = pid;
        this.clientPid = clientPid;
        this.limits = limits;
    }

    /// Totals at one instant, in ticks.
    ///
    /// @param targetAll user and system time of the target
    /// @param busy machine time that was not idle, not waiting for I/O and not stolen
    /// @param busyThere the same only for the cores in the target's affinity mask
    public record Totals(
            long targetAll,
            long targetSystem,
            long client,
            long busy,
            long busyThere,
            long steal,
            long all,
            List<CpuLimits.Throttling> throttling) {}

    /// Reads the totals; empty when the target has ended.
    public Optional<Totals> read() {
        Optional<String[]> target = proc.stat(pid);
        if (target.isEmpty()) {
            return Optional.empty();
        }
        String[] t = target.get();
        long system = Long.parseLong(t[12]);
        long client = client();
        String stat = proc.text("stat").orElse("cpu 0 0 0 0 0 0 0 0");
        long[] v = fields(stat.lines().findFirst().orElse(""));
        long busy = busy(v);
        long steal = v[8];
        return Optional.of(
                new Totals(
                        Long.parseLong(t[11]) + system,
                        system,
                        client,
                        busy,
                        busyThere(stat, busy),
                        steal,
                        busy + steal + v[4] + v[5],
                        limits.throttling()));
    }

    /// CPU ticks of jdyno and of the programs that send load for it. Programs that have ended are
    /// included, because the kernel adds their ticks to those of their parent.
    private long client() {
        long all = 0;
        for (long process : Program.processes()) {
            all += proc.stat(process).map(CpuProbe::withChildren).orElse(0L);
        }
        return all + proc.stat(clientPid).map(CpuProbe::withChildren).orElse(0L);
    }

    private static long withChildren(String[] stat) {
        long ticks = 0;
        for (int i = 11; i <= 14 && i < stat.length; i++) {
            ticks += Long.parseLong(stat[i]);
        }
        return ticks;
    }

    /// `cpu user nice system idle iowait irq softirq steal guest guest_nice`, from index 1 on.
    private static long[] fields(String line) {
        var words = new StringTokenizer(line.substring(line.indexOf(' ') + 1));
        long[] v = new long[9];
        for (int i = 1; i < v.length && words.hasMoreTokens(); i++) {
            v[i] = Long.parseLong(words.nextToken());
        }
        return v;
    }

    private static long busy(long[] v) {
        return v[1] + v[2] + v[3] + v[6] + v[7];
    }

    /// Busy time of the target's cores, from the `cpu3 …` lines; that of the whole machine if the
    /// lines do not cover them.
    private long busyThere(String stat, long everywhere) {
        BitSet there = limits.affinity();
        long busy = 0;
        int seen = 0;
        for (String line : stat.lines().takeWhile(l -> l.startsWith("cpu")).skip(1).toList()) {
            int number = Integer.parseInt(line.substring(3, line.indexOf(' ')));
            if (there.get(number)) {
                busy += busy(fields(line));
                seen++;
            }
        }
        return seen == there.cardinality() ? busy : everywhere;
    }

    /// CPU use between two readings.
    ///
    /// @param seconds the time between them on a monotonic clock
    /// @param neighbours the other processes that used the rest of the busy cores
    /// @param children the programs that the target started, which belong to the service
    public CpuUse between(
            Totals from,
            Totals to,
            double seconds,
            List<Neighbour> neighbours,
            List<ChildProgram> children) {
        double perCore = TICKS_PER_SECOND * seconds;
        double own = (to.targetAll() - from.targetAll()) / perCore;
        double process = own + children.stream().mapToDouble(ChildProgram::cores).sum();
        double client = (to.client() - from.client()) / perCore;
        double machine = (to.busy() - from.busy()) / perCore;
        double there = (to.busyThere() - from.busyThere()) / perCore;
        double available = limits.availableCores();
        double all = Math.max(1, to.all() - from.all());
        var stopped = CpuLimits.worst(from.throttling(), to.throttling());
        return new CpuUse(
                process,
                (to.targetSystem() - from.targetSystem()) / perCore,
                client,
                Math.max(0, machine - process - client),
                available,
                Math.min(available, limits.affinity().cardinality() - (there - process)),
                100 * (to.busy() - from.busy()) / all,
                100 * (to.steal() - from.steal()) / all,
                stopped.refusedPct(process * seconds),
                stopped.periodsPct(),
                neighbours,
                children);
    }

    @Override
    public Sheet sheet() {
        return new Sheet(
                "proc", "Linux /proc of the same pid namespace", "a few file reads a second");
    }

    @Override
    public Optional<String> missing() {
        return proc.stat(pid).isPresent()
                ? Optional.empty()
                : Optional.of("/proc/" + pid + "/stat cannot be read");
    }
}
