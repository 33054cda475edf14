package dev.jdyno.lab.service;

/// A request parameter with an invalid value; the message names it.
public final class BadQuery extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadQuery(String message) {
        super(message);
    }
}
