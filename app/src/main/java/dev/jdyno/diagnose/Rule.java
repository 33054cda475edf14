package dev.jdyno.diagnose;

import dev.jdyno.measure.Bottleneck;

/// One bottleneck: its limits are named constants of the rule, its judgement is a pure function.
interface Rule {
    Bottleneck bottleneck();

    Finding evaluate(Evidence evidence);
}
