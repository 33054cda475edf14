package dev.jdyno.cli;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Settings;
import dev.jdyno.compare.Variant;
import dev.jdyno.measure.load.HttpUrl;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.Plan;
import java.net.URI;

/// The user's load tool in `jdyno compare`.
final class CompareDrive {
    private static final String NO_RATE =
            "a load tool sends the load: it takes a number of users, and no rate";

    private CompareDrive() {}

    /// Returns the settings for the load that the plans name. Adds a mistake for each option that
    /// needs the other kind of load.
    static Settings settings(Settings asked, Plan a, Plan b, Problems problems) {
        Metric.Load load = asked.primary().load();
        if (a.drive().isEmpty() && b.drive().isEmpty()) {
            if (load == Metric.Load.FEW_USERS) {
                problems.add(
                        "--primary " + asked.primary().key(),
                        "only a load tool reports it, and none is given",
                        "add --drive COMMAND, or write p50 or p99");
            }
            return asked;
        }
        if (asked.goal().isPresent()) {
            problems.add("--goal", NO_RATE, "drop --goal or --drive");
        } else if (load == Metric.Load.FIXED_RATE) {
            problems.add(
                    "--primary " + asked.primary().key(),
                    NO_RATE,
                    "write driverP50 or driverP99: what the tool reports with few users");
        }
        if (asked.ratePerS().isPresent()) {
            problems.add("--rate", NO_RATE, "drop --rate or --drive");
        }
        return asked.driven();
    }

    /// Adds a mistake if the load tool cannot load both variants.
    ///
    /// @param otherUrl true if `--url-b` is given
    static void require(Variant a, Variant b, boolean otherUrl, Problems problems) {
        a.driveMistakeBeside(b).ifPresent(m -> problems.add("--drive", m.what(), m.fix()));
        boolean launched = b.plan().target() instanceof Plan.TargetPlan.Launch;
        // a proxy of ours passes the requests on to the host and port of the URL
        boolean direct = b.plan().drive().filter(d -> d.through().isEmpty()).isPresent();
        if (otherUrl
                && launched
                && direct
                && !withoutPort(a.plan().url()).equals(withoutPort(b.plan().url()))) {
            problems.add(
                    "--url-b",
                    "it differs from the URL of A in more than the port, and a load tool gets only"
                            + " the port",
                    "leave it out, or give two plans, each with its own drive:");
        }
    }

    private static URI withoutPort(URI url) {
        boolean root = url.getRawPath() == null || url.getRawPath().isEmpty();
        return HttpUrl.at(root && url.getRawQuery() == null ? HttpUrl.withPath(url, "/") : url, 0);
    }
}
