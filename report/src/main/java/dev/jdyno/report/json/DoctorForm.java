package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.jdyno.doctor.Finding;
import java.util.List;
import java.util.Optional;

/// `jdyno/doctor/1`: what the checks of this machine found.
///
/// @param ok whether nothing is bad
public record DoctorForm(String schema, boolean ok, List<Check> checks) {
    public static DoctorForm of(List<Finding> found) {
        return new DoctorForm(
                "jdyno/doctor/1", Finding.isFine(found), found.stream().map(Check::of).toList());
    }

    /// @param fix what to do, under the key that the document has had from the start
    record Check(
            String id,
            Finding.State state,
            String says,
            @JsonProperty("mend") Optional<String> fix) {
        private static Check of(Finding f) {
            return new Check(f.id(), f.state(), f.says(), f.fix());
        }
    }
}
