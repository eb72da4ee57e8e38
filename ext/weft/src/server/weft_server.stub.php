<?php

/** @generate-function-entries */

namespace Weft\Server;

/**
 * Opens the listening sockets, starts the zygote and watches over it until the server ends. Runs in the
 * command's process; never runs application code.
 *
 * @phpstan-param array{listen: list<array{0: string, 1: int}>, tls?: array<string, mixed>, redirect?: list<array{0: string, 1: int}>, admin?: list<array{0: string, 1: int}>, command: list<string>, application?: string, configuration: array<string, mixed>, grace: float, reload_grace?: float, control?: ?string, control_wanted?: bool, log_json?: bool, watch_ignore?: ?string, restart?: list<string>} $config
 * @phpstan-param callable(array<string, mixed>): void $ready called once, when the first workers serve
 * @return int the exit status
 * @throws \RuntimeException when an address can't be listened on; its code is the errno
 * @alias weft_server_supervise
 */
function supervise(array $config, callable $ready): int {}

/**
 * In the zygote, first thing: takes over the descriptors that the supervisor left and returns the configuration.
 *
 * @phpstan-return array<string, mixed>
 * @throws \RuntimeException in a process that no supervisor started
 * @alias weft_server_configuration
 */
function configuration(): array {}

/**
 * In the zygote, after configuration() and before any line of the application: from here on this process looks
 * like a web server's PHP.
 *
 * @alias weft_server_become_server
 */
function become_server(): void {}

/**
 * In the zygote, before the application boots: calls $boot in a child process that ends with it. What the child has
 * compiled is in OPcache's shared memory then. PHP keeps what compiling a file needed until the request ends, and the
 * zygote's never does.
 *
 * @phpstan-param callable(): void $boot
 * @throws \RuntimeException in a process that no supervisor started
 * @alias weft_server_scout
 */
function scout(callable $boot): void {}

/**
 * In the zygote, when the application has booted and nothing of it is warm: forks a process that can be a zygote later,
 * with what has booted. Also in a spare that has become a zygote. True in the process that was forked, which must call
 * wait_as_spare().
 *
 * @throws \RuntimeException in a process that no supervisor started
 * @alias weft_server_fork_spare
 */
function fork_spare(): bool {}

/**
 * In a spare: offers to learn so many pages, not before so many seconds, and waits. When the supervisor has learnt some,
 * this process is a zygote. Returns the lines that the supervisor has sent: "=/path" is warm elsewhere, "+/path" is new.
 * Does not return when the server ends.
 *
 * @throws \RuntimeException in any other process
 * @alias weft_server_wait_as_spare
 */
function wait_as_spare(int $most, float $after): string {}

/**
 * In a zygote, when it has warmed up: lines with "=/path" for what is warm, and, where it was a spare, "-/path", a tab and
 * the reason for what is never to be tried again.
 *
 * @alias weft_server_tell_warm
 */
function tell_warm(string $lines): void {}

/**
 * The same in a spare that has become a zygote in vain, with "!reason": the process ends at once, without shutdown functions
 * and destructors.
 *
 * @alias weft_server_last_words
 */
function last_words(string $lines): never {}

/**
 * In the zygote, instead of run(): says on stderr why the application did not boot, so that the supervisor need not tell
 * that its process has ended.
 *
 * @throws \RuntimeException in a process that no supervisor started
 * @alias weft_server_not_booted
 */
function not_booted(string $why): void {}

/**
 * In the zygote, when the application has booted: takes the snapshot, forks the workers and keeps them alive.
 * In each worker, $handler is called for every request, with superglobals and output set up for it.
 *
 * @phpstan-param callable(): void $handler
 * @phpstan-param array<string, mixed> $about what the supervisor's $ready is to be told
 * @alias weft_server_run
 */
function run(callable $handler, array $about = []): never {}

/**
 * The weft.* directives in php.ini or behind -d that do not exist.
 *
 * @return list<string>
 * @alias weft_server_unknown_directives
 */
function unknown_directives(): array {}

/**
 * The weft.* directives whose values are not allowed, a sentence each. Their defaults are in place.
 *
 * @return list<string>
 * @alias weft_server_refused_directives
 */
function refused_directives(): array {}

/**
 * From now on this constant is, in each request, the time at which that request began: what a front controller
 * defines with microtime(true) in its first line.
 *
 * @throws \ValueError when there is no such constant, or it is no float
 * @alias weft_server_start_time_constant
 */
function start_time_constant(string $name): void {}

namespace Weft\Internal;

/**
 * In the zygote, before something that may hang or crash and can be done without: when it is not called again with 0
 * within so many seconds, or the process ends before that, the supervisor ends it and starts another one, whose
 * configuration has "cold" => true. In other processes it does nothing.
 *
 * @alias weft_server_warming
 */
function warming(float $seconds): void {}

namespace Weft\Http;

/**
 * In the zygote, while it boots: rooms are shared with all servers that join the same channel of the same Redis. Its
 * supervisor connects when the workers serve, and again whenever the connection is lost. In other processes it looks at
 * the URL, and does nothing.
 *
 * @param string $url redis://user:password@host:port/db or unix:/path
 * @throws \ValueError when the URL or the channel is none
 * @throws \RuntimeException when this Weft is built without hiredis
 * @alias weft_server_join_machines
 */
function join_machines(string $url, string $channel): void {}
