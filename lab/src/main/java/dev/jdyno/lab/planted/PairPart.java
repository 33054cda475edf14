package dev.jdyno.lab.planted;

import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// One of the two limits of a service: what each request does there. By itself it limits the
/// service to the throughput that it was created for. Its service times are random, as those of
/// most services: with constant ones, the second of two limits would have no queue.
interface PairPart {
    void serve() throws IOException, InterruptedException;

    /// Creates a part.
    interface Of {
        /// @param perS requests/s to which the part limits the service
        PairPart at(CaseSetup caseSetup, double perS) throws IOException;
    }

    /// Number of connections or of calls that are served at a time.
    int PLACES = 4;

    /// Share of the machine's cores that client and kernel leave to the service.
    double LEFT_CORES = 0.92;

    /// CPU limit of a quota, in per cent of one core.
    int QUOTA = 50;

    /// CPU time of a request outside of its own work, in ms.
    double REQUEST_MS = 0.5;

    /// A random number of whole milliseconds with this mean, exponentially distributed.
    static int millis(double mean) {
        double drawn = -mean * Math.log(1 - ThreadLocalRandom.current().nextDouble());
        return (int) (drawn + ThreadLocalRandom.current().nextDouble());
    }

    /// A lock that is held over a sleep.
    final class Ledger {
        private long entries;

        synchronized long post(double meanMs) throws InterruptedException {
            Thread.sleep(millis(meanMs));
            return ++entries;
        }

        static PairPart of(CaseSetup caseSetup, double perS) {
            Ledger ledger = new Ledger();
            return () -> ledger.post(1000 / perS);
        }
    }

    /// A second lock.
    final class Stock {
        private long taken;

        synchronized long take(double meanMs) throws InterruptedException {
            Thread.sleep(millis(meanMs));
            return ++taken;
        }

        static PairPart of(CaseSetup caseSetup, double perS) {
            Stock stock = new Stock();
            return () -> stock.take(1000 / perS);
        }
    }

    /// Connections of a pool, each held over a sleep.
    record Orders(Store store, double meanMs) implements PairPart {
        static PairPart of(CaseSetup caseSetup, double perS) throws IOException {
            return new Orders(
                    Store.start(caseSetup, PLACES, 1000), PLACES * 1000 / perS - REQUEST_MS);
        }

        @Override
        public void serve() throws IOException, InterruptedException {
            store.queryAndKeep(millis(meanMs));
        }
    }

    /// A called service that serves a few calls at a time.
    record Rates(DownstreamClient client, double meanMs) implements PairPart {
        static PairPart of(CaseSetup caseSetup, double perS) throws IOException {
            return new Rates(caseSetup.downstream(PLACES), PLACES * 1000 / perS);
        }

        @Override
        public void serve() throws IOException {
            client.await(millis(meanMs));
        }
    }

    /// A database that runs a few queries at a time.
    record Queries(Store store, double meanMs) implements PairPart {
        static PairPart of(CaseSetup caseSetup, double perS) throws IOException {
            return new Queries(
                    Store.start(caseSetup, 100, PLACES), PLACES * 1000 / perS - REQUEST_MS);
        }

        @Override
        public void serve() throws IOException {
            store.query(millis(meanMs));
        }
    }

    /// CPU time.
    record Prices(CaseSetup caseSetup, double ms) implements PairPart {
        static PairPart of(CaseSetup caseSetup, double perS) {
            double cores = Runtime.getRuntime().availableProcessors() * LEFT_CORES;
            return new Prices(caseSetup, cores * 1000 / perS - REQUEST_MS);
        }

        /// CPU time in a control group with a quota.
        static PairPart underQuota(CaseSetup caseSetup, double perS) {
            caseSetup.closing(Cgroup.limitedTo(QUOTA));
            return new Prices(caseSetup, QUOTA / 100.0 * 1000 / perS - REQUEST_MS);
        }

        @Override
        public void serve() {
            caseSetup.burn().millis(ms);
        }
    }

    /// A token bucket that gets one token at a time.
    record Gate(Semaphore tokens) implements PairPart {
        static PairPart of(CaseSetup caseSetup, double perS) {
            Semaphore tokens = new Semaphore(0);
            ScheduledExecutorService filler = Executors.newSingleThreadScheduledExecutor();
            ScheduledFuture<?> filling =
                    filler.scheduleAtFixedRate(
                            () -> tokens.release(tokens.availablePermits() < PLACES ? 1 : 0),
                            0,
                            Math.round(1e6 / perS),
                            TimeUnit.MICROSECONDS);
            caseSetup.closing(() -> {
                filling.cancel(true);
                filler.shutdownNow();
            });
            return new Gate(tokens);
        }

        @Override
        public void serve() throws InterruptedException {
            tokens.acquire();
        }
    }

    /// A call without a limit of its own, over which a request keeps its thread.
    record Slow(DownstreamClient client, double meanMs) implements PairPart {
        /// Threads of the container.
        static final int THREADS = 12;

        /// The other part takes about the time of one thread.
        static PairPart of(CaseSetup caseSetup, double perS) throws IOException {
            return new Slow(caseSetup.downstream(), (THREADS - 1) * 1000 / perS);
        }

        /// As {@link #of}, beside a part that takes the time of several threads.
        static PairPart besideCalls(CaseSetup caseSetup, double perS) throws IOException {
            return new Slow(caseSetup.downstream(), (THREADS - PLACES) * 1000 / perS);
        }

        @Override
        public void serve() throws IOException {
            client.await(millis(meanMs));
        }
    }
}
