/// The machine, the control group and the process: CPU, memory, disks, files.
@NullMarked
package dev.jdyno.observe.host;

import org.jspecify.annotations.NullMarked;
