package dev.jdyno.lab.planted;

import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Running;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/// A service with two planted limits of nearly the same height: each request passes both. The
/// second limit is 93 to 107 % of the first one. `--lift firstPercent=3` lifts only the first one,
/// `--lift secondPercent=3` only the second one.
///
/// @param label the first limit; `also` has the second one
/// @param container changes the container's settings
record Pair(
        Label label,
        PairPart.Of first,
        PairPart.Of second,
        UnaryOperator<ContainerOptions> container)
        implements Case {
    static final List<Case> ALL =
            List.of(
                    pair("pool-lock", "connection-pool", PairPart.Orders::of, "lock", ledger()),
                    pair("lock-downstream", "lock", ledger(), "downstream", PairPart.Rates::of),
                    pair(
                            "pool-downstream",
                            "connection-pool",
                            PairPart.Orders::of,
                            "downstream",
                            PairPart.Rates::of),
                    pair("lock-lock", "lock", ledger(), "lock", PairPart.Stock::of),
                    pair("lock-cpu", "lock", ledger(), "cpu", PairPart.Prices::of),
                    pair("pool-cpu", "connection-pool", PairPart.Orders::of, "cpu", cpu()),
                    pair("downstream-cpu", "downstream", PairPart.Rates::of, "cpu", cpu()),
                    ofThreads("threads-lock", PairPart.Slow::of, "lock", ledger()),
                    ofThreads(
                            "threads-downstream",
                            PairPart.Slow::besideCalls,
                            "downstream",
                            PairPart.Rates::of),
                    new Pair(
                            label("gc-cpu", "gc-allocation", "cpu")
                                    .jvm(
                                            "-XX:+UseParallelGC",
                                            "-Xms256m",
                                            "-Xmx256m",
                                            "-Xmn24m",
                                            "-XX:SurvivorRatio=4"),
                            PairGarbage::garbage,
                            (setup, perS) -> PairGarbage.work(setup, 100),
                            UnaryOperator.identity()),
                    pair("limiter-lock", "rate-limit", PairPart.Gate::of, "lock", ledger()),
                    new Pair(
                            label("pool-quota", "connection-pool", "cpu-quota")
                                    .needs("root: it puts itself into a cgroup of its own"),
                            PairPart.Orders::of,
                            PairPart.Prices::underQuota,
                            UnaryOperator.identity()));

    private static PairPart.Of ledger() {
        return PairPart.Ledger::of;
    }

    private static PairPart.Of cpu() {
        return PairPart.Prices::of;
    }

    private static Case pair(
            String name, String first, PairPart.Of a, String second, PairPart.Of b) {
        return new Pair(label(name, first, second), a, b, UnaryOperator.identity());
    }

    private static Case ofThreads(String name, PairPart.Of slow, String second, PairPart.Of b) {
        return new Pair(
                label(name, "thread-pool", second),
                slow,
                b,
                tomcat -> tomcat.maxThreads(PairPart.Slow.THREADS));
    }

    private static Label label(String name, String first, String second) {
        return Label.of(
                        "pair-" + name,
                        first,
                        40,
                        "",
                        "two limits of nearly the same height: " + first + " and " + second)
                .also(second);
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        Vary vary = caseSetup.vary();
        double perS = vary.between("perS", 60, 120);
        double firstPerS = perS * vary.between("firstPercent", 100, 100) / 100;
        double secondPerS = perS * vary.between("secondPercent", 93, 107) / 100;
        PairPart one = first.at(caseSetup, firstPerS);
        PairPart two = second.at(caseSetup, secondPerS);
        return caseSetup.serve(
                container.apply(caseSetup.tomcat()),
                query -> {
                    one.serve();
                    two.serve();
                    return "ok\n";
                });
    }
}
