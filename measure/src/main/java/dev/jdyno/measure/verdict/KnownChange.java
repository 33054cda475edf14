package dev.jdyno.measure.verdict;

import static dev.jdyno.measure.verdict.ChangeKind.FASTER_PEER;
import static dev.jdyno.measure.verdict.ChangeKind.HEAP;
import static dev.jdyno.measure.verdict.ChangeKind.LESS_CPU;
import static dev.jdyno.measure.verdict.ChangeKind.LESS_GARBAGE;
import static dev.jdyno.measure.verdict.ChangeKind.LESS_LOGGING;
import static dev.jdyno.measure.verdict.ChangeKind.MORE_CORES;
import static dev.jdyno.measure.verdict.ChangeKind.MORE_PLACES;
import static dev.jdyno.measure.verdict.ChangeKind.OTHER;
import static dev.jdyno.measure.verdict.ChangeKind.SHORTER_HOLD;
import static dev.jdyno.measure.verdict.ChangeKind.SHORTER_WAIT;

import java.util.Locale;

/// The changes that rules recommend. A constant's name determines its id, so renaming a constant
/// changes documents.
public enum KnownChange implements ChangeName {
    CPU_HALVE(LESS_CPU),
    EXCEPTIONS_CHEAP(LESS_CPU),
    STACK_TRACE_ASKED(LESS_CPU),
    REGEX_BACKTRACKS(LESS_CPU),
    CLASSES_KEEP(LESS_CPU),
    THREADS_REUSE(LESS_CPU),
    COMPILER_ON(LESS_CPU),
    INTERPRETED_CODE(LESS_CPU),
    CODE_CACHE(LESS_CPU),
    WARM_UP(LESS_CPU),
    CORES_DOUBLE(MORE_CORES),
    QUOTA_RAISE(MORE_CORES),
    NEIGHBOUR_MOVE(MORE_CORES),
    CLIENT_ELSEWHERE(MORE_CORES),
    LOCK_SHORTER(SHORTER_HOLD),
    LOCK_SPLIT(SHORTER_HOLD),
    LOCK_CALL(SHORTER_HOLD),
    LOCK_CALL_LESS(SHORTER_HOLD),
    LOCK_CONNECTIONS(SHORTER_HOLD),
    LOCK_READ(SHORTER_HOLD),
    LOCK_FORCE(SHORTER_HOLD),
    POOL_SHORTER(SHORTER_HOLD),
    POOL_QUERY(SHORTER_HOLD),
    POOL_NO_SLEEP(SHORTER_HOLD),
    POOL_CALL_OUTSIDE(SHORTER_HOLD),
    POOL_HOLDERS(SHORTER_HOLD),
    POOL_DOUBLE(MORE_PLACES),
    THREADS(MORE_PLACES),
    EXECUTOR_LARGER(MORE_PLACES),
    EXECUTOR_OWN(MORE_PLACES),
    LOOPS_MORE(MORE_PLACES),
    CARRIERS_DOUBLE(MORE_PLACES),
    STREAMS_MORE(MORE_PLACES),
    ACCEPT_THREADS(MORE_PLACES),
    DOWNSTREAM_HALVE(SHORTER_WAIT),
    QUERIES_FASTER(SHORTER_WAIT),
    QUERIES_FEWER(SHORTER_WAIT),
    WAIT_SHORTER(SHORTER_WAIT),
    TASK_SHORTER(SHORTER_WAIT),
    CALLS_PARALLEL(SHORTER_WAIT),
    LOOP_UNBLOCK(SHORTER_WAIT),
    LOOP_OFFLOAD(SHORTER_WAIT),
    DOWNSTREAM_DOUBLE(FASTER_PEER),
    LIMIT_DOUBLE(FASTER_PEER),
    DISK_FASTER(FASTER_PEER),
    LOGGING_SINK(FASTER_PEER),
    LOGGING_LESS(LESS_LOGGING),
    LOGGING_LEVEL(LESS_LOGGING),
    LOGGING_DROP(LESS_LOGGING),
    ALLOCATE_LESS(LESS_GARBAGE),
    LIVE_LESS(LESS_GARBAGE),
    HOLD_LESS(LESS_GARBAGE),
    ARRAYS_SMALLER(LESS_GARBAGE),
    BUILDER_GROWS(LESS_GARBAGE),
    HEAP_DOUBLE(HEAP),
    YOUNG(HEAP),
    SURVIVORS(HEAP),
    REGIONS_LARGER(HEAP),
    MEMORY_MORE(HEAP),
    /// The first recommendation if no change has a predicted gain. It states what limits the
    /// service, and what to measure next.
    MEASURE_NEXT,
    POOL_ONE_EACH,
    LOCK_ORDER,
    LOCK_RESTART,
    PROCESSORS_QUOTA,
    PROCESSORS_MORE,
    GC_THREADS_QUOTA,
    WARM_UP_FIRST,
    FEWER_THREADS_WHILE_WARMING,
    VIRTUAL_THREADS_WHILE_WARMING,
    FDS_MORE,
    ACCEPT_MORE,
    FRONT_CONNECTIONS,
    CLIENT_MORE,
    LOAD_MORE,
    ANSWERS_SMALLER,
    ANSWERS_BUFFERED,
    NO_DELAY,
    KEEP_ALIVE,
    PORTS_MORE,
    INSIDE_FEWER,
    LEAK_CLOSE,
    GC_CALLER,
    GC_IGNORED,
    HEAP_FITS,
    STOP_IN_PIECES,
    LOOP_POLLS,
    LATE_THREAD,
    INSPECT_LESS,
    STOPS_FEWER,
    GC_THREADS,
    LOGGING_READER,
    LOGGING_UNREAD,
    PIN_LOCK,
    PIN_NATIVE,
    PIN_INIT,
    FORCE_TOGETHER,
    DISK_LESS,
    DISK_LIMIT,
    DNS_CACHE,
    DNS_NEAR;

    private final ChangeKind kind;

    KnownChange() {
        this(OTHER);
    }

    KnownChange(ChangeKind kind) {
        this.kind = kind;
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public ChangeKind kind() {
        return kind;
    }
}
