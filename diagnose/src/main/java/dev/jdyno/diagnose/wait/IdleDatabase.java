package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.thread.WaitGrowth;
import java.util.List;
import java.util.Optional;

/// Queries that wait although their database neither computes nor reads. They wait for each other's
/// rows, or for a timer, and a faster plan shortens neither. Only a database on this machine can be
/// judged.
///
/// @param queries mean number of open queries
/// @param cores cores in use that may work for the queries: those of other processes, or the
///   service's own if the database runs inside it
/// @param disk share of the time in which the busiest disk had open requests, 0…1
record IdleDatabase(double queries, double cores, double disk) {
    /// Minimum number of queries for one to wait for another.
    private static final double TWO = 2;

    /// Number of cores in use below which no query computes most of the time.
    private static final double COMPUTES = 0.5;

    /// Share of the time with open disk requests below which no query reads most of the time.
    private static final double READS = 0.2;

    private static final List<String> THIS_MACHINE = List.of("localhost:", "127.", "[::1]:", "::1");

    /// Empty if the database is on another machine, is busy, or its machine was not measured, and
    /// if queries take as long under more load: queries that wait for each other take longer then.
    /// The measured times decide. A wide error does not show that two times are equal.
    static Optional<IdleDatabase> of(Evidence evidence) {
        Optional<ThreadSamples.Busy> waits = evidence.top(Cause.DATABASE);
        double queries = evidence.saturated().map(c -> c.threads(Cause.DATABASE)).orElse(0.0);
        Optional<Double> disk =
                evidence.signals().map(Signals::disks).orElse(List.of()).stream()
                        .map(DiskUse::utilisation)
                        .max(Double::compare);
        boolean asLong =
                evidence.growth(Cause.DATABASE).filter(g -> g < WaitGrowth.QUEUES_FROM).isPresent();
        if (waits.isEmpty() || queries < TWO || disk.isEmpty() || evidence.cpuIsShort() || asLong) {
            return Optional.empty();
        }
        List<String> addresses =
                waits.get().place() instanceof Place.Peer peer
                        ? peer.addresses().stream().filter(a -> a.contains(":")).toList()
                        : List.of();
        boolean here = addresses.stream().allMatch(IdleDatabase::isHere);
        return evidence.cpu()
                .filter(_ -> here)
                .map(cpu -> addresses.isEmpty() ? cpu.ownCores() : cpu.otherCores())
                .map(cores -> new IdleDatabase(queries, cores, disk.get()))
                .filter(i -> i.cores() < COMPUTES && i.disk() < READS);
    }

    private static boolean isHere(String address) {
        return THIS_MACHINE.stream().anyMatch(address::startsWith);
    }

    /// Returns what to do first.
    ///
    /// @param database the database that the queries ask
    /// @param made the method that makes the queries, if known
    Sentence says(Database database, Optional<String> made) {
        return Sentence.format(
                "Look for locks in %s first: %.1f queries%s wait, and the database uses at most %.1f"
                        + " cores and %.0f %% of a disk's time",
                database.name(),
                queries,
                made.map(at -> Sentence.format(" of %s", Sentence.name(at)))
                        .orElse(Sentence.of("")),
                cores,
                disk * 100);
    }

    /// Returns what to look at, in this order.
    ///
    /// @param database the database that the queries ask
    static String how(Database database) {
        return database.locks()
                + " shows which transaction waits for another: make that one shorter; if none waits,"
                + " double the pool before you change the query ("
                + database.plan()
                + ")";
    }
}
