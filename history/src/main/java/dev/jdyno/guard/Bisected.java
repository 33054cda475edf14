package dev.jdyno.guard;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.repository.Revision;
import dev.jdyno.repository.Versions;
import java.util.List;
import java.util.Optional;

/// The result of a bisection: the search for the commit that made a service worse.
///
/// @param good the commit that is known to be good
/// @param bad the commit that is worse
/// @param commits number of commits after `good`, up to `bad`
/// @param figure the figure that became worse; empty if none did
/// @param effect ratio of the versions with the change to `good`; empty if unknown
/// @param before value of the figure at `good`; empty if it was not measured
/// @param found the named commits, or the most probable ones so far; empty if no figure became
///   worse
/// @param suspects the most probable commits, the most probable first
/// @param grew methods whose CPU time per request grew
/// @param allocates methods whose allocation per request grew
/// @param diff changes of the found commits
/// @param measured the versions that were measured, in the order of the history
/// @param skipped versions that could not be measured
/// @param confidence the requested minimum probability
/// @param starts number of starts of both versions
/// @param seconds duration of the measurements
/// @param buildSeconds duration of the builds
/// @param partial whether the user stopped the search, or a service failed
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
        /// One commit is named, or several with no measurable version between them.
        FOUND("found"),
        /// No figure of `bad` is worse.
        NOT_WORSE("not-worse"),
        /// The budget ended before a commit was certain.
        UNCLEAR("unclear");

        private final String key;

        Verdict(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }

    /// Consecutive commits with no measurable version between them. It is one commit if all
    /// versions could be measured.
    public record Found(List<Revision> commits, double probability) {
        public Found {
            commits = List.copyOf(commits);
        }
    }

    /// A commit with the probability that it made the figure worse.
    public record Suspect(Revision commit, double probability) {}

    /// A version that was measured.
    ///
    /// @param ratio of the version's figure to that of `good`, mean over its starts
    public record Version(Revision commit, int starts, double ratio) {}

    /// A version that could not be measured.
    ///
    /// @param built false if it does not build; true if the built service does not run
    public record Skipped(Revision commit, boolean built, String why) {}
}
