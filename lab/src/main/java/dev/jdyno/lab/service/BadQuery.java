package dev.jdyno.lab.service;

/// A request parameter that makes no sense; the message names it.
public final class BadQuery extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadQuery(String message) {
        super(message);
    }
}
