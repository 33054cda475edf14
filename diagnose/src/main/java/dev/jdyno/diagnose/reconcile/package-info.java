/// Data reconciliation: changes redundant measurements within their errors so that they satisfy the
/// balances. If they cannot, it names the wrong measurement.
@NullMarked
package dev.jdyno.diagnose.reconcile;

import org.jspecify.annotations.NullMarked;
