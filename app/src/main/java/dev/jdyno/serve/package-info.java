/// `jdyno serve`: the stored results in a browser, as JSON and as metrics, and a current run. All
/// access is read-only.
@NullMarked
package dev.jdyno.serve;

import org.jspecify.annotations.NullMarked;
