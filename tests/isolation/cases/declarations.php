<?php

declare(strict_types=1);

// What a request declares: constants, functions, classes, and what PHP remembers of them in code that all share.

use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Lazy\Counter;
use Weft\IsolationTests\Lazy\Mood;
use Weft\IsolationTests\Lazy\NamesTheVisitor;
use Weft\IsolationTests\Window;

require_once dirname(__DIR__) . '/src/Lazy/named_by_visitor.php';

return [
    new Behaviour('parameter default that names a constant', static function (Identity $who, Window $window): array {
        define('VISITOR_BY_DEFAULT', $who->tag());
        $window->open();
        $seen = [Weft\IsolationTests\Lazy\by_default(), Weft\IsolationTests\Lazy\in_a_list()];
        $window->open();

        return [$seen, Weft\IsolationTests\Lazy\by_default(), Weft\IsolationTests\Lazy\in_a_list()];
    }),

    new Behaviour('class constants and statics that name a constant', static function (Identity $who, Window $window): array {
        define('VISITOR_OF_CLASSES', $who->tag());
        $window->open();
        $seen = [NamesTheVisitor::NAME, NamesTheVisitor::$static, (new NamesTheVisitor())->property];
        NamesTheVisitor::$static = $who->tag('changed');
        $window->open();

        return [$seen, NamesTheVisitor::NAME, NamesTheVisitor::$static, (new NamesTheVisitor())->property];
    }),

    new Behaviour('literal constants', static function (Identity $who, Window $window): array {
        $before = defined('VISITOR_IS_EVEN');
        if ($who->isEven()) {
            define('VISITOR_IS_EVEN', true);
        }
        $window->open();
        $seen = [defined('VISITOR_IS_EVEN'), Weft\IsolationTests\Lazy\is_even()];
        $window->open();

        return [$before, $seen, defined('VISITOR_IS_EVEN') && VISITOR_IS_EVEN, Weft\IsolationTests\Lazy\is_even()];
    }),

    new Behaviour('const in a file', static function (Identity $who, Window $window): array {
        $before = defined('CONST_OF_A_FILE');
        if ($who->isEven()) {
            require dirname(__DIR__) . '/src/Lazy/declares_const.php';
        }
        $window->open();

        return [$before, defined('CONST_OF_A_FILE') ? CONST_OF_A_FILE : null];
    }),

    new Behaviour('functions and classes under a condition', static function (Identity $who, Window $window): array {
        $declares_class = $who->isEven();
        $before = [function_exists('visitor_helper'), class_exists('VisitorHelper', false)];
        require dirname(__DIR__) . '/src/Lazy/declares_under_a_condition.php';
        $seen = [visitor_helper($who->tag()), class_exists('VisitorHelper', false)];
        $window->open();
        $seen[] = visitor_helper($who->tag());
        $seen[] = $declares_class ? VisitorHelper::remember($who->tag()) : null;
        $window->open();

        return [$before, $seen, visitor_helper('again'), $declares_class ? VisitorHelper::$who : null];
    }),

    new Behaviour('a young file that declares under a condition', static function (Identity $who, Window $window): array {
        // OPcache doesn't keep a file that has just been written
        $file = tempnam(sys_get_temp_dir(), 'young');
        file_put_contents($file, '<?php if (!function_exists("of_a_young_file")) { function of_a_young_file(): string { return ' . var_export($who->tag(), true) . '; } }');
        $window->open();
        require $file;
        $window->open();
        $seen = [of_a_young_file()];
        require $file;
        unlink($file);
        $window->open();

        return [$seen, of_a_young_file()];
    }),

    new Behaviour('eval that declares', static function (Identity $who, Window $window): array {
        eval("function of_eval(): string { static \$calls = 0; return '{$who->tag()} ' . ++\$calls; } class OfEval { public static \$who = '{$who->tag()}'; }");
        $window->open();
        $seen = [of_eval(), OfEval::$who];
        $window->open();

        return [$seen, of_eval(), (new OfEval())::$who];
    }),

    new Behaviour('class alias', static function (Identity $who, Window $window): array {
        $before = class_exists('VisitorsOwn', false);
        class_alias($who->choose(Counter::class, Mood::class), 'VisitorsOwn');
        $window->open();
        $seen = (new ReflectionClass('VisitorsOwn'))->getName();
        $window->open();

        return [$before, $seen, is_a(Mood::class, 'VisitorsOwn', true)];
    }),

    new Behaviour('declares while siblings and generators wait', static function (Identity $who, Window $window): array {
        $numbers = (static function () {
            while (true) {
                yield defined('VISITOR_WHO_WAITED') ? VISITOR_WHO_WAITED : null;
            }
        })();
        $fiber = new Fiber(static fn (): array => [Fiber::suspend(), VISITOR_WHO_WAITED]);
        $fiber->start();
        $seen = [$numbers->current()];
        $window->open();
        $read = Weft\IsolationTests\Lazy\reads_after(define('VISITOR_WHO_WAITED', $who->tag()));
        $numbers->next();
        $window->open();
        $fiber->resume($who->number);
        $numbers->next();

        return [$seen, $read, $numbers->current(), $fiber->getReturn()];
    }),
];
