package dev.jdyno.cli;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.MachinePlan;
import dev.jdyno.capacity.Plateau;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.RequestPathText;
import dev.jdyno.capacity.ServiceModel;
import dev.jdyno.capacity.WhatIfAnswer;
import dev.jdyno.cli.terminal.PlainOutput;
import dev.jdyno.history.EntryFile;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.WhatIfChange;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.WhatIfSummary;
import dev.jdyno.report.words.CapacityNoteText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "whatif",
        mixinStandardHelpOptions = true,
        description = "Predict a service's capacity, now and after changes, without load.",
        footer = {
            "",
            "Changes: cpu*0.5  downstream:HOST*0.5  lock:X*0.2  gc*0  cores=8  threads=40  pool=30",
            "         parallel:A,B,C; each is answered alone, then all of them together.",
            "",
            "Examples:",
            "  20 ms CPU on 2 cores and 80 ms elsewhere:",
            "    jdyno whatif --resource cpu=20/2 --delay io=80 --concurrency 30",
            "  what a lock allows and what CPU would; CPU is taken twice, 18 and 2 ms:",
            "    jdyno whatif --resource lock=50/1 --resource cpu=18+2/2 --delay io=80",
            "  175 a second at 114 ms were measured of 10 ms CPU on 2 cores and 80 ms elsewhere:",
            "    jdyno whatif --resource cpu=10/2 --delay io=80 --measured 175/s,114ms 'cpu*0.5'",
            "  a measured service with half the CPU per request, and machines for 50 000 a second:",
            "    jdyno whatif jdyno-out/…/result.json 'cpu*0.5' --plan 50000/s"
        })
final class WhatIfCommand implements Callable<Integer> {
    // A rate such as 50000/s
    private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(?:/s)?");

    @Parameters(
            paramLabel = "RESULT.json|CHANGE",
            arity = "0..*",
            description = "The result of a run, then the changes to predict.")
    private List<String> words = List.of();

    @Option(
            names = "--resource",
            paramLabel = "NAME=MS/UNITS",
            description =
                    "A request occupies one of UNITS for MS (cores, a lock, a pool's places).")
    private List<String> resources = List.of();

    @Option(
            names = "--delay",
            paramLabel = "NAME=MS",
            description = "A request waits MS; such waits do not delay other requests.")
    private List<String> delays = List.of();

    @Option(
            names = "--parallel",
            paramLabel = "NAME,NAME…",
            description = "These delays overlap; the longest counts.")
    private List<String> parallel = List.of();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Also predict QPS and RT with N requests in flight.")
    private @Nullable String concurrency;

    @Option(
            names = "--measured",
            paramLabel = "QPS/s[,RTms]",
            description =
                    "Throughput and response time measured at full load. They give the number of"
                            + " requests in flight; the bottleneck's time per request is set to"
                            + " match them.")
    private @Nullable String measured;

    @Option(
            names = "--plan",
            paramLabel = "RATE/s",
            description = "Also say how many such machines serve this rate.")
    private @Nullable String plan;

    @Mixin PlainOutput output = new PlainOutput();

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            return answered();
        } catch (IllegalArgumentException refused) {
            // No service has these figures, such as negative times or a million requests in flight.
            throw UserError.usage(
                            "these figures give no answer",
                            String.valueOf(refused.getMessage()),
                            "give the result.json that `jdyno run` wrote, unchanged, or other figures")
                    .causedBy(refused);
        }
    }

    private Integer answered() {
        var problems = Problems.ofCommand("jdyno whatif");
        boolean stored = !words.isEmpty() && isFile(words.getFirst());
        List<String> texts = stored ? words.subList(1, words.size()) : words;
        Map<String, WhatIfChange> changes = new LinkedHashMap<>();
        for (String text : texts) {
            WhatIfChange.parse(text, problems).ifPresent(c -> changes.put(text, c));
        }
        OptionalDouble n = RequestPathText.concurrency(concurrency, problems);
        OptionalDouble rate = rate(problems);
        Optional<Plateau> plateau = Plateau.parse(measured, problems);
        Optional<WhatIfAnswer.Given> given =
                stored
                        ? fromResult(Path.of(words.getFirst()), problems)
                        : fromOptions(plateau, problems);
        Optional<ServiceModel> model = given.map(WhatIfAnswer.Given::model);
        List<WhatIfAnswer.Row> rows =
                model.map(m -> WhatIfAnswer.rows(m, changes, problems)).orElseGet(List::of);
        problems.throwIfAny();

        ServiceModel base = model.orElseThrow();
        var answer =
                new WhatIfAnswer(
                        given.orElseThrow(),
                        n.isPresent() ? Optional.of(at(base, n.getAsDouble())) : Optional.empty(),
                        rows,
                        rate.isPresent()
                                ? Optional.of(MachinePlan.of(base, rate.getAsDouble()))
                                : Optional.empty());
        spec.commandLine()
                .getOut()
                .println(
                        output.json ? JsonDocument.text(answer) : new WhatIfSummary(answer).text());
        return 0;
    }

    private static Bounds.LoadPoint at(ServiceModel model, double n) {
        return Bounds.of(model.path()).at(n);
    }

    private static boolean isFile(String word) {
        return word.endsWith(".json") || Files.exists(Path.of(word));
    }

    private Optional<WhatIfAnswer.Given> fromOptions(Optional<Plateau> plateau, Problems problems) {
        Optional<RequestPath> path =
                new RequestPathText(resources, delays, parallel).parse(problems);
        if (plateau.isEmpty()) {
            return path.map((RequestPath p) -> WhatIfAnswer.Given.of(ServiceModel.of(p)));
        }
        Plateau seen = plateau.get();
        return path.flatMap(p ->
                seen.calibrate(p, problems)
                        .map((RequestPath c) ->
                                new WhatIfAnswer.Given(
                                        ServiceModel.of(c),
                                        Optional.of(new WhatIfAnswer.Seen(seen, p)),
                                        List.of())));
    }

    private Optional<WhatIfAnswer.Given> fromResult(Path word, Problems problems) {
        if (measured != null) {
            problems.add(
                    "--measured " + measured,
                    "a result knows what was measured",
                    "leave --measured out, or give demands instead of the result");
            return Optional.empty();
        }
        if (!resources.isEmpty() || !delays.isEmpty() || !parallel.isEmpty()) {
            problems.add(
                    word.toString(),
                    "a result and demands on the command line",
                    "give one of them; a result's demands are changed by cpu*0.5 and the like");
            return Optional.empty();
        }
        Path file = EntryFile.result(word);
        RunResult result = ResultJson.read(file);
        Knee knee =
                result.knee()
                        .orElseThrow(() ->
                                UserError.usage(
                                        file + " has no knee",
                                        "throughput was still rising at the highest load"
                                                + " measured, so nothing is known of the limit",
                                        "run it again with more load, or give the demands"
                                                + " by --resource"));
        result.capacityNotes()
                .whatIf()
                .map(CapacityNoteText::noWhatIf)
                .ifPresent(n -> spec.commandLine().getErr().println("not to be trusted: " + n));
        return Optional.of(
                new WhatIfAnswer.Given(
                        ServiceModel.of(
                                knee,
                                result.demands(),
                                result.rounds(),
                                result.machine().cores(),
                                result.verdict().bottleneck() == Bottleneck.THREAD_POOL),
                        Optional.empty(),
                        result.demands()));
    }

    private OptionalDouble rate(Problems problems) {
        if (plan == null) {
            return OptionalDouble.empty();
        }
        Matcher m = RATE.matcher(plan);
        if (m.matches() && Double.parseDouble(m.group(1)) > 0) {
            return OptionalDouble.of(Double.parseDouble(m.group(1)));
        }
        problems.add(
                "--plan " + plan,
                "not a positive rate",
                "write requests per second: --plan 50000/s");
        return OptionalDouble.empty();
    }
}
