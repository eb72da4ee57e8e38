--TEST--
Stress mode goes on after each place where the VM looks at an interrupt
--INI--
weft.stress=1
opcache.jit_buffer_size=0
--EXTENSIONS--
weft
--FILE--
<?php
function left(string $by): string
{
    try {
        if ($by === 'return') {
            return 'returned';
        }
        $by === 'throw' ? throw new LogicException('thrown') : null;
        for ($i = 0; $i < 2; $i++) {
            try {
                continue;
            } finally {
                $by .= $i;
            }
        }
    } catch (OutOfBoundsException) {
        return 'never';
    } catch (LogicException $exception) {
        return $exception->getMessage();
    } finally {
        $by .= ' at last';
    }
    return $by;
}

function yields(array $of): Generator
{
    try {
        foreach ($of as $key => &$value) {
            $value .= yield $key => $value;
        }
    } finally {
        yield 'last' => 'of all';
    }
    yield from ['more' => 'of it'];
    return count($of);
}

function chosen(mixed $value): array
{
    $list = is_string($value) && !is_numeric($value) || $value instanceof Countable and $value == true;
    switch ($value) {
        case 1: $list .= 'one'; break;
        case 2: $list .= 'two'; break;
        default: $list .= 'other';
    }
    return [$list, $value?->none ?? 'none', match ($value) { 'a', 'b' => 'a letter', default => 'none' }, isset($value->none[1]) ?: 'empty'];
}

set_error_handler(static fn (): bool => true);
foreach (['return', 'throw', 'end'] as $by) {
    echo left($by), "\n";
}
foreach ($generator = yields(['a' => 'x', 'b' => 'y']) as $key => $value) {
    echo "$key: $value\n";
}
echo $generator->getReturn(), "\n";
foreach ([1, 'a', null, new ArrayObject()] as $value) {
    echo json_encode(chosen($value)), "\n";
}
$x = 5;
while ($x --> 0) {
    do {
        $y = array_map(strlen(...), ['a']) === [1] ? static fn (): int => 1 : null;
    } while (false);
}
echo $y(), eval('return 1;'), "\n";
?>
--EXPECT--
returned
thrown
end01 at last
a: x
b: y
last: of all
more: of it
2
["one","none","none","empty"]
["1other","none","a letter","empty"]
["other","none","none","empty"]
["1one","none","none","empty"]
11
