package dev.jdyno.target.cgroup;

import dev.jdyno.measure.text.Bytes;
import java.util.Optional;

/// What the kernel has counted for a control group since it was made.
///
/// @param oomKills processes of the group that the kernel killed at the memory limit
/// @param memoryPeak the highest memory use, with file pages; empty if the kernel does not count it
public record CgroupUse(long oomKills, Optional<Bytes> memoryPeak) {}
