package dev.jdyno.report.json;

import dev.jdyno.doctor.Finding;
import java.util.List;

/// `jdyno/doctor/1`: the findings of the checks of this machine.
///
/// @param ok true if no check found a problem
public record DoctorForm(String schema, boolean ok, List<Finding> checks) {
    public static DoctorForm of(List<Finding> found) {
        return new DoctorForm("jdyno/doctor/1", Finding.isFine(found), found);
    }
}
