<?php

declare(strict_types=1);

// Exceptions that are on their way, and destructors, while others run. What PHP keeps of them belongs to the coroutine,
// whatever the domain.

use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

$coroutine = 'the mechanism is the coroutine\'s, not the domain\'s';

return [
    new Behaviour('exceptions in flight across a switch', static function (Identity $who, Window $window): array {
        $log = [];
        $throw = static function (int $depth) use (&$throw, $who, $window, &$log): never {
            try {
                if ($depth === 0) {
                    throw new DomainException("deep {$who->tag()}");
                }
                $throw($depth - 1);
            } catch (DomainException $error) {
                $window->open();
                throw new RuntimeException("at $depth", $depth, $error);
            } finally {
                // the exception waits while this runs
                $window->open();
                $log[] = $who->tag("finally$depth");
            }
        };
        try {
            $throw(3);
        } catch (RuntimeException $error) {
            for ($next = $error; $next !== null; $next = $next->getPrevious()) {
                $log[] = $next->getMessage();
            }
        }
        $return = (static function () use ($window, $who): string {
            try {
                return $who->tag('from try');
            } finally {
                $window->open();
                try {
                    throw new LogicException('swallowed');
                } catch (LogicException) {
                    $window->open();
                }
            }
        })();

        return [$log, $return];
    }, holdsAnyway: $coroutine),

    new Behaviour('an exception on its way past something that waits to be closed', static function (Identity $who, Window $window): array {
        $seen = [];
        foreach ([1, 2, 3] as $try) {
            try {
                (static function () use ($who, $window, $try): never {
                    // closed while the exception leaves this function: that waits for the program's end
                    $program = popen('sleep 0.02', 'r');
                    $window->open();
                    throw new DomainException($who->tag("thrown$try") . gettype($program));
                })();
            } catch (DomainException $error) {
                $seen[] = $error->getMessage();
            }
            $window->open();
        }

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('an exception on its way past arguments that wait to be closed', static function (Identity $who, Window $window): array {
        $throw = static fn (mixed $program): never => throw new DomainException($who->tag() . gettype($program));
        ini_set('zend.exception_ignore_args', '1'); // it would keep them
        $seen = [];
        foreach ([1, 2, 3] as $try) {
            // the call has failed when its arguments are let go of: the program's end is waited for
            try {
                array_map($throw, [popen('sleep 0.02', 'r')]);
            } catch (DomainException $error) {
                $seen[] = $error->getMessage();
            }
            $window->open();
        }

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('an exception of a destructor before something that waits to be closed', static function (Identity $who, Window $window): array {
        $make = static fn (): array => [new class ($who->tag()) {
            public function __construct(private string $name)
            {
            }

            public function __destruct()
            {
                throw new DomainException($this->name);
            }
        }, popen('sleep 0.02', 'r')];
        $seen = [];
        foreach ([1, 2, 3] as $try) {
            $held = $make();
            // others throw in another place while the program's end is waited for
            try {
                $seen[] = 'first';
                if ($who->isEven()) {
                    $held = null;
                }
            } catch (DomainException $error) {
                $seen[] = "first: {$error->getMessage()}";
            }
            try {
                $seen[] = 'second';
                $held = null;
            } catch (DomainException $error) {
                $seen[] = "second: {$error->getMessage()}";
            }
            $window->open();
        }

        return $seen;
    }, holdsAnyway: $coroutine),

    new Behaviour('destructors that wait', static function (Identity $who, Window $window): array {
        $log = new ArrayObject();
        $make = static fn (string $name): object => new class ($name, $log, $window) {
            /** @param ArrayObject<int, string> $log */
            public function __construct(private string $name, private ArrayObject $log, private Window $window)
            {
            }

            public function __destruct()
            {
                $this->log->append("$this->name ends");
                $this->window->open();
                $this->log->append("$this->name is gone");
            }
        };
        $one = $make($who->tag('one'));
        unset($one);
        $two = $make($who->tag('two'));
        $two = null;
        $list = array_map($make, [$who->tag('a'), $who->tag('b')]);
        array_splice($list, 0, 1);
        try {
            (static function () use ($make, $who): never {
                $local = $make($who->tag('local'));
                throw new DomainException('thrown beside ' . spl_object_id($local) % 1);
            })();
        } catch (DomainException $error) {
            $log->append($error->getMessage());
        }
        $list = [];

        return $log->getArrayCopy();
    }, holdsAnyway: $coroutine),

    new Behaviour('destructors at the end that use the database', static function (Identity $who, Window $window): array {
        config(['app.visitor' => $who->tag()]);
        app()->instance('dies.late', new class ($who, $window) {
            public function __construct(private Identity $who, private Window $window)
            {
            }

            public function __destruct()
            {
                $this->window->open();
                $database = Weft\IsolationTests\Database::connect();
                $database->prepare('insert into effects (behaviour, identity, what) values (?, ?, ?)')->execute(
                    [$this->who->behaviour, $this->who->number, "destructed {$this->who->tag()}"],
                );
            }
        });
        $window->open();

        return [app()->bound('dies.late')];
    }, holdsAnyway: 'each destroys what it made, and nothing else'),

    new Behaviour('cycles collected while others wait', static function (Identity $who, Window $window): array {
        $log = new ArrayObject();
        for ($i = 0; $i < 20; $i++) {
            $node = new class ($who->tag("node$i"), $log) {
                public ?object $self = null;

                /** @param ArrayObject<int, string> $log */
                public function __construct(public string $name, private ArrayObject $log)
                {
                }

                public function __destruct()
                {
                    usleep(10);
                    $this->log->append($this->name);
                }
            };
            $node->self = $node;
            unset($node);
            $window->open();
        }
        gc_collect_cycles();
        $window->open();
        gc_collect_cycles();
        $names = $log->getArrayCopy();
        sort($names);

        return $names;
    }, holdsAnyway: $coroutine),
];
