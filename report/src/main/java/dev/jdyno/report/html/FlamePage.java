package dev.jdyno.report.html;

import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.FrameName;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The data of the flame graph template: the origin of each frame, its width, and its tooltip.
public final class FlamePage {
    /// Minimum number of samples for a flame graph.
    private static final long FEWEST_SAMPLES = 30;

    /// Maximum number of the application's outermost frames that are named above a graph.
    private static final int MAX_FIRST_FRAMES = 3;

    /// Minimum share of the samples for an outermost frame that is named.
    private static final double NAMED_FROM = 0.01;

    private static final String JDK = "JDK";
    private static final String NATIVE = "native";

    private final List<Profile> profiles;
    private final Map<String, String> libraries = new HashMap<>();

    FlamePage(Insight seen) {
        profiles = seen.profiles();
        for (Library library : seen.libraries()) {
            library.frames().forEach(frame -> libraries.put(frame, library.name()));
        }
    }

    public List<Profile> profiles() {
        return profiles;
    }

    /// True if there are enough samples for a picture. A graph of few samples looks as exact as one
    /// of thousands.
    public boolean isWorthDrawing(Profile profile) {
        return profile.root().samples() >= FEWEST_SAMPLES;
    }

    /// An outermost frame of the application.
    ///
    /// @param share of the graph's samples, 0…1
    public record First(String frame, double share) {}

    /// The outermost frames of the application, those with the most samples first.
    public List<First> first(Profile profile) {
        double all = Math.max(1, profile.root().samples());
        return profile.samplesByFirstFrame(frame -> library(frame).isEmpty()).entrySet().stream()
                .map(e -> new First(e.getKey(), e.getValue() / all))
                .filter(f -> f.share() >= NAMED_FROM)
                .sorted(
                        Comparator.comparingDouble(First::share)
                                .reversed()
                                .thenComparing(First::frame))
                .limit(MAX_FIRST_FRAMES)
                .toList();
    }

    /// The origin of a frame: a library's name, `JDK`, or `native`; empty for the application's own
    /// code.
    public String library(String frame) {
        if (!FrameName.isJava(frame)) {
            return NATIVE;
        }
        return Profile.isOfTheJdk(frame) ? JDK : libraries.getOrDefault(frame, "");
    }

    /// The CSS class of a frame, which sets its colour.
    public String frameClass(String frame) {
        return switch (library(frame)) {
            case NATIVE -> "f-native";
            case JDK -> "f-jdk";
            case "" -> "f-app";
            default -> "f-lib";
        };
    }

    /// The short name of a frame, `Page.get` for `com.acme.Page.get`; the tooltip has the rest.
    public String shortFrame(String frame) {
        return FrameName.brief(frame);
    }

    /// Width of a node in percent of the one above it.
    public String width(Profile.Node node, long above) {
        return String.format(Locale.ROOT, "%.2f", 100.0 * node.samples() / Math.max(1, above));
    }

    /// The tooltip: `12.3 %, 1.2 ms per request, itself 0.4 ms`.
    public String title(Profile profile, Profile.Node node) {
        double share = (double) node.samples() / Math.max(1, profile.root().samples());
        return percent(share)
                + (profile.qps() <= 0
                        ? ""
                        : ", "
                                + Figures.number(profile.perRequestMs(node.samples()))
                                + " ms per request, itself "
                                + Figures.number(profile.perRequestMs(node.self()))
                                + " ms");
    }

    /// A share in percent. A small share has more digits.
    public String percent(double share) {
        return Figures.number(100 * share) + " %";
    }
}
