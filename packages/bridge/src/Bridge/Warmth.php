<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * What warm-up needs to know of an application.
 *
 * @internal
 */
interface Warmth
{
    /**
     * The pages that are warmed when the command line does not say otherwise. Empty: none.
     *
     * @return list<string>
     */
    public function pages(): array;

    /**
     * The path of a page that exists only while warming: another page than any of the application's.
     */
    public function otherPage(): string;

    /**
     * Inside the domain of a made-up request for this page, before it: what it writes goes nowhere, in a way that differs between
     * visitors; the other page exists; who shall be logged in is.
     */
    public function welcome(Visitor $visitor, string $page): void;

    /**
     * Inside the domain of a made-up request, after it. False: it has changed what prime() would make services from.
     */
    public function mayPrime(): bool;

    /**
     * Inside the domain of a made-up request, after it: the statements that it has sent to databases, without values.
     *
     * @return list<string>
     */
    public function asked(): array;

    /**
     * Inside the domain of a made-up request, after it: classes and connections that it has used, for prime().
     *
     * @return list<string>
     */
    public function used(): array;

    /**
     * In the base, before anything is recorded: makes services that requests would make anew each time, because they
     * hold the request, though the framework tells them of each new one. Only what a provider could have made at boot
     * as well. Prepares the classes that requests have used, where that depends on nothing else, and remembers the
     * rest for layReady(). False: nothing was made.
     *
     * @param list<string> $used
     */
    public function prime(array $used): bool;

    /**
     * In the base, when it is warm: makes what requests will find ready when they ask for it, though it is none of the
     * services that have been made. False: nothing was made. It is proved with the witnesses, as all else.
     */
    public function layReady(): bool;

    /**
     * In the base: takes away what layReady() has made.
     */
    public function clearAway(): void;

    /**
     * What never becomes part of the base: slots as "Class::property", and objects of classes, or what has changed in
     * those of the boot.
     *
     * @return list<string>
     */
    public function cold(): array;
}
