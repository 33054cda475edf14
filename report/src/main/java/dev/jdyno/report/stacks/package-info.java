/// Stack samples of a finished result in the file formats of other tools: flamegraph.pl and
/// async-profiler, pprof, speedscope.
@NullMarked
package dev.jdyno.report.stacks;

import org.jspecify.annotations.NullMarked;
