package dev.jdyno.observe;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.Leftovers.Leftover;
import dev.jdyno.observe.jfr.FlightRecording;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;

/// Recordings and logs that this run could not end because the target did not answer. A stopped
/// process, for example, keeps its recording.
final class StillRunning {
    private StillRunning() {}

    /// Tries again to end them.
    ///
    /// @param recording name of the flight recording whose end was not confirmed; else empty
    /// @return the recordings and logs that still run, each with the command that ends it
    static List<Leftover> end(Target target, String recording) throws InterruptedException {
        if (!target.isAlive()) {
            return List.of();
        }
        Set<String> open = Leftovers.openFiles(target.pid());
        List<Leftover> left = logs(target, open);
        boolean records = open.stream().anyMatch(f -> f.contains(".jfr"));
        try {
            if (records || !recording.isEmpty()) {
                for (Leftover own : Leftovers.recordings(target, ToolMark.own()::equals)) {
                    target.jcmd().run(own.command(), FlightRecording.LIMIT);
                }
            }
            for (Leftover log : left) {
                target.jcmd().run(log.command(), FlightRecording.LIMIT);
            }
            return List.of();
        } catch (UserError unanswered) {
            if (!recording.isEmpty()) {
                left.addFirst(Leftovers.recording(target, recording));
            }
            return left;
        }
    }

    private static List<Leftover> logs(Target target, Set<String> open) {
        List<Leftover> logs = new ArrayList<>();
        for (String file : open) {
            Matcher log = Leftovers.GC_LOG.matcher(file);
            if (log.find() && ToolMark.parse(log.group(2)).equals(ToolMark.own())) {
                logs.add(Leftovers.log(target, log.group(1)));
            }
        }
        return logs;
    }
}
