package dev.jdyno.cli.options;

import dev.jdyno.measure.text.Problems;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.plan.Drive;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.PlanValues;
import dev.jdyno.target.ProcFs;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The user's own load tool on the command line.
public final class DriveOption {
    private static final Pattern URL = Pattern.compile("https?://(?:[^\\s'\"{}|&;<>]|\\{port})+");

    @Option(
            names = "--drive",
            paramLabel = "COMMAND",
            description = {
                "Let this load tool send the load (wrk, ab, oha, k6, JMeter, Gatling, ghz): jdyno starts it for"
                        + " each round, with {n} and {seconds} replaced, and {out} by a file for its results."
            })
    private @Nullable String command;

    @Option(
            names = "--through",
            paramLabel = "PORT",
            description = {
                "With --drive: count the requests that the load tool sends to this port of 127.0.0.1, and pass"
                        + " them on to the URL; for a tool whose output cannot be read, and a service that"
                        + " counts no requests itself."
            })
    private @Nullable String through;

    /// The service's URL if none is given beside the command: the first URL in the command. If the
    /// command has none, it is the lowest port on which the JVM listens. The same holds with
    /// `--through`, because the command's URL is then the proxy's. The URL may contain `{port}`.
    public Optional<String> url(Optional<Long> pid) {
        if (command == null) {
            return Optional.empty();
        }
        Matcher named = URL.matcher(command);
        if (through == null && named.find()) {
            return Optional.of(named.group());
        }
        return pid.flatMap(p -> Sockets.portsOf(ProcFs.SYSTEM, p).stream().min(Integer::compare))
                .map(port -> "http://127.0.0.1:" + port + "/");
    }

    /// True if a load tool of the command line or of the plan sends the load.
    public boolean loads(Plan plan) {
        return command != null || plan.drive().isPresent();
    }

    /// The load tool of the command line, or else of the plan.
    ///
    /// @param plan whose agents, goals and requests cannot be combined with a load tool
    public Optional<Drive> over(Plan plan, boolean searches, Problems problems) {
        Optional<Drive> drive =
                OptionTexts.optional("--drive", command, Drive::parse, problems).or(plan::drive);
        Optional<Integer> port =
                OptionTexts.optional("--through", through, PlanValues::port, problems);
        if (through != null && drive.isEmpty()) {
            problems.add("--through", "given without --drive", "add --drive COMMAND");
        }
        Optional<Drive> counted = drive.map(d -> port.map(d::withThrough).orElse(d));
        if (drive.isPresent() && searches) {
            problems.add(
                    "--drive",
                    "a program sends the load, and a rate is searched (--goal)",
                    "drop one of them: jdyno cannot give the program a rate");
        }
        if (drive.isPresent() && plan.agents().isPresent()) {
            problems.add("--drive", "a program and agents send the load", "drop one of them");
        }
        List<String> unsent = Drive.unsent(plan);
        if (drive.isPresent() && !unsent.isEmpty()) {
            problems.add(
                    "--drive",
                    "the load tool sends its own requests, and the plan has "
                            + String.join(", ", unsent),
                    "leave them out of the plan, or drop --drive");
        }
        return counted;
    }
}
