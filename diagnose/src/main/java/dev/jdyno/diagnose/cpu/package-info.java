/// Bottlenecks of the CPU: code, quota, neighbours, compilers, class loading, thread churn.
@NullMarked
package dev.jdyno.diagnose.cpu;

import org.jspecify.annotations.NullMarked;
