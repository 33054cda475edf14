package dev.jdyno.serve;

import dev.jdyno.history.Entry;
import dev.jdyno.history.Filter;
import dev.jdyno.history.History;
import dev.jdyno.history.Kind;
import dev.jdyno.history.Point;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.report.html.EntryPage;
import dev.jdyno.report.html.HistoryPage;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.html.LivePage;
import dev.jdyno.report.html.NotePage;
import dev.jdyno.report.html.PairPage;
import dev.jdyno.report.html.PlansPage;
import dev.jdyno.report.html.TrendPage;
import dev.jdyno.watch.WatchedDays;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.ServiceUnavailableResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Serves stored results, and a current run. Clients can only read.
public final class Server implements AutoCloseable {
    static final String HTML = "text/html; charset=utf-8";
    static final String JSON = "application/json";
    static final String METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String DEFAULT_FIGURE = "qps";
    private static final int MAX_SEARCHED = 200;

    private final Javalin server;
    private final Access access;
    private final Optional<Live> live;

    private Server(Javalin server, Access access, Optional<Live> live) {
        this.server = server;
        this.access = access;
        this.live = live;
    }

    /// What a server shows.
    ///
    /// @param live the current run; empty if there is none
    /// @param days day files of a watch; empty if none are shown
    /// @param gcLogs draws the pages of stored GC logs
    /// @param version of jdyno
    public record Shown(
            History history,
            Optional<Live> live,
            Optional<WatchedDays> days,
            GcLogPage gcLogs,
            String version) {}

    /// Starts a server.
    ///
    /// @param port 0 for a free one
    /// @param token that every request needs; empty: every client that reaches the host may read
    /// @throws UserError if the port is in use
    public static Server start(String host, int port, Optional<String> token, Shown shown) {
        var access = Access.of(host, token);
        var clients = new Clients();
        Routes routes = Routes.of(shown);
        Javalin server =
                Javalin.create(c -> {
                    c.startup.showJavalinBanner = false;
                    clients.into(c, host, port);
                    c.routes.before(PageHeaders::into);
                    c.routes.before(Clients::refuseBodies);
                    c.routes.before(access::check);
                    c.routes.before(clients::know);
                    c.routes.exception(UserError.class, Routes::failed);
                    routes.into(c, "");
                    access.keys().ifPresent(k -> routes.into(c, k.folder()));
                });
        try {
            server.start();
        } catch (RuntimeException refused) {
            throw UserError.usage(
                            "cannot serve at " + host + ":" + port,
                            String.valueOf(
                                    refused.getCause() == null
                                            ? refused.getMessage()
                                            : refused.getCause().getMessage()),
                            "give another --listen HOST:PORT")
                    .causedBy(refused);
        }
        return new Server(server, access, shown.live());
    }

    /// The address of the server, with a slash at the end.
    public String url() {
        return "http://" + Access.inUrl(access.host()) + ":" + server.port() + "/";
    }

    /// An address that a browser can open. It includes the token if one is needed.
    ///
    /// @param path of the page, without a slash before it: `live`
    public String link(String path) {
        return url() + access.link(path);
    }

    /// A random token of 128 bits.
    public static String randomToken() {
        return Access.random();
    }

    @Override
    public void close() {
        try {
            if (live.isPresent()) {
                live.get().close();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            server.stop();
        }
    }

    /// The routes and the handlers of requests.
    private record Routes(
            StoredResults stored,
            History history,
            Optional<Live> live,
            Optional<WatchPages> watched,
            GcLogPage gcLogs,
            String version) {
        private static Routes of(Shown shown) {
            return new Routes(
                    new StoredResults(shown.history()),
                    shown.history(),
                    shown.live(),
                    shown.days().map(d -> new WatchPages(d, shown.version())),
                    shown.gcLogs(),
                    shown.version());
        }

        /// @param at prefix of each path: empty, or the secret folder of browsers
        void into(JavalinConfig c, String at) {
            c.routes.get(at + "/", this::plans);
            c.routes.get(at + "/runs", this::list);
            c.routes.get(at + "/runs/{id}", this::entry);
            c.routes.get(at + "/runs/{id}/report", this::report);
            c.routes.get(at + "/runs/{id}/gc", this::gcLog);
            c.routes.get(at + "/trend", this::trend);
            c.routes.get(at + "/compare", this::pair);
            c.routes.get(at + "/api/runs", this::listJson);
            c.routes.get(at + "/api/runs/{id}", this::entryJson);
            c.routes.get(at + "/api/trend", this::trendJson);
            c.routes.get(at + "/api/compare", this::pairJson);
            c.routes.get(
                    at + "/api/openapi.json", r -> r.contentType(JSON).result(OpenApi.document()));
            c.routes.get(at + "/metrics", this::metrics);
            c.routes.get(
                    at + "/live",
                    r ->
                            page(
                                    r,
                                    HtmlReport.render(
                                            new LivePage(
                                                    live.map(Live::name).orElse(""), version))));
            live.ifPresent(l -> c.routes.sse(at + "/live/events", l::add));
            watched.ifPresent(w -> w.into(c, at));
        }

        private static void failed(UserError e, Context r) {
            r.status(e.kind() == UserError.Kind.USAGE ? 404 : 503);
            r.contentType("text/plain; charset=utf-8").result(e.what() + ": " + e.why() + "\n");
        }

        private static void page(Context r, String html) {
            r.contentType(HTML).result(html);
        }

        private void plans(Context r) {
            int from = whole(r, "from");
            Optional<String> text = searched(r);
            Filter wanted = text.map(Filter.ALL::containing).orElse(Filter.ALL);
            List<String> plans = history.plans(wanted);
            var rows = new PlanRows(history, live.filter(Live::goesOn).isEmpty());
            page(
                    r,
                    HtmlReport.render(
                            new PlansPage(
                                    rows.of(
                                            plans.stream()
                                                    .skip(from)
                                                    .limit(PlansPage.SIZE)
                                                    .toList()),
                                    plans.size(),
                                    from,
                                    history.list(wanted.newest(PlansPage.NEWEST)),
                                    history.count(wanted),
                                    text,
                                    history.where(),
                                    watched.map(w -> w.days().list()),
                                    version)));
        }

        /// The text that the user searches for; empty if there is none.
        private static Optional<String> searched(Context r) {
            Optional<String> text =
                    Optional.ofNullable(r.queryParam("q"))
                            .map(String::strip)
                            .filter(q -> !q.isEmpty());
            if (text.filter(q -> q.length() > MAX_SEARCHED).isPresent()) {
                throw new BadRequestResponse("q is longer than " + MAX_SEARCHED + " characters");
            }
            return text;
        }

        private void list(Context r) {
            int from = whole(r, "from");
            Optional<String> plan = Optional.ofNullable(r.queryParam("plan"));
            Optional<String> text = searched(r);
            Filter some = plan.map(Filter.ALL::ofPlan).orElse(Filter.ALL);
            Filter wanted = text.map(some::containing).orElse(some);
            page(
                    r,
                    HtmlReport.render(
                            new HistoryPage(
                                    stored.some(wanted, from, HistoryPage.SIZE),
                                    history.count(wanted),
                                    from,
                                    plan,
                                    text,
                                    version)));
        }

        private static int whole(Context r, String name) {
            String text = Optional.ofNullable(r.queryParam(name)).orElse("0");
            if (!text.matches("\\d{1,7}")) {
                throw new BadRequestResponse(name + " is no whole number");
            }
            return Integer.parseInt(text);
        }

        private static String needed(Context r, String name) {
            return Optional.ofNullable(r.queryParam(name))
                    .orElseThrow(() -> new BadRequestResponse(name + " is missing"));
        }

        private void entry(Context r) {
            Entry entry = history.entry(r.pathParam("id"));
            Filter same = Filter.ALL.ofPlan(entry.plan()).ofKind(entry.kind());
            Optional<String> before =
                    history.list(same).stream()
                            .filter(e -> e.at().isBefore(entry.at()))
                            .max(Comparator.comparing(Entry::at))
                            .map(Entry::id);
            page(
                    r,
                    HtmlReport.render(
                            new EntryPage(
                                    entry, StoredFile.report(entry).isPresent(), before, version)));
        }

        private void gcLog(Context r) throws IOException {
            if (live.filter(Live::goesOn).isPresent()) {
                throw new ServiceUnavailableResponse(
                        "a run goes on in this process, and reading a GC log would disturb it: open"
                                + " it with jdyno serve, or after the run");
            }
            Entry entry = history.entry(r.pathParam("id"));
            String file = needed(r, "file");
            byte[] log =
                    StoredFile.content(entry, file)
                            .orElseThrow(() ->
                                    new NotFoundResponse(
                                            "this GC log is not there, or is not the one that was"
                                                    + " stored"));
            page(r, gcLogs.html(file, new ByteArrayInputStream(log)));
        }

        /// The stored report, unchanged: it has its own policy and runs in a sandbox.
        private void report(Context r) {
            String html =
                    StoredFile.report(history.entry(r.pathParam("id")))
                            .orElseThrow(() ->
                                    new NotFoundResponse(
                                            "its report.html is not there, or is not the one that"
                                                    + " was stored"));
            r.header("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'none'");
            page(r, html);
        }

        private void trend(Context r) {
            String plan = needed(r, "plan");
            Filter of = Filter.ALL.ofPlan(plan);
            List<Entry> newest = history.list(of.newest(1));
            List<String> figures =
                    newest.stream()
                            .flatMap(e -> e.figures().stream())
                            .map(Entry.Figure::name)
                            .toList();
            String figure = Optional.ofNullable(r.queryParam("figure")).orElse(DEFAULT_FIGURE);
            String unit =
                    newest.stream()
                            .flatMap(e -> e.figure(figure).stream())
                            .map(Entry.Figure::unit)
                            .findFirst()
                            .orElse("");
            List<Point> points = stored.points(plan, figure, kind(r));
            page(
                    r,
                    HtmlReport.render(
                            new TrendPage(
                                    plan,
                                    figure,
                                    unit,
                                    points,
                                    StoredResults.levels(points),
                                    figures,
                                    version)));
        }

        /// Compares two results, given by name or selected in a list.
        private void pair(Context r) {
            List<String> ticked = r.queryParams("id");
            if (r.queryParam("a") != null || r.queryParam("b") != null) {
                page(
                        r,
                        HtmlReport.render(
                                new PairPage(
                                        stored.pair(needed(r, "a"), needed(r, "b")), version)));
            } else if (ticked.size() == 2) {
                page(
                        r,
                        HtmlReport.render(
                                new PairPage(
                                        stored.inTime(ticked.getFirst(), ticked.getLast()),
                                        version)));
            } else {
                r.status(400);
                page(
                        r,
                        HtmlReport.render(
                                new NotePage(
                                        "Two results make a comparison",
                                        ticked.size()
                                                + " were ticked. Go back, tick two in the list and"
                                                + " choose Compare.",
                                        version)));
            }
        }

        private static Optional<Kind> kind(Context r) {
            return Optional.ofNullable(r.queryParam("verb")).flatMap(Kind::of);
        }

        private void listJson(Context r) {
            json(
                    r,
                    stored.list(
                            Optional.ofNullable(r.queryParam("plan")),
                            whole(r, "from"),
                            HistoryPage.SIZE));
        }

        private void entryJson(Context r) {
            json(r, stored.result(r.pathParam("id")));
        }

        private void trendJson(Context r) {
            json(r, stored.trend(needed(r, "plan"), needed(r, "figure"), kind(r)));
        }

        private void pairJson(Context r) {
            json(r, stored.pair(needed(r, "a"), needed(r, "b")).json());
        }

        private static void json(Context r, String document) {
            r.contentType(JSON).result(document);
        }

        private void metrics(Context r) {
            List<Entry> last =
                    history.plans().stream()
                            .flatMap(p -> history.list(Filter.ALL.ofPlan(p).newest(1)).stream())
                            .toList();
            r.contentType(METRICS).result(OpenMetrics.of(last));
        }
    }
}
