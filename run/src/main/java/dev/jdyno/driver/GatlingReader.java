package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Gatling's text log (up to 3.11): tabs between the cells of a line, `REQUEST`, groups and name,
/// begin and end in ms since 1970, `OK` or `KO`. Later versions write a binary form that only
/// Gatling reads.
final class GatlingReader implements DriverReader {
    @Override
    public Optional<DriverReport> read(DriverOutput output) throws IOException {
        Optional<String> first = output.firstLine();
        if (first.isEmpty()) {
            return Optional.empty();
        }
        if (!first.get().startsWith("RUN\t") && !first.get().startsWith("ASSERTION\t")) {
            if (first.get().startsWith("\0") && first.get().contains("3.")) {
                throw Malformed.of("the binary log of Gatling 3.12 and later; give --through");
            }
            return Optional.empty();
        }
        var all = new EachRequest(output.window());
        output.forEachLine(line -> {
            if (line.startsWith("REQUEST\t")) {
                add(line.split("\t", -1), all);
            }
        });
        return Optional.of(all.report("gatling", List.of(DriverErrors.NO_INTENDED_START)));
    }

    /// The number of cells before the times differs between versions.
    private static void add(String[] cells, EachRequest to) {
        for (int i = 3; i < cells.length; i++) {
            boolean ok = cells[i].equals("OK");
            boolean times = isTime(cells[i - 2]) && isTime(cells[i - 1]);
            if ((ok || cells[i].equals("KO")) && times) {
                long start = Long.parseLong(cells[i - 2]);
                long end = Long.parseLong(cells[i - 1]);
                if (end < start) {
                    break;
                }
                if (ok) {
                    to.good((double) end, (double) (end - start));
                } else {
                    to.bad((double) end, DriverErrors.FAILED);
                }
                return;
            }
        }
        to.broken();
    }

    private static boolean isTime(String text) {
        return text.matches("\\d{10,15}");
    }
}
