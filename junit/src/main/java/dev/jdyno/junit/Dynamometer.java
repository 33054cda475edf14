package dev.jdyno.junit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/// A measurement with the `jdyno` command. Its methods configure it; {@link #run} and {@link
/// #guard} execute it.
///
/// {@snippet :
/// Dynamometer.url("http://localhost:" + port + "/hello")
///         .concurrency(1, 8)
///         .run()
///         .assertThat()
///         .rateUnder("p99<100ms")
///         .isAtLeast(500);
/// }
///
/// The command is looked for in the system property `jdyno.command`, the environment variable
/// `JDYNO_COMMAND`, and as `jdyno` on the `PATH`. Results go to `target/jdyno/<name>`
/// (`build/jdyno` where Gradle builds), a folder for each measurement.
public final class Dynamometer {
    /// A variable for plans: `target: {pid: '${JDYNO_TEST_PID}'}` observes the JVM of the test.
    private static final String TEST_PID = "JDYNO_TEST_PID";

    private static final long OWN_PID = ProcessHandle.current().pid();

    private final Optional<Path> plan;
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> env = new LinkedHashMap<>();
    private Optional<String> url = Optional.empty();
    private OptionalLong pid = OptionalLong.of(OWN_PID);
    private WhenInvalid whenInvalid = WhenInvalid.ABORT;
    private Duration timeout = Duration.ofMinutes(10);
    private String name;

    private Dynamometer(Optional<Path> plan, String name) {
        this.plan = plan;
        this.name = name;
        env.put(TEST_PID, Long.toString(OWN_PID));
    }

    /// Creates a dynamometer whose URL is set later.
    static Dynamometer withoutPlan() {
        return new Dynamometer(Optional.empty(), "jdyno");
    }

    /// @param file a plan of `jdyno run` or `jdyno guard`
    public static Dynamometer plan(Path file) {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
        return new Dynamometer(Optional.of(file), name);
    }

    /// @param file a plan of `jdyno run` or `jdyno guard`
    public static Dynamometer plan(String file) {
        return plan(Path.of(file));
    }

    /// Measures a service in the JVM of the test, unless {@link #observe} or {@link
    /// #observeNothing} follows.
    ///
    /// @param url URL on the loopback interface
    public static Dynamometer url(String url) {
        return withoutPlan().at(url);
    }

    /// Sets the URL to load. A plan has its own: write `${PORT}` there and set it by {@link #env}.
    ///
    /// @throws DynoException with a plan
    public Dynamometer at(String url) {
        if (plan.isPresent()) {
            throw new DynoException(
                    "the plan "
                            + plan.get()
                            + " has a URL of its own: write ${PORT} into it, and give that by"
                            + " env(\"PORT\", …)");
        }
        this.url = Optional.of(url);
        return this;
    }

    /// Observes another JVM than that of the test. A plan names its own JVM.
    public Dynamometer observe(long pid) {
        this.pid = OptionalLong.of(pid);
        return this;
    }

    /// Only sends load, and observes no JVM.
    public Dynamometer observeNothing() {
        pid = OptionalLong.empty();
        return this;
    }

    /// Sets the numbers of requests in flight, one round each, instead of a search for the knee.
    public Dynamometer concurrency(int... inFlight) {
        return options(
                "--concurrency",
                IntStream.of(inFlight).mapToObj(String::valueOf).collect(Collectors.joining(",")));
    }

    /// Sets the time measured at each load: 2 s or more.
    public Dynamometer round(Duration length) {
        return options("--round", length.toMillis() + "ms");
    }

    /// Sets the longest warm-up.
    public Dynamometer warmup(Duration longest) {
        return options("--warmup", longest.toMillis() + "ms");
    }

    /// Searches for the highest rate of an open load under these goals, such as
    /// `p99<100ms,errors<0.1%`. It takes minutes: see `--budget` in `jdyno run --help`.
    public Dynamometer goal(String goals) {
        return options("--goal", goals);
    }

    /// Adds options of the command.
    public Dynamometer options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /// Sets an environment variable of the command; a plan uses it as `${NAME}`.
    public Dynamometer env(String variable, Object value) {
        env.put(variable, String.valueOf(value));
        return this;
    }

    /// Sets the result of a test whose measurement cannot be trusted (default: the test is
    /// aborted).
    public Dynamometer whenInvalid(WhenInvalid then) {
        whenInvalid = then;
        return this;
    }

    /// Sets the time after which the command is ended (default 10 min).
    public Dynamometer timeout(Duration longest) {
        timeout = longest;
        return this;
    }

    /// Sets the name of the folder of the results.
    public Dynamometer name(String name) {
        this.name = name;
        return this;
    }

    /// Measures with `jdyno run`. The result is not stored in the history, unless the options name
    /// a `--store`.
    ///
    /// @throws DynoException when nothing was measured
    /// @throws TestAbortedException when the measurement cannot be trusted
    public RunResult run() {
        List<String> arguments = new ArrayList<>(List.of("run"));
        if (plan.isPresent()) {
            arguments.add(plan.get().toString());
        } else {
            arguments.add(
                    url.orElseThrow(() ->
                            new DynoException(
                                    "jdyno run needs a plan or a URL: @Dyno(plan = \"shop.yaml\"),"
                                            + " or at(\"http://…\")")));
            arguments.addAll(
                    pid.isPresent()
                            ? List.of("--pid", Long.toString(pid.getAsLong()))
                            : List.of("--no-target"));
        }
        if (!options.contains("--store")) {
            arguments.add("--no-store");
        }
        Command.Ended ended = ended(arguments);
        var result = new RunResult(Json.parse(ended.output()), ended.folder());
        if (ended.exitCode() == Command.INVALID) {
            throw invalid(
                    "the measurement is not valid: " + String.join("; ", result.warnings()),
                    result.where());
        }
        return result;
    }

    /// Measures with `jdyno guard`, which compares with the previous days in its history, or with
    /// the pinned build that the plan names.
    ///
    /// @throws DynoException when nothing was measured
    /// @throws TestAbortedException when there is no decision: too few days, too much noise
    public GuardResult guard() {
        Path file =
                plan.orElseThrow(() ->
                        new DynoException(
                                "jdyno guard needs a plan: @Dyno(plan = \"shop.yaml\") or"
                                        + " Dynamometer.plan(…)"));
        Command.Ended ended = ended(List.of("guard", file.toString()));
        var result = new GuardResult(Json.parse(ended.output()), ended.folder());
        if (ended.exitCode() == Command.INVALID) {
            throw invalid(result.says(), result.where());
        }
        return result;
    }

    private Command.Ended ended(List<String> arguments) {
        Path folder = Results.folder(name);
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--json", "--quiet", "--out", folder.toString()));
        all.addAll(options);
        return Command.found().run(all, env, folder, timeout);
    }

    private RuntimeException invalid(String why, String where) {
        String message = why + "\n  " + where;
        if (whenInvalid == WhenInvalid.FAIL) {
            throw new AssertionFailedError(message);
        }
        return new TestAbortedException(message);
    }
}
