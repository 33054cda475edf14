package dev.jdyno.report.html;

import dev.jdyno.measure.text.ShellText;
import dev.jdyno.measure.watch.WatchEvent;
import dev.jdyno.measure.watch.WatchedDay;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.WatchText;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The verdict of a part of a watched day, as `diagnose --at` summarises it, with what is stored of
/// each minute.
///
/// @param from begin of the part
/// @param to its end, not included
/// @param range its summary; empty if no minute begins in it
/// @param where the folder of the day files
/// @param version of jdyno
public record WatchRangePage(
        WatchedDay day,
        Instant from,
        Instant to,
        Optional<WatchedRange> range,
        Where where,
        String version)
        implements HtmlPage {
    /// Maximum number of minutes that the page lists.
    public static final int MAX_ROWS = 180;

    /// Maximum number of pools in the summary. A service has few; names in a foreign file may be
    /// many.
    private static final int MAX_POOLS = 30;

    /// @param folder of the day files
    /// @param zone in which commands on this host read times
    public record Where(String folder, ZoneId zone) {}

    private DayTimes times() {
        return new DayTimes(day.service(), day.day());
    }

    public String title() {
        return day.service()
                + ", "
                + day.day()
                + " "
                + times().clock(from)
                + "–"
                + times().clock(to);
    }

    public WatchedRange summary() {
        return range.orElseThrow();
    }

    /// The place of the longest verdict, or its meaning if it is no bottleneck; blank if it has
    /// none.
    public String place() {
        WatchedRange.Share first = WatchDayPage.first(summary());
        return WatchDayPage.meaning(first.bottleneck()).orElse(first.where());
    }

    public String dayLink() {
        return times().page(day.day());
    }

    public String dataLink() {
        return "../api/watch/" + times().range(from, to);
    }

    /// The command that prints the same summary; empty if its option cannot name these times.
    public Optional<String> command() {
        if (!isMinute(from) || !isMinute(to)) {
            return Optional.empty();
        }
        return Optional.of(
                "jdyno diagnose --at "
                        + LocalDateTime.ofInstant(from, where.zone())
                        + ".."
                        + LocalDateTime.ofInstant(to, where.zone())
                        + " --from "
                        + ShellText.word(where.folder()));
    }

    /// The time of the same length before; empty at the begin of the day.
    public Optional<String> earlier() {
        Instant begin = from.minus(length());
        return begin.isBefore(times().begin())
                ? Optional.empty()
                : Optional.of(times().range(begin, from));
    }

    /// The time of the same length after; empty at the end of the day.
    public Optional<String> later() {
        Instant end = to.plus(length());
        return end.isAfter(times().end()) ? Optional.empty() : Optional.of(times().range(to, end));
    }

    private static boolean isMinute(Instant at) {
        return at.equals(at.truncatedTo(ChronoUnit.MINUTES));
    }

    public String share(WatchedRange.Share verdict) {
        return Figures.percent(verdict.seconds() / summary().seconds());
    }

    public String means() {
        return WatchText.means(summary().means());
    }

    public Optional<String> headroom() {
        return summary().lowestHeadroom().map(WatchText::room);
    }

    public String stopped() {
        return WatchText.duration(summary().stoppedS());
    }

    public String watched() {
        return WatchText.duration(summary().seconds())
                + " in "
                + WatchText.minutes(summary().minutes());
    }

    /// The fullest pools.
    public List<WatchedRange.PoolUse> pools() {
        return summary().pools().stream().limit(MAX_POOLS).toList();
    }

    /// Number of further pools.
    public int morePools() {
        return Math.max(0, summary().pools().size() - MAX_POOLS);
    }

    public static String percent(double share) {
        return Figures.percent(share);
    }

    /// The minutes of the part; empty if there are too many for a table.
    public List<WatchedMinute> rows() {
        return isListed() ? minutes() : List.of();
    }

    public boolean isListed() {
        return minutes().size() <= MAX_ROWS;
    }

    private List<WatchedMinute> minutes() {
        return day.minutes().stream().filter(m -> isIn(m.at())).toList();
    }

    public List<WatchEvent> events() {
        return day.events().stream().filter(e -> isIn(e.at())).toList();
    }

    private boolean isIn(Instant at) {
        return !at.isBefore(from) && at.isBefore(to);
    }

    public String clock(Instant at) {
        return times().exact(at);
    }

    public String happened(WatchEvent event) {
        return WatchText.happened(event);
    }

    public static String cpu(WatchedMinute m) {
        return m.cpu()
                .map(c -> String.format(Locale.ROOT, "%.2f of %.2f", c.cores(), c.availableCores()))
                .orElse("");
    }

    public static String perS(WatchedMinute m) {
        return WatchDayPage.number(m.requests().map(WatchedMinute.Requests::perS));
    }

    public static String meanMs(WatchedMinute m) {
        return WatchDayPage.number(m.requests().flatMap(WatchedMinute.Requests::meanMs));
    }

    public static String cpuMs(WatchedMinute m) {
        return WatchDayPage.number(m.requests().flatMap(WatchedMinute.Requests::cpuMs));
    }

    public static String inFlight(WatchedMinute m) {
        return WatchDayPage.number(m.inFlight());
    }

    public static String gc(WatchedMinute m) {
        return m.gc().map(g -> String.format(Locale.ROOT, "%.1f %%", 100 * g.pauseShare()))
                .orElse("");
    }

    public static String headroom(WatchedMinute m) {
        return WatchDayPage.number(m.headroom().map(WatchedMinute.Room::ratio));
    }

    /// The pools of a minute: `orders 9 of 10, 3 waiting`.
    public static String pools(WatchedMinute m) {
        String named =
                m.pools().stream().map(WatchRangePage::pool).collect(Collectors.joining("; "));
        return m.poolsLeftOut() > 0 ? named + "; and " + m.poolsLeftOut() + " more" : named;
    }

    private static String pool(WatchedMinute.PoolFigures p) {
        return p.name()
                + " "
                + p.inUse().map(Figures::number).orElse("?")
                + p.max().map(n -> " of " + Figures.number(n)).orElse("")
                + p.waiting()
                        .filter(n -> n > 0)
                        .map(n -> ", " + Figures.number(n) + " waiting")
                        .orElse("");
    }

    /// A minute that is longer or shorter than usual, or in which the service was stopped.
    public static String remark(WatchedMinute m) {
        var said = new StringBuilder();
        if (Math.abs(m.seconds() - 60) > 5) {
            said.append(WatchText.duration(m.seconds())).append(" long");
        }
        if (m.stoppedS() > 0) {
            said.append(said.isEmpty() ? "" : ", ")
                    .append("frozen for ")
                    .append(WatchText.duration(m.stoppedS()));
        }
        return said.toString();
    }

    private Duration length() {
        return Duration.between(from, to);
    }
}
