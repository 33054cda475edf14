package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.text.UserError;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// The cost of one page for the service.
///
/// @param qps throughput, in requests per second
/// @param cpuMs CPU time of the service per request, in ms
/// @param replyBytes size of a reply, head and body
record CpuCost(double qps, double cpuMs, double replyBytes) {
    /// The measurements of a page so far.
    private static final class Sum {
        private long requests;
        private long bytes;
        private double cpuSeconds;
        private double seconds;

        private CpuCost cost() {
            return new CpuCost(
                    requests / seconds, cpuSeconds / requests * 1000, (double) bytes / requests);
        }
    }

    /// Measures pages of one service together. After a warm-up of each, it measures all in turn and
    /// then in the opposite order, so that drift of the machine affects all equally.
    ///
    /// @param length duration of each of the two slices of a page
    /// @return the costs, in the order of the pages
    /// @throws UserError if requests failed, or the service's CPU time cannot be read
    static List<CpuCost> of(
            Bench bench, LabService service, List<String> pages, Duration length, int load) {
        Sum[] sums = new Sum[pages.size()];
        Arrays.setAll(sums, _ -> new Sum());
        for (String page : pages) {
            measure(bench, service, page, length, load, new Sum());
        }
        for (int i = 0; i < pages.size(); i++) {
            measure(bench, service, pages.get(i), length, load, sums[i]);
        }
        for (int i = pages.size() - 1; i >= 0; i--) {
            measure(bench, service, pages.get(i), length, load, sums[i]);
        }
        return Arrays.stream(sums).map(Sum::cost).toList();
    }

    private static void measure(
            Bench bench, LabService service, String page, Duration length, int load, Sum sum) {
        LoadSpec spec = LoadSpec.to(service.url(page)).build();
        double before = service.cpuSeconds();
        LoadWindow window = bench.loadWarm(spec, load, Duration.ZERO, length);
        if (window.errors() > 0 || window.requests() == 0) {
            throw UserError.target(
                    page + " failed " + window.errors() + " times",
                    String.valueOf(window.errorKinds()),
                    "run it again; if it stays so, ask for " + service.url(page) + " by hand");
        }
        double used = service.cpuSeconds() - before;
        if (used <= 0) {
            throw UserError.target(
                    "the service's CPU was not measured",
                    "the system reports none for process " + service.pid(),
                    "run it on Linux");
        }
        sum.cpuSeconds += used;
        sum.requests += window.requests();
        sum.bytes += window.bytesRead();
        sum.seconds += window.requests() / window.qps();
    }
}
