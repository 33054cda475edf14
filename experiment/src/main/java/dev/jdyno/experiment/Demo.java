package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.plan.Plan;
import java.util.List;

/// The demonstration: E1's first case, started and ready to be loaded.
public final class Demo {
    /// First message to the user.
    public static final String FIRST_MESSAGE =
            "starting the sample service: each request burns 10 ms of CPU and waits 80 ms for another"
                    + " service (E1)";

    private static final int THREADS = 400;

    private Demo() {}

    /// Starts `downstream` and `perf` on free ports.
    public static Plan start(Lab lab) {
        LabService perf = perf(lab);
        return Plan.of(
                "demo", perf.url("/perf?cpu=10&io=80"), new Plan.TargetPlan.Attach(perf.pid()));
    }

    /// Starts the sample service and its own downstream.
    static LabService perf(Lab lab) {
        LabService downstream =
                lab.start("downstream.Downstream", List.of("-Xmx64m"), List.of("--port", "0"));
        return lab.start(
                "perf.Perf",
                List.of("-Xms256m", "-Xmx256m"),
                List.of(
                        "--port",
                        "0",
                        "--max-threads",
                        Integer.toString(THREADS),
                        "--downstream",
                        "http://127.0.0.1:" + downstream.port()));
    }
}
