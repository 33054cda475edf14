package dev.jdyno.plan;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.UserError;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// The definition of one run: its requests, its target, its loads and its limits.
///
/// @param name names the output folder and the report
/// @param search search for the highest rate under goals; empty: search for the knee of throughput
/// @param proving whether experiments test the verdict after the rounds
/// @param inside further measurements inside the target, in separate windows
/// @param knobs settings of the service itself that `jdyno tune` may change
/// @param builds other builds of the service, which `jdyno guard` compares with the launched one
/// @param written original texts of the values that came from environment variables
public record Plan(
        String name,
        Request request,
        TargetPlan target,
        Course course,
        Optional<GoalSearch> search,
        Proving proving,
        InsidePlan inside,
        List<Knob> knobs,
        Builds builds,
        Written written) {
    /// Placeholder for a free port in a launch command and in its URL.
    public static final String PORT = "{port}";

    public Plan {
        knobs = List.copyOf(knobs);
    }

    /// A plan without environment variables.
    public Plan(
            String name,
            Request request,
            TargetPlan target,
            Course course,
            Optional<GoalSearch> search,
            Proving proving,
            InsidePlan inside) {
        this(
                name,
                request,
                target,
                course,
                search,
                proving,
                inside,
                List.of(),
                Builds.NONE,
                Written.NONE);
    }

    /// Returns this plan if its launch command can be run as it is.
    ///
    /// @throws UserError if the command needs the file of a knob, which only `jdyno tune` writes
    public Plan runnable() {
        if (target instanceof TargetPlan.Launch(String command)) {
            for (Knob knob : knobs) {
                Optional<String> file =
                        knob.where().copied().filter(f -> command.contains(Knob.place(f)));
                if (file.isPresent()) {
                    String place = Knob.place(file.get());
                    throw UserError.usage(
                            "the launch command cannot be run with " + place + " in it",
                            "that is where jdyno tune puts its copy of "
                                    + file.get()
                                    + ", the file of the knob "
                                    + knob.name(),
                            "write the path of a file without {"
                                    + knob.name()
                                    + "} in its place, or run jdyno tune");
                }
            }
        }
        return this;
    }

    /// Returns this plan for a verb that loads from this host and observes a JVM of this host.
    ///
    /// @param verb name of the verb, for the error message
    /// @throws UserError if agents send the load or observe the target
    public Plan onThisHost(String verb) {
        if (agents().isPresent() || target instanceof TargetPlan.Observed) {
            throw UserError.usage(
                    verb + " uses no agents on other hosts yet",
                    agents().isPresent()
                            ? "the plan names agents that load"
                            : "the plan names an agent that observes",
                    "leave it out of the plan, or use the plan with jdyno run");
        }
        return this;
    }

    /// Builds of the service.
    ///
    /// @param reference launch command of a pinned build, with which today's build is compared;
    ///   empty: it is compared with the builds of earlier days
    /// @param command command that builds the service in a copy of its sources; empty: the service
    ///   runs from its sources
    public record Builds(Optional<String> reference, Optional<String> command) {
        public static final Builds NONE = new Builds(Optional.empty(), Optional.empty());
    }

    /// The requests that are sent in every round.
    ///
    /// @param headers headers of each request, in order
    /// @param workload journeys that users make instead of the one request, on the URL's host;
    ///   empty: the one request
    /// @param tls trusted certificates for an https URL
    /// @param agents processes that send the load; empty: this process
    /// @param drive program of the user that sends its own requests instead
    /// @param replies how replies are observed, and which mark ends a long reply
    /// @param grpc how methods are called if the URL is one of gRPC
    public record Request(
            URI url,
            String method,
            Map<String, String> headers,
            Optional<String> body,
            Optional<Workload> workload,
            Tls tls,
            Optional<Agents> agents,
            Optional<Drive> drive,
            ReplyRules replies,
            GrpcTerms grpc) {
        public Request {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        /// A request over HTTP.
        public Request(
                URI url,
                String method,
                Map<String, String> headers,
                Optional<String> body,
                Optional<Workload> workload,
                Tls tls,
                Optional<Agents> agents,
                Optional<Drive> drive,
                ReplyRules replies) {
            this(
                    url,
                    method,
                    headers,
                    body,
                    workload,
                    tls,
                    agents,
                    drive,
                    replies,
                    GrpcTerms.DEFAULT);
        }

        /// A GET without a body.
        public static Request get(URI url) {
            return new Request(
                    url,
                    "GET",
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Tls.DEFAULT,
                    Optional.empty(),
                    Optional.empty(),
                    ReplyRules.NONE);
        }

        Request at(URI to) {
            return new Request(
                    to, method, headers, body, workload, tls, agents, drive, replies, grpc);
        }

        Request with(Optional<Workload> wanted) {
            return new Request(
                    url, method, headers, body, wanted, tls, agents, drive, replies, grpc);
        }

        Request by(Optional<Drive> tool) {
            return new Request(
                    url, method, headers, body, workload, tls, agents, tool, replies, grpc);
        }
    }

    /// Processes on other hosts that send the load.
    ///
    /// @param addresses `host:port` of each, in order
    /// @param tokenFile holds the secret that they share with us, or our private key
    public record Agents(List<String> addresses, Path tokenFile) {
        public Agents {
            addresses = List.copyOf(addresses);
        }
    }

    /// @param insecure accept any certificate
    /// @param caFile PEM certificates to trust instead of the JVM's
    public record Tls(boolean insecure, Optional<Path> caFile) {
        public static final Tls DEFAULT = new Tls(false, Optional.empty());
    }

    /// The phases of a run and their limits.
    public record Course(Warmup warmup, Rounds rounds, Evidence evidence, Limits limits) {
        public static final Course DEFAULT =
                new Course(Warmup.DEFAULT, Rounds.DEFAULT, Evidence.DEFAULT, Limits.DEFAULT);
    }

    /// The way in which a run gets the JVM under test.
    public sealed interface TargetPlan {
        /// True if it is started for the measurement, here or by an agent.
        default boolean isStarted() {
            return switch (this) {
                case Launch _ -> true;
                case Observed o -> o.which() instanceof Selector.Launch;
                case Attach _, None _ -> false;
            };
        }

        /// A command that starts it; it is ended when the run ends.
        record Launch(String command) implements TargetPlan {}

        /// A target that already runs on this machine.
        record Attach(long pid) implements TargetPlan {}

        /// A target on another host, where an agent observes it.
        ///
        /// @param agent `host:port` where the agent listens
        /// @param tokenFile holds the secret that it shares with us, or our private key
        record Observed(String agent, Selector which, Path tokenFile) implements TargetPlan {
            /// The text form, as on the command line.
            public String text() {
                String chosen = which.text();
                return chosen.isEmpty() ? agent : agent + ":" + chosen;
            }
        }

        /// No target is observed, for example because it is on another machine: only the client's
        /// side is measured.
        record None() implements TargetPlan {}
    }

    /// Load until latency and CPU per request are steady. Its figures are not part of the result.
    ///
    /// @param concurrency requests in flight during the warm-up
    public record Warmup(Duration atLeast, Duration atMost, int concurrency) {
        public static final Warmup DEFAULT =
                new Warmup(Duration.ofSeconds(6), Duration.ofSeconds(90), 8);
    }

    /// The ladder of closed-loop rounds.
    ///
    /// @param length measured time of each round, after its load has settled
    /// @param settle time for each new load to settle before it is measured
    /// @param concurrency the rounds to run; empty to search for the knee
    /// @param maxConcurrency highest load that the search tries
    public record Rounds(
            Duration length, Duration settle, List<Integer> concurrency, int maxConcurrency) {
        public static final Rounds DEFAULT =
                new Rounds(Duration.ofSeconds(6), Duration.ofSeconds(1), List.of(), 512);

        public Rounds {
            concurrency = List.copyOf(concurrency);
        }
    }

    /// Diagnostic windows at the loads of the rounds. They are separate from the rounds, because
    /// thread dumps and recordings stop or slow the target and would change the reported latency.
    public record Evidence(Duration window, int dumps) {
        public static final Evidence DEFAULT = new Evidence(Duration.ofSeconds(4), 12);
    }

    /// @param errorShare share of failed requests above which a round ends the ladder
    /// @param startTimeout how long a launched service may take until it answers
    /// @param requestTimeout time after which a request counts as an error
    public record Limits(double errorShare, Duration startTimeout, Duration requestTimeout) {
        public static final Limits DEFAULT =
                new Limits(0.05, Duration.ofSeconds(60), Duration.ofSeconds(30));
    }

    /// A search for the highest open-model rate at which every goal is kept.
    ///
    /// @param budget total load time; empty: the time that the precision is predicted to cost
    /// @param precision wanted half width of the bracket, as a share of the rate
    /// @param start the last known knee, in requests per second; empty if there is none
    public record GoalSearch(
            List<Goal> goals, Optional<Duration> budget, double precision, OptionalDouble start) {
        public static final double PRECISION = 0.05;

        /// Minimum load time for a bracket. It takes about a minute to judge one rate good and
        /// another 40 s to judge a higher one bad.
        public static final Duration MIN_BUDGET = Duration.ofMinutes(2);

        public GoalSearch {
            goals = List.copyOf(goals);
        }
    }

    /// Experiments that test the verdict by changing the resource that it names.
    ///
    /// @param relay `host:port` of the downstream service in front of which jdyno puts a relay; the
    ///   launch command contains `{relay}` in place of that address
    public record Proving(boolean wanted, Optional<String> relay) {
        public static final Proving NONE = new Proving(false, Optional.empty());

        /// Placeholder for the relay's address in the launch command.
        public static final String PLACE = "{relay}";

        /// The reason why the relay cannot be used with this target; empty if it can.
        public Optional<String> mistakeWith(TargetPlan target) {
            if (relay.isEmpty()) {
                return Optional.empty();
            }
            return target instanceof TargetPlan.Launch(String command) && command.contains(PLACE)
                    ? Optional.empty()
                    : Optional.of(
                            "a relay needs a launch command that takes its address as " + PLACE);
        }
    }

    /// The plan of a URL with default settings: a search for the knee of throughput.
    public static Plan of(String name, URI url, TargetPlan target) {
        return of(name, Request.get(url), target, Course.DEFAULT);
    }

    /// A search for the knee of throughput.
    public static Plan of(String name, Request request, TargetPlan target, Course course) {
        return new Plan(
                name, request, target, course, Optional.empty(), Proving.NONE, InsidePlan.DEFAULT);
    }

    /// Launch command of a pinned build; empty without one.
    public Optional<String> reference() {
        return builds.reference();
    }

    public URI url() {
        return request.url();
    }

    public String method() {
        return request.method();
    }

    public Map<String, String> headers() {
        return request.headers();
    }

    public Optional<String> body() {
        return request.body();
    }

    public Optional<Workload> workload() {
        return request.workload();
    }

    public Tls tls() {
        return request.tls();
    }

    public Optional<Agents> agents() {
        return request.agents();
    }

    public Optional<Drive> drive() {
        return request.drive();
    }

    public Warmup warmup() {
        return course.warmup();
    }

    public Rounds rounds() {
        return course.rounds();
    }

    public Evidence evidence() {
        return course.evidence();
    }

    public Limits limits() {
        return course.limits();
    }

    public Plan named(String changed) {
        return new Plan(
                changed, request, target, course, search, proving, inside, knobs, builds, written);
    }

    private Plan with(Course changed) {
        return new Plan(
                name, request, target, changed, search, proving, inside, knobs, builds, written);
    }

    public Plan withRounds(Rounds changed) {
        return with(new Course(warmup(), changed, evidence(), limits()));
    }

    public Plan withWarmup(Warmup changed) {
        return with(new Course(changed, rounds(), evidence(), limits()));
    }

    public Plan withEvidence(Evidence changed) {
        return with(new Course(warmup(), rounds(), changed, limits()));
    }

    /// Returns the same plan with a maximum start time of a launched service.
    public Plan startedWithin(Duration max) {
        Limits own = limits();
        return own.startTimeout().compareTo(max) <= 0
                ? this
                : with(
                        new Course(
                                warmup(),
                                rounds(),
                                evidence(),
                                new Limits(own.errorShare(), max, own.requestTimeout())));
    }

    private Plan with(Request changed) {
        return new Plan(
                name, changed, target, course, search, proving, inside, knobs, builds, written);
    }

    public Plan withUrl(URI to) {
        return with(request.at(to));
    }

    /// Returns the same plan with this load tool; empty: jdyno sends the load.
    public Plan withDrive(Optional<Drive> tool) {
        return with(request.by(tool));
    }

    /// Returns the same plan with this workload. A replayed log is sent in its order, at the load
    /// of each round.
    public Plan withWorkload(Workload wanted) {
        return with(request.with(Optional.of(wanted.atAnyTime())));
    }

    public Plan withTarget(TargetPlan changed) {
        return new Plan(
                name, request, changed, course, search, proving, inside, knobs, builds, written);
    }

    public Plan withSearch(GoalSearch wanted) {
        return new Plan(
                name,
                request,
                target,
                course,
                Optional.of(wanted),
                proving,
                inside,
                knobs,
                builds,
                written);
    }

    public Plan withInside(InsidePlan wanted) {
        return new Plan(
                name, request, target, course, search, proving, wanted, knobs, builds, written);
    }

    public Plan withKnobs(List<Knob> wanted) {
        return new Plan(
                name, request, target, course, search, proving, inside, wanted, builds, written);
    }

    public Plan withBuilds(Builds wanted) {
        return new Plan(
                name, request, target, course, search, proving, inside, knobs, wanted, written);
    }

    Plan with(Written texts) {
        return new Plan(
                name, request, target, course, search, proving, inside, knobs, builds, texts);
    }

    public Plan withProving(Proving wanted) {
        return new Plan(
                name, request, target, course, search, wanted, inside, knobs, builds, written);
    }

    /// True if one arrival can be more than one request. A rate of arrivals is then not a rate of
    /// requests.
    public boolean hasJourneysOfSeveralRequests() {
        return workload().stream()
                .flatMap(w -> w.journeys().stream())
                .anyMatch(j -> j.steps().size() > 1 || j.steps().getFirst().poll().isPresent());
    }
}
