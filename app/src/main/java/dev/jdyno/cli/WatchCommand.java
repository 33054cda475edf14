package dev.jdyno.cli;

import dev.jdyno.cli.options.AtFile;
import dev.jdyno.cli.options.MetricsOption;
import dev.jdyno.cli.options.OptionTexts;
import dev.jdyno.cli.options.OutputFolder;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.Terminal;
import dev.jdyno.guard.CpuLevel;
import dev.jdyno.inside.MachineFacts;
import dev.jdyno.inside.RunningJvms;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.plan.WatchFile;
import dev.jdyno.report.WatchReport;
import dev.jdyno.serve.AlertState;
import dev.jdyno.serve.MetricsPort;
import dev.jdyno.serve.WatchMetrics;
import dev.jdyno.serve.Webhook;
import dev.jdyno.target.ProcFs;
import dev.jdyno.watch.Wanted;
import dev.jdyno.watch.WatchListener;
import dev.jdyno.watch.Watching;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        description = {
            "Watch JVMs for days: a verdict each minute, events, day files, metrics.",
            "",
            "It runs in the foreground until Ctrl-C. It sends no load, and changes nothing in a JVM."
                    + " It reads counters each 2.5 seconds and, by a GET each 5 seconds, the"
                    + " service's own metrics if it finds them. It takes 3 thread dumps a minute; 12"
                    + " in the first minute, and while the CPU or a pool is saturated. Each pauses"
                    + " the JVM for a moment. After long pauses it takes fewer, at least one a"
                    + " minute.",
            "",
            "Standard output has the events, one line each: the bottleneck changed (in two"
                    + " minutes in a row), the headroom is below --headroom-below or back above it,"
                    + " the CPU time of a request changed, a service was restarted, or is gone."
        },
        footer = {
            "",
            "Examples:",
            "  jdyno watch shop orders --headroom-below 1.5 --metrics-port 9779",
            "  jdyno diagnose --at 14:05..14:20 --from jdyno-out/watch",
        })
final class WatchCommand implements Callable<Integer> {
    /// Folder of the day files, if none is given.
    static final Path FOLDER = Path.of("jdyno-out", "watch");

    private static final int KEEP = 14;
    private static final Duration MIN_DURATION = Duration.ofSeconds(10);

    @Parameters(
            arity = "0..*",
            paramLabel = "PID|NAME",
            description =
                    "JVMs to watch: process ids, or names as jdyno ps shows them (default: those of"
                            + " --config). A name stays watched after a restart, and is waited for"
                            + " if no JVM has it yet.")
    private List<String> words = List.of();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read services and settings from a YAML file. Options override it. With PID|NAME,"
                            + " only those are watched, with their settings from the file.")
    private @Nullable Path config;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Folder of the day files, SERVICE-DATE.jsonl, a line a minute (default:"
                            + " jdyno-out/watch).")
    private @Nullable Path out;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Day files of each service that are kept (default: " + KEEP + ").")
    private @Nullable Integer keep;

    @Option(
            names = "--headroom-below",
            paramLabel = "X",
            description =
                    "Report when the service could take less than X times its mean throughput of"
                            + " the last half hour, such as 1.5 (default: no such event).")
    private @Nullable String headroomBelow;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description =
                    "Publish jdyno's figures of the last minute as OpenMetrics under /metrics, on"
                            + " the loopback device only; port 0 takes a free port.")
    private @Nullable Integer metricsPort;

    @Option(
            names = "--webhook",
            paramLabel = "URL",
            description =
                    "Also send each event there, a POST with its JSON document. @FILE reads the"
                            + " URL from a file, for one that contains a secret.")
    private @Nullable String webhook;

    @Option(
            names = "--webhook-form",
            paramLabel = "FORM",
            description =
                    "What --webhook sends: events, or alertmanager for alerts as Alertmanager's"
                            + " /api/v2/alerts takes them (default: events).")
    private @Nullable String webhookForm;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "End after this time (default: at Ctrl-C).")
    private @Nullable String duration;

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Option(names = "--json", description = "Print each event as a JSON document in one line.")
    private boolean json;

    @Option(
            names = "--quiet",
            description = "On a terminal, print events only, no line for each minute.")
    private boolean quiet;

    @SuppressWarnings("UnusedVariable") // accepted as by the other verbs
    @Option(names = "--no-color", description = "No colours; this verb never prints any.")
    private boolean noColor;

    @Spec private CommandSpec spec;

    /// @param alerts true if it gets alerts instead of events
    private record Hook(URI to, boolean alerts) {}

    @Override
    public Integer call() throws InterruptedException {
        var problems = Problems.ofCommand("jdyno watch");
        WatchFile file =
                config == null
                        ? WatchFile.NONE
                        : WatchFile.read(config, OptionTexts.ENVIRONMENT, problems);
        List<Watching.Service> services = services(file, problems);
        OptionTexts.within("--keep", keep, 1, WatchFile.MAX_KEEP, "--keep 14", problems);
        OptionTexts.within(
                "--metrics-port",
                metricsPort,
                0,
                WatchFile.MAX_PORT,
                "--metrics-port 9779",
                problems);
        Optional<Duration> time =
                Optional.ofNullable(duration)
                        .map(d ->
                                OptionTexts.time(
                                        "--duration",
                                        d,
                                        Duration.ofHours(1),
                                        MIN_DURATION,
                                        problems));
        Optional<Hook> hook = hook(file, problems);
        problems.throwIfAny(
                "the command line of jdyno watch" + (config == null ? "" : " with " + config));
        var settings =
                new Watching.Settings(
                        services,
                        folder(Optional.ofNullable(out).or(file::out).orElse(FOLDER)),
                        Optional.ofNullable(keep).or(file::keep).orElse(KEEP));
        var printed = new Printed(spec.commandLine().getOut(), spec.commandLine().getErr());
        try (var interrupt = new Interrupt();
                Closing _ = port(Optional.ofNullable(metricsPort).or(file::metricsPort), printed);
                Closing _ = sender(hook, printed)) {
            boolean wanted =
                    new Watching(
                                    settings,
                                    printed,
                                    InstantSource.system(),
                                    NanoClock.SYSTEM,
                                    until(interrupt, time))
                            .run();
            // without that, the JVMs have ended, as in diagnose
            return wanted ? 0 : UserError.Kind.TARGET.exitCode();
        }
    }

    /// The services of the command line; without them, those of the file. Options win over it.
    private List<Watching.Service> services(WatchFile file, Problems problems) {
        List<WatchFile.Service> asked =
                words.isEmpty()
                        ? file.services()
                        : words.stream().distinct().map(file::service).toList();
        List<Wanted.Word> named =
                asked.stream().map(s -> new Wanted.Word(s.word(), s.where())).toList();
        // a file whose services are all mistaken is no file without services
        List<Wanted> wanted =
                named.isEmpty() && file.namesServices()
                        ? List.of()
                        : Wanted.of(named, new RunningJvms(ProcFs.SYSTEM), problems);
        Optional<Double> below =
                OptionTexts.optional(
                        "--headroom-below", headroomBelow, WatchFile::headroom, problems);
        Optional<MetricsPlan> read = metrics.given(problems);
        if (read.flatMap(MetricsPlan::at).isPresent() && asked.size() > 1) {
            problems.add(
                    "--metrics",
                    "is the address of one service, and several are watched",
                    "give each its metrics in the file of --config, or watch that service by a"
                            + " jdyno watch of its own");
        }
        // after a mistake there may be fewer, and none is watched
        return IntStream.range(0, Math.min(wanted.size(), asked.size()))
                .mapToObj(i ->
                        new Watching.Service(
                                wanted.get(i),
                                read.or(asked.get(i)::metrics).orElse(MetricsPlan.SEARCH),
                                below.or(asked.get(i)::headroomBelow).or(file::headroomBelow)))
                .toList();
    }

    private Optional<Hook> hook(WatchFile file, Problems problems) {
        Optional<WatchFile.Form> form =
                OptionTexts.optional(
                        "--webhook-form", webhookForm, WatchFile.Form::parse, problems);
        Optional<WatchFile.Hook> given =
                Optional.ofNullable(webhook)
                        .map(w -> new WatchFile.Hook("--webhook", w, Optional.empty()))
                        .or(file::webhook);
        if (given.isEmpty()) {
            if (webhookForm != null) {
                problems.add(
                        "--webhook-form",
                        "says what --webhook sends, and there is none",
                        "give --webhook URL");
            }
            return Optional.empty();
        }
        boolean alerts =
                form.or(() -> file.webhook().flatMap(WatchFile.Hook::form))
                        .filter(f -> f == WatchFile.Form.ALERTMANAGER)
                        .isPresent();
        String where = given.get().where();
        Optional<URI> to =
                AtFile.text(where, given.get().url(), problems)
                        .flatMap(t -> url(where, t.strip(), problems));
        if (alerts && to.filter(t -> t.getPath().length() <= 1).isPresent()) {
            problems.add(
                    where,
                    "has no path, and Alertmanager takes alerts at /api/v2/alerts",
                    "add that path to the URL");
        }
        return to.map(t -> new Hook(t, alerts));
    }

    private static Optional<URI> url(String where, String text, Problems problems) {
        try {
            return Optional.of(HttpUrl.parse(text));
        } catch (IllegalArgumentException noUrl) {
            problems.add(where, "is no URL of http or https", problems.help());
            return Optional.empty();
        }
    }

    private static Closing sender(Optional<Hook> hook, Printed printed) {
        if (hook.isEmpty()) {
            return () -> {};
        }
        if (!hook.get().alerts()) {
            var sender = new Webhook(hook.get().to(), printed::note);
            printed.also = event -> sender.offer(WatchReport.json(event));
            return sender::close;
        }
        var state = new AlertState(MachineFacts.read().host());
        Supplier<Optional<String>> document =
                () -> state.document(InstantSource.system().instant());
        var sender = new Webhook(hook.get().to(), document, printed::note);
        printed.also =
                event -> {
                    state.add(event);
                    document.get().ifPresent(sender::offer);
                };
        return sender::close;
    }

    private static Path folder(Path wanted) {
        try {
            return OutputFolder.open(wanted);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + wanted,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    private static BooleanSupplier until(Interrupt interrupt, Optional<Duration> time) {
        long start = NanoClock.SYSTEM.nanos();
        return () ->
                interrupt.isSet()
                        || time.filter(t ->
                                        NanoClock.SYSTEM.secondsSince(start)
                                                >= Durations.seconds(t))
                                .isPresent();
    }

    /// Something to close that fails without an exception of its own.
    private interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    private static Closing port(Optional<Integer> number, Printed printed) {
        if (number.isEmpty()) {
            return () -> {};
        }
        MetricsPort port = MetricsPort.open(number.get(), printed::metrics);
        printed.note("metrics: " + port.url());
        return port::close;
    }

    /// Prints events on standard output; minutes (on a terminal) and troubles on standard error.
    private final class Printed implements WatchListener {
        private final PrintWriter events;
        private final PrintWriter notes;
        private final Map<String, WatchedMinute> last = new TreeMap<>();
        private final Map<String, CpuLevel> levels = new HashMap<>();
        private Consumer<WatchEvent> also = _ -> {};
        private final boolean eachMinute = !quiet && !json && Terminal.isInteractive();

        Printed(PrintWriter events, PrintWriter notes) {
            this.events = events;
            this.notes = notes;
        }

        @Override
        public List<WatchEvent> minute(WatchedMinute minute) {
            synchronized (last) {
                last.put(minute.service(), minute);
            }
            if (eachMinute) {
                notes.println(WatchReport.line(minute, ZoneId.systemDefault()));
                notes.flush();
            }
            return levels
                    .computeIfAbsent(minute.service(), _ -> new CpuLevel())
                    .after(minute)
                    .stream()
                    .toList();
        }

        @Override
        public void event(WatchEvent event) {
            if (event instanceof WatchEvent.Gone || event instanceof WatchEvent.Restarted) {
                synchronized (last) {
                    last.remove(event.service());
                }
            }
            events.println(
                    json
                            ? WatchReport.json(event)
                            : WatchReport.line(event, ZoneId.systemDefault()));
            events.flush();
            also.accept(event);
        }

        @Override
        public void note(String says) {
            notes.println("jdyno watch: " + says);
            notes.flush();
        }

        String metrics() {
            synchronized (last) {
                return WatchMetrics.of(List.copyOf(last.values()));
            }
        }
    }
}
