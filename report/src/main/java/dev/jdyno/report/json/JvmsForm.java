package dev.jdyno.report.json;

import dev.jdyno.measure.RunningJvm;
import java.util.List;

/// `jdyno/jvms/1`: its components are the keys of the contract, in their order.
public record JvmsForm(String schema, List<RunningJvm> jvms) {

    public static JvmsForm of(List<RunningJvm> jvms) {
        return new JvmsForm("jdyno/jvms/1", jvms);
    }
}
