package dev.jdyno.report.json;

import dev.jdyno.measure.RunningJvm;
import java.util.List;

/// The document `jdyno/jvms/1`. Its components are the documented keys, in their order
/// (docs/json.md).
public record JvmsForm(String schema, List<RunningJvm> jvms) {

    public static JvmsForm of(List<RunningJvm> jvms) {
        return new JvmsForm("jdyno/jvms/1", jvms);
    }
}
