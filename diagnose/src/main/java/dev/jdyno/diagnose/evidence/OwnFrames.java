package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Profile;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Distinguishes the application's own methods from those of the JDK, native code, libraries and
/// classes that are generated at run time.
public final class OwnFrames {
    /// Parts of names that are generated at run time and are not in the source code.
    private static final List<String> GENERATED = List.of("$$", ".$Proxy");

    /// Prefix of the packages of an API that calls every application.
    private static final String JAKARTA = "jakarta.";

    private final Set<String> ofLibraries = new HashSet<>();

    /// @param insight the insight whose profiles list the frames of libraries
    public OwnFrames(Insight insight) {
        insight.libraries().forEach(library -> ofLibraries.addAll(library.frames()));
    }

    /// True if the profiles name their libraries. Older recordings do not.
    public boolean isKnown() {
        return !ofLibraries.isEmpty();
    }

    /// @param frame `class.method`
    public boolean isOwn(String frame) {
        return Profile.isOfTheApplication(frame)
                && !ofLibraries.contains(frame)
                && !frame.startsWith(JAKARTA)
                && GENERATED.stream().noneMatch(frame::contains);
    }
}
