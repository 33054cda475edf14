import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.shenandoah.ShenandoahCycle;
import com.microsoft.gctoolkit.event.zgc.FullZGCCycle;
import com.microsoft.gctoolkit.event.zgc.MajorZGCCycle;
import com.microsoft.gctoolkit.event.zgc.MinorZGCCycle;
import com.microsoft.gctoolkit.io.SingleGCLogFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.LogManager;

/// Reads GC logs with GCToolKit and prints one line per log with the counts of each type of event:
/// `file<TAB>type=count/totalMs …`. With `-warm N FILE` it reads one log N times and prints MB/s.
public class PeerRead {
    public static void main(String[] args) throws Exception {
        // without this, warnings about unknown lines would take most of its time
        LogManager.getLogManager().reset();
        if (args[0].equals("-warm")) {
            Path log = Path.of(args[2]);
            for (int i = Integer.parseInt(args[1]); i > 0; i--) {
                long begin = System.nanoTime();
                read(log);
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.printf(Locale.ROOT, "%.1f%n", Files.size(log) / 1e6 / seconds);
            }
            System.exit(0);
        }
        for (String arg : args) {
            StringBuilder row = new StringBuilder(arg).append('\t');
            try {
                read(Path.of(arg)).types.forEach(
                        (type, cell) ->
                                row.append(String.format(
                                        Locale.ROOT, "%s=%d/%.3f ", type, (long) cell[0], cell[1])));
            } catch (Exception | Error e) {
                row.append("failed ").append(e.toString().replace('\n', ' '));
            }
            System.out.println(row);
        }
        System.exit(0);
    }

    private static Counts read(Path log) throws Exception {
        GCToolKit kit = new GCToolKit();
        kit.loadAggregation(new Counts());
        return kit.analyze(new SingleGCLogFile(log)).getAggregation(Counts.class)
                .orElseThrow(() -> new IllegalStateException("no event"));
    }

    @Collates(Collector.class)
    public static class Counts extends Aggregation {
        final Map<String, double[]> types = new TreeMap<>();

        void add(String type, double seconds) {
            double[] cell = types.computeIfAbsent(type, _ -> new double[2]);
            cell[0]++;
            cell[1] += seconds * 1000;
        }

        @Override
        public boolean hasWarning() {
            return false;
        }

        @Override
        public boolean isEmpty() {
            return types.isEmpty();
        }
    }

    @Aggregates({EventSource.G1GC, EventSource.GENERATIONAL, EventSource.ZGC, EventSource.SHENANDOAH})
    public static class Collector extends Aggregator<Counts> {
        public Collector(Counts counts) {
            super(counts);
            register(G1GCPauseEvent.class, e -> counts.add(e.getClass().getSimpleName(), e.getDuration()));
            register(GenerationalGCPauseEvent.class,
                    e -> counts.add(e.getClass().getSimpleName(), e.getDuration()));
            register(FullZGCCycle.class, e -> counts.add("ZCycle", e.getDuration()));
            register(MajorZGCCycle.class, e -> counts.add("ZMajor", e.getDuration()));
            register(MinorZGCCycle.class, e -> counts.add("ZMinor", e.getDuration()));
            register(ShenandoahCycle.class, e -> counts.add("ShenandoahCycle", e.getDuration()));
        }
    }
}
