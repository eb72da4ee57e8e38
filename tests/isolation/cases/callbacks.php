<?php

declare(strict_types=1);

// PHP code that waits while a function of PHP, or the engine itself, is in the middle of something. What that keeps
// belongs to the coroutine, whatever the domain.

use Illuminate\Support\Facades\DB;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Lazy\OldFashioned;
use Weft\IsolationTests\Lazy\Slow;
use Weft\IsolationTests\Lazy\Waiting;
use Weft\IsolationTests\Window;

$coroutine = 'the mechanism is the coroutine\'s, not the domain\'s';
$numbers = static fn (Identity $who): array => array_map(static fn (int $n): int => ($n * 7 + $who->number * 3) % 23, range(1, 8));

return [
    new Behaviour('sorting with a callback that waits', static function (Identity $who, Window $window) use ($numbers): array {
        $compare = static function (int $a, int $b) use ($window): int {
            $window->open();

            return $a <=> $b;
        };
        $down = static function (int $a, int $b) use ($window): int {
            $window->open();

            return $b <=> $a;
        };
        $list = $numbers($who);
        $who->isEven() ? usort($list, $compare) : usort($list, $down);
        $named = array_combine(array_map($who->tag(...), array_map(strval(...), range(1, 8))), $numbers($who));
        $who->isEven() ? uasort($named, $down) : uasort($named, $compare);
        uksort($named, static function (string $a, string $b) use ($window): int {
            $window->open();

            return strcmp($a, $b);
        });

        return [$list, $named, array_udiff($numbers($who), [1, 2, 3], $compare), array_uintersect($numbers($who), range(0, 10), $compare)];
    }, holdsAnyway: $coroutine),

    new Behaviour('sorting within sorting', static function (Identity $who, Window $window) use ($numbers): array {
        $rows = array_map(static fn (int $n): array => [$n, $n * 2, 5], $numbers($who));
        usort($rows, static function (array $a, array $b) use ($window, $who): int {
            usort($a, static function (int $x, int $y) use ($window): int {
                $window->open();

                return $x <=> $y;
            });
            rsort($b);

            return ($who->isEven() ? 1 : -1) * ($a[0] <=> $b[2]);
        });

        return $rows;
    }, holdsAnyway: $coroutine),

    new Behaviour('array functions with callbacks that wait', static function (Identity $who, Window $window) use ($numbers): array {
        $wait = static function (mixed $value) use ($window): mixed {
            $window->open();

            return $value;
        };
        $list = $numbers($who);
        $walked = [];
        array_walk($list, static function (int &$value, int $key, string $more) use (&$walked, $wait): void {
            $walked[] = $wait("$key=$value$more");
            $value++;
        }, $who->tag());
        $tree = ['a' => [1, 2, ['b' => 3]], 'c' => 4];
        array_walk_recursive($tree, static function (int &$value) use ($wait, $who): void {
            $value = $wait($value * ($who->number + 1));
        });

        return [
            $walked, $list, $tree, array_map(static fn (int $a, mixed $b): mixed => $wait([$a, $b]), $list, [$who->tag()]),
            array_filter($list, static fn (int $n): bool => $wait($n) % 2 === $who->number % 2),
            array_reduce($list, static fn (int $sum, int $n): int => $sum + $wait($n), 0),
            iterator_apply(new ArrayIterator($list), static fn (): bool => (bool) $wait(true)),
        ];
    }, holdsAnyway: $coroutine),

    new Behaviour('pattern callbacks that wait', static function (Identity $who, Window $window): array {
        $callback = static function (array $match) use ($window, $who): string {
            $window->open();

            return "<{$match[0]} of {$who->tag()}>" . preg_replace_callback('/\d/', static function (array $inner) use ($window): string {
                $window->open();

                return "[$inner[0]]";
            }, $match[0]);
        };
        $text = str_repeat("word{$who->number} and 12 ", 3);

        return [
            preg_replace_callback('/\w+\d|\d\d/', $callback, $text, -1, $count),
            $count,
            preg_replace_callback_array(['/a/' => $callback, '/o/' => static fn (): string => $who->tag()], 'a and o'),
            preg_match('/(?<n>\d+)/', $text, $match),
            $match,
        ];
    }, holdsAnyway: $coroutine),

    new Behaviour('serialising objects that wait', static function (Identity $who, Window $window): array {
        $shared = new Slow($who->tag('shared'), $window);
        $value = [$shared, ['again' => $shared], new Slow($who->tag('other'), $window)];
        $value[] = &$value[1];
        $text = serialize($value);
        Slow::$windowWhileWaking = $window;
        $back = unserialize($text);
        Slow::$windowWhileWaking = null;

        return [$text, is_array($back) ? $back[0] === $back[1]['again'] : null, is_array($back) ? $back[2]->name : null];
    }, holdsAnyway: $coroutine),

    new Behaviour('serialising objects that number what is within them', static function (Identity $who, Window $window): array {
        $others = array_fill(0, $who->number % 5, new stdClass());
        $named = (object) ['name' => $who->tag()];
        OldFashioned::$window = $window;
        $text = serialize([...$others, $named, new OldFashioned([$named, new ArrayObject([$who->tag()]), $named]), $named]);
        $back = unserialize($text);
        OldFashioned::$window = null;

        return [$text, serialize($back) === $text];
    }, setUp: static fn () => @class_exists(OldFashioned::class), holdsAnyway: $coroutine),

    new Behaviour('json of objects that wait', static function (Identity $who, Window $window): array {
        $text = json_encode(['a' => new Slow($who->tag(), $window), 'b' => [new Slow($who->tag('b'), $window)], 'bad' => $who->isEven() ? NAN : 1], JSON_PARTIAL_OUTPUT_ON_ERROR);

        return [$text, json_last_error_msg()];
    }, holdsAnyway: $coroutine),

    new Behaviour('conversions to text that wait', static function (Identity $who, Window $window): array {
        $a = new Slow($who->tag('a'), $window);
        $b = new Slow($who->tag('b'), $window);

        return [
            implode(', ', [$a, $b, $a]), "$a and $b", sprintf('%s %5d %s', $a, $who->number, $b), str_replace(['x', 'y'], [(string) $a, (string) $b], 'xyx'),
            strcmp((string) $a, (string) $b), in_array((string) $b, [$a, $b]), array_unique(
                [$a, $b, new Slow($who->tag('a'), $window)],
                SORT_STRING,
            ), strtr('ab', ['a' => (string) $a]),
            array_map(strval(...), (static function (array $list): array {
                sort($list, SORT_STRING);

                return $list;
            })([$b, $a])),
        ];
    }, holdsAnyway: $coroutine),

    new Behaviour('magic methods that wait', static function (Identity $who, Window $window): array {
        $slow = new Slow($who->tag(), $window);
        $slow->__set('made', $who->tag('made'));

        return [
            $slow->__get('anything'), isset($slow['offset']), $slow['offset'], count($slow), iterator_to_array($slow), [...$slow], clone $slow == $slow,
            Slow::__callStatic('nothing', [1]), $slow(...)('invoked'), call_user_func([$slow, 'missing'], $who->number),
        ];
    }, holdsAnyway: $coroutine),

    new Behaviour('generators that wait', static function (Identity $who, Window $window): array {
        $inner = static function () use ($who, $window): Generator {
            $got = yield $who->tag('one');
            $window->open();
            try {
                yield "$got back";
            } finally {
                $window->open();
            }

            return $who->tag('returned');
        };
        $outer = static function () use ($inner, $window, $who): Generator {
            $window->open();
            $result = yield from $inner();
            yield $result;
            try {
                yield 'to be thrown at';
            } catch (DomainException $error) {
                $window->open();
                yield $error->getMessage() . $who->tag();
            }
        };
        $generator = $outer();
        $seen = [$generator->current(), $generator->send('sent')];
        $generator->next();
        $seen[] = $generator->current();
        $generator->next();
        $seen[] = $generator->throw(new DomainException('thrown at '));
        foreach ($outer() as $key => $value) {
            $window->open();
            $seen[] = [$key, $value];
            if (count($seen) > 6) {
                break;
            }
        }

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('a Fiber of the user', static function (Identity $who, Window $window): array {
        $seen = [];
        $fiber = new Fiber(static function (string $start) use ($who, $window, &$seen): string {
            $window->open();
            $seen[] = "$start {$who->tag()}";
            $got = Fiber::suspend($who->tag('suspended'));
            $window->open();
            $nested = new Fiber(static function () use ($window): string {
                $window->open();

                return (string) Fiber::suspend('nested');
            });
            $seen[] = $nested->start();
            $window->open();
            $nested->resume("resumed with $got");
            $seen[] = $nested->getReturn();
            try {
                Fiber::suspend('catch');
            } catch (DomainException $error) {
                $window->open();
                $seen[] = $error->getMessage();
            }

            return $who->tag('end');
        });
        $seen[] = $fiber->start('started');
        $window->open();
        $seen[] = $fiber->resume($who->tag('value'));
        $window->open();
        $fiber->throw(new DomainException("thrown by {$who->tag()}"));
        $seen[] = $fiber->getReturn();
        // one that is left suspended: its finally runs when it is destroyed
        $left = new Fiber(static function () use ($who): void {
            try {
                Fiber::suspend();
            } finally {
                Effects::add($who, 'finally of a fiber');
            }
        });
        $left->start();
        unset($left);

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('weak references and maps', static function (Identity $who, Window $window): array {
        $object = new Slow($who->tag(), $window);
        $reference = WeakReference::create($object);
        $map = new WeakMap();
        $map[$object] = $who->tag('data');
        $window->open();
        $seen = [$reference->get() === $object, $map[$object], count($map)];
        unset($object);
        $window->open();

        return [$seen, $reference->get(), count($map)];
    }, holdsAnyway: $coroutine),

    new Behaviour('heaps and iterators whose callbacks wait', static function (Identity $who, Window $window) use ($numbers): array {
        $heap = new class ($window) extends SplMinHeap {
            public function __construct(private Window $window)
            {
            }

            protected function compare(mixed $value1, mixed $value2): int
            {
                $this->window->open();

                return $value2 <=> $value1;
            }
        };
        foreach ($numbers($who) as $number) {
            $heap->insert($number);
        }
        $sorted = [];
        while (!$heap->isEmpty()) {
            $sorted[] = $heap->extract();
        }
        $filter = new CallbackFilterIterator(new ArrayIterator($numbers($who)), static function (int $n) use ($window): bool {
            $window->open();

            return $n % 2 === 0;
        });
        $caching = new CachingIterator(new ArrayIterator([$who->tag('x'), $who->tag('y')]));
        $words = [];
        foreach ($caching as $word) {
            $window->open();
            $words[] = [$word, $caching->hasNext()];
        }

        return [$sorted, iterator_to_array($filter, false), $words];
    }, holdsAnyway: $coroutine),

    new Behaviour('errors turned into exceptions while others connect', static function (Identity $who, Window $window): array {
        $seen = [];
        foreach ([1, 2] as $try) {
            if ($who->isEven()) {
                try {
                    new PDO('pgsql:host=127.0.0.1;port=' . getenv('DB_PORT') . ";dbname=nowhere{$who->number}", 'laravel');
                } catch (PDOException $error) {
                    $seen[] = str_contains($error->getMessage(), "nowhere{$who->number}");
                }
            } else {
                $window->open();
                $seen[] = @file_get_contents("/nowhere/{$who->tag()}");
                $seen[] = count(iterator_to_array(DB::table(DB::raw('generate_series(1, 3) as n'))->cursor()));
            }
        }
        try {
            $seen[] = iterator_count(new DirectoryIterator("/nowhere/{$who->tag()}"));
        } catch (UnexpectedValueException $error) {
            $seen[] = $error->getMessage();
        }

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('opens that fail while others open', static function (Identity $who, Window $window): array {
        $seen = [];
        Waiting::$window = $window;
        // what a wrapper has complained about is kept until the warning was heard
        set_error_handler(static function (int $number, string $message) use (&$seen, $window): bool {
            $window->open();
            $seen[] = $message;

            return true;
        });
        foreach ([1, 2] as $try) {
            $seen[] = file_get_contents('waiting://same');
            $seen[] = file_get_contents('waiting://same/no');
        }
        restore_error_handler();
        foreach ([1, 2] as $try) {
            try {
                $who->isEven() ? new SplFileObject('waiting://file/no') : new DirectoryIterator('waiting://directory/no');
            } catch (RuntimeException|UnexpectedValueException $error) {
                $seen[] = [$error::class, $error->getMessage()];
            }
        }

        return $seen;
    }, setUp: static fn () => stream_wrapper_register('waiting', Waiting::class)),

    new Behaviour('processes that are closed while others wait', static function (Identity $who, Window $window): array {
        if ($who->isEven()) {
            $process = proc_open(['sh', '-c', "sleep 0.05; exit {$who->number}"], [], $pipes);
            $window->open();

            return [is_resource($process) ? proc_close($process) : null];
        }
        $sign = sys_get_temp_dir() . '/weft-isolation-' . getmypid() . "-{$who->number}-" . uniqid();
        $result = [];
        // one that is dropped is not waited for: what it waits for itself comes afterwards
        $waits = 'for i in 1 2 3 4 5 6 7 8 9 10; do if [ -e "$0" ]; then rm "$0"; exit; fi; sleep 0.1; done; : > "$0.late"';
        foreach ([1, 2, 3] as $try) {
            $process = proc_open(['sh', '-c', $waits, "$sign-$try"], [], $pipes);
            $window->open();
            $process = null;
            $result[] = file_exists("$sign-$try.late");
            file_put_contents("$sign-$try", ''); // touch() opens it and needs it once more, when the shell may have taken it away
        }
        array_map(unlink(...), glob("$sign*.late") ?: []);

        return $result;
    }, holdsAnyway: $coroutine),

    new Behaviour('autoloading the same class at once', static function (Identity $who, Window $window): array {
        $class = "Weft\\IsolationTests\\Made\\Same{$who->round}";
        $window->open();
        $object = new $class($who->tag());

        return [
            str_replace((string) $who->round, '', $object::class) !== '',
            $object->name,
            $class::$latest,
            $object instanceof JsonSerializable,
            $class::count(),
            $class::count(),
        ];
    }, setUp: static function (): void {
        spl_autoload_register(Weft\IsolationTests\Lazy\Maker::load(...));
    }),

    new Behaviour('autoloading many classes at once', static function (Identity $who, Window $window): array {
        $seen = [];
        foreach ([1, 2, 3] as $n) {
            $class = "Weft\\IsolationTests\\Made\\Child{$n}Of{$who->round}";
            $object = new $class($who->tag("child$n"));
            $window->open();
            $seen[] = [$object->name, $class::$latest, get_parent_class($object) === "Weft\\IsolationTests\\Made\\Same{$who->round}", $class::count()];
        }

        return $seen;
    }),

    new Behaviour('functions and files included at run time', static function (Identity $who, Window $window): array {
        $file = (string) tempnam(sys_get_temp_dir(), 'weft');
        file_put_contents($file, "<?php \$window->open(); \$local = '{$who->tag()}'; return [\$local, \$given, __LINE__];");
        $given = $who->tag('given');
        $seen = include $file;
        $window->open();
        unlink($file);

        return [
            $seen,
            eval("\$window->open(); return '{$who->tag('eval')}' . \$given;"),
            $given,
            array_filter(get_included_files(), static fn (string $name): bool => $name === realpath($file)),
        ];
    }, holdsAnyway: $coroutine),

    new Behaviour('backtraces', static function (Identity $who, Window $window): array {
        $deep = static function (int $n) use (&$deep, $window): array {
            $window->open();

            return $n === 0 ? array_slice(array_column(debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS), 'function'), 0, 6) : $deep($n - 1);
        };

        return [$deep($who->number % 4), str_starts_with((new Exception())->getTraceAsString(), '#0')];
    }, holdsAnyway: $coroutine),

    new Behaviour('silenced errors across a switch', static function (Identity $who, Window $window): array {
        $quiet = static function () use ($window, $who): array {
            $window->open();
            $level = error_reporting();
            trigger_error("quiet {$who->tag()}", E_USER_WARNING);

            return [$level];
        };
        $loud = static function () use ($window): int {
            $window->open();

            return error_reporting();
        };

        return $who->isEven() ? [@$quiet(), error_reporting()] : [$loud(), @$loud(), $loud()];
    }, holdsAnyway: $coroutine),

    new Behaviour('coroutines of a request', static function (Identity $who, Window $window): array {
        if (!Window::hasOthers()) {
            return [[$who->tag('child1'), $who->tag('child2'), $who->tag('child3')], true];
        }
        // which of them is the last one depends on the clock
        $children = [];
        $last = '';
        foreach ([1, 2, 3] as $n) {
            $children[] = Async\spawn(static function () use ($who, $window, $n, &$last): string {
                for ($turn = 0; $turn < $n; $turn++) {
                    $window->open();
                    Async\delay($n * 3);
                }
                $last = $who->tag("child$n");
                config(['app.visitor' => $last]);

                return $who->tag("child$n");
            });
        }

        $names = array_map(Async\await(...), $children);
        $window->open();

        return [$names, config('app.visitor') === $last];
    }),
];
