package dev.jdyno.cli;

import dev.jdyno.cli.options.PodOptions;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cluster.kubernetes.PodObserver;
import dev.jdyno.cluster.kubernetes.PodObservers;
import dev.jdyno.cluster.kubernetes.WantedObserver;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.trial.InsideOpening;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Optional;

/// A run on a JVM in a Kubernetes pod: an observer is placed beside it, the run goes through a
/// port-forward, and both end after it.
///
/// @param quiet true if no progress is printed
record PodRun(Interrupt interrupt, boolean quiet, PrintWriter err) {
    private static final String KUBECTL = "kubectl";
    private static final String HOST = "127.0.0.1";

    /// Measures the service through the port-forward.
    @FunctionalInterface
    interface Measuring {
        /// @param plan with the address of the port-forward
        /// @return the exit code
        int measure(Plan plan, InsideOpening away) throws IOException, InterruptedException;
    }

    private PodObservers observers() {
        return new PodObservers(KUBECTL, this::say, interrupt::isSet, NanoClock.SYSTEM);
    }

    private void say(String line) {
        if (!quiet) {
            err.println(line);
            err.flush();
        }
    }

    String dryRun(WantedObserver wanted) {
        return observers().dryRun(wanted);
    }

    /// @param plan with the URL inside the pod
    /// @param name of the run; the container's unless given
    /// @return the exit code
    int of(WantedObserver wanted, Plan plan, Optional<String> name, Measuring measuring)
            throws IOException, InterruptedException {
        PodObserver placed;
        try {
            placed = observers().place(wanted);
        } catch (UserError failed) {
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            throw failed;
        }
        try (placed) {
            say(
                    "the load goes through kubectl port-forward: latency and highest throughput are"
                            + " those of this path");
            Plan there =
                    plan.named(name.orElseGet(placed::container))
                            .withUrl(at(plan.url(), placed.servicePort()))
                            .withTarget(
                                    PlanValues.observed(
                                            placed.agent() + ":port=" + wanted.port(),
                                            PodOptions.NO_FILE));
            return measuring.measure(
                    there, InsideOpening.throughForward(there.name(), placed.credentials()));
        }
    }

    private static URI at(URI url, int port) {
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return URI.create(url.getScheme() + "://" + HOST + ":" + port + path + query);
    }
}
