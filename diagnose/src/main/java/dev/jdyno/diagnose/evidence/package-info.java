/// The input and output of rules: the evidence of one recording, its figures, findings, doubts and
/// gains.
@NullMarked
package dev.jdyno.diagnose.evidence;

import org.jspecify.annotations.NullMarked;
