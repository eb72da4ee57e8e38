--TEST--
Collator::sort(): coroutines do not interleave in it
--EXTENSIONS--
weft
intl
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Text
{
    public function __construct(private readonly string $text)
    {
    }

    public function __toString(): string
    {
        usleep(300);
        return $this->text;
    }
}
foreach (['sort', 'asort'] as $function) {
    interleave($function, function (int $me) use ($function): bool {
        usleep(100 * $me);
        // Swedish sorts ä after z, German beside a
        $collator = new Collator($me % 2 ? 'sv' : 'de');
        $list = [new Text('z'), new Text('ä'), new Text('b')];
        $me % 4 < 2 ? $collator->$function($list) : ('collator_' . $function)($collator, $list);
        return implode(array_map(strval(...), $list)) === ($me % 2 ? 'bzä' : 'äbz');
    });
}
?>
--EXPECT--
sort: right
asort: right
