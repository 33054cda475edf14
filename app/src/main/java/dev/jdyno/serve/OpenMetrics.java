package dev.jdyno.serve;

import dev.jdyno.history.Entry;
import java.util.List;
import java.util.Locale;

/// The newest result of each plan in the text form of OpenMetrics 1.0, which Prometheus reads.
final class OpenMetrics {
    private OpenMetrics() {}

    static String of(List<Entry> newest) {
        var text = new StringBuilder();
        text.append("# TYPE jdyno_figure gauge\n")
                .append("# HELP jdyno_figure A figure of the newest stored result of a plan.\n");
        for (Entry e : newest) {
            for (Entry.Figure f : e.figures()) {
                text.append("jdyno_figure{")
                        .append(labels(e))
                        .append(",figure=\"")
                        .append(escaped(f.name()))
                        .append("\",unit=\"")
                        .append(escaped(f.unit()))
                        .append("\"} ")
                        .append(f.value())
                        .append('\n');
            }
        }
        text.append("# TYPE jdyno_result_valid gauge\n")
                .append("# HELP jdyno_result_valid Whether its figures can be trusted.\n");
        newest.forEach(e ->
                text.append("jdyno_result_valid{")
                        .append(labels(e))
                        .append("} ")
                        .append(e.valid() ? 1 : 0)
                        .append('\n'));
        text.append("# TYPE jdyno_result_timestamp_seconds gauge\n")
                .append("# UNIT jdyno_result_timestamp_seconds seconds\n")
                .append("# HELP jdyno_result_timestamp_seconds When it began.\n");
        newest.forEach(e ->
                text.append("jdyno_result_timestamp_seconds{")
                        .append(labels(e))
                        .append("} ")
                        .append(String.format(Locale.ROOT, "%.3f", e.at().toEpochMilli() / 1000.0))
                        .append('\n'));
        return text.append("# EOF\n").toString();
    }

    private static String labels(Entry e) {
        return "plan=\""
                + escaped(e.plan())
                + "\",verb=\""
                + e.kind().key()
                + "\",verdict=\""
                + escaped(e.verdict())
                + "\"";
    }

    static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }
}
