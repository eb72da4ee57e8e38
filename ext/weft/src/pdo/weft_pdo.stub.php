<?php

/** @generate-class-entries */

namespace Weft;

/**
 * The pools of database connections of this worker.
 */
final class Pool
{
    /**
     * One entry for each pool, by its name: driver, data source and user, never a password. Two pools of the same
     * name differ in their options or passwords; the second gets "#2" after it.
     *
     * size: connections open or being opened; idle, leased: of them; waiting: coroutines in the line; maximum:
     * weft.pdo_pool_max; acquired: leases so far, waited: of them after a wait; timeouts: waits that were too long;
     * opened: connections so far; medianWaitMs, p99WaitMs: of all leases, upper bounds by powers of two;
     * statementHits, statementMisses: of the cache of prepared statements.
     *
     * @return array<string, array{size: int, idle: int, leased: int, waiting: int, maximum: int, acquired: int, waited: int, timeouts: int, opened: int, medianWaitMs: float, p99WaitMs: float, statementHits: int, statementMisses: int}>
     */
    public static function stats(): array {}

    /**
     * Closes the connections that nobody uses.
     */
    public static function closeIdle(): void {}
}

namespace Weft\Internal;

/**
 * While it is on, what requests send to databases by PDO runs in a transaction that is rolled back, and is told. A
 * statement that would commit it is refused.
 */
function dry_run(bool $on): void {}

/**
 * Rolls back what the request in place has done since the last time.
 *
 * @return list<string> the statements that it has sent, without values
 */
function dry_run_undo(): array {}
