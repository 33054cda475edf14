package dev.jdyno.series.file;

import dev.jdyno.foreign.ForeignCsv;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.text.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// A table of figures as spreadsheets, databases and benchmarks write it: separated by commas,
/// semicolons or tabs, with or without column names, with a decimal point or comma.
final class SeriesTable {
    private static final List<Character> DELIMITERS = List.of('\t', ';', ',');

    /// The separator line that Excel writes at the beginning.
    private static final Pattern SEPARATOR =
            Pattern.compile("\\A\"?(?i:sep)=([,;\t|])\"?[ \t]*(?=[\r\n]|\\z)");

    /// Texts that mark a missing value.
    private static final Set<String> MISSING =
            Set.of("", "-", "?", "n/a", "na", "nan", "null", "none", "inf", "infinity", "-inf");

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{7,40}");
    private static final Pattern NAME_OF_COMMIT =
            Pattern.compile(
                    "(?i)(git[ _-]?)?(commit|sha1?|hash|revision|rev)([ _-]?(id|hash|sha))?"
                            + "|id|((build|run)[ _-]?(id|number|no))|build");
    private static final Pattern NAME_OF_TIME =
            Pattern.compile("(?i)(at|time|timestamp|date|day|datetime|when|epoch)");
    private static final Pattern NAME_OF_WORDS =
            Pattern.compile("(?i)(name|label|branch|tag|release|version|host|machine|run)");

    private static final List<Function<String, Instant>> FORMS =
            List.of(
                    t -> OffsetDateTime.parse(t).toInstant(),
                    t -> LocalDateTime.parse(t).toInstant(ZoneOffset.UTC),
                    t -> LocalDate.parse(t).atStartOfDay().toInstant(ZoneOffset.UTC));

    private final Path file;
    private final Problems problems;
    private final char delimiter;
    private final List<String> names;
    private final List<ForeignCsv.Row> rows;

    private SeriesTable(
            Path file,
            Problems problems,
            char delimiter,
            List<String> names,
            List<ForeignCsv.Row> rows) {
        this.file = file;
        this.problems = problems;
        this.delimiter = delimiter;
        this.names = names;
        this.rows = rows;
    }

    /// Returns the column's values in the order of time if there is a column of dates or times,
    /// otherwise in the order of the rows.
    ///
    /// @param column name or number (from 1) of the column; empty: the last column with numbers
    /// @param problems collects all mistakes
    static double[] values(Path file, String text, Optional<String> column, Problems problems)
            throws IOException {
        Matcher separator = SEPARATOR.matcher(text);
        boolean hasSeparator = separator.find();
        // the empty line stays, so that line numbers remain correct
        String table = hasSeparator ? text.substring(separator.end()) : text;
        char delimiter = hasSeparator ? separator.group(1).charAt(0) : delimiter(table);
        List<ForeignCsv.Row> rows = rows(table, delimiter);
        if (rows.isEmpty()) {
            problems.add(file.toString(), "it is empty", "write a number a line");
            return new double[0];
        }
        boolean named = isHeading(rows, table, column);
        return new SeriesTable(
                        file,
                        problems,
                        delimiter,
                        named ? rows.getFirst().cells() : List.of(),
                        named ? rows.subList(1, rows.size()) : rows)
                .values(column, rows.getFirst().cells().size());
    }

    private static List<ForeignCsv.Row> rows(String text, char delimiter) throws IOException {
        List<ForeignCsv.Row> rows = new ArrayList<>();
        try (var table = ForeignCsv.commented(text, delimiter)) {
            for (var row = table.next(); row.isPresent(); row = table.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }

    /// Returns the first delimiter that splits all rows into the same number of cells, otherwise
    /// one that splits the first row.
    private static char delimiter(String text) throws IOException {
        Map<Character, List<ForeignCsv.Row>> read = new HashMap<>();
        Optional<Malformed> malformed = Optional.empty();
        for (char delimiter : DELIMITERS) {
            try {
                read.put(delimiter, rows(text, delimiter));
            } catch (Malformed e) {
                // the quotes may be valid with another delimiter
                malformed = Optional.of(e);
            }
        }
        if (malformed.isPresent() && read.values().stream().noneMatch(SeriesTable::divides)) {
            throw malformed.get();
        }
        List<Character> readable = DELIMITERS.stream().filter(read::containsKey).toList();
        return readable.stream()
                .filter(d -> isEven(read.getOrDefault(d, List.of())))
                .findFirst()
                .or(() ->
                        readable.stream()
                                .filter(d -> divides(read.getOrDefault(d, List.of())))
                                .findFirst())
                .orElse(readable.getFirst());
    }

    private static boolean divides(List<ForeignCsv.Row> rows) {
        return !rows.isEmpty() && rows.getFirst().cells().size() > 1;
    }

    private static boolean isEven(List<ForeignCsv.Row> rows) {
        return divides(rows)
                && rows.stream().mapToInt(r -> r.cells().size()).distinct().count() == 1;
    }

    private static boolean isHeading(
            List<ForeignCsv.Row> rows, String text, Optional<String> column) {
        List<String> first = rows.getFirst().cells();
        List<ForeignCsv.Row> below = rows.subList(1, rows.size());
        boolean asked =
                column.filter(first::contains).filter(c -> !isNumberOfColumn(c, first)).isPresent();
        boolean quoted = first.size() > 1 && isQuotedOnlyAbove(text, first.size());
        boolean index =
                first.size() > 1
                        && first.getFirst().isEmpty()
                        && first.stream().skip(1).noneMatch(SeriesTable::isMissing);
        boolean words = first.stream().noneMatch(c -> Notation.isNumber(c) || isMissing(c));
        return asked
                || quoted
                || index
                || (words && isWordsOnly(first, below))
                || IntStream.range(0, first.size())
                        .anyMatch(i -> isNameOf(first.get(i), cells(below, i)));
    }

    /// True if all cells of the first line are quoted, and no cell below is.
    private static boolean isQuotedOnlyAbove(String text, int cells) {
        List<String> lines = text.lines().filter(l -> !l.isBlank()).toList();
        return lines.getFirst().chars().filter(c -> c == '"').count() == 2L * cells
                && lines.stream().skip(1).noneMatch(l -> l.contains("\""));
    }

    /// True if the first row shares no text with the rows below; a first row without numbers is
    /// then a heading.
    private static boolean isWordsOnly(List<String> first, List<ForeignCsv.Row> below) {
        return IntStream.range(0, first.size())
                .noneMatch(i -> cells(below, i).contains(first.get(i)));
    }

    /// True if a text is of another kind than most cells below it.
    private static boolean isNameOf(String text, List<String> below) {
        if (below.isEmpty() || isMissing(text)) {
            return false;
        }
        Kind kind = Kind.of(text);
        Kind usual = mostly(below);
        if (usual == Kind.WORD) {
            // a text is also a heading if the cells below repeat a few other words, such as
            // branches
            return kind == Kind.WORD
                    && (isNameOfOther(text)
                            || NAME_OF_WORDS.matcher(text).matches()
                            || (!below.contains(text)
                                    && new HashSet<>(below).size() * 2 <= below.size()));
        }
        return kind == Kind.WORD;
    }

    private static Kind mostly(List<String> cells) {
        for (Kind kind : List.of(Kind.NUMBER, Kind.TIME, Kind.COMMIT)) {
            if (cells.stream().filter(kind::holds).count() * 2 > cells.size()) {
                return kind;
            }
        }
        return Kind.WORD;
    }

    /// The kind of a cell.
    private enum Kind {
        NUMBER,
        TIME,
        COMMIT,
        WORD;

        boolean holds(String cell) {
            return switch (this) {
                case NUMBER -> Notation.isNumber(cell);
                case TIME -> time(cell).isPresent();
                case COMMIT -> HASH.matcher(cell).matches();
                case WORD -> true;
            };
        }

        static Kind of(String cell) {
            for (Kind kind : values()) {
                if (kind.holds(cell)) {
                    return kind;
                }
            }
            return WORD;
        }
    }

    private static boolean isMissing(String cell) {
        return MISSING.contains(cell.toLowerCase(Locale.ROOT));
    }

    private static boolean isNumberOfColumn(String text, List<String> cells) {
        return text.matches("[0-9]{1,6}")
                && Integer.parseInt(text) >= 1
                && Integer.parseInt(text) <= cells.size();
    }

    private static List<String> cells(List<ForeignCsv.Row> rows, int at) {
        return rows.stream().map(r -> cell(r, at)).toList();
    }

    private static String cell(ForeignCsv.Row row, int at) {
        return at < row.cells().size() ? row.cells().get(at) : "";
    }

    private double[] values(Optional<String> column, int columns) {
        for (ForeignCsv.Row row : rows) {
            if (row.cells().stream().skip(columns).anyMatch(c -> !c.isEmpty())) {
                problems.add(
                        file + " row " + row.line(),
                        row.cells().size() + " cells, the first row has " + columns,
                        "put numbers with a comma in quotes, or write semicolons between cells");
            }
        }
        int at = column.map(c -> named(c, columns)).orElseGet(() -> usual(columns));
        if (at < 0) {
            return new double[0];
        }
        List<String> cells = cells(rows, at);
        Optional<Notation> notation = Notation.of(cells, delimiter == ',');
        for (ForeignCsv.Row row : rows) {
            if (!Notation.isNumber(cell(row, at))) {
                problems.add(
                        file + " row " + row.line(),
                        "'" + cell(row, at) + "' is not a number",
                        "leave out rows that were not measured");
            }
        }
        if (notation.isEmpty()) {
            problems.add(
                    file.toString(),
                    "column " + (at + 1) + " does not show whether a comma is the decimal point",
                    "write 1234.5 for each number");
        }
        if (!problems.isEmpty()) {
            return new double[0];
        }
        return inOrder().stream()
                .mapToDouble(r -> notation.orElseThrow().value(cell(r, at)).orElseThrow())
                .toArray();
    }

    private int named(String wanted, int columns) {
        int byName = names.indexOf(wanted);
        int at =
                byName >= 0 || !wanted.matches("[0-9]{1,6}")
                        ? byName
                        : Integer.parseInt(wanted) - 1;
        if (at < 0 || at >= columns) {
            problems.add(
                    "--column " + wanted,
                    "there is no such column in " + file,
                    names.isEmpty()
                            ? "give a number from 1 to " + columns
                            : "give one of " + String.join(", ", names));
            return -1;
        }
        return at;
    }

    /// Returns the last column with mostly numbers. A column whose name means a commit or a time is
    /// used only if there is no other.
    private int usual(int columns) {
        List<Integer> numeric =
                IntStream.range(0, columns)
                        .filter(i -> mostly(cells(rows, i)) == Kind.NUMBER)
                        .boxed()
                        .toList()
                        .reversed();
        if (numeric.isEmpty()) {
            problems.add(file.toString(), "no column has numbers", "write a number a line");
            return -1;
        }
        return numeric.stream()
                .filter(i -> names.isEmpty() || !isNameOfOther(names.get(i)))
                .findFirst()
                .orElse(numeric.getFirst());
    }

    private static boolean isNameOfOther(String name) {
        return NAME_OF_COMMIT.matcher(name).matches() || NAME_OF_TIME.matcher(name).matches();
    }

    /// Sorts the rows by the first column that has a date or time in each row.
    private List<ForeignCsv.Row> inOrder() {
        int columns = rows.isEmpty() ? 0 : rows.getFirst().cells().size();
        for (int i = 0; i < columns; i++) {
            List<Optional<Instant>> times = cells(rows, i).stream().map(SeriesTable::time).toList();
            if (times.stream().allMatch(Optional::isPresent)) {
                return IntStream.range(0, rows.size())
                        .boxed()
                        .sorted(Comparator.comparing(r -> times.get(r).orElseThrow()))
                        .map(rows::get)
                        .toList();
            }
        }
        return rows;
    }

    /// Parses `2026-11-29`, `2026-11-29 04:30:00`, `2026-11-29T04:30:00+01:00`.
    private static Optional<Instant> time(String cell) {
        if (!cell.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?")) {
            return Optional.empty();
        }
        String text = cell.replace(' ', 'T');
        for (Function<String, Instant> form : FORMS) {
            try {
                return Optional.of(form.apply(text));
            } catch (DateTimeException other) {
                // the text may match the next format
            }
        }
        return Optional.empty();
    }
}
