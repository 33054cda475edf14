package dev.jdyno.lab.planted;

import ch.qos.logback.classic.Logger;
import dev.jdyno.lab.service.ContainerOptions;
import dev.jdyno.lab.service.Running;
import dev.jdyno.lab.work.DownstreamClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/// A service without a limit near its load. The label's concurrency is the rate of its load, in
/// requests/s: a small part of what the service can serve.
///
/// @param work creates what each request does
/// @param container changes the container's settings
record Healthy(Label label, Work work, UnaryOperator<ContainerOptions> container) implements Case {
    /// What each request does.
    interface Request {
        void serve() throws IOException, InterruptedException;
    }

    /// Creates a request's work.
    interface Work {
        Request in(CaseSetup caseSetup) throws IOException;
    }

    static final List<Case> ALL =
            List.of(
                    healthy(
                            "idle-pool",
                            8,
                            "a pool of ten connections that are free most of the time",
                            setup -> {
                                Store store = Store.start(setup, 10, 1000);
                                return () -> store.query(5);
                            }),
                    healthy(
                            "few-requests",
                            1,
                            "one request a second, which sleeps 20 ms",
                            setup -> () -> Thread.sleep(20)),
                    healthy(
                            "slow-call",
                            2,
                            "a called service that takes 300 ms and serves any number of calls",
                            setup -> {
                                DownstreamClient client = setup.downstream();
                                return () -> client.await(300);
                            }),
                    healthy(
                            "slow-calls",
                            12,
                            "a called service that takes 250 ms; three calls at a time",
                            setup -> {
                                DownstreamClient client = setup.downstream();
                                return () -> client.await(PairPart.millis(250));
                            }),
                    new Healthy(
                            label("some-garbage", 20, "the collector takes about 2 % of the time")
                                    .jvm("-XX:+UseParallelGC", "-Xmx256m", "-Xmn48m"),
                            setup -> () -> Garbage.allocate(4L << 20, 8192),
                            UnaryOperator.identity()),
                    healthy(
                            "scheduled-job",
                            5,
                            "a job that computes for 0.4 s of each second, beside few requests",
                            Healthy::scheduledJob),
                    healthy(
                            "slow-endpoint",
                            10,
                            "one of ten requests takes half a second",
                            setup ->
                                    () ->
                                            Thread.sleep(
                                                    ThreadLocalRandom.current().nextInt(10) == 0
                                                            ? 500
                                                            : 5)),
                    healthy(
                            "short-lock",
                            20,
                            "a lock that each request holds for about 2 ms",
                            setup -> PairPart.Ledger.of(setup, 500)::serve),
                    healthy(
                            "log-lines",
                            10,
                            "five log lines a request, to a file",
                            setup -> {
                                Logger log =
                                        new Log()
                                                .toFile(
                                                        setup.folderOnDisk().resolve("orders.log"),
                                                        Log.CALLER);
                                return () -> {
                                    for (int i = 0; i < 5; i++) {
                                        log.info("order {} checked", i);
                                    }
                                };
                            }),
                    healthy(
                            "three-queries",
                            6,
                            "three queries of 8 ms one after the other",
                            setup -> {
                                Store store = Store.start(setup, 10, 1000);
                                return () -> {
                                    store.query(8);
                                    store.query(8);
                                    store.query(8);
                                };
                            }),
                    new Healthy(
                            label("virtual-threads", 15, "virtual threads that wait 40 ms")
                                    .jdkFrom(21),
                            setup -> () -> Thread.sleep(40),
                            ContainerOptions::onVirtualThreads),
                    healthy(
                            "wide-limiter",
                            10,
                            "a semaphore of 20 permits, of which few are in use",
                            setup -> {
                                Semaphore permits = new Semaphore(20);
                                return () -> {
                                    permits.acquire();
                                    try {
                                        Thread.sleep(15);
                                    } finally {
                                        permits.release();
                                    }
                                };
                            }));

    private static Case healthy(String name, int perS, String note, Work work) {
        return new Healthy(label(name, perS, note), work, UnaryOperator.identity());
    }

    private static Label label(String name, int perS, String note) {
        return Label.of("healthy-" + name, "load", perS, "", note);
    }

    private static Request scheduledJob(CaseSetup caseSetup) {
        ScheduledExecutorService jobs = Executors.newSingleThreadScheduledExecutor();
        ScheduledFuture<?> job =
                jobs.scheduleAtFixedRate(
                        () -> caseSetup.burn().millis(400), 0, 1000, TimeUnit.MILLISECONDS);
        caseSetup.closing(() -> {
            job.cancel(true);
            jobs.shutdownNow();
        });
        return () -> caseSetup.burn().millis(2);
    }

    @Override
    public Running start(CaseSetup caseSetup) throws IOException {
        Request request = work.in(caseSetup);
        return caseSetup.serve(
                container.apply(caseSetup.tomcat()),
                query -> {
                    request.serve();
                    return "ok\n";
                });
    }
}
