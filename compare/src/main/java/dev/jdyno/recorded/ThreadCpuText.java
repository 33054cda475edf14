package dev.jdyno.recorded;

import dev.jdyno.foreign.ForeignNumber;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// CPU of threads in an output of `top -H -b` (procps) or `pidstat -t` (sysstat). Columns are found
/// by their names, because both programs can be configured.
///
/// ```
/// top - 21:15:08 up 16:03,  0 user,  load average: 1.75, 3.22, 3.99
/// Threads:  35 total,   2 running,  33 sleeping,   0 stopped,   0 zombie
///     PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
///   19326 root      20   0 4775268  94352  23116 R  99.0   0.4   0:05.09 http-nio-8080-e
///
/// Linux 6.1.0 (host)      11/29/2026      _x86_64_        (2 CPU)
/// 09:15:08 PM   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command
/// 09:15:09 PM     0         -     19326   99.00    0.00    0.00    0.00   99.00     1  |__http-nio-8080-e
/// ```
///
/// The first report of a run of top has no rates of the observed time, and neither has a report of
/// pidstat without an interval. Such reports are left out.
final class ThreadCpuText {
    /// Maximum number of rows: 200 threads for three quarters of an hour, once a second.
    private static final int MAX_ROWS = 500_000;

    /// Maximum share of a core that a row may show. It is above 1, because top and pidstat round
    /// times.
    private static final double MAX_CORES = 1.1;

    private static final Pattern TOP = Pattern.compile("^top - (\\d{1,2}:\\d\\d:\\d\\d) ");

    // For example: Linux 6.1.0 (host)      11/29/2026      _x86_64_        (2 CPU)
    private static final Pattern PIDSTAT =
            Pattern.compile(
                    "^Linux \\S{1,200} \\(\\S{0,255}\\)\\s+(\\S{6,20})\\s.{0,100}\\((\\d{1,5}) CPU\\)$");

    // For example: 2026-11-29, 11/29/2026, 29/11/26, 29.11.2026
    private static final Pattern DATE = Pattern.compile("(\\d{1,4})[-/.](\\d{1,2})[-/.](\\d{1,4})");

    private static final Pattern CLOCK = Pattern.compile("(\\d{1,2}):(\\d\\d):(\\d\\d)");
    private static final int CENTURY = 2000;

    /// Length of the kernel's names. The option `-l` of pidstat shows command lines of any length.
    static final int COMM = 15;

    private static final Set<String> USERS = Set.of("UID", "USER");
    private static final List<String> PIDSTAT_COLUMNS = List.of("TID", "%CPU", "Command");

    /// One thread in one report.
    ///
    /// @param at local time of the report, which ends the time of its rates
    /// @param dates dates on which the output may have begun; empty if unknown
    /// @param cores share of one core, 0…1
    /// @param name the kernel's name: at most 15 characters
    record Row(LocalTime at, Set<LocalDate> dates, long tid, double cores, String name) {}

    private final List<Row> rows = new ArrayList<>();
    private final List<Row> ofOnePidstat = new ArrayList<>();
    private List<String> columns = List.of();
    private boolean top;
    private boolean threads;
    private boolean inRun;
    private boolean firstOfRun;
    private boolean averaged;
    private Optional<LocalTime> at = Optional.empty();
    private Set<LocalDate> dates = Set.of();
    private OptionalInt cpus = OptionalInt.empty();
    private long reports;
    private long reportsLeftOut;
    private boolean blank;
    private boolean cut;

    void line(String line) {
        String text = line.strip();
        if (text.isEmpty()) {
            columns = top ? List.of() : columns;
        } else if (text.startsWith("top - ")) {
            beginTop(text);
        } else if (text.startsWith("Linux ")) {
            beginPidstat(text);
        } else if (text.startsWith("Threads:")) {
            threads = true;
        } else if (text.contains("%CPU")) {
            header(text);
        } else if (!columns.isEmpty()) {
            row(text);
        }
        blank = text.isEmpty();
    }

    private void beginTop(String text) {
        finish();
        Matcher found = TOP.matcher(text);
        at = found.find() ? clock(found.group(1), "") : Optional.empty();
        top = true;
        dates = Set.of();
        threads = false;
        // later reports of one run come after a blank line
        firstOfRun = !blank || !inRun;
        inRun = true;
        columns = List.of();
    }

    private void beginPidstat(String text) {
        Matcher found = PIDSTAT.matcher(text);
        if (found.find()) {
            finish();
            top = false;
            inRun = false;
            at = Optional.empty();
            columns = List.of();
            averaged = false;
            dates = dates(found.group(1));
            ForeignNumber.whole(found.group(2))
                    .ifPresent(n -> cpus = n > 0 ? OptionalInt.of((int) n) : OptionalInt.empty());
        }
    }

    private void header(String text) {
        List<String> words = List.of(text.split("\\s+"));
        if (top && threads && at.isPresent() && words.contains("PID")) {
            columns = words;
            reports += firstOfRun ? 0 : 1;
            reportsLeftOut += firstOfRun ? 1 : 0;
        } else if (!top && ofUser(words).containsAll(PIDSTAT_COLUMNS)) {
            columns = ofUser(words);
            averaged |= words.getFirst().equals("Average:");
        } else {
            columns = List.of();
        }
    }

    /// The words after the time, which has one word or two: the columns of pidstat.
    private static List<String> ofUser(List<String> words) {
        int begin = 0;
        while (begin < words.size() && !USERS.contains(words.get(begin))) {
            begin++;
        }
        return words.subList(begin, words.size());
    }

    private void row(String text) {
        if (top) {
            if (!firstOfRun) {
                at.ifPresent(time -> add(time, text, "PID", rows));
            }
            return;
        }
        String[] begin = text.split("\\s+", 3);
        if (begin.length < 3) {
            return;
        }
        boolean half = begin[1].equals("AM") || begin[1].equals("PM");
        Optional<LocalTime> time = clock(begin[0], half ? begin[1] : "");
        if (time.isPresent()) {
            if (!time.equals(at)) {
                nextReport(time.get());
            }
            String rest = half ? begin[2] : begin[1] + " " + begin[2];
            add(time.get(), rest, "TID", ofOnePidstat);
        }
    }

    /// Begins a report. Only now are the rows of the report before used, because a single report
    /// may have no interval.
    private void nextReport(LocalTime time) {
        if (at.isPresent()) {
            averaged = true;
            take();
        }
        at = Optional.of(time);
    }

    private void take() {
        if (!ofOnePidstat.isEmpty()) {
            reports++;
            rows.addAll(ofOnePidstat);
            ofOnePidstat.clear();
        }
    }

    private void add(LocalTime time, String text, String id, List<Row> to) {
        String[] words = text.split("\\s+", columns.size());
        if (words.length < columns.size() || columns.indexOf("%CPU") < 0) {
            return;
        }
        OptionalLong tid = ForeignNumber.whole(words[columns.indexOf(id)]);
        OptionalDouble pct =
                ForeignNumber.decimal(words[columns.indexOf("%CPU")].replace(',', '.'));
        if (tid.isEmpty() || pct.isEmpty() || pct.getAsDouble() > 100 * MAX_CORES) {
            return;
        }
        if (rows.size() + ofOnePidstat.size() >= MAX_ROWS) {
            cut = true;
            return;
        }
        to.add(
                new Row(
                        time,
                        dates,
                        tid.getAsLong(),
                        Math.min(1, pct.getAsDouble() / 100),
                        kernelName(words[columns.size() - 1])));
    }

    private static String kernelName(String shown) {
        String name = shown.startsWith("|__") ? shown.substring(3) : shown;
        return name.substring(0, Math.min(COMM, name.length())).strip();
    }

    /// Called after the last line.
    void finish() {
        if (averaged) {
            take();
        } else if (!ofOnePidstat.isEmpty()) {
            reportsLeftOut++;
            ofOnePidstat.clear();
        }
        columns = List.of();
    }

    private static Optional<LocalTime> clock(String text, String half) {
        Matcher found = CLOCK.matcher(text);
        if (!found.matches()) {
            return Optional.empty();
        }
        int hour = Integer.parseInt(found.group(1));
        int moved =
                switch (half.toUpperCase(Locale.ROOT)) {
                    case "AM" -> hour % 12;
                    case "PM" -> hour % 12 + 12;
                    default -> hour;
                };
        try {
            return Optional.of(
                    LocalTime.of(
                            moved,
                            Integer.parseInt(found.group(2)),
                            Integer.parseInt(found.group(3))));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    /// The dates that a text can mean. The order of day and month depends on the locale.
    private static Set<LocalDate> dates(String text) {
        Matcher found = DATE.matcher(text);
        if (!found.matches()) {
            return Set.of();
        }
        int a = Integer.parseInt(found.group(1));
        int b = Integer.parseInt(found.group(2));
        int c = Integer.parseInt(found.group(3));
        int year = c < 100 ? CENTURY + c : c;
        Set<LocalDate> dates = new HashSet<>();
        if (found.group(1).length() == 4) {
            date(a, b, c).ifPresent(dates::add);
        } else {
            date(year, a, b).ifPresent(dates::add);
            date(year, b, a).ifPresent(dates::add);
        }
        return Set.copyOf(dates);
    }

    private static Optional<LocalDate> date(int year, int month, int day) {
        try {
            return Optional.of(LocalDate.of(year, month, day));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    List<Row> rows() {
        return rows;
    }

    /// Number of reports with rates.
    long reports() {
        return reports;
    }

    /// Number of reports without rates of their time.
    long reportsLeftOut() {
        return reportsLeftOut;
    }

    /// True if the text has more rows than are read.
    boolean isCut() {
        return cut;
    }

    /// Processors of the host; empty if the text does not show them.
    OptionalInt cpus() {
        return cpus;
    }
}
