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

    /** Throws the cancellation into the task where it waits. One that has not started never starts. */
    public function cancel(?AsyncCancellation $cancellation = null): void {}

    /** Calls the callback with this coroutine when it has ended; at once when it has already. */
    public function onFinally(\Closure $callback): void {}
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

/** Queues the task; it starts when the running coroutine first waits. */
function spawn(callable $task, mixed ...$args): Coroutine {}

/**
 * Waits for the result; rethrows what ended it.
 *
 * @throws AsyncCancellation          when the awaited or the waiting coroutine is cancelled
 * @throws TimeoutException           when $cancellation is a timeout() that passes first
 * @throws OperationCanceledException when another $cancellation completes first
 */
function await(Completable $awaitable, ?Completable $cancellation = null): mixed {}

/** Waits that many milliseconds; never less. */
function delay(int $ms): void {}

/** Lets the others that are ready run first. */
function suspend(): void {}

function current_coroutine(): Coroutine {}

/** @param int $ms Milliseconds from now. */
function timeout(int $ms): Timeout {}

/** @return Coroutine[] Those that have not ended, the main script included. */
function get_coroutines(): array {}
