package dev.jdyno.recorded;

import dev.jdyno.recorded.FoundRecords.Flight;
import java.util.ArrayList;
import java.util.List;

/// Names the data that the files do not have, with the way to record each.
final class Missing {
    /// Minimum number of dumps for useful means.
    static final int ENOUGH_DUMPS = 10;

    /// Figures that the files have.
    ///
    /// @param cpu use of the available cores
    /// @param classes loaded classes per second
    /// @param throughput requests per second
    record Has(boolean cpu, boolean classes, boolean throughput) {}

    private Missing() {}

    static List<String> of(
            FoundRecords found,
            DumpSeries series,
            List<Flight> flights,
            List<FoundRecords.Collections> gcLogs,
            Has has) {
        List<String> missing = new ArrayList<>();
        if (series.isEmpty()) {
            missing.add(
                    "thread dumps: none among the files, so it is not known what threads wait for;"
                            + " take ten: jcmd PID Thread.print > dump-1.txt, one every few seconds");
        } else if (series.size() < ENOUGH_DUMPS) {
            missing.add(
                    "thread dumps: "
                            + series.size()
                            + ", too few for means; take ten or more, one every few seconds");
        }
        if (series.lacksVirtualThreads()) {
            missing.add(
                    "virtual threads: text dumps do not show them; add jcmd PID"
                            + " Thread.dump_to_file -format=json FILE");
        }
        if (series.lacksStates()) {
            missing.add(
                    "thread states: JSON dumps of this JDK have none, so waits for monitors are not"
                            + " seen; add jcmd PID Thread.print");
        }
        if (!has.cpu()) {
            missing.add(
                    "CPU: no file says how much of the available cores is in use; add a flight"
                            + " recording: jcmd PID JFR.start duration=60s filename=FILE");
        } else if (flights.isEmpty()) {
            missing.add(
                    "CPU of other processes: not in these files; the service's share of the"
                            + " available cores is at least the figure above");
        }
        if (!has.classes()) {
            missing.add(
                    "class loading: no flight recording has three events jdk.ClassLoadingStatistics"
                            + " of this time, so it is not known how many classes are loaded; the"
                            + " default settings record one a second");
        }
        if (gcLogs.isEmpty() && flights.isEmpty()) {
            missing.add("collector: neither a GC log nor a flight recording is of this time");
        }
        if (!has.throughput()) {
            missing.add(
                    "requests: no access log is of this time, so figures are per request in"
                            + " flight");
        }
        missing.add(
                "sockets: no file has them, so calls without a thread and requests that no thread has"
                        + " read are not known, and peers only by a flight recording");
        if (!found.accessLogs().isEmpty() && !has.throughput()) {
            missing.add("access log: none of its requests is of this time");
        }
        return missing;
    }
}
