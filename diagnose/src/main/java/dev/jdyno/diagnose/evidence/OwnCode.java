package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Profile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The methods that the authors of the service can change: not those of the JDK, of libraries, or
/// of classes that are generated at run time.
///
/// @param ofLibraries frames of libraries in the profiles
public record OwnCode(Set<String> ofLibraries) {
    /// Parts of names that are generated at run time and are not in the source code.
    private static final List<String> GENERATED = List.of("$$", ".$Proxy");

    /// An API in front of every application.
    private static final String JAKARTA = "jakarta.";

    public OwnCode {
        ofLibraries = Set.copyOf(ofLibraries);
    }

    public static OwnCode of(Insight insight) {
        Set<String> frames = new HashSet<>();
        insight.libraries().forEach(library -> frames.addAll(library.frames()));
        return new OwnCode(frames);
    }

    /// True if the profiles name their libraries. Older recordings do not.
    public boolean isKnown() {
        return !ofLibraries.isEmpty();
    }

    /// @param frame `class.method`
    public boolean has(String frame) {
        return Profile.isOfTheApplication(frame)
                && !ofLibraries.contains(frame)
                && !frame.startsWith(JAKARTA)
                && GENERATED.stream().noneMatch(frame::contains);
    }
}
