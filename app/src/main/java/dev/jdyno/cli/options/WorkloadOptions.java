package dev.jdyno.cli.options;

import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.load.Workload.Check;
import dev.jdyno.measure.load.Workload.Journey;
import dev.jdyno.measure.load.Workload.Poll;
import dev.jdyno.measure.load.Workload.RowOrder;
import dev.jdyno.measure.load.Workload.Step;
import dev.jdyno.measure.load.Workload.Take;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.ReplyTerms;
import dev.jdyno.plan.WorkloadFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of `jdyno load` for a workload of more than one request.
final class WorkloadOptions {
    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description =
                    "YAML: journeys with weights, checks, values taken from replies, data; the URL"
                            + " gives the host.")
    private @Nullable Path file;

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description =
                    "Send the requests of an access log (common or combined format, .gz too) again,"
                            + " each at its own time; with --rate at that rate, in the log's order.")
    private @Nullable Path replay;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description =
                    "With --replay: speed relative to the log, such as 2; max: in the log's"
                            + " order, each connection as fast as its replies come. Default: 1")
    private @Nullable String speed;

    @Option(
            names = "--check-status",
            paramLabel = "N",
            description = "A reply with another status is an error.")
    private @Nullable Integer status;

    @Option(
            names = "--check-contains",
            paramLabel = "TEXT",
            description = "A reply without this text in its body is an error.")
    private @Nullable String contains;

    @Option(
            names = "--take",
            paramLabel = "NAME=HOW",
            description =
                    "Keep a value of the reply for $${NAME} in --poll: json /POINTER, header NAME"
                            + " or regex EXPRESSION; may be given again.")
    private List<String> takes = List.of();

    @Option(
            names = "--poll",
            paramLabel = "PATH",
            description =
                    "The request starts an operation: poll this URL until --until holds; latency"
                            + " ends then.")
    private @Nullable String poll;

    @Option(
            names = "--until",
            paramLabel = "CONDITION",
            description =
                    "status N, contains TEXT, json /POINTER=VALUE, header NAME=VALUE or bytes N; all"
                            + " that are given must hold.")
    private List<String> until = List.of();

    @Option(
            names = "--poll-every",
            paramLabel = "TIME",
            description = "Pause between polls. Default: ${DEFAULT-VALUE}")
    private String pollEvery = "100ms";

    @Option(
            names = "--poll-within",
            paramLabel = "TIME",
            description =
                    "An operation without effect by then is an error (effect-timeout). Default:"
                            + " ${DEFAULT-VALUE}")
    private String pollWithin = "30s";

    /// The requested workload.
    ///
    /// @param spec the single request, for checks of it
    /// @param atRate true if `--rate` sets when requests are sent
    Optional<Workload> read(Problems problems, String method, LoadSpec spec, boolean atRate) {
        boolean polls = poll != null || !until.isEmpty() || !takes.isEmpty();
        if (polls && (poll == null || until.isEmpty())) {
            problems.add(
                    "--poll, --until",
                    "an effect is waited for by both together",
                    "e.g. --poll '/jobs/${id}' --until 'json /state=done' --take 'id=json /id'");
            return Optional.empty();
        }
        if (speed != null && replay == null) {
            problems.add("--speed", "nothing is replayed", "give --replay FILE too");
        }
        boolean checks = status != null || contains != null || polls;
        if ((file == null ? 0 : 1) + (replay == null ? 0 : 1) + (checks ? 1 : 0) > 1) {
            problems.add(
                    "--workload, --replay, --check-…, --poll",
                    "only one of them can say what is sent",
                    "write the checks and the poll into the workload");
            return Optional.empty();
        }
        if (file != null) {
            Workload workload = WorkloadFile.read(file, OptionTexts.ENVIRONMENT);
            return Optional.of(atRate ? workload.atAnyTime() : workload);
        }
        if (replay != null) {
            return replay(problems, replay, atRate);
        }
        return checks ? Optional.of(checked(problems, method, spec)) : Optional.empty();
    }

    private Optional<Workload> replay(Problems problems, Path log, boolean atRate) {
        if (atRate && speed != null) {
            problems.add(
                    "--speed, --rate",
                    "both say when the requests of the log are sent",
                    "leave one of them out");
            return Optional.empty();
        }
        try {
            Workload workload =
                    WorkloadFile.replay(log, speed == null ? 1 : WorkloadFile.speed(speed));
            return Optional.of(atRate ? workload.atAnyTime() : workload);
        } catch (NumberFormatException e) {
            problems.add("--speed " + speed, "not a number", "e.g. --speed 2, or --speed max");
        } catch (IllegalArgumentException e) {
            problems.add(
                    "--replay " + log,
                    String.valueOf(e.getMessage()),
                    "give a log in the common or combined format, and a speed > 0");
        } catch (IOException e) {
            problems.add("--replay " + log, "cannot read it: " + e, "give a file that exists");
        }
        return Optional.empty();
    }

    private Workload checked(Problems problems, String method, LoadSpec spec) {
        List<Check> checks = new ArrayList<>();
        if (status != null) {
            checks.add(new Check.Status(status));
        }
        if (contains != null) {
            checks.add(new Check.Contains(contains));
        }
        URI url = spec.url();
        String path =
                url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        List<Take> taken = new ArrayList<>();
        takes.forEach(t ->
                OptionTexts.optional("--take " + t, t, ReplyTerms::takeFrom, problems)
                        .ifPresent(taken::add));
        Step step =
                new Step("request", method, target, Map.of(), spec.body().text(), checks, taken);
        if (poll != null) {
            step = poll(problems, poll).map(step::withPoll).orElse(step);
        }
        return new Workload(
                List.of(new Journey("request", 1, List.of(step))), List.of(), RowOrder.SEQUENTIAL);
    }

    private Optional<Poll> poll(Problems problems, String path) {
        List<Check> conditions = new ArrayList<>();
        until.forEach(u ->
                OptionTexts.optional("--until " + u, u, ReplyTerms::check, problems)
                        .ifPresent(conditions::add));
        Optional<Duration> every =
                OptionTexts.optional("--poll-every", pollEvery, Durations::parse, problems);
        Optional<Duration> within =
                OptionTexts.optional("--poll-within", pollWithin, Durations::parse, problems);
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Poll(
                        "GET",
                        path,
                        Map.of(),
                        "",
                        conditions,
                        every.orElseThrow(),
                        within.orElseThrow()));
    }
}
