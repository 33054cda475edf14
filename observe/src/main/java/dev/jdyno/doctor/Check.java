package dev.jdyno.doctor;

/// Checks one requirement of a verb on this machine.
@FunctionalInterface
interface Check {
    /// Judges the host; a missing file is {@link Finding.State#UNSEEN}, never a failure.
    ///
    /// @param window use of the machine's CPU while the doctor observed it
    Finding check(Host host, CpuWindow window);
}
