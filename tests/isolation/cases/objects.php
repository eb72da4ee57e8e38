<?php

declare(strict_types=1);

// Objects that were made while the application booted, as singletons are: whatever a request changes in them is its
// own. Most of these keep their state where no property shows it.

use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Kept;
use Weft\IsolationTests\Lazy\Holder;
use Weft\IsolationTests\Lazy\HolderOfStatics;
use Weft\IsolationTests\Lazy\Mood;
use Weft\IsolationTests\Window;

$keep = static fn (string $name, Closure $make): Closure => static function () use ($name, $make): void {
    Kept::keep($name, $make());
};

return [
    new Behaviour('declared and dynamic properties', static function (Identity $who, Window $window): array {
        $holder = Kept::get('holder', Holder::class);
        $before = [$holder->list, isset($holder->late), $holder->nothing, (array) $holder->bag];
        $holder->list[] = $who->tag();
        $holder->late = $who->tag('late');
        $holder->nothing = [$who->tag() => ['deep' => [$who->number]]];
        $holder->bag->{$who->tag()} = $who->number;
        $holder->bag->same = $who->tag('same');
        unset($holder->gone);
        $window->open();
        $holder->nothing[$who->tag()]['deep'][] = 'more';
        $window->open();

        return [$before, $holder->list, $holder->late, $holder->nothing, (array) $holder->bag, isset($holder->gone), isset($holder->bag->booted)];
    }, setUp: $keep('holder', static fn (): Holder => new Holder())),

    new Behaviour('dynamic properties emptied and replaced', static function (Identity $who, Window $window): array {
        $bag = Kept::get('bag', stdClass::class);
        foreach (array_keys((array) $bag) as $name) {
            unset($bag->{$name});
        }
        $window->open();
        $empty = (array) $bag;
        if ($who->isEven()) {
            $bag->one = $who->tag();
        }
        $window->open();
        $copy = clone $bag;
        $copy->only = 'here';
        $seen = [];
        foreach ($bag as $name => $value) {
            $window->open();
            $seen[$name] = $value;
        }

        return [$empty, $seen, (array) $bag];
    }, setUp: $keep('bag', static fn (): stdClass => (object) ['one' => 1, 'two' => 2])),

    new Behaviour('references in objects of the boot', static function (Identity $who, Window $window): array {
        $holder = Kept::get('referring', Holder::class);
        $element = &$holder->list[0];
        $before = $element;
        $element = $who->tag();
        $window->open();
        $seen = $holder->list;
        unset($element);
        foreach ($holder->list as &$each) {
            $each .= '!';
            $window->open();
        }
        unset($each);

        return [$before, $seen, $holder->list, $holder->alias];
    }, setUp: $keep('referring', static function (): Holder {
        $holder = new Holder();
        $holder->list = ['first', 'second'];
        $holder->alias = &$holder->list[1];

        return $holder;
    })),

    new Behaviour('statics of classes, traits and children', static function (Identity $who, Window $window): array {
        $before = [HolderOfStatics::$own, HolderOfStatics::$inherited, Holder::$inherited, HolderOfStatics::$ofTrait, HolderOfStatics::next(), HolderOfStatics::closure()()];
        HolderOfStatics::$own = $who->tag('own');
        Holder::$inherited = $who->tag('inherited');
        HolderOfStatics::$ofTrait[] = $who->tag('trait');
        $window->open();
        (new ReflectionProperty(HolderOfStatics::class, 'hidden'))->setValue(null, $who->tag('hidden'));
        $window->open();

        return [
            $before, HolderOfStatics::$own, HolderOfStatics::$inherited, HolderOfStatics::$ofTrait,
            HolderOfStatics::next(), HolderOfStatics::closure()(), HolderOfStatics::hidden(),
        ];
    }, setUp: static function (): void {
        HolderOfStatics::next();
    }),

    new Behaviour('enums and their statics', static function (Identity $who, Window $window): array {
        Mood::remember($who->tag());
        $window->open();

        return [Mood::remembered(), Mood::from($who->choose('calm', 'loud'))->name, count(Mood::cases())];
    }),

    new Behaviour('reflection reaches private and readonly properties', static function (Identity $who, Window $window): array {
        $holder = Kept::get('reflected', Holder::class);
        $property = new ReflectionProperty(Holder::class, 'hiddenValue');
        $before = $property->getValue($holder);
        $property->setValue($holder, $who->tag());
        $once = (function () use ($who): string {
            /** @var Holder $this */
            return $this->once($who->tag('written once'));
        })->call($holder);
        $window->open();

        return [$before, $property->getValue($holder), $once, $holder->writtenOnce];
    }, setUp: $keep('reflected', static fn (): Holder => new Holder())),

    new Behaviour('closures and their variables', static function (Identity $who, Window $window): array {
        $counter = Kept::get('counter', Closure::class);
        $first = $counter($who->tag());
        $window->open();
        $second = $counter($who->tag('again'));
        $bound = Closure::bind(Kept::get('bound', Closure::class), null);
        $window->open();

        return [$first, $second, $bound($who->number), Kept::get('bound', Closure::class)($who->number)];
    }, setUp: static function (): void {
        $count = 0;
        $log = [];
        Kept::keep('counter', static function (string $by) use (&$count, &$log): array {
            static $calls = [];
            $calls[] = $by;
            $log[] = $by;

            return [++$count, $log, $calls];
        });
        Kept::keep('bound', static function (int $n): int {
            static $sum = 0;

            return $sum += $n;
        });
    }),

    new Behaviour('ArrayObject', static function (Identity $who, Window $window): array {
        $array = Kept::get('ArrayObject', ArrayObject::class);
        $before = $array->getArrayCopy();
        $array[] = $who->tag();
        $array['deep'] = ['by' => $who->tag('deep')];
        $window->open();
        unset($array[0]);
        $array->setFlags($who->choose(ArrayObject::ARRAY_AS_PROPS, 0));
        $window->open();
        $array->uasort(static fn (mixed $a, mixed $b): int => strcmp(serialize($a), serialize($b)));

        return [$before, $array->getArrayCopy(), count($array), $array->getFlags(), isset($array['deep'])];
    }, setUp: $keep('ArrayObject', static fn (): ArrayObject => new ArrayObject(['zero', 'one']))),

    new Behaviour('ArrayIterator', static function (Identity $who, Window $window): array {
        $iterator = Kept::get('ArrayIterator', ArrayIterator::class);
        $before = [$iterator->current(), count($iterator)];
        $iterator[] = $who->tag();
        $iterator->seek($who->number % 3);
        $window->open();
        $seen = [$iterator->key(), $iterator->current()];
        $iterator->next();
        $window->open();

        return [$before, $seen, $iterator->key(), $iterator->getArrayCopy()];
    }, setUp: $keep('ArrayIterator', static fn (): ArrayIterator => new ArrayIterator(['a', 'b', 'c']))),

    new Behaviour('SplObjectStorage', static function (Identity $who, Window $window): array {
        $storage = Kept::get('SplObjectStorage', SplObjectStorage::class);
        $before = count($storage);
        $mine = new stdClass();
        $storage[$mine] = $who->tag();
        $storage[Kept::get('key', stdClass::class)] = $who->tag('key');
        $window->open();
        $seen = [count($storage), $storage[$mine], $storage[Kept::get('key', stdClass::class)]];
        $storage->detach(Kept::get('key', stdClass::class));
        $window->open();

        return [$before, $seen, count($storage), $storage->contains($mine)];
    }, setUp: static function (): void {
        Kept::keep('SplObjectStorage', $storage = new SplObjectStorage());
        Kept::keep('key', $key = new stdClass());
        $storage[$key] = 'boot';
    }),

    new Behaviour('SplDoublyLinkedList, SplQueue and SplStack', static function (Identity $who, Window $window): array {
        $list = Kept::get('list', SplDoublyLinkedList::class);
        $queue = Kept::get('queue', SplQueue::class);
        $stack = Kept::get('stack', SplStack::class);
        $list->push($who->tag());
        $queue->enqueue($who->tag());
        $stack->push($who->tag());
        $window->open();
        $seen = [$list->shift(), $queue->dequeue(), $stack->pop(), count($list), count($queue), count($stack)];
        $window->open();

        return [$seen, [...$list], [...$queue], [...$stack]];
    }, setUp: static function (): void {
        foreach (['list' => new SplDoublyLinkedList(), 'queue' => new SplQueue(), 'stack' => new SplStack()] as $name => $list) {
            $list->push('boot');
            Kept::keep($name, $list);
        }
    }),

    new Behaviour('SplHeap and SplPriorityQueue', static function (Identity $who, Window $window): array {
        $heap = Kept::get('heap', SplMaxHeap::class);
        $queue = Kept::get('priorities', SplPriorityQueue::class);
        $heap->insert(100 + $who->number);
        $queue->insert($who->tag(), 10 + $who->number);
        $window->open();
        $seen = [$heap->extract(), $queue->extract(), count($heap), count($queue)];
        $window->open();

        return [$seen, $heap->extract(), $queue->extract(), $heap->isEmpty(), $queue->isEmpty()];
    }, setUp: static function (): void {
        Kept::keep('heap', $heap = new SplMaxHeap());
        $heap->insert(5);
        Kept::keep('priorities', $queue = new SplPriorityQueue());
        $queue->insert('boot', 1);
    }),

    new Behaviour('SplFixedArray', static function (Identity $who, Window $window): array {
        $array = Kept::get('fixed', SplFixedArray::class);
        $before = $array->toArray();
        $array[0] = $who->tag();
        $array->setSize(2 + $who->number);
        $window->open();

        return [$before, $array->toArray(), $array->getSize()];
    }, setUp: $keep('fixed', static fn (): SplFixedArray => SplFixedArray::fromArray(['a', 'b']))),

    new Behaviour('WeakMap', static function (Identity $who, Window $window): array {
        $map = Kept::get('weak', WeakMap::class);
        $key = Kept::get('weak key', stdClass::class);
        $before = $map[$key];
        $mine = new stdClass();
        $map[$key] = $who->tag('key');
        $map[$mine] = $who->tag('mine');
        $window->open();
        $seen = [$map[$key], $map[$mine], count($map)];
        unset($mine);
        $window->open();

        return [$before, $seen, count($map)];
    }, setUp: static function (): void {
        Kept::keep('weak', $map = new WeakMap());
        Kept::keep('weak key', $key = new stdClass());
        $map[$key] = 'boot';
    }),

    new Behaviour('DateTime and DateInterval', static function (Identity $who, Window $window): array {
        $date = Kept::get('date', DateTime::class);
        $interval = Kept::get('interval', DateInterval::class);
        $before = [$date->format('c'), $interval->d];
        $date->modify("+$who->number days");
        $date->setTimezone(new DateTimeZone($who->zone()));
        $interval->d = 100 + $who->number;
        $interval->invert = $who->choose(0, 1);
        $window->open();

        return [$before, $date->format('c e'), $interval->d, $interval->format('%R%a %d')];
    }, setUp: static function (): void {
        Kept::keep('date', new DateTime('2026-01-01 12:00', new DateTimeZone('UTC')));
        Kept::keep('interval', new DateInterval('P2D'));
    }),

    new Behaviour('Carbon that changes', static function (Identity $who, Window $window): array {
        $date = Kept::get('carbon', Carbon\Carbon::class);
        $before = $date->toIso8601String();
        $date->addHours($who->number)->locale($who->locale())->settings(['toStringFormat' => 'Y-m-d']);
        $window->open();

        return [$before, $date->toIso8601String(), $date->isoFormat('dddd'), (string) $date];
    }, setUp: $keep('carbon', static fn (): Carbon\Carbon => Carbon\Carbon::create(2026, 5, 1, 12) ?? new Carbon\Carbon())),

    new Behaviour('DatePeriod that is iterated', static function (Identity $who, Window $window): array {
        $days = [];
        foreach (Kept::get('period', DatePeriod::class) as $number => $day) {
            $days[] = $number . ':' . ($day->format('d'));
            $window->open();
        }

        return [$days, $who->tag()];
    }, setUp: $keep('period', static fn (): DatePeriod => new DatePeriod(new DateTime('2026-01-01'), new DateInterval('P1D'), 3))),

    new Behaviour('generator that began during boot', static function (Identity $who, Window $window): array {
        $generator = Kept::get('generator', Generator::class);
        $first = $generator->current();
        $got = $generator->send($who->tag());
        $window->open();
        $generator->next();
        $window->open();

        return [$first, $got, $generator->current()];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep('generator', static function (): Generator {
        $generator = (static function (): Generator {
            for ($n = 1; $n < 1000; $n++) {
                $got = yield $n;
                if ($got !== null) {
                    yield "got $got";
                }
            }
        })();
        $generator->current();

        return $generator;
    })),

    new Behaviour('random engines', static function (Identity $who, Window $window): array {
        $randomizer = Kept::get('randomizer', Random\Randomizer::class);
        $numbers = [];
        for ($i = 0; $i < 3; $i++) {
            $numbers[] = $randomizer->getInt(0, 1_000_000);
            $window->open();
        }

        return [$numbers, $randomizer->shuffleArray(range(1, 5)), $who->tag()];
    }, setUp: $keep('randomizer', static fn (): Random\Randomizer => new Random\Randomizer(new Random\Engine\Mt19937(42)))),

    new Behaviour('iterators of the boot', static function (Identity $who, Window $window): array {
        $limit = Kept::get('limit', LimitIterator::class);
        $seen = [];
        foreach ($limit as $value) {
            $seen[] = $value;
            $window->open();
            if (count($seen) > $who->number % 3) {
                break;
            }
        }

        return [$seen, $limit->getPosition()];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep(
        'limit',
        static fn (): LimitIterator => new LimitIterator(new InfiniteIterator(new ArrayIterator(['a', 'b', 'c'])), 1, 5),
    )),

    new Behaviour('collections and lazy collections of the boot', static function (Identity $who, Window $window): array {
        $collection = Kept::get('collection', Illuminate\Support\Collection::class);
        $lazy = Kept::get('lazy', Illuminate\Support\LazyCollection::class);
        $collection->push($who->tag())->forget(0);
        $window->open();
        $collection->transform(static fn (mixed $value): string => "$value by {$who->tag()}");
        $seen = [];
        foreach ($lazy as $value) {
            $seen[] = $value;
            $window->open();
            if (count($seen) > $who->number % 3) {
                break;
            }
        }

        return [$collection->all(), $seen];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: static function (): void {
        Kept::keep('collection', collect(['zero', 'one']));
        Kept::keep('lazy', Illuminate\Support\LazyCollection::make(static function (): Generator {
            yield from [1, 2, 3, 4];
        })->remember());
    }),

    new Behaviour('objects of intl', static function (Identity $who, Window $window): array {
        $format = Kept::get('formatter', NumberFormatter::class);
        $before = $format->format(1234.567);
        $format->setAttribute(NumberFormatter::FRACTION_DIGITS, $who->number % 4);
        $format->setPattern($who->choose('#,##0.0#', '0.000'));
        $window->open();

        return [$before, $format->format(1234.567), $format->getPattern()];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep('formatter', static fn (): NumberFormatter => new NumberFormatter('en', NumberFormatter::DECIMAL))),

    new Behaviour('documents', static function (Identity $who, Window $window): array {
        $document = Kept::get('document', DOMDocument::class);
        $root = $document->documentElement;
        $before = $document->saveXML($root);
        $root?->appendChild($document->createElement('visitor', $who->tag()));
        $window->open();

        return [$before, $document->saveXML($root)];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep('document', static function (): DOMDocument {
        $document = new DOMDocument();
        $document->loadXML('<boot/>');

        return $document;
    })),

    new Behaviour('simple documents', static function (Identity $who, Window $window): array {
        $document = Kept::get('simple', SimpleXMLElement::class);
        $before = $document->asXML();
        $document->addChild('visitor', $who->tag());
        $document['by'] = $who->tag();
        $window->open();

        return [$before, $document->asXML()];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep('simple', static fn (): SimpleXMLElement => new SimpleXMLElement('<boot/>'))),

    new Behaviour('hashes and compression that go on', static function (Identity $who, Window $window): array {
        $hash = Kept::get('hash', HashContext::class);
        $deflate = Kept::get('deflate', DeflateContext::class);
        hash_update($hash, $who->tag());
        $window->open();
        $packed = deflate_add($deflate, $who->tag(), ZLIB_SYNC_FLUSH);
        $window->open();

        return [hash_final(hash_copy($hash)), md5((string) $packed), md5((string) deflate_add($deflate, 'end', ZLIB_FINISH))];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: static function (): void {
        Kept::keep('hash', hash_init('sha256'));
        $deflate = deflate_init(ZLIB_ENCODING_DEFLATE);
        Kept::keep('deflate', $deflate);
    }),

    new Behaviour('files and streams of the boot', static function (Identity $who, Window $window): array {
        $file = Kept::get('temporary', SplTempFileObject::class);
        $file->fwrite($who->tag() . "\n");
        $window->open();
        $file->rewind();
        $lines = [];
        foreach ($file as $line) {
            $lines[] = $line;
            $window->open();
        }

        return $lines;
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep('temporary', static fn (): SplTempFileObject => new SplTempFileObject())),

    new Behaviour('curl handles of the boot', static function (Identity $who, Window $window): array {
        $curl = Kept::get('curl', CurlHandle::class);
        $before = curl_getinfo($curl, CURLINFO_PRIVATE);
        curl_setopt($curl, CURLOPT_PRIVATE, $who->tag());
        $window->open();

        return [$before, curl_getinfo($curl, CURLINFO_PRIVATE)];
    }, setUp: $keep('curl', static fn (): CurlHandle => curl_init('http://127.0.0.1/'))),

    new Behaviour('fibers of the boot', static function (Identity $who, Window $window): array {
        $fiber = Kept::get('fiber', Fiber::class);
        $first = $fiber->isStarted();
        $got = $first ? null : $fiber->start($who->tag());
        $window->open();

        return [$first, $got, $fiber->isSuspended() ? $fiber->resume('back') : null, $fiber->isTerminated() ? $fiber->getReturn() : null];
    }, broken: 'its use in a request throws (docs/isolation.md)', setUp: $keep(
        'fiber',
        static fn (): Fiber => new Fiber(static fn (string $who): string => $who . Fiber::suspend("suspended $who")),
    )),

    new Behaviour('Symfony\'s bags and Guzzle\'s stacks of the boot', static function (Identity $who, Window $window): array {
        $bag = Kept::get('parameters', Symfony\Component\HttpFoundation\ParameterBag::class);
        $stack = Kept::get('handlers', GuzzleHttp\HandlerStack::class);
        $before = [$bag->all(), substr_count((string) $stack, 'Name:')];
        $bag->set('visitor', $who->tag());
        $bag->remove('boot');
        $stack->push(static fn (callable $next): callable => $next, $who->tag());
        $window->open();

        return [$before, $bag->all(), substr_count((string) $stack, $who->tag())];
    }, setUp: static function (): void {
        Kept::keep('parameters', new Symfony\Component\HttpFoundation\ParameterBag(['boot' => 1]));
        Kept::keep('handlers', GuzzleHttp\HandlerStack::create(static fn (): null => null));
    }),
];
