-- The order in which results were stored, from 1: a wrong clock cannot change it.
ALTER TABLE run ADD COLUMN seq BIGINT NOT NULL DEFAULT 0;
UPDATE run SET seq = numbered.nth
    FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY at_ms, id) AS nth FROM run) AS numbered
    WHERE numbered.id = run.id;
CREATE INDEX run_by_seq ON run (seq);
