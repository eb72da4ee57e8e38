<?php

declare(strict_types=1);

// What PHP 8.4 brought that keeps state: lazy objects, property hooks, asymmetric visibility, new classes.

use BcMath\Number;
use Dom\HTMLDocument;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Kept;
use Weft\IsolationTests\Since84\Deprecations;
use Weft\IsolationTests\Since84\Hooked;
use Weft\IsolationTests\Since84\Lazily;
use Weft\IsolationTests\Window;

$keep = static fn (string $name, Closure $make): Closure => static function () use ($name, $make): void {
    Kept::keep($name, $make());
};
$class = static fn (): ReflectionClass => new ReflectionClass(Lazily::class);
/** Who asks, for initialisers that were made at boot; and the window, to wait in them. */
$asks = static fn (Identity $who, Window $window): ArrayObject => new ArrayObject(['tag' => $who->tag(), 'window' => $window]);

return [
    new Behaviour('a lazy ghost of the boot', static function (Identity $who, Window $window) use ($class, $asks): array {
        $ghost = Kept::get('lazy ghost', Lazily::class);
        $GLOBALS['asks'] = $asks($who, $window);
        $before = $class()->isUninitializedLazyObject($ghost);
        $window->open();
        $ghost->log[] = $who->tag();
        $window->open();

        return [$before, $ghost->of, $ghost->log, $class()->isUninitializedLazyObject($ghost)];
    }, setUp: $keep('lazy ghost', static fn (): Lazily => $class()->newLazyGhost(static function (Lazily $ghost): void {
        $asks = $GLOBALS['asks'];
        $asks['window']->open();
        $ghost->__construct($asks['tag']);
        $asks['window']->open();
    }))),

    new Behaviour('a lazy proxy of the boot', static function (Identity $who, Window $window) use ($class, $asks): array {
        $proxy = Kept::get('lazy proxy', Lazily::class);
        $GLOBALS['asks'] = $asks($who, $window);
        $before = $class()->isUninitializedLazyObject($proxy);
        $window->open();
        $proxy->log[] = $who->tag();
        $window->open();
        $copy = clone $proxy;
        $copy->log[] = 'copy';

        return [$before, $proxy->of, $proxy->log, $copy->log, $class()->initializeLazyObject($proxy)->of];
    }, setUp: $keep('lazy proxy', static fn (): Lazily => $class()->newLazyProxy(static function (): Lazily {
        $asks = $GLOBALS['asks'];
        $asks['window']->open();

        return new Lazily($asks['tag']);
    }))),

    new Behaviour('an object of the boot made lazy again', static function (Identity $who, Window $window) use ($class): array {
        $object = Kept::get('made lazy', Lazily::class);
        $before = [$object->of, $class()->isUninitializedLazyObject($object)];
        $tag = $who->tag();
        if ($who->isEven()) {
            $class()->resetAsLazyGhost($object, static function (Lazily $ghost) use ($tag, $window): void {
                $window->open();
                $ghost->__construct($tag);
            });
        } else {
            $class()->resetAsLazyProxy($object, static fn (): Lazily => new Lazily($tag));
        }
        $window->open();
        $then = $class()->isUninitializedLazyObject($object);

        return [$before, $then, $object->of, $class()->isUninitializedLazyObject($object)];
    }, setUp: $keep('made lazy', static fn (): Lazily => new Lazily('booted'))),

    new Behaviour('an initialiser that fails for one', static function (Identity $who, Window $window) use ($class, $asks): array {
        $ghost = Kept::get('failing ghost', Lazily::class);
        $GLOBALS['asks'] = $asks($who, $window);
        $GLOBALS['asks']['fails'] = $who->isEven();
        $window->open();
        try {
            $said = $ghost->of;
        } catch (DomainException $exception) {
            $said = $exception->getMessage();
        }
        $window->open();

        return [$said, $class()->isUninitializedLazyObject($ghost)];
    }, setUp: $keep('failing ghost', static fn (): Lazily => $class()->newLazyGhost(static function (Lazily $ghost): void {
        $asks = $GLOBALS['asks'];
        $ghost->log[] = $asks['tag'];
        $asks['window']->open();
        $asks['fails'] ? throw new DomainException("not for $asks[tag]") : $ghost->__construct($asks['tag']);
    }))),

    new Behaviour('property hooks', static function (Identity $who, Window $window): array {
        $hooked = Kept::get('hooked', Hooked::class);
        $before = [$hooked->virtual, $hooked->backed, $hooked->byReference];
        $hooked->virtual = $who->tag();
        $hooked->backed = $who->tag();
        $window->open();
        $hooked->virtual = $who->tag('more');
        $hooked->byReference[$who->tag()] = $who->number;
        $reference = &$hooked->byReference;
        $window->open();
        $reference['held'] = $who->tag();

        return [$before, $hooked->virtual, $hooked->backed, $hooked->byReference];
    }, setUp: $keep('hooked', static fn (): Hooked => new Hooked())),

    new Behaviour('properties that only their class writes', static function (Identity $who, Window $window): array {
        $hooked = Kept::get('asymmetric', Hooked::class);
        $before = [$hooked->name, $hooked->count];
        $hooked->rename($who->tag());
        $window->open();
        try {
            $hooked->count = 7;
        } catch (Error $error) {
            $before[] = $error->getMessage();
        }
        $hooked->rename($hooked->name . ' again');
        $window->open();

        return [$before, $hooked->name, $hooked->count];
    }, setUp: $keep('asymmetric', static fn (): Hooked => new Hooked())),

    new Behaviour('a deprecated method', static function (Identity $who, Window $window): array {
        $said = [];
        set_error_handler(static function (int $level, string $message) use (&$said): bool {
            $said[] = [$level, $message];

            return true;
        });
        Deprecations::counted($who->tag());
        $window->open();
        $calls = Deprecations::counted($who->tag('again'));
        restore_error_handler();

        return [$calls, $said];
    }),

    new Behaviour('a decimal number', static function (Identity $who, Window $window): array {
        $bag = Kept::get('numbers', stdClass::class);
        $before = (string) $bag->sum;
        $bag->sum += new Number("$who->number.5");
        $window->open();
        $bag->sum *= 2;
        $window->open();

        return [$before, (string) $bag->sum];
    }, setUp: $keep('numbers', static fn (): stdClass => (object) ['sum' => new Number('1.25')])),

    new Behaviour('random numbers from an engine of the boot', static function (Identity $who, Window $window): array {
        $randomizer = Kept::get('xoshiro', Random\Randomizer::class);
        $drawn = [$randomizer->getBytesFromString('abcdef', 8)];
        for ($i = 0; $i < $who->number % 3; $i++) {
            $drawn[] = $randomizer->nextFloat();
        }
        $window->open();
        $drawn[] = $randomizer->getFloat(1, 2, Random\IntervalBoundary::ClosedClosed);

        return $drawn;
    }, setUp: $keep('xoshiro', static fn (): Random\Randomizer => new Random\Randomizer(new Random\Engine\Xoshiro256StarStar(7)))),

    new Behaviour('HTML parsed in the request', static function (Identity $who, Window $window): array {
        $document = HTMLDocument::createFromString("<!DOCTYPE html><p class=x>{$who->tag()}</p>");
        $bag = Kept::get('html', stdClass::class);
        $before = isset($bag->document);
        $bag->document = $document;
        $window->open();
        $document->body->append($document->createElement('b'));
        $window->open();

        return [$before, $bag->document->querySelector('p.x')->textContent, $bag->document->saveHtml()];
    }, setUp: $keep('html', static fn (): stdClass => new stdClass())),
];
