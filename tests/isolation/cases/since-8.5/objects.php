<?php

declare(strict_types=1);

// What PHP 8.5 brought that keeps state.

use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Since85\Published;
use Weft\IsolationTests\Window;

return [
    new Behaviour('static properties that only their class writes', static function (Identity $who, Window $window): array {
        $before = Published::$seen;
        Published::see($who->tag());
        $window->open();
        Published::see($who->tag('again'));
        $window->open();

        return [$before, Published::$seen];
    }, setUp: static function (): void {
        Published::see('boot');
    }),
];
