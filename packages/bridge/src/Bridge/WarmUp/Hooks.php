<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Visitor;

/**
 * What warm-up asks of an application, and when: a framework that can be warmed implements it in its own folder.
 *
 * @internal
 */
interface Hooks
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
    public function before(Visitor $visitor, string $page): void;

    /**
     * Inside the domain of a made-up request, after it. False: it has changed what prime() would make services from.
     */
    public function mayPrime(): bool;

    /**
     * Inside the domain of a made-up request, after it: names of what the framework has put off at boot, until a request needs
     * it, and has then loaded for this one.
     *
     * @return list<string>
     */
    public function loadedLate(): array;

    /**
     * Inside the domain of a made-up request for this page, after it: whether its route has this path and no other. What comes
     * from a path is equal for all made-up visitors, and not for those who ask for another path of the route.
     */
    public function isOnlyPath(string $page): bool;

    /**
     * Why no page may be learnt that visitors have chosen; null: they may.
     */
    public function forbidsLearning(): ?string;

    /**
     * Inside the domain of a made-up request, after it: takes away what the request has left in services, if the framework
     * has means of its own for processes that serve several.
     */
    public function tidy(): void;

    /**
     * In the base, before anything is recorded, when each page has been asked for: makes services that requests would
     * make anew each time, because they hold the request, though the framework tells them of each new one. Only what a
     * provider could have made at boot as well. Prepares the classes that requests have loaded, where that depends on
     * nothing else. False: nothing was made.
     *
     * @param list<string> $pages that are asked for
     * @param list<string> $late what loadedLate() has named in their requests
     */
    public function prime(array $pages, array $late): bool;

    /**
     * What never becomes part of the base: slots as "Class::property", and objects of classes, or what has changed in
     * those of the boot. "!Class" exempts one class, whose objects keep nothing, though it extends or implements such a one.
     *
     * @return list<string>
     */
    public function excluded(): array;

    /**
     * Whether an array in an object that a request has made is a cache, which is as good without some of its elements.
     * False: it may be what the object was made with.
     */
    public function keepsParts(): bool;

    /**
     * Slots as "Class::property" whose elements only note that something has happened in the process, as that a class
     * was made. A request that notes it again does not make it its own.
     *
     * @return list<string>
     */
    public function notes(): array;
}
