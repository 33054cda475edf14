-- The same statements for SQLite and PostgreSQL. Times are milliseconds since 1970 (UTC).
CREATE TABLE run (
    id           TEXT PRIMARY KEY,
    kind         TEXT NOT NULL,
    plan         TEXT NOT NULL,
    label        TEXT,
    at_ms        BIGINT NOT NULL,
    seconds      DOUBLE PRECISION NOT NULL,
    commit_hash  TEXT,
    branch       TEXT,
    host         TEXT NOT NULL,
    cores        INTEGER NOT NULL,
    cpu          TEXT NOT NULL,
    kernel       TEXT NOT NULL,
    jdk          TEXT,
    flags        TEXT NOT NULL,
    verdict      TEXT NOT NULL,
    bottleneck   TEXT,
    valid        INTEGER NOT NULL,
    folder       TEXT,
    command_line TEXT NOT NULL
);
CREATE INDEX run_by_time ON run (at_ms);
CREATE INDEX run_by_plan ON run (plan, at_ms);

CREATE TABLE figure (
    run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    name   TEXT NOT NULL,
    unit   TEXT NOT NULL,
    value  DOUBLE PRECISION NOT NULL,
    lo     DOUBLE PRECISION,
    hi     DOUBLE PRECISION,
    PRIMARY KEY (run_id, name)
);

-- What one request costs, in ms, by cause (kind 'cause') and by method on the CPU (kind 'method', with
-- the samples that say so).
CREATE TABLE part (
    run_id  TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    ms      DOUBLE PRECISION NOT NULL,
    samples BIGINT NOT NULL,
    PRIMARY KEY (run_id, kind, name)
);

CREATE TABLE artifact (
    run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    path   TEXT NOT NULL,
    bytes  BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (run_id, path)
);

-- From this run on a plan is judged anew.
CREATE TABLE acceptance (
    run_id TEXT PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    at_ms  BIGINT NOT NULL,
    reason TEXT NOT NULL
);

-- Changes that were reported, so that each is reported once.
CREATE TABLE reported (
    run_id TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    figure TEXT NOT NULL,
    since  TEXT NOT NULL,
    ratio  DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run_id, figure)
);
