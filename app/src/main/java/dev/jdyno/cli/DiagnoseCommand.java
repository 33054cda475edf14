package dev.jdyno.cli;

import dev.jdyno.capacity.headroom.NaturalLoad;
import dev.jdyno.cli.options.AimOption;
import dev.jdyno.cli.options.ForceOption;
import dev.jdyno.cli.options.FramesOption;
import dev.jdyno.cli.options.KeepOptions;
import dev.jdyno.cli.options.MetricsOption;
import dev.jdyno.cli.options.ObservationOptions;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.options.StagesOption;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.LiveView;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.diagnose.Standstills;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.history.Entries;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.DiagnoseResult;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Explaining;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.measure.verdict.Judged;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.report.DiagnoseReport;
import dev.jdyno.report.words.StagesText;
import dev.jdyno.trial.watch.LiveDiagnosis;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        description = {
            "Watch a JVM under its present load and name the bottleneck.",
            "",
            "Made for production: it sends no load, and changes nothing in the JVM unless --jmx"
                    + " or --stages is given. It reads counters and, by a few GETs, the service's"
                    + " own metrics if it finds them (--no-metrics: it sends no request at all)."
                    + " Then it takes thread dumps (--dumps), each of which pauses the JVM for a"
                    + " moment; the longest pause is printed. It sees JVMs of this host only; in a"
                    + " pod or container, run it there.",
            "",
            "With --files it observes no JVM. It judges a service from files that were recorded"
                    + " elsewhere. With --at it summarises minutes that jdyno watch recorded."
        },
        footer = {
            "",
            "Example: jdyno diagnose 4711 --duration 1m --access-log /var/log/app/access.log",
            "         jdyno diagnose --files dump-*.txt gc.log recording.jfr access.log",
            "         jdyno diagnose --at 14:05..14:20 --from jdyno-out/watch"
        })
final class DiagnoseCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "PID", description = "Process id of the JVM.")
    private @Nullable Long given;

    @Option(
            names = "--files",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Files to judge in place of a JVM, or folders with them. Flight recordings of"
                            + " any settings, thread dumps (jstack, jcmd Thread.print, kill -3"
                            + " inside a log, Thread.dump_to_file as JSON), GC logs, access"
                            + " logs, outputs of top -H -b and pidstat -t. jdyno recognises the"
                            + " kind of a file by its content.")
    private List<Path> files = List.of();

    @Mixin private DiagnoseAt recorded = new DiagnoseAt();

    @Mixin
    private ObservationOptions watch =
            new ObservationOptions(Duration.ofSeconds(30), Duration.ofSeconds(3), 20);

    @Option(
            names = "--access-log",
            paramLabel = "FILE",
            description =
                    "Access log to which the service appends a line for each request. The new"
                            + " lines are counted, which gives throughput and time per request."
                            + " Without this file, the service's own metrics give both, or the"
                            + " request counter of Tomcat or Jetty if the JVM's local JMX connector"
                            + " runs, or the segments on its connections (ss).")
    private @Nullable Path accessLog;

    @Option(
            names = "--jmx",
            description =
                    "Start the JVM's local JMX connector to read the request counter of Tomcat or Jetty;"
                            + " the connector runs until the JVM ends. Not needed with"
                            + " --access-log.")
    private boolean jmx;

    @Option(
            names = "--headroom",
            description =
                    "Predict how much more load the service can serve, from how its use of CPU,"
                            + " pools and disks follows the traffic. The more the traffic varies,"
                            + " the less time this needs: begin with --duration 10m, at least 72s.")
    private boolean headroom;

    @Mixin private StagesOption stages = new StagesOption();

    @Mixin private FramesOption frames = new FramesOption();

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Mixin private AimOption improving = new AimOption();

    @Mixin private ForceOption force = new ForceOption();

    @Mixin private KeepOptions keeping = new KeepOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException, IOException {
        var problems = Problems.ofCommand("jdyno diagnose");
        if (recorded.isGiven() || !files.isEmpty()) {
            return ofRecords(problems);
        }
        long pid = pid(problems);
        Duration time = watch.duration(problems);
        List<MethodName> timed = stages.methods(problems);
        Recommendations.Aim aim = improving.aim(problems);
        MetricsPlan read = metrics.of(MetricsPlan.SEARCH, problems);
        problems.throwIfAny();
        LiveDiagnosis.Settings settings =
                new LiveDiagnosis.Settings(
                        pid,
                        time,
                        watch.dumps(),
                        Optional.ofNullable(accessLog),
                        jmx,
                        headroom,
                        read,
                        timed,
                        Frames.with(frames.file()));
        // Before the observation, so that a folder that cannot be created is reported at once.
        Optional<Path> folder =
                output.out().map(o -> OutputFolder.create(Optional.of(o), "diagnose"));
        PrintWriter out = spec.commandLine().getOut();
        Instant startedAt = Instant.now();
        var view = new LiveView(spec.commandLine().getErr(), output);
        // Now, because the JVM may have ended after the observation.
        String service = ServiceName.of(pid).orElse("diagnose");
        try (Interrupt interrupt = new Interrupt()) {
            LiveDiagnosis.Seen seen =
                    new LiveDiagnosis(settings, view, NanoClock.SYSTEM, interrupt::isSet)
                            .force(force.wanted)
                            .run();
            List<UserError> unexplained = new ArrayList<>();
            DiagnoseResult watched =
                    Explaining.orElse(
                            unjudged(seen),
                            "it judged what it had seen",
                            () -> judged(seen, aim),
                            unexplained::add);
            view.say("");
            out.print(output.json ? DiagnoseReport.json(watched) : text(watched));
            out.flush();
            if (folder.isPresent()) {
                write(watched, folder.get());
                keeping.keep(
                        startedAt,
                        OptionTexts.typed(spec),
                        folder,
                        Path.of(""),
                        spec.commandLine().getErr(),
                        origin -> Entries.of(watched, service, origin));
            }
            if (interrupt.isSet()) {
                return Interrupt.EXIT_CODE;
            }
            Optional<UserError> failure =
                    watched.ended()
                            .or(() ->
                                    Standstills.failure(watched.recording().target().standstills()))
                            .or(() -> unexplained.stream().findFirst());
            failure.ifPresent(e -> Failures.print(e, spec.commandLine().getErr()));
            return failure.map(e -> e.kind().exitCode()).orElse(0);
        }
    }

    /// Judges files, or summarises the minutes of a watch.
    private int ofRecords(Problems problems) throws IOException {
        return recorded.isGiven()
                ? recorded.call(spec, output, problems)
                : new DiagnoseFiles(spec, output, keeping).call(files, frames, improving, problems);
    }

    private long pid(Problems problems) {
        if (given == null) {
            problems.add(
                    "PID",
                    "is missing",
                    "give the process id of a JVM (jdyno ps), or --files with recordings");
            return 0;
        }
        return given;
    }

    /// Writes the diagnosis as JSON and as text, for a caller that named a folder.
    static void write(DiagnoseResult watched, Path folder) throws IOException {
        PrivateFiles.write(
                folder.resolve("diagnosis.json"), Printable.json(DiagnoseReport.json(watched)));
        PrivateFiles.write(folder.resolve("diagnosis.txt"), text(watched));
    }

    static String text(DiagnoseResult watched) {
        Insight insight = watched.recording().insight();
        return Printable.text(
                DiagnoseReport.text(watched)
                        + StagesText.of(insight.stages())
                        + insight.missing().stream()
                                .map(m -> m + "\n")
                                .collect(Collectors.joining()));
    }

    /// Returns the observations without a diagnosis.
    private DiagnoseResult unjudged(LiveDiagnosis.Seen seen) {
        return watched(
                seen,
                Judged.nothing("It was not judged.", Validity.of(seen.recording().warnings())));
    }

    private DiagnoseResult judged(LiveDiagnosis.Seen seen, Recommendations.Aim aim) {
        return watched(seen, Judge.rankingBy(aim).underOwnLoad(seen.recording(), seen.inFlight()));
    }

    private DiagnoseResult watched(LiveDiagnosis.Seen seen, Judged judged) {
        return new DiagnoseResult(
                seen.recording(),
                seen.inFlight(),
                seen.throughput(),
                judged,
                headroom
                        ? Optional.of(NaturalLoad.headroom(seen.windows(), seen.rtMs()))
                        : Optional.empty(),
                seen.ended());
    }
}
