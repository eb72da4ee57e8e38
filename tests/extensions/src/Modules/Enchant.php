<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** Spelling: each visitor adds a word for its session that only it knows. */
final class Enchant implements Module
{
    public function name(): string
    {
        return 'enchant';
    }

    public function start(Servers $servers, int $visitors): array
    {
        return [];
    }

    public function visit(int $who, array $at): array
    {
        $broker = enchant_broker_init();
        $dictionary = $broker === false ? false : enchant_broker_request_dict($broker, 'en_US');
        if ($broker === false || $dictionary === false) {
            return ['broker' => $broker === false ? false : enchant_broker_get_error($broker)];
        }
        $word = static fn (int $number): string => 'visitor' . str_repeat('x', $number);
        enchant_dict_add_to_session($dictionary, $word($who));
        usleep(1000);
        $seen = ['own' => enchant_dict_check($dictionary, $word($who)), 'next' => enchant_dict_check($dictionary, $word($who + 1))];
        $seen['hello'] = enchant_dict_check($dictionary, 'hello');
        $seen['suggests'] = in_array('hello', enchant_dict_suggest($dictionary, 'helo'), true);

        return $seen;
    }

    public function expected(int $who): array
    {
        return ['own' => true, 'next' => false, 'hello' => true, 'suggests' => true];
    }
}
