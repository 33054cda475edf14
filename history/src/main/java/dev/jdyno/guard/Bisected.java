package dev.jdyno.guard;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.util.List;
import java.util.Optional;

/// The result of a search for the commit that made a service worse.
///
/// @param good the commit that is known to be good
/// @param bad the one that is worse
/// @param commits after `good`, up to `bad`
/// @param figure that became worse; empty where none did
/// @param effect its ratio, of versions with the change to `good`; empty where it is not known
/// @param before the figure of `good`; empty where it was not measured
/// @param found the commits that were named, or the most probable ones so far; empty where nothing
///   became worse
/// @param suspects the most probable commits, the first one first
/// @param grew methods that cost a request more CPU time
/// @param allocates methods that allocate more for a request
/// @param diff what the commits that were found changed
/// @param measured the versions that were measured, in the order of the history
/// @param skipped versions that could not be measured
/// @param confidence that was asked for
/// @param starts of both versions
/// @param seconds of measuring
/// @param buildSeconds of builds
/// @param partial whether the user stopped it, or a service failed
public record Bisected(
        String plan,
        Verdict verdict,
        Revision good,
        Revision bad,
        int commits,
        Optional<Metric> figure,
        Optional<Effect> effect,
        Optional<Double> before,
        Optional<Found> found,
        List<Suspect> suspects,
        List<Guarded.Grew> grew,
        List<Guarded.Allocates> allocates,
        Versions.Diff diff,
        List<Version> measured,
        List<Skipped> skipped,
        double confidence,
        int starts,
        double seconds,
        double buildSeconds,
        boolean partial,
        List<Note> notes) {
    public Bisected {
        suspects = List.copyOf(suspects);
        grew = List.copyOf(grew);
        allocates = List.copyOf(allocates);
        measured = List.copyOf(measured);
        skipped = List.copyOf(skipped);
        notes = List.copyOf(notes);
    }

    public enum Verdict {
        /// A commit is named, or several with no measurable version between them.
        FOUND("found"),
        /// No figure of `bad` is worse.
        NOT_WORSE("not-worse"),
        /// The budget ended before.
        UNCLEAR("unclear");

        private final String key;

        Verdict(String key) {
            this.key = key;
        }

        /// As it stands in JSON.
        public String key() {
            return key;
        }
    }

    /// Commits in a row with no measurable version between them. It is one commit if all versions
    /// could be measured.
    public record Found(List<Revision> commits, double probability) {
        public Found {
            commits = List.copyOf(commits);
        }
    }

    /// One commit.
    public record Suspect(Revision commit, double probability) {}

    /// A version that was measured.
    ///
    /// @param ratio of its figure to that of `good`, mean over its starts
    public record Version(Revision commit, int starts, double ratio) {}

    /// A version that could not be measured.
    ///
    /// @param built false where it does not build; else the service does not run
    public record Skipped(Revision commit, boolean built, String why) {}
}
