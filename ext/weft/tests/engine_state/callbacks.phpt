--TEST--
C functions that call back: interleaved coroutines get their own results
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/interleave.inc';

$wait = function ($value) {
    between();
    return $value;
};
final class Text
{
    public function __construct(private readonly string $text)
    {
    }

    public function __toString(): string
    {
        between();
        return $this->text;
    }
}
interleave('usort', function (int $me): bool {
    $list = [5, 3, $me + 10, 1];
    usort($list, function ($a, $b) {
        between();
        return $a <=> $b;
    });
    return $list === [1, 3, 5, $me + 10];
});
interleave('uasort, uksort', function (int $me): bool {
    $list = ["b$me" => 2, "a$me" => 1, "c$me" => 0];
    uasort($list, function ($a, $b) {
        between();
        return $a <=> $b;
    });
    $keys = array_keys($list);
    uksort($list, function ($a, $b) {
        between();
        return strcmp($a, $b);
    });
    return $keys === ["c$me", "a$me", "b$me"] && array_keys($list) === ["a$me", "b$me", "c$me"];
});
interleave('array_udiff, array_uintersect_uassoc', function (int $me): bool {
    $compare = function ($a, $b) {
        between();
        return $a <=> $b;
    };
    return array_udiff([1, 2, $me + 3], [2], $compare) === [0 => 1, 2 => $me + 3]
        && array_uintersect_uassoc([1, $me], [1, $me], $compare, $compare) === [1, $me];
});
interleave('array_walk', function (int $me): bool {
    $list = [1, 2, [3]];
    array_walk_recursive($list, function (&$value, $key, $add) {
        between();
        $value += $add;
    }, $me);
    $map = ['a' => $me];
    array_walk($map, function (&$value) {
        between();
        $value *= 2;
    });
    return $list === [1 + $me, 2 + $me, [3 + $me]] && $map === ['a' => $me * 2];
});
interleave('array_map, array_filter, array_reduce', function (int $me) use ($wait): bool {
    return array_map($wait, [$me, 2]) === [$me, 2] && array_filter([$me + 1, 0], $wait) === [$me + 1]
        && array_reduce([1, $me], fn ($sum, $value) => $sum + $wait($value), 0) === $me + 1;
});
interleave('preg_replace_callback', function (int $me): bool {
    $outer = preg_replace_callback('/(\w)(\d)/', function (array $match) use ($me) {
        between();
        $inner = preg_replace_callback('/\d/', function (array $match) {
            between();
            return (string) ($match[0] + 1);
        }, $match[2] . $me);
        return "[$match[1]$inner]";
    }, "a1 b2 c3");
    $next = $me + 1;
    return $outer === "[a2$next] [b3$next] [c4$next]" && preg_last_error() === 0;
});
interleave('call_user_func, is_callable through __call', function (int $me): bool {
    $object = new class () {
        public function __call(string $name, array $arguments): array
        {
            between();
            return [$name, ...$arguments];
        }

        public static function __callStatic(string $name, array $arguments): array
        {
            between();
            return [$name, ...$arguments];
        }
    };
    return call_user_func([$object, "f$me"], $object->g($me)) === ["f$me", ['g', $me]]
        && call_user_func([$object::class, "s$me"], 1) === ["s$me", 1];
});
interleave('iterator_apply, iterator_to_array', function (int $me): bool {
    $values = (function () use ($me) {
        between();
        yield $me;
        between();
        yield $me + 1;
    })();
    $seen = [];
    $iterator = new ArrayIterator([$me, $me + 1]);
    iterator_apply($iterator, function () use ($iterator, &$seen) {
        between();
        $seen[] = $iterator->current();
        return true;
    });
    return iterator_to_array($values) === [$me, $me + 1] && $seen === [$me, $me + 1];
});
interleave('foreach by reference', function (int $me): bool {
    $list = [$me, 2, 3];
    $seen = [];
    foreach ($list as $key => &$value) {
        between();
        if ($key === 0) {
            $list[] = $me + 4;
        }
        $value++;
        $seen[] = $value;
    }
    return $seen === [$me + 1, 3, 4, $me + 5];
});
interleave('__toString in C functions', function (int $me): bool {
    $a = new Text("a$me");
    $b = new Text("b$me");
    return implode(',', [$a, $b]) === "a$me,b$me" && str_replace(['x', 'y'], [$a, $b], 'xy') === "a{$me}b$me"
        && sprintf('%s-%s', $a, $b) === "a$me-b$me" && in_array("b$me", [$a, $b]) && strtr('k', ['k' => $b]) === "b$me"
        && array_unique([$a, new Text("a$me")]) == [$a];
});
interleave('sort of objects', function (int $me): bool {
    $list = [new Text("c$me"), new Text("a$me"), new Text("b$me")];
    sort($list, SORT_STRING);
    return array_map(strval(...), $list) === ["a$me", "b$me", "c$me"];
});
interleave('exceptions out of callbacks', function (int $me): bool {
    try {
        $list = [2, 1, 3];
        usort($list, function () use ($me) {
            between();
            throw new DomainException("$me");
        });
    } catch (DomainException $e) {
        return $e->getMessage() === "$me";
    } finally {
        between();
    }
    return false;
});
interleave('generators and finally', function (int $me): bool {
    $log = [];
    $generator = (function () use ($me, &$log) {
        try {
            $got = yield from (function () use ($me) {
                between();
                return yield $me;
            })();
            yield $got;
        } finally {
            between();
            $log[] = "finally $me";
        }
    })();
    $first = $generator->current();
    $second = $generator->send("sent $me");
    unset($generator);
    return $first === $me && $second === "sent $me" && $log === ["finally $me"];
});
?>
--EXPECT--
usort: right
uasort, uksort: right
array_udiff, array_uintersect_uassoc: right
array_walk: right
array_map, array_filter, array_reduce: right
preg_replace_callback: right
call_user_func, is_callable through __call: right
iterator_apply, iterator_to_array: right
foreach by reference: right
__toString in C functions: right
sort of objects: right
exceptions out of callbacks: right
generators and finally: right
