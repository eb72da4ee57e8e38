<?php

declare(strict_types=1);

// Events, transactions, queries, queues.

use Illuminate\Database\Connection;
use Illuminate\Database\DatabaseTransactionsManager;
use Illuminate\Database\Events\ConnectionEstablished;
use Illuminate\Database\Events\QueryExecuted;
use Illuminate\Database\PostgresConnection;
use Illuminate\Events\Dispatcher;
use Illuminate\Support\Facades\Artisan;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Queue;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Lazy\Job;
use Weft\IsolationTests\Lazy\Subscriber;
use Weft\IsolationTests\Particular;
use Weft\IsolationTests\Window;

$config = static fn (): array => (array) config('database.connections.pgsql');
$other = static fn (Identity $who): Closure => static fn (): Connection => new PostgresConnection(static fn (): null => null, '', $who->tag());
// what a connection is made of
$parts = static fn (Connection $connection): array => [
    $connection::class, $connection->getTablePrefix(), $connection->getEventDispatcher() === app('events'),
    (fn (): bool => $this->transactionsManager === app('db.transactions'))->call($connection),
    (fn (): mixed => $this->reconnector)->call($connection) === (fn (): mixed => $this->reconnector)->call(app('db')),
    $connection->getRawPdo() instanceof Closure,
];

return [
    new Behaviour('events listened to and forgotten', static function (Identity $who, Window $window): array {
        $heard = [];
        $before = Event::hasListeners('visited');
        Event::listen('visited', static function (string $by) use (&$heard, $who): void {
            $heard[] = "{$who->tag()} heard $by";
        });
        Event::listen('visit*', static function (string $event) use (&$heard, $who): void {
            $heard[] = "{$who->tag()} wildcard $event";
        });
        $window->open();
        event('visited', [$who->tag('first')]);
        Event::forget('visited');
        $window->open();
        event('visited', [$who->tag('second')]);

        return [$before, $heard];
    }),

    new Behaviour('events pushed, deferred and subscribed', static function (Identity $who, Window $window): array {
        $subscriber = new Subscriber($who->tag());
        Event::subscribe($subscriber);
        Event::push('pushed', [$who->tag()]);
        $window->open();
        Event::flush('pushed');
        Event::until('pushed', [$who->tag('until')]);
        $window->open();

        return $subscriber->heard;
    }),

    new Behaviour('event fake', static function (Identity $who, Window $window): array {
        Event::fake($who->choose(['visited'], ['other']));
        $heard = [];
        Event::listen('visited', static function () use (&$heard, $who): void {
            $heard[] = $who->tag();
        });
        $window->open();
        event('visited');
        $window->open();

        return [$heard, get_class((object) Event::getFacadeRoot())];
    }),

    new Behaviour('listeners that wait', static function (Identity $who, Window $window): array {
        $order = [];
        foreach (['one', 'two', 'three'] as $name) {
            Event::listen('slow', static function () use (&$order, $name, $who, $window): string {
                $order[] = "{$who->tag($name)} begins";
                $window->open();
                $order[] = "{$who->tag($name)} ends";

                return $who->tag($name);
            });
        }

        return [event('slow'), $order];
    }),

    new Behaviour('transactions and rollback', static function (Identity $who, Window $window): array {
        DB::beginTransaction();
        Effects::add($who, 'never seen');
        $window->open();
        $level = DB::transactionLevel();
        DB::rollBack();
        $window->open();
        DB::transaction(static function () use ($who, $window): void {
            Effects::add($who, 'kept');
            $window->open();
        });

        return [$level, DB::transactionLevel(), DB::table('effects')->where('behaviour', $who->behaviour)->where('identity', $who->number)->pluck('what')->all()];
    }),

    new Behaviour('nested transactions', static function (Identity $who, Window $window): array {
        $levels = [];
        DB::transaction(static function () use ($who, $window, &$levels): void {
            Effects::add($who, 'outer');
            try {
                DB::transaction(static function () use ($who, $window, &$levels): void {
                    Effects::add($who, 'inner, taken back');
                    $window->open();
                    $levels[] = DB::transactionLevel();
                    throw new DomainException('inner fails');
                });
            } catch (DomainException $error) {
                $levels[] = $error->getMessage();
            }
            $window->open();
            DB::transaction(static fn () => Effects::add($who, 'second inner'));
            $levels[] = DB::transactionLevel();
        });

        return $levels;
    }),

    new Behaviour('after commit', static function (Identity $who, Window $window): array {
        $heard = [];
        DB::beginTransaction();
        DB::afterCommit(static function () use (&$heard, $who, $window): void {
            $window->open();
            $heard[] = "{$who->tag()} committed";
            Effects::add($who, 'after commit');
        });
        $window->open();
        $early = $heard;
        $who->number % 3 === 0 ? DB::rollBack() : DB::commit();
        $window->open();

        return [$early, $heard];
    }),

    new Behaviour('query log', static function (Identity $who, Window $window): array {
        $before = DB::getQueryLog();
        DB::enableQueryLog();
        DB::select('select ? as one', [$who->tag()]);
        $window->open();
        $quiet = DB::pretend(static function () use ($who): void {
            Effects::add($who, 'pretended');
        });
        DB::select('select ? as two', [$who->tag()]);
        $log = static fn (array $queries): array => array_map(
            static fn (mixed $query): array => is_array($query) ? [$query['query'] ?? '', $query['bindings'] ?? ''] : [],
            $queries,
        );

        return [$before, $log(DB::getQueryLog()), $log($quiet), DB::logging()];
    }),

    new Behaviour('query listeners', static function (Identity $who, Window $window): array {
        $heard = [];
        DB::listen(static function (QueryExecuted $query) use (&$heard, $who): void {
            $heard[] = [$who->tag(), $query->sql, $query->bindings];
        });
        DB::whenQueryingForLongerThan(1_000_000, static fn (): null => null);
        $window->open();
        DB::select('select ? as mine', [$who->tag()]);
        $window->open();
        DB::connection()->flushQueryLog();
        DB::select('select ? as mine_too', [$who->number]);

        return $heard;
    }),

    new Behaviour('connections at run time', static function (Identity $who, Window $window): array {
        config([
            "database.connections.{$who->tag()}" => config('database.connections.pgsql'),
            'database.connections.same' => [...(array) config('database.connections.pgsql'), 'prefix' => "{$who->tag()}_", 'application_name' => $who->tag()],
        ]);
        DB::setDefaultConnection('same');
        $window->open();
        $name = DB::scalar('show application_name');
        DB::purge('same');
        $window->open();

        return [$name, DB::getDefaultConnection(), DB::connection()->getTablePrefix(), DB::table('x')->toSql(), DB::scalar('show application_name')];
    }),

    new Behaviour('connection of another configuration', static function (Identity $who, Window $window) use ($config, $other, $parts): array {
        match ($who->number % 4) {
            0 => config(['database.connections.pgsql.prefix' => $who->tag()]),
            1 => DB::extend('pgsql', $other($who)),
            2 => Connection::resolverFor('pgsql', $other($who)),
            default => DB::connectUsing('pgsql', ['prefix' => $who->tag()] + $config()),
        };
        $window->open();

        return $parts(DB::connection());
    }),

    new Behaviour('connection with other parts', static function (Identity $who, Window $window) use ($parts): array {
        match ($who->number % 4) {
            0 => app()->instance('db.transactions', new DatabaseTransactionsManager()),
            1 => Event::fake(ConnectionEstablished::class),
            2 => DB::setReconnector(static fn (): null => null),
            default => app()->extend('db.transactions', static fn (DatabaseTransactionsManager $made): DatabaseTransactionsManager => clone $made),
        };
        $window->open();
        $connection = DB::connection();
        $window->open();
        app()->forgetInstance('db.transactions');

        return [$parts($connection), get_class((object) app('events'))];
    }),

    new Behaviour('connection for somebody with parts of his own', static function (Identity $who, Window $window): array {
        if ($who->isEven()) {
            DB::connection();
        }
        $window->open();
        $dispatcher = app(Particular::class)->needed->connection->getEventDispatcher();
        $dispatcher?->listen('asked', static fn (): string => $who->tag());
        $window->open();

        return [$dispatcher === app('events'), $dispatcher?->dispatch('asked'), DB::connection()->getEventDispatcher() === $dispatcher];
    }, setUp: static function (): void {
        app()->when(Particular::class)->needs('events')->give(static fn (): Dispatcher => new Dispatcher(app()));
    }),

    new Behaviour('connection that is told of', static function (Identity $who, Window $window): array {
        $told = [];
        Event::listen($who->choose(ConnectionEstablished::class, 'Illuminate\\Database\\Events\\Conn*'), static function (mixed ...$event) use (&$told, $who, $window): void {
            $window->open();
            $told[] = [$who->tag(), count($event), array_keys(DB::getConnections()), DB::connection()->getName()];
        });
        $window->open();
        DB::select('select 1');
        DB::purge();
        $window->open();
        DB::reconnect();

        return $told;
    }),

    new Behaviour('connections that are listed and let go of', static function (Identity $who, Window $window): array {
        $listed = static fn (): array => array_keys(DB::getConnections());
        $before = $listed();
        if ($who->isEven()) {
            DB::purge();
        }
        $window->open();
        $first = DB::connection();
        $first->setTablePrefix($who->tag());
        $window->open();
        $between = [$listed(), DB::connection() === $first];
        DB::disconnect();
        $window->open();
        $kept = [DB::connection() === $first, DB::scalar('select ?::text', [$who->tag()])];
        DB::purge();
        $window->open();
        $second = DB::connection();

        return [$before, $between, $kept, $second === $first, $second->getTablePrefix(), $second->getRawPdo() instanceof Closure, $listed()];
    }),

    new Behaviour('what a connection remembers', static function (Identity $who, Window $window): array {
        $before = [DB::hasModifiedRecords(), DB::totalQueryDuration() > 0, DB::transactionLevel(), DB::getQueryLog(), DB::pretending()];
        $heard = [];
        DB::beforeExecuting(static function (string $query) use (&$heard, $who): void {
            $heard[] = $who->tag($query);
        });
        if ($who->isEven()) {
            DB::recordsHaveBeenModified();
        }
        DB::useWriteConnectionWhenReading($who->isEven());
        $window->open();
        DB::select('select 1');

        return [$before, $heard, DB::hasModifiedRecords(), DB::totalQueryDuration() > 0, (fn (): bool => $this->readOnWriteConnection)->call(DB::connection())];
    }, steps: 2),

    new Behaviour('session settings of a connection', static function (Identity $who, Window $window): array {
        $before = DB::scalar('show search_path');
        DB::statement("set search_path to {$who->tag('')}, public");
        DB::statement("set session time zone '{$who->zone()}'");
        $window->open();

        return [$before, DB::scalar('show search_path'), DB::scalar('show time zone'), DB::scalar('select count(*) from pg_prepared_statements where from_sql') >= 0];
    }),

    new Behaviour('temporary tables', static function (Identity $who, Window $window): array {
        DB::statement('create temporary table visitor (name text)');
        DB::table('visitor')->insert(['name' => $who->tag()]);
        $window->open();

        return DB::table('visitor')->pluck('name')->all();
    }),

    new Behaviour('a cursor that is read slowly', static function (Identity $who, Window $window): array {
        $seen = [];
        foreach (DB::table(DB::raw('generate_series(1, 5) as n'))->selectRaw('n * ? as n', [$who->number])->cursor() as $row) {
            $seen[] = $row->n;
            $window->open();
        }

        return $seen;
    }, holdsAnyway: 'PDO has fetched all rows before the first is read'),

    new Behaviour('query builder macros and grammar', static function (Identity $who, Window $window): array {
        Illuminate\Database\Query\Builder::macro('visitor', fn (): string => $who->tag());
        DB::connection()->setTablePrefix("{$who->tag()}_");
        $window->open();

        return [DB::query()->__call('visitor', []), DB::table('x')->where('a', 1)->toSql()];
    }),

    new Behaviour('schema defaults', static function (Identity $who, Window $window): array {
        Illuminate\Database\Schema\Builder::defaultStringLength(100 + $who->number);
        Illuminate\Database\Schema\Builder::defaultMorphKeyType($who->choose('uuid', 'ulid'));
        $window->open();

        return [Illuminate\Database\Schema\Builder::$defaultStringLength, Illuminate\Database\Schema\Builder::$defaultMorphKeyType];
    }),

    new Behaviour('jobs on the sync queue', static function (Identity $who, Window $window): array {
        Queue::before(static fn () => Effects::add($who, "before of {$who->tag()}"));
        Queue::createPayloadUsing(static fn (): array => ['visitor' => $who->tag()]);
        $window->open();
        Job::dispatchSync($who, $who->tag('job'));
        dispatch(new Job($who, $who->tag('second')));
        $window->open();
        Queue::createPayloadUsing(null);

        return [$who->tag()];
    }),

    new Behaviour('artisan called in a request', static function (Identity $who, Window $window): array {
        Artisan::command('visitor {name}', function (string $name) use ($window): void {
            /** @var Illuminate\Foundation\Console\ClosureCommand $this */
            $window->open();
            $this->line("hello $name");
        });
        $window->open();
        $status = Artisan::call('visitor', ['name' => $who->tag()]);
        $window->open();

        return [$status, Artisan::output()];
    }),

    new Behaviour('query that waits in the database', static function (Identity $who, Window $window): array {
        config(['app.visitor' => $who->tag()]);
        $answer = DB::scalar("select ? || pg_sleep(0.00{$window->below(9)})::text", [$who->tag()]);

        return [$answer, config('app.visitor')];
    }),

    new Behaviour('failed query', static function (Identity $who, Window $window): array {
        $messages = [];
        foreach ([1, 2] as $try) {
            try {
                DB::select("select * from nowhere_{$who->number}");
            } catch (Illuminate\Database\QueryException $error) {
                $messages[] = [$error->getCode(), $error->getSql()];
            }
            $window->open();
            Effects::add($who, "after failure $try");
        }

        return $messages;
    }, holdsAnyway: 'a connection serves one statement at a time, and its error belongs to that'),
];
