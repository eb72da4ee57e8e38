--TEST--
json_last_error() and preg_last_error() are the coroutine's
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Slow implements JsonSerializable
{
    public function __construct(private mixed $value)
    {
    }

    public function jsonSerialize(): mixed
    {
        between();
        return $this->value;
    }
}
interleave('json_last_error', function (int $me): bool {
    $bad = $me % 2 === 0;
    json_encode([new Slow($bad ? NAN : 1)]);
    between();
    return json_last_error() === ($bad ? JSON_ERROR_INF_OR_NAN : JSON_ERROR_NONE);
});
interleave('json_decode', function (int $me): bool {
    json_decode($me % 2 ? '[' : '[]');
    between();
    return json_last_error() === ($me % 2 ? JSON_ERROR_SYNTAX : JSON_ERROR_NONE);
});
interleave('json depth and nesting', function (int $me): bool {
    $deep = $me;
    for ($i = 0; $i < 5; $i++) {
        $deep = new Slow([$deep]);
    }
    return json_encode($deep, 0, 5) === str_repeat('[', 5) . $me . str_repeat(']', 5)
        && json_encode($deep, 0, 4) === false && json_last_error() === JSON_ERROR_DEPTH;
});
interleave('preg_last_error', function (int $me): bool {
    @preg_match('/./u', $me % 2 ? "\xff" : 'x');
    between();
    return preg_last_error() === ($me % 2 ? PREG_BAD_UTF8_ERROR : PREG_NO_ERROR);
});
?>
--EXPECT--
json_last_error: right
json_decode: right
json depth and nesting: right
preg_last_error: right
