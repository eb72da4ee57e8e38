<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * Keeps made-up requests from leaving traces outside the process, besides what {@see Runner} does for any application:
 * what they write to databases is rolled back, and the session that they have begun is removed.
 *
 * @internal
 */
interface Safeguards
{
    /**
     * What is still not prevented, in words for people; empty: nothing that we know of.
     *
     * @return list<string>
     */
    public function gaps(): array;

    /**
     * Called once when the application has booted, before the first made-up request: from now on what its requests
     * would write elsewhere goes nowhere.
     */
    public function install(): void;

    /**
     * Called after install(): from now on the exception that a request has failed of goes to {@see FailureNote}.
     */
    public function noteFailures(): void;

    /**
     * Called inside the domain, after the request: takes back what can be taken back.
     */
    public function undo(): void;
}
