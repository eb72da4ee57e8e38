<?php

/** @generate-class-entries */

namespace Async;

/** Something that can be awaited. */
interface Awaitable
{
}

/** An Awaitable that completes once and then always gives the same result. */
interface Completable extends Awaitable
{
    /** Cancels it; whoever awaits it gets the cancellation. */
    public function cancel(?AsyncCancellation $cancellation = null): void;

    public function isCompleted(): bool;

    public function isCancelled(): bool;
}

/**
 * A task that runs beside others. Made by spawn().
 *
 * @strict-properties
 * @not-serializable
 */
final class Coroutine implements Completable
{
    private function __construct() {}

    /** 1 is the main script. */
    public function getId(): int {}

    /** What the task returned; null while it is not completed, or when it failed. */
    public function getResult(): mixed {}

    /** What ended the task; null while it is not completed, or when it returned. */
    public function getException(): ?\Throwable {}

    /** @return array{0: ?string, 1: int} File and line of the spawn() call. */
    public function getSpawnFileAndLine(): array {}

    /** "file:line", or "unknown". */
    public function getSpawnLocation(): string {}

    /** @return array{0: ?string, 1: int} File and line where it waits. */
    public function getSuspendFileAndLine(): array {}

    /** "file:line", or "unknown" while it does not wait. */
    public function getSuspendLocation(): string {}

    public function isStarted(): bool {}

    public function isQueued(): bool {}

    public function isRunning(): bool {}

    public function isSuspended(): bool {}

    /** It was cancelled and has ended. */
    public function isCancelled(): bool {}

    /** It was cancelled; it may still be at work on its end. */
    public function isCancellationRequested(): bool {}

    public function isCompleted(): bool {}

    /** @return array{what: ?string, fd: ?int, coroutine: ?int} What it waits for. */
    public function getAwaitingInfo(): array {}

    /**
     * Throws the cancellation into the task where it waits, and into those that it has spawned and that have not ended.
     * One that has not started never starts.
     */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Calls the callback with this coroutine when it has ended; at once when it has already. */
    public function finally(\Closure $callback): void {}
}

/**
 * Completes, with a TimeoutException, when its time has passed. Made by timeout().
 *
 * @strict-properties
 * @not-serializable
 */
final class Timeout implements Completable
{
    private function __construct() {}

    public function cancel(?AsyncCancellation $cancellation = null): void {}

    public function isCompleted(): bool {}

    public function isCancelled(): bool {}
}

/** Something went wrong in the machinery itself. */
class AsyncException extends \Exception
{
}

/** Thrown into a coroutine that is cancelled. Not an Exception, so that a general catch does not swallow it. */
class AsyncCancellation extends \Error
{
}

/** The wait was given up since its cancellation token completed. */
class OperationCanceledException extends AsyncCancellation
{
}

class TimeoutException extends \Exception
{
}

/** Every coroutine waits for something that cannot happen. The message lists who waits, where and for what. */
class DeadlockError extends \Error
{
}

/**
 * Queues the task; it starts when the running coroutine first waits.
 *
 * The new coroutine is a child of the running one: it is cancelled when that is cancelled or ends with an exception. When
 * that returns, it goes on, as a child of the parent's parent.
 */
function spawn(callable $task, mixed ...$args): Coroutine {}

/**
 * Waits for the result; rethrows what ended it.
 *
 * @throws AsyncCancellation          when the awaited or the waiting coroutine is cancelled
 * @throws TimeoutException           when $cancellation is a timeout() that passes first
 * @throws OperationCanceledException when another $cancellation completes first
 */
function await(Completable $awaitable, ?Completable $cancellation = null): mixed {}

/**
 * Waits until all have ended, whether they returned or failed.
 *
 * The wait can be given up; those awaited then go on. When the waiting coroutine is cancelled, so is each of them that
 * it has spawned itself.
 *
 * @phpstan-param iterable<array-key, Completable> $triggers Coroutine and Timeout objects. An iterator may make them one by one and wait in between.
 * @param Completable|null $cancellation Gives up the wait when it completes first: a timeout(), say.
 * @param bool $preserveKeyOrder In the order of $triggers; false: in the order in which they ended.
 * @param bool $fillNull Gives those that failed a null among the results.
 * @return array{0: array<array-key, mixed>, 1: array<array-key, \Throwable>} Results and exceptions, each with the key of its trigger.
 * @throws \TypeError                 when an element is neither a Coroutine nor a Timeout, or its key neither int nor string
 * @throws TimeoutException           when $cancellation is a timeout() that passes first
 * @throws OperationCanceledException when another $cancellation completes first
 * @throws AsyncCancellation          when the waiting coroutine is cancelled
 */
function await_all(iterable $triggers, ?Completable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}

/**
 * Waits until all have returned. When one fails, cancels the coroutines that have not ended and throws its exception.
 *
 * @phpstan-param iterable<array-key, Completable> $triggers As of await_all().
 * @param Completable|null $cancellation As of await_all().
 * @param bool $preserveKeyOrder As of await_all().
 * @return array<array-key, mixed> Their results, each with the key of its trigger.
 * @throws \Throwable What ended the first that failed; and what await_all() throws.
 */
function await_all_or_fail(iterable $triggers, ?Completable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * Waits for the first that ends, and returns its result or throws its exception. The others go on; what they throw
 * later is not reported.
 *
 * @phpstan-param iterable<array-key, Completable> $triggers As of await_all(); null is returned when there is none.
 * @param Completable|null $cancellation As of await_all().
 * @throws \Throwable What ended it; and what await_all() throws.
 */
function await_any_or_fail(iterable $triggers, ?Completable $cancellation = null): mixed {}

/**
 * Waits until so many have returned, or all have ended, and returns their results and the exceptions of those that failed
 * before: [$results, $errors], each by the key of its trigger. The others go on; what they throw later is not reported.
 *
 * @param int $count How many results; 0: none, and nothing is waited for.
 * @phpstan-param iterable<array-key, Completable> $triggers As of await_all().
 * @param Completable|null $cancellation As of await_all().
 * @param bool $preserveKeyOrder As of await_all().
 * @param bool $fillNull A null among the results for each that failed.
 * @return array{array<array-key, mixed>, array<array-key, \Throwable>}
 * @throws \ValueError When the number is negative.
 * @throws \Throwable What await_all() throws.
 */
function await_any_of(int $count, iterable $triggers, ?Completable $cancellation = null, bool $preserveKeyOrder = true, bool $fillNull = false): array {}

/**
 * Waits for the first so many that end, and returns their results by the keys of their triggers; the first failure among
 * them is thrown. The others go on; what they throw later is not reported.
 *
 * @param int $count As of await_any_of().
 * @phpstan-param iterable<array-key, Completable> $triggers As of await_all(). When there are fewer, all are waited for.
 * @param Completable|null $cancellation As of await_all().
 * @param bool $preserveKeyOrder As of await_all().
 * @return array<array-key, mixed>
 * @throws \ValueError When the number is negative.
 * @throws \Throwable What ended the one that failed; and what await_all() throws.
 */
function await_any_of_or_fail(int $count, iterable $triggers, ?Completable $cancellation = null, bool $preserveKeyOrder = true): array {}

/**
 * Waits for the first that returns. The others go on; what they throw later is not reported.
 *
 * @phpstan-param iterable<array-key, Completable> $triggers As of await_all().
 * @param Completable|null $cancellation As of await_all().
 * @return array{0: mixed, 1: array<array-key, \Throwable>} Its result (null when all have failed), and the exceptions of those
 *         that failed before it, each with the key of its trigger.
 * @throws \Throwable What await_all() throws.
 */
function await_first_success(iterable $triggers, ?Completable $cancellation = null): array {}

/**
 * Calls the callback for each element, in a coroutine each, and waits until all have ended.
 *
 * Elements are drawn when there is room for a further call. A callback that returns false ends the drawing; calls that
 * run go on. The first exception, of a callback or of the iterator, ends the drawing, cancels the calls that run, and is
 * thrown when they have ended. When the caller is cancelled, so are all of them. An iterator that waits when the drawing
 * ends is cancelled.
 *
 * @phpstan-param iterable<mixed, mixed> $iterable An iterator's own code may wait.
 * @param callable $callback Gets the value and the key.
 * @param int $concurrency How many calls run at once; 0: as many as there are elements.
 * @param bool $cancelPending Coroutines that callbacks have spawned and that have not ended with the last
 *                                              call are cancelled; false: they are awaited. Either way none is left.
 * @throws \ValueError when $concurrency is negative
 * @throws \Throwable  the first exception of a callback or of the iterator
 */
function iterate(iterable $iterable, callable $callback, int $concurrency = 0, bool $cancelPending = true): void {}

/** Waits that many milliseconds; never less. */
function delay(int $ms): void {}

/** Lets the others that are ready run first. */
function suspend(): void {}

function current_coroutine(): Coroutine {}

/** @param int $ms Milliseconds from now. */
function timeout(int $ms): Timeout {}

/** @return Coroutine[] Of this script or request, those that have not ended; the main script included. */
function get_coroutines(): array {}

namespace Weft;

/** A request may not spawn a coroutine: it has as many as it may have, or it is over. The message says which. */
final class SpawnRefused extends \Async\AsyncException
{
}
