package dev.jdyno.report.stacks;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.thread.Profile;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A file format of another tool for stack samples.
public enum StackForm {
    /// One line per stack with its samples: flamegraph.pl, async-profiler's converter, IntelliJ.
    COLLAPSED,
    /// A gzipped `profile.proto`, which `go tool pprof`, Pyroscope and Parca read.
    PPROF,
    /// JSON of speedscope.app. The only format that holds several profiles.
    SPEEDSCOPE;

    /// True if the format is text.
    public boolean isText() {
        return this != PPROF;
    }

    /// The profiles of a result that a file of this format holds: all that match, or the first of
    /// them if the format holds one profile. CPU comes before wall time, and a higher load before a
    /// lower one.
    ///
    /// @param kind the wanted kind; empty matches each
    /// @param concurrency the wanted load; empty matches each
    /// @return empty if none matches
    public List<Profile> chosen(
            Insight insight, Optional<Profile.Kind> kind, OptionalInt concurrency) {
        List<Profile> matching =
                insight.profiles().stream()
                        .filter(p -> kind.isEmpty() || kind.get() == p.kind())
                        .filter(p ->
                                concurrency.isEmpty() || concurrency.getAsInt() == p.concurrency())
                        .sorted(
                                Comparator.comparing(Profile::kind)
                                        .thenComparing(
                                                Comparator.comparingInt(Profile::concurrency)
                                                        .reversed()))
                        .toList();
        return this == SPEEDSCOPE ? matching : matching.stream().limit(1).toList();
    }

    /// The content of a file.
    ///
    /// @param profiles one, or more for speedscope
    /// @throws IllegalArgumentException if a profile contradicts itself, which only a damaged file
    ///   does, or if there are several profiles and the format holds one
    /// @throws ArithmeticException if a number of a damaged file is out of range
    public byte[] content(RunResult.About run, List<Profile> profiles) throws IOException {
        if (this != SPEEDSCOPE && profiles.size() != 1) {
            throw new IllegalArgumentException(this + " holds one profile, not " + profiles.size());
        }
        return switch (this) {
            case COLLAPSED -> CollapsedForm.of(profiles.getFirst());
            case PPROF -> PprofForm.of(run, profiles.getFirst());
            case SPEEDSCOPE -> SpeedscopeForm.of(run, profiles);
        };
    }

    /// The name of a profile: `cpu, 20 in flight, async-profiler`.
    public static String title(Profile profile) {
        return profile.kind().key()
                + (profile.concurrency() > 0 ? ", " + profile.concurrency() + " in flight" : "")
                + ", "
                + Printable.line(profile.source());
    }
}
