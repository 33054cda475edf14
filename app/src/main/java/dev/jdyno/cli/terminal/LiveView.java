package dev.jdyno.cli.terminal;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.report.terminal.Cursor;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.trial.TrialListener;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;

/// Progress on standard error: on a terminal a line that rewrites itself, elsewhere a plain line
/// every few seconds. Each round adds one permanent line.
public final class LiveView implements TrialListener {
    /// Seconds between plain progress lines.
    private static final double PLAIN_EVERY = 5;

    private final PrintWriter err;
    private final TerminalReport report;
    private final boolean quiet;
    private final boolean rewrites;
    private String phase = "";
    private double lastPlain;
    private int shown;

    public LiveView(PrintWriter err, OutputOptions options) {
        this(err, new TerminalReport(options.colour()), options);
    }

    public LiveView(PrintWriter err, TerminalReport report, OutputOptions options) {
        this.err = err;
        this.report = report;
        this.quiet = options.quiet;
        this.rewrites = Terminal.isInteractive();
    }

    @Override
    public void phase(String says) {
        begin(says);
        if (!quiet && !rewrites) {
            err.println(phase);
            err.flush();
        }
    }

    /// Plain output has no line for the start of a round, because the line at its end has the
    /// figures.
    @Override
    public void measuring(String says) {
        begin(says);
    }

    private void begin(String says) {
        phase = Secrets.text(says);
        lastPlain = 0;
        if (!quiet && rewrites) {
            rewrite(phase + " …");
        }
    }

    @Override
    public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
        if (quiet) {
            return;
        }
        if (seconds < lastPlain) {
            // The time restarts at 0 for a new part of a phase, such as each warm-up of a
            // comparison.
            lastPlain = 0;
        }
        String line =
                String.format(
                        Locale.ROOT,
                        "%s: %.0f%s s%s",
                        phase,
                        seconds,
                        of.map(s -> String.format(Locale.ROOT, " of %.0f", s)).orElse(""),
                        qps.map(q -> String.format(Locale.ROOT, ", %.0f requests/s", q))
                                .orElse(""));
        if (rewrites) {
            rewrite(line);
        } else if (seconds - lastPlain >= PLAIN_EVERY) {
            lastPlain = seconds;
            err.println(line);
            err.flush();
        }
    }

    @Override
    public void round(Round round) {
        if (!quiet) {
            say(report.round(round));
        }
    }

    @Override
    public void note(String says) {
        say(says);
    }

    /// Prints a permanent line.
    public void say(String line) {
        if (quiet) {
            return;
        }
        if (rewrites && shown > 0) {
            rewrite("");
            err.print(Cursor.lineStart());
        }
        err.println(Secrets.text(line));
        err.flush();
        shown = 0;
    }

    private void rewrite(String text) {
        String line = Terminal.size().map(size -> size.cut(text)).orElse(text);
        err.print(Cursor.lineStart() + line + " ".repeat(Math.max(0, shown - line.length())));
        err.flush();
        shown = line.length();
    }
}
