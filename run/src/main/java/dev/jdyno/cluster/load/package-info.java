/// Load from several hosts: what an agent does with its share of it ({@link
/// dev.jdyno.cluster.load.LoadDuty}), and the one that splits the load and adds up what comes back
/// ({@link dev.jdyno.cluster.load.Fleet}).
@NullMarked
package dev.jdyno.cluster.load;

import org.jspecify.annotations.NullMarked;
