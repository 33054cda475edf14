package dev.jdyno.doctor;

/// One thing that a verb needs of the machine.
@FunctionalInterface
interface Check {
    /// Judges the host; a file that is not there is {@link Finding.State#UNSEEN}, never a failure.
    ///
    /// @param window where the CPU went while the doctor watched
    Finding look(Host host, CpuWindow window);
}
