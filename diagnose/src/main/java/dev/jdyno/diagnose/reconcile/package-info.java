/// Data reconciliation: makes redundant measurements agree with the balances that bind them, and
/// names the measurement at fault where they cannot agree.
@NullMarked
package dev.jdyno.diagnose.reconcile;

import org.jspecify.annotations.NullMarked;
