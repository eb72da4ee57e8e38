--TEST--
Objects of the boot that answer the same to all are used by requests, and refuse what would change them
--EXTENSIONS--
weft
fileinfo
intl
--FILE--
<?php
use function Weft\Isolation\{run, snapshot, stats};

$types = new finfo(FILEINFO_MIME_TYPE);
$numbers = new NumberFormatter('de', NumberFormatter::DECIMAL);
$dates = new IntlDateFormatter('en', timezone: 'UTC', pattern: 'y');
$messages = new MessageFormatter('en', '{0, number} items');
$letters = Transliterator::create('Any-Upper');
$order = new Collator('en');
$zone = IntlTimeZone::createTimeZone('UTC');
$calendar = IntlCalendar::createInstance('UTC');
snapshot();

echo json_encode([stats()['uncovered'], stats()['refused']]), "\n";
$uses = [
    'finfo' => fn () => [$types->buffer('<?php'), finfo_buffer($types, 'text')],
    'finfo::set_flags' => fn () => $types->set_flags(FILEINFO_NONE),
    'finfo_set_flags' => fn () => finfo_set_flags($types, FILEINFO_NONE),
    'NumberFormatter' => fn () => [$numbers->format(1.5), numfmt_format($numbers, 2.5), $numbers->parse('1,5')],
    'setAttribute' => fn () => $numbers->setAttribute(NumberFormatter::MIN_FRACTION_DIGITS, 3),
    'numfmt_set_attribute' => fn () => numfmt_set_attribute($numbers, NumberFormatter::MIN_FRACTION_DIGITS, 3),
    'made anew' => fn () => $numbers->__construct('en', NumberFormatter::DECIMAL),
    'a clone' => function () use ($numbers) { $own = clone $numbers; $own->setAttribute(NumberFormatter::MIN_FRACTION_DIGITS, 3); return $own->format(1.5); },
    'IntlDateFormatter' => fn () => $dates->format(0),
    'setPattern' => fn () => $dates->setPattern('d'),
    'MessageFormatter' => fn () => [$messages->format([3]), $messages->getPattern()],
    'Transliterator' => fn () => $letters->transliterate('a'),
    'Collator' => fn () => $order->compare('a', 'b'),
    'IntlTimeZone' => fn () => $zone->getID(),
    'IntlCalendar' => fn () => $calendar->getTime(),
];
foreach ($uses as $name => $use) {
    try {
        echo "$name: ", json_encode(run($use)), "\n";
    } catch (Throwable $e) {
        while ($e->getPrevious()) {
            $e = $e->getPrevious();
        }
        echo strstr(str_replace(__FILE__, 'here', $e->getMessage()), ' can', true) ?: $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
[[],{"IntlGregorianCalendar":1}]
finfo: ["text\/x-php","text\/plain"]
finfo::set_flags: The finfo made during boot at here:4
finfo_set_flags: The finfo made during boot at here:4
NumberFormatter: ["1,5","2,5",1.5]
setAttribute: The NumberFormatter made during boot at here:5
numfmt_set_attribute: The NumberFormatter made during boot at here:5
made anew: The NumberFormatter made during boot at here:5
a clone: "1,500"
IntlDateFormatter: "1970"
setPattern: The IntlDateFormatter made during boot at here:6
MessageFormatter: ["3 items","{0, number} items"]
Transliterator: "A"
Collator: -1
IntlTimeZone: "UTC"
IntlCalendar: The IntlGregorianCalendar made during boot at here:11
