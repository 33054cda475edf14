package dev.jdyno.measure;

/// What a change would give, by a formula; nothing was tried.
public record WhatIf(
        String change, double qps, double rtMs, double kneeConcurrency, String formula) {}
