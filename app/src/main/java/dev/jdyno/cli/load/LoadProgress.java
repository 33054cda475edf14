package dev.jdyno.cli.load;

import dev.jdyno.cli.terminal.LiveLines;
import dev.jdyno.cli.terminal.Terminal;
import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.statistics.Latency;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.report.terminal.LatencyBars;
import dev.jdyno.report.terminal.LoadSummary;
import java.io.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The output of `jdyno load` while it runs: on a terminal a view that redraws itself, elsewhere
/// plain lines.
interface LoadProgress extends LoadRun.Listener {
    /// Removes the live view, so that later output does not mix with it.
    void end();

    static LoadProgress of(PrintWriter out, LoadPlan plan, boolean quiet, boolean color) {
        if (quiet) {
            return new Silent();
        }
        return color && onTerminal() ? new Live(out, plan) : new Lines(out, plan);
    }

    // JDK 25 returns null again if there is no terminal (JDK-8351435).
    @SuppressWarnings("SystemConsoleNull")
    private static boolean onTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /// Prints nothing.
    final class Silent implements LoadProgress {
        @Override
        public void window(LoadWindow window, LoadWindow sum) {}

        @Override
        public void end() {}
    }

    /// Prints a line per second in short runs, and one every five seconds in long ones.
    final class Lines implements LoadProgress {
        private static final Duration SHORT = Duration.ofSeconds(30);

        private final PrintWriter out;
        private final int every;
        private int windows;

        Lines(PrintWriter out, LoadPlan plan) {
            this.out = out;
            this.every = plan.duration().compareTo(SHORT) <= 0 ? 1 : 5;
        }

        @Override
        public void window(LoadWindow window, LoadWindow sum) {
            if (++windows % every == 0) {
                out.println(row(sum.seconds(), window));
                out.flush();
            }
        }

        @Override
        public void end() {}
    }

    /// Returns the line of one window: ` 12 s 81,233/s p50 0.526 p99 2.6 max 11.2 ms errors 0`.
    private static String row(double at, LoadWindow w) {
        Latency l = w.latency();
        return String.format(
                Locale.ROOT,
                "%5.0f s %,12.0f/s   p50 %.3f  p99 %.3f  max %.3f ms   errors %,d%s",
                at,
                w.qps(),
                l.p50(),
                l.p99(),
                l.max(),
                w.errors(),
                w.client().heldUp()
                        ? "   client held up"
                        : w.client().saturated() ? "   client saturated" : "");
    }

    /// Redraws the last second, the whole run and the histogram of latencies in place.
    final class Live implements LoadProgress {
        private static final int RATES = 60;
        private static final String BLOCKS = "▁▂▃▄▅▆▇█";

        private final LoadPlan plan;
        private final LiveLines shown;
        private final List<Double> rates = new ArrayList<>();

        Live(PrintWriter out, LoadPlan plan) {
            this.plan = plan;
            this.shown = new LiveLines(out, Terminal::size);
        }

        @Override
        public void window(LoadWindow window, LoadWindow sum) {
            rates.add(window.qps());
            if (rates.size() > RATES) {
                rates.removeFirst();
            }
            List<String> lines = new ArrayList<>();
            lines.add(
                    Secrets.text(plan.spec().address())
                            + "   "
                            + plan.model()
                            + " model, "
                            + plan.connections()
                            + " connections");
            lines.add(row(sum.seconds(), window));
            lines.add(
                    "rate        "
                            + spark()
                            + String.format(Locale.ROOT, "  %,.0f/s on average", sum.qps()));
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "all so far  p50 %.3f  p90 %.3f  p99 %.3f  p99.9 %.3f  max %.3f ms",
                            sum.latency().p50(),
                            sum.latency().p90(),
                            sum.latency().p99(),
                            sum.latency().p999(),
                            sum.latency().max()));
            lines.add(
                    "errors      "
                            + (sum.errors() == 0 ? "none" : LoadSummary.kinds(sum.errorKinds())));
            lines.addAll(LatencyBars.of(sum.latencyNanos()));
            shown.show(lines);
        }

        private String spark() {
            double max = rates.stream().mapToDouble(r -> r).max().orElse(1);
            var text = new StringBuilder();
            for (double rate : rates) {
                int level = (int) Math.round(7 * rate / Math.max(1e-9, max));
                text.append(BLOCKS.charAt(Math.clamp(level, 0, 7)));
            }
            return text.toString();
        }

        @Override
        public void end() {
            shown.clear();
        }
    }
}
