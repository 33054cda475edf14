package example;

import dev.jdyno.load.LoadSession;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;

import java.net.URI;
import java.time.Duration;

/// Sends requests at a fixed rate and prints the response times, which count from the intended
/// start.
public final class DriveLoad {
    private DriveLoad() {}

    static LoadWindow load(URI url, double perSecond, Duration time) throws InterruptedException {
        LoadSpec spec = LoadSpec.to(url).header("Accept", "text/plain").loops(1).build();
        try (LoadSession session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Open(8, perSecond, Arrivals.POISSON));
            Thread.sleep(Duration.ofSeconds(1)); // warm-up
            session.take(); // everything until now does not count
            Thread.sleep(time);
            return session.take();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        LoadWindow w =
                load(URI.create(args[0]), Double.parseDouble(args[1]), Duration.ofSeconds(10));
        System.out.printf(
                "%.0f requests/s, p50 %.2f ms, p99 %.2f ms, %d errors, the client was the limit:"
                        + " %s%n",
                w.qps(), w.latency().p50(), w.latency().p99(), w.errors(), w.client().saturated());
    }
}
