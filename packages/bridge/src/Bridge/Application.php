<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Weft\Bridge\DryRun\Safeguards;

/**
 * A kind of application that Weft can serve. A new kind implements this in a folder of its own and
 * is added to {@see Applications}; the bridge's README says what else it may implement.
 */
interface Application
{
    /**
     * The absolute path that was recognised.
     */
    public function path(): string;

    /**
     * The directory that a web server would run it in.
     */
    public function workingDirectory(): string;

    /**
     * Whose files are sent without asking the application; null: there is none, or it sees to that itself.
     */
    public function publicDirectory(): ?string;

    /**
     * Looks for what would keep it from booting, without running a line of it.
     *
     * @throws UnusableApplication
     */
    public function check(): void;

    /**
     * Loads and boots it. Called once, before any request, in the process that all workers descend from.
     */
    public function boot(): void;

    /**
     * Whether booting it leaves nothing behind, so that it may be done one more time, in a process that then ends.
     */
    public function mayBootTwice(): bool;

    /**
     * What answers one request, as public/index.php would: it finds the request in the superglobals and sends
     * the response with header() and echo. Called after boot().
     *
     * @return Closure(): void
     */
    public function handler(): Closure;

    /**
     * Its name for people. Called after boot().
     */
    public function describe(): string;

    /**
     * What would make it faster, one line for people; null: nothing that we know of. Called after boot() and warm-up,
     * with isolation only; it may take the snapshot.
     */
    public function advice(): ?string;

    /**
     * What keeps made-up requests from leaving traces outside the process. Called after boot().
     */
    public function safeguards(): Safeguards;

    /**
     * The paths that a made-up GET request can ask for, as far as the application tells. Called after boot().
     *
     * @return list<string>
     */
    public function pages(): array;

    /**
     * What it tells Weft. Called after boot().
     *
     * @throws UnusableApplication when something in it can't be meant
     */
    public function settings(): Settings;
}
