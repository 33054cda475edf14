package dev.jdyno.measure;

import java.util.Optional;

/// A cure for the verdict, with the gain it should bring.
///
/// @param tryable whether jdyno can try it by itself
/// @param measuredQpsRatio what it did bring; empty until tried
public record Prescription(
        String id,
        String says,
        String change,
        double predictedQpsRatio,
        double predictedRtRatio,
        boolean tryable,
        Optional<Double> measuredQpsRatio) {}
