package dev.jdyno.experiment;

import dev.jdyno.experiment.Comparison.Judged;
import dev.jdyno.experiment.Comparison.Row;
import dev.jdyno.experiment.ThreadsProcess.Made;
import dev.jdyno.measure.thread.ThreadLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// E4: the number of threads until "unable to create native thread", by stack size. In an address
/// space of 2 GB, like that of a 32-bit JVM, the count is proportional to 1 / Xss (F13). In a
/// control group it does not depend on Xss.
final class ThreadsUntilFailure implements Experiment {
    private static final long KIB = 1024;
    private static final long ADDRESS_SPACE = 2L << 30;
    private static final int GROUP_THREADS = 1000;

    /// Tolerance of a count in a control group, for threads that the JVM created meanwhile.
    private static final double SAME = 0.02;

    private static final double TOLERANCE = 0.15;

    private record Size(String xss, int published) {}

    private static final List<Size> SIZES =
            List.of(new Size("128k", 14_349), new Size("256k", 7409), new Size("1m", 1896));

    /// @param xss the requested stack size
    record Run(String xss, int published, Made made) {}

    @Override
    public String id() {
        return "E4";
    }

    @Override
    public String title() {
        return "threads until memory ends, by -Xss";
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public Comparison run(Bench bench) throws InterruptedException {
        var process = new ThreadsProcess(bench);
        List<Run> inSpace = new ArrayList<>();
        for (Size size : SIZES) {
            inSpace.add(
                    new Run(
                            size.xss(),
                            size.published(),
                            process.inAddressSpace(ADDRESS_SPACE, size.xss())));
        }
        List<Run> inGroup = new ArrayList<>();
        for (Size size : SIZES) {
            process.inGroupOf(GROUP_THREADS, size.xss())
                    .ifPresent(made -> inGroup.add(new Run(size.xss(), size.published(), made)));
        }
        return judged(inSpace, inGroup);
    }

    /// @param inGroup empty if no control group can be created
    static Comparison judged(List<Run> inSpace, List<Run> inGroup) {
        List<Row> rows = new ArrayList<>();
        for (Run run : inSpace) {
            Made made = run.made();
            double predicted = (double) (ADDRESS_SPACE - made.bytesBefore()) / made.stackBytes();
            String name = "2 GB, -Xss" + run.xss();
            rows.add(
                    Comparison.predicted(
                            "threads, " + name,
                            run.published(),
                            Optional.of(predicted),
                            made.threads(),
                            "threads"));
            if (made.stackBytes() % (128 * KIB) != 0) {
                rows.add(Comparison.here("least stack of this JDK", made.stackBytes() / KIB, "KB"));
            }
            rows.add(named(name, made, ThreadLimit.Kind.ADDRESS_SPACE));
        }
        rows.add(ratio(inSpace.get(0), inSpace.get(1)));
        rows.add(ratio(inSpace.get(1), inSpace.get(2)));
        List<String> notes =
                new ArrayList<>(
                        List.of(
                                "predicted by F13: (2 GB - what the JVM takes before its threads) / Xss",
                                "prlimit --as=2147483648; the C heap is reserved beforehand"
                                        + " (MALLOC_TOP_PAD_): where it must grow at the limit, the JVM ends"
                                        + " instead of throwing an OutOfMemoryError",
                                "a JDK of today refuses -Xss128k (its guard zones are part of the stack):"
                                        + " the least that it names is taken"));
        if (inGroup.isEmpty()) {
            notes.add(
                    "SKIPPED: threads under a pids control group: none can be made here; run it as root");
        } else {
            inGroup(inGroup, rows);
        }
        return new Comparison("E4", new ThreadsUntilFailure().title(), rows, notes);
    }

    private static void inGroup(List<Run> runs, List<Row> rows) {
        for (Run run : runs) {
            Made made = run.made();
            String name = "pids.max " + GROUP_THREADS + ", -Xss" + run.xss();
            rows.add(
                    Comparison.expected(
                            "threads, " + name,
                            GROUP_THREADS - made.threadsBefore(),
                            made.threads(),
                            "threads",
                            SAME));
            rows.add(named(name, made, ThreadLimit.Kind.CGROUP));
        }
    }

    private static Row ratio(Run small, Run large) {
        return Comparison.shape(
                        "threads, -Xss" + small.xss() + " / -Xss" + large.xss(),
                        (double) small.published() / large.published(),
                        (double) small.made().threads() / large.made().threads(),
                        TOLERANCE)
                .predicted((double) large.made().stackBytes() / small.made().stackBytes());
    }

    /// The row for whether `jdyno threads` names the right limit.
    private static Row named(String name, Made made, ThreadLimit.Kind kind) {
        boolean right = made.nearest().map(l -> l.kind() == kind).orElse(false);
        return new Row(
                "limit named, " + name,
                Optional.empty(),
                Optional.of(1.0),
                right ? 1 : 0,
                Comparison.YES_OR_NO,
                Optional.of(new Judged(right, 0)));
    }
}
