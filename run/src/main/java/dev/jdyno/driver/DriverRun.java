package dev.jdyno.driver;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Drive;
import dev.jdyno.target.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// One run of a driver, from its start to its report.
final class DriverRun implements AutoCloseable {
    /// Maximum size of a driver's printed output. A driver that prints a line for each request
    /// reaches it.
    private static final long MAX_PRINTED = 64L << 20;

    /// A shell's exit code for an unknown program.
    private static final int NOT_FOUND = 127;

    private final Drive drive;
    private final Program program;
    private final Path printed;
    private final Path out;

    /// Time for which it was asked to send.
    private final int seconds;

    private final long startNanos;
    private volatile boolean ended;
    private volatile boolean tooMuch;

    private DriverRun(
            Drive drive, Program program, Path printed, Path out, int seconds, long startNanos) {
        this.drive = drive;
        this.program = program;
        this.printed = printed;
        this.out = out;
        this.seconds = seconds;
        this.startNanos = startNanos;
    }

    /// @param folder in which it may write
    /// @throws UserError if it cannot be started
    static DriverRun start(Drive drive, int users, int seconds, Path folder, NanoClock clock) {
        Path printed = folder.resolve("driver.out");
        Path out = folder.resolve("driver.results");
        try {
            Files.deleteIfExists(out);
            PrivateFiles.create(printed).close();
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + printed,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
        long start = clock.nanos();
        return new DriverRun(
                drive,
                Program.start(drive.of(users, seconds, out.toString()), printed),
                printed,
                out,
                seconds,
                start);
    }

    long startNanos() {
        return startNanos;
    }

    int seconds() {
        return seconds;
    }

    /// CPU time of its processes so far.
    ProgramCpu cpu() {
        return ProgramCpu.of(program.look());
    }

    boolean isRunning() {
        return program.exitCode().isEmpty();
    }

    /// Ends the run if it prints too much.
    void limit() {
        if (isRunning() && printed.toFile().length() > MAX_PRINTED) {
            tooMuch = true;
            program.close();
        }
    }

    /// Waits for the end of the run.
    ///
    /// @return false if we ended it in the meantime
    /// @throws UserError if it does not end in time, fails, or reports no requests
    boolean await(Duration max) throws InterruptedException {
        boolean gone = program.awaitEnd(max);
        if (ended) {
            return false;
        }
        requireSober();
        if (!gone) {
            program.close();
            throw failed(
                    "does not end",
                    "it was asked for "
                            + seconds
                            + " s and still runs "
                            + max.toSeconds()
                            + " s later",
                    "is {seconds} its duration? jdyno needs the end of each run");
        }
        program.close();
        Optional<UserError> failure = failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
        return true;
    }

    /// The error for an exit code other than 0; empty for exit code 0, and while it runs.
    Optional<UserError> failure() {
        int code = program.exitCode().orElse(0);
        return code == 0 || ended
                ? Optional.empty()
                : Optional.of(
                        failed(
                                "failed with exit code " + code,
                                "its last words were" + program.lastLines(),
                                code == NOT_FOUND
                                        ? "give the full path of the program, or install it"
                                        : "run the command by hand with {n} = 1 and {seconds} = 2"));
    }

    private void requireSober() {
        if (tooMuch) {
            throw failed(
                    "prints too much",
                    "more than " + (MAX_PRINTED >> 20) + " MiB in one run",
                    "make it quiet, and let it write its results to {out}");
        }
    }

    /// The report on a period of time; empty if no reader knows its form.
    ///
    /// @throws UserError if it cannot be read, or it counts no requests
    Optional<DriverReport> report(DriverOutput.Window window) {
        var output = new DriverOutput(printed, out, window);
        Optional<DriverReport> report;
        try {
            report = DriverReader.readAny(output);
        } catch (IOException malformed) {
            throw failed(
                            "wrote what cannot be read",
                            String.valueOf(malformed.getMessage()),
                            "see driver.out and driver.results in the result's folder")
                    .causedBy(malformed);
        }
        if (report.filter(r -> r.sentInAll() == 0).isPresent()) {
            throw sentNothing("its output counts 0 requests (" + report.get().source() + ")");
        }
        return report;
    }

    /// The error for a report in an unknown form.
    ///
    /// @param reasons reasons why the service's own counters are not used
    UserError unknownForm(List<String> reasons) {
        String noCounter =
                reasons.isEmpty()
                        ? ""
                        : "; the service's own counters give no requests: "
                                + String.join("; ", reasons);
        return failed(
                "reports in a form that is not known",
                "it printed" + program.lastLines() + noCounter,
                "known are "
                        + DriverReader.FORMS
                        + "; write results to {out}, let the service count (--metrics URL), or"
                        + " count with --through PORT");
    }

    /// The error for a run without requests.
    UserError sentNothing(String why) {
        return failed(
                "sent no request", why, "check the URL in the command, and that the service is up");
    }

    private UserError failed(String what, String why, String fix) {
        return UserError.target(
                "the driver " + what + ": " + Secrets.commandLine(drive.command()), why, fix);
    }

    /// Ends the run if it is running; its report is lost.
    @Override
    public void close() {
        ended = ended || isRunning();
        program.close();
    }
}
