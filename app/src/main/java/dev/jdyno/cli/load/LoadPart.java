package dev.jdyno.cli.load;

import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadReport;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.measure.NanoClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/// A process that sends a part of a load for its parent ({@link LoadProcesses}). It prints `warm`,
/// waits for `go`, then prints a line for each window. Its last line is `end` with the transport
/// and how the load ended. It ends early if it reads `stop`, or if the parent has ended.
final class LoadPart {
    static final String WARM = "warm";
    static final String GO = "go";
    static final String STOP = "stop";
    static final String WINDOW = "window ";
    static final String END = "end ";

    private final PrintWriter out;
    private final BooleanSupplier interrupted;
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile boolean stopped;

    LoadPart(InputStream in, PrintWriter out, BooleanSupplier interrupted) {
        this.out = out;
        this.interrupted = interrupted;
        var orders = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        Thread.ofPlatform().daemon().name("orders").start(() -> listen(orders));
    }

    private void listen(BufferedReader orders) {
        try {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                if (line.equals(STOP)) {
                    break;
                }
                go.countDown();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot hear the parent", e);
        } finally {
            stopped = true;
            go.countDown();
        }
    }

    void run(LoadPlan plan) {
        var run =
                new LoadRun(
                        plan,
                        NanoClock.SYSTEM,
                        () -> stopped || interrupted.getAsBoolean(),
                        (window, _) -> say(WINDOW + WindowText.of(window)),
                        this::warm);
        LoadReport report = run.run();
        say(END + report.transport() + " " + report.end());
    }

    private void warm() {
        say(WARM);
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
