package dev.jdyno.cli.options;

import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.grpc.Calling;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.GrpcUrl;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Timetable;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.GrpcTerms;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options of `jdyno load` that define the load. An option that wrk, ab or curl also offer has
/// the same name as there.
public final class LoadOptions {
    /// Limits that catch typing errors; each is far above what one machine can do.
    private static final int MAX_CONNECTIONS = 200_000;

    private static final double MAX_RATE = 5_000_000;
    private static final Duration LONGEST = Duration.ofDays(7);

    @Parameters(
            paramLabel = "URL",
            description =
                    "What to load, e.g. http://127.0.0.1:8080/path or"
                            + " grpc://127.0.0.1:9090/shop.Prices/price")
    private String url;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            description = "Connections (closed model: users). Default: ${DEFAULT-VALUE}")
    private int connections = 10;

    @Option(
            names = {"-t", "--loops"},
            paramLabel = "N",
            description = "Event loops, a thread each. Default: half the cores, 8 at most")
    private @Nullable Integer loops;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "How long, e.g. 30s, 5m; a bare number is seconds. Default: 10s")
    private @Nullable String duration;

    @Option(
            names = {"-n", "--requests"},
            paramLabel = "N",
            description = "Total number of requests, instead of a duration or in addition to it.")
    private @Nullable Long requests;

    @Option(
            names = {"-r", "-R", "--rate"},
            paramLabel = "R",
            description =
                    "Open model: arrivals per second. 5000 or 5k; 100,200,400 in steps; 100..1000"
                            + " as a ramp.")
    private @Nullable String rate;

    @Option(
            names = "--arrivals",
            paramLabel = "KIND",
            defaultValue = "constant",
            description = "Open model: constant or poisson. Default: ${DEFAULT-VALUE}")
    private Arrivals arrivals;

    @Option(
            names = "--think",
            paramLabel = "TIME",
            description = "Closed model: pause between a reply and the next request.")
    private @Nullable String think;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description =
                    "Time of load before the measurement; it does not count. Default: 1s for runs"
                            + " of 5s and more, else none")
    private @Nullable String warmup;

    @Mixin private RequestOptions request = new RequestOptions("GET, or POST with a body");

    @Option(
            names = {"-T", "--timeout"},
            paramLabel = "TIME",
            description =
                    "Longest time from the send of a request to the last byte of its reply."
                            + " Default: ${DEFAULT-VALUE}")
    private String timeout = "30s";

    @Option(
            names = "--spin",
            paramLabel = "TIME",
            description =
                    "Open model: time before a send is due in which jdyno polls instead of"
                            + " sleeping; 0us saves CPU and costs precision. Default:"
                            + " ${DEFAULT-VALUE}")
    private String spin = "60us";

    @Option(
            names = "--max-reply",
            paramLabel = "SIZE",
            description = "A longer reply is an error. Default: ${DEFAULT-VALUE}")
    private String maxReply = "1g";

    @Option(
            names = "--max-backlog",
            paramLabel = "N",
            description =
                    "Open model: arrivals that may wait for a connection; more are dropped and"
                            + " counted. Default: ${DEFAULT-VALUE}")
    private int maxBacklog = 1000000;

    @Mixin private WorkloadOptions workload;
    @Mixin private ConnectOptions connect;
    @Mixin private ProtocolOptions protocol;
    @Mixin private GrpcOptions grpc;
    @Mixin private ConnectionOptions connectionOptions;
    @Mixin private ReplyOptions replies = new ReplyOptions();

    private final Problems problems = Problems.ofCommand("jdyno load");
    private final OptionTexts values = new OptionTexts(problems);

    /// @throws dev.jdyno.measure.text.UserError with every mistake
    public LoadPlan plan() {
        Optional<RateProfile> profile = rate == null ? Optional.empty() : rate(rate);
        Duration pause = think == null ? Duration.ZERO : values.seconds("--think", think);
        URI target = uri();
        LoadSpecBuilder builder = builder(target);
        GrpcTerms terms = grpc.over(GrpcTerms.DEFAULT, isGrpc(), problems);
        protocol.read(problems, target, connect.keepAlive(), method(), isGrpc(), builder);
        Optional<Workload> sent =
                workload.read(problems, method(), builder.build(), profile.isPresent());
        sent.ifPresent(builder::workload);
        Optional<Timetable> starts = sent.flatMap(Workload::timetable);
        starts.ifPresent(t -> builder.mostRequests(replayed(t)));
        connectionOptions.read(values, connect.keepAlive(), builder);
        boolean counted = requests != null || starts.isPresent();
        Duration span =
                duration == null
                        ? counted ? LONGEST : Duration.ofSeconds(10)
                        : values.seconds("-d", duration);
        Duration warm =
                warmup == null
                        ? LoadRun.defaultWarmup(span, counted)
                        : values.seconds("--warmup", warmup);
        bounds(span, profile);
        if (starts.isPresent()) {
            ofAReplay(warm);
        }
        problems.throwIfAny();
        LoadSpec spec = isGrpc() ? calls(terms, builder.build()) : builder.build();
        return new LoadPlan(spec, connections, pause, profile, arrivals, span, warm);
    }

    private boolean isGrpc() {
        return GrpcUrl.is(url);
    }

    private LoadSpec calls(GrpcTerms terms, LoadSpec requests) {
        return new Calling(terms.proto(), terms.deadline(), terms.gzip(), false, protocol.streams())
                .of(requests, "--data", NanoClock.SYSTEM);
    }

    private long replayed(Timetable starts) {
        return requests == null ? starts.size() : Math.min(requests, starts.size());
    }

    private void ofAReplay(Duration warm) {
        if (warm.isPositive()) {
            problems.add(
                    "--warmup",
                    "a replay sends each request of its log once",
                    "leave it out; warm the service by a run of its own");
        }
        if (think != null) {
            problems.add("--think", "a replay has its own times", "leave it out");
        }
    }

    /// A share written as `1%` or `0.01`; a mistake is reported by {@link #plan}.
    public double share(String option, String text) {
        return values.share(option, text);
    }

    /// Number of processes of this machine that share the load.
    public int processes() {
        return connectionOptions.processes(connections);
    }

    private void bounds(Duration span, Optional<RateProfile> profile) {
        if (connections < 1 || connections > MAX_CONNECTIONS) {
            problems.add(
                    "-c " + connections,
                    "connections must be 1…" + MAX_CONNECTIONS,
                    "give a number in that range");
        }
        if (loops != null && loops < 1) {
            problems.add("-t " + loops, "at least one event loop is needed", "give 1 or more");
        }
        if (requests != null && requests < 1) {
            problems.add("-n " + requests, "at least one request is needed", "give 1 or more");
        }
        if (!span.isPositive() || span.compareTo(LONGEST) > 0) {
            problems.add("-d", "the duration must be > 0 and at most 7 days", "e.g. -d 30s");
        }
        if (profile.isPresent() && profile.get().highest() > MAX_RATE) {
            problems.add(
                    "-r " + rate,
                    "more than one machine can send",
                    String.format("give at most %.0f per second", MAX_RATE));
        }
        if (profile.isPresent() && think != null) {
            problems.add(
                    "--think",
                    "an open model has no users who think",
                    "leave --think or --rate out");
        }
        if (maxBacklog < 1) {
            problems.add("--max-backlog", "must be ≥ 1", "leave it out or give 1 or more");
        }
    }

    private String method() {
        return request.method().orElse(request.body().isEmpty() && !isGrpc() ? "GET" : "POST");
    }

    private LoadSpecBuilder builder(URI target) {
        LoadSpecBuilder b =
                LoadSpec.to(target)
                        .method(method())
                        .requestTimeout(values.positive("--timeout", timeout))
                        .spin(values.seconds("--spin", spin))
                        .mostReplyBytes(values.size("--max-reply", maxReply))
                        .mostBacklog(maxBacklog);
        if (loops != null && loops > 0) {
            b.loops(loops);
        }
        if (requests != null) {
            b.mostRequests(requests);
        }
        request.body().ifPresent(text -> b.body(body(text)));
        List<AtFile.Header> given = request.headers(problems);
        given.forEach(h -> b.header(h.name(), h.value()));
        List<String> names = given.stream().map(AtFile.Header::name).toList();
        b.replies(replies.over(ReplyRules.NONE, names, false, problems));
        connect.read(values, b);
        return b;
    }

    private URI uri() {
        try {
            return isGrpc()
                    ? GrpcUrl.http(url)
                    : HttpUrl.parse(url.contains("://") ? url : "http://" + url);
        } catch (IllegalArgumentException e) {
            problems.add(url, String.valueOf(e.getMessage()), "write it as http://host:port/path");
        }
        return URI.create("http://invalid/");
    }

    private Body body(String text) {
        return text.startsWith("@")
                ? AtFile.bytes("-b", text, problems).map(Body::of).orElse(Body.NONE)
                : Body.of(text);
    }

    private Optional<RateProfile> rate(String text) {
        try {
            return Optional.of(RateProfile.parse(text));
        } catch (IllegalArgumentException e) {
            problems.add(
                    "-r " + text,
                    String.valueOf(e.getMessage()),
                    "e.g. -r 5000, -r 100,200,400 or -r 100..1000");
            return Optional.empty();
        }
    }
}
