package dev.jdyno.serve;

import dev.jdyno.measure.watch.SkippedLines;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.WatchReport;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.html.WatchDayPage;
import dev.jdyno.report.html.WatchPage;
import dev.jdyno.report.html.WatchRangePage;
import dev.jdyno.watch.WatchedDays;
import io.javalin.config.JavalinConfig;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The pages of watched services, and their JSON: the list, a day, a part of a day.
///
/// @param zone in which commands on this host read times
/// @param version of jdyno
/// @param ranges the JSON of parts of a day
record WatchPages(WatchedDays days, ZoneId zone, String version, RangeDocuments ranges) {
    private static final Instant LAST = Instant.parse("9999-12-30T23:59:59Z");

    WatchPages(WatchedDays days, String version) {
        this(days, ZoneId.systemDefault(), version, new RangeDocuments());
    }

    /// A part of a day.
    private record Part(WatchedDay day, Instant from, Instant to) {
        Optional<WatchedRange> summary() {
            return WatchedDays.summary(day, from, to);
        }

        RangeDocuments.Key key() {
            return new RangeDocuments.Key(
                    day.service(), from, to, day.minutes().hashCode(), skipped());
        }

        /// With the headroom, which takes time.
        String document() {
            return WatchReport.json(
                    WatchedDays.summaryWithHeadroom(day, from, to).stream().toList(), skipped());
        }

        private SkippedLines skipped() {
            return new SkippedLines(day.damaged(), day.leftOut());
        }
    }

    /// @param at prefix of each path, as in the routes of the server
    void into(JavalinConfig c, String at) {
        c.routes.get(at + "/watch", r -> page(r, HtmlReport.render(list())));
        c.routes.get(at + "/watch/day", r -> page(r, HtmlReport.render(dayPage(day(r)))));
        c.routes.get(at + "/watch/range", r -> page(r, HtmlReport.render(rangePage(part(r)))));
        c.routes.get(at + "/api/watch", r -> json(r, WatchReport.json(days.list())));
        c.routes.get(at + "/api/watch/day", r -> json(r, WatchReport.json(day(r))));
        c.routes.get(at + "/api/watch/range", this::rangeJson);
    }

    private static void page(Context r, String html) {
        r.contentType(Server.HTML).result(html);
    }

    private static void json(Context r, String document) {
        r.contentType(Server.JSON).result(document);
    }

    private WatchPage list() {
        return new WatchPage(days.list(), version);
    }

    private WatchDayPage dayPage(WatchedDay day) {
        List<LocalDate> others =
                days.list().services().stream()
                        .filter(s -> s.name().equals(day.service()))
                        .flatMap(s -> s.days().stream())
                        .toList();
        return new WatchDayPage(
                day,
                others.stream().filter(d -> d.isBefore(day.day())).max(Comparator.naturalOrder()),
                others.stream().filter(d -> d.isAfter(day.day())).min(Comparator.naturalOrder()),
                version);
    }

    private WatchRangePage rangePage(Part part) {
        return new WatchRangePage(
                part.day(),
                part.from(),
                part.to(),
                part.summary(),
                new WatchRangePage.Where(days.folder().toString(), zone),
                version);
    }

    private void rangeJson(Context r) {
        Part part = part(r);
        if (part.summary().isEmpty()) {
            throw new NotFoundResponse("no minute begins in this time");
        }
        json(r, ranges.of(part.key(), part::document));
    }

    private WatchedDay day(Context r) {
        return read(needed(r, "service"), parsed(r, "day", "2026-11-30", LocalDate::parse));
    }

    private Part part(Context r) {
        String example = "2026-11-30T14:05:00Z";
        Instant from = parsed(r, "from", example, WatchPages::instant);
        Instant to = parsed(r, "to", example, WatchPages::instant);
        LocalDate day = LocalDate.ofInstant(from, ZoneOffset.UTC);
        Instant end = day.atStartOfDay().toInstant(ZoneOffset.UTC).plus(Duration.ofDays(1));
        if (!to.isAfter(from) || to.isAfter(end)) {
            throw new BadRequestResponse("from and to are no part of one day in UTC");
        }
        return new Part(read(needed(r, "service"), day), from, to);
    }

    /// A time in the years that names of day files can have.
    private static Instant instant(String text) {
        Instant at = Instant.parse(text);
        if (at.isBefore(Instant.EPOCH) || at.isAfter(LAST)) {
            throw new DateTimeException("no year of a day file");
        }
        return at;
    }

    /// Reads one day at a time, because a foreign file can take many times its size in memory.
    private WatchedDay read(String service, LocalDate day) {
        synchronized (days) {
            return days.day(service, day);
        }
    }

    private static String needed(Context r, String name) {
        return Optional.ofNullable(r.queryParam(name))
                .orElseThrow(() -> new BadRequestResponse(name + " is missing"));
    }

    private static <T> T parsed(
            Context r, String name, String example, Function<String, T> parser) {
        try {
            return parser.apply(needed(r, name));
        } catch (DateTimeException wrong) {
            throw new BadRequestResponse(name + " is not of the form " + example);
        }
    }
}
