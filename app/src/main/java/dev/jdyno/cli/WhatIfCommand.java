package dev.jdyno.cli;

import dev.jdyno.capacity.Bounds;
import dev.jdyno.capacity.RequestPath;
import dev.jdyno.capacity.RequestPathText;
import dev.jdyno.measure.Problems;
import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "whatif",
        mixinStandardHelpOptions = true,
        description = "Say what a service with given demands can give (F1–F4); no load needed.",
        footer = {
            "",
            "Example: 20 ms CPU on 2 cores and 80 ms elsewhere:",
            "  jdyno whatif --resource cpu=20/2 --delay io=80 --concurrency 30"
        })
final class WhatIfCommand implements Callable<Integer> {
    @Option(
            names = "--resource",
            paramLabel = "NAME=MS/UNITS",
            description =
                    "A request occupies one of UNITS for MS (cores, a lock, a pool's places).")
    private List<String> resources = List.of();

    @Option(
            names = "--delay",
            paramLabel = "NAME=MS",
            description = "A request waits MS without taking anything from another.")
    private List<String> delays = List.of();

    @Option(
            names = "--parallel",
            paramLabel = "NAME,NAME…",
            description = "These delays overlap; the longest counts.")
    private List<String> parallel = List.of();

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Also say QPS and RT with N requests in flight.")
    private @Nullable String concurrency;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        var problems = new Problems();
        var text = new RequestPathText(resources, delays, parallel);
        var path = text.parse(problems);
        var n = RequestPathText.concurrency(concurrency, problems);
        problems.throwIfAny("the command line of jdyno whatif");
        PrintWriter out = spec.commandLine().getOut();
        Answer answer = Answer.of(path.orElseThrow(), n);
        out.println(json ? answer.json() : answer.text());
        return 0;
    }

    private record Answer(Bounds bounds, Bounds.@Nullable LoadPoint at) {
        static Answer of(RequestPath path, OptionalDouble n) {
            Bounds bounds = Bounds.of(path);
            return new Answer(bounds, n.isPresent() ? bounds.at(n.getAsDouble()) : null);
        }

        String json() {
            Map<String, @Nullable Object> doc = new LinkedHashMap<>();
            doc.put("kneeConcurrency", bounds.kneeConcurrency());
            doc.put("maxQps", bounds.maxQps());
            doc.put("bottleneck", bounds.bottleneck().name());
            doc.put("rtMs", bounds.rtMs());
            doc.put("atConcurrency", at);
            doc.put("formula", bounds.formula());
            return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(doc);
        }

        String text() {
            List<String> lines = new ArrayList<>();
            lines.add("knee        " + figure(bounds.kneeConcurrency()) + " requests in flight");
            lines.add(
                    "max QPS     "
                            + figure(bounds.maxQps())
                            + "/s, limited by "
                            + bounds.bottleneck().name());
            lines.add("RT          " + figure(bounds.rtMs()) + " ms up to the knee");
            if (at != null) {
                lines.add(
                        "at N = "
                                + figure(at.n())
                                + "   "
                                + figure(at.qps())
                                + "/s at most, RT "
                                + figure(at.rtMs())
                                + " ms at least");
            }
            lines.add("formula     " + bounds.formula());
            return String.join(System.lineSeparator(), lines);
        }

        /// Two decimals at most, none where there are none.
        private static String figure(double v) {
            return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT))
                    .format(v);
        }
    }
}
