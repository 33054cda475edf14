/// Figures that a service exposes as metrics.
@NullMarked
package dev.jdyno.measure.service;

import org.jspecify.annotations.NullMarked;
