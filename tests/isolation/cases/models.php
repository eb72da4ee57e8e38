<?php

declare(strict_types=1);

// Eloquent: switches that are static, listeners, scopes, and relations that are built while others build theirs.

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\MassAssignmentException;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\Relation;
use Illuminate\Database\LazyLoadingViolationException;
use Illuminate\Support\Facades\DB;
use Weft\IsolationTests\Behaviour;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Models\Owner;
use Weft\IsolationTests\Models\Thing;
use Weft\IsolationTests\Window;

$make = static function (Identity $who, int $owners = 2, int $things = 3): void {
    for ($o = 1; $o <= $owners; $o++) {
        $owner = new Owner();
        $owner->forceFill(['behaviour' => $who->behaviour, 'identity' => $who->number, 'name' => $who->tag("owner$o")])->save();
        for ($t = 1; $t <= $things; $t++) {
            (new Thing())->forceFill([
                'behaviour' => $who->behaviour, 'identity' => $who->number, 'owner_id' => $owner->getKey(), 'owner' => $owner->getAttribute('name'),
                'name' => $who->tag("thing$t"), 'note' => $t % 2 === 0 ? 'even' : 'odd',
            ])->save();
        }
    }
};
$mine = static fn (Identity $who): array => ['behaviour' => $who->behaviour, 'identity' => $who->number];

return [
    new Behaviour('model unguarded', static function (Identity $who, Window $window): array {
        $fill = static function () use ($who): string {
            try {
                return (string) json_encode((new Owner())->fill(['behaviour' => 'x', 'name' => $who->tag()])->getAttributes());
            } catch (MassAssignmentException $error) {
                return $error->getMessage();
            }
        };
        if ($who->isEven()) {
            $window->open();

            return [Model::isUnguarded(), $fill()];
        }

        return Model::unguarded(static function () use ($window, $fill): array {
            $window->open();

            return [Model::isUnguarded(), $fill()];
        });
    }),

    new Behaviour('model without events', static function (Identity $who, Window $window) use ($mine): array {
        $heard = [];
        Owner::creating(static function (Owner $owner) use (&$heard, $who): void {
            $heard[] = "{$who->tag()} hears " . $owner->name;
            $owner->note = $who->tag('listener');
        });
        $create = static function (string $name) use ($who, $mine, $window): void {
            $window->open();
            (new Owner())->forceFill([...$mine($who), 'name' => $who->tag($name)])->save();
        };
        $create('loud');
        Owner::withoutEvents(static fn () => $create('silent'));
        $create('loud again');

        return $heard;
    }),

    new Behaviour('model without timestamps', static function (Identity $who, Window $window) use ($mine): array {
        $save = static function () use ($who, $mine, $window): bool {
            $window->open();
            $owner = (new Owner())->forceFill([...$mine($who), 'name' => $who->tag()]);
            $owner->save();

            return $owner->getAttribute('created_at') !== null;
        };

        return $who->isEven() ? [$save(), Owner::isIgnoringTimestamps()] : [Owner::withoutTimestamps($save), Owner::isIgnoringTimestamps()];
    }),

    new Behaviour('prevent lazy loading', static function (Identity $who, Window $window) use ($make): array {
        $make($who, 2, 1);
        Model::preventLazyLoading(!$who->isEven());
        $window->open();
        $owners = Owner::query()->where('identity', $who->number)->where('behaviour', $who->behaviour)->orderBy('name')->get();
        $window->open();
        try {
            return [$owners->map(static fn (Owner $owner): mixed => $owner->getRelationValue('things')->count())->all(), Model::preventsLazyLoading()];
        } catch (LazyLoadingViolationException $error) {
            return [$error->getMessage(), Model::preventsLazyLoading()];
        }
    }),

    new Behaviour('lazy loading violation handler', static function (Identity $who, Window $window) use ($make): array {
        $make($who, 2, 1);
        $told = [];
        Model::preventLazyLoading();
        Model::handleLazyLoadingViolationUsing(static function (Model $model, string $relation) use (&$told, $who): void {
            $told[] = "{$who->tag()}: {$model->getAttribute('name')} $relation";
        });
        $window->open();
        foreach (Owner::query()->where('identity', $who->number)->where('behaviour', $who->behaviour)->orderBy('name')->get() as $owner) {
            $window->open();
            $owner->getRelationValue('things');
        }

        return $told;
    }),

    new Behaviour('global scopes added at run time', static function (Identity $who, Window $window) use ($make): array {
        $make($who, 3, 0);
        Owner::addGlobalScope('visitor', static fn (Builder $query): Builder => $query->where('behaviour', $who->behaviour)->where('identity', $who->number));
        $window->open();
        $all = Owner::query()->orderBy('name')->pluck('name')->all();
        $window->open();

        return [$all, Owner::query()->count(), Owner::query()->toRawSql()];
    }),

    new Behaviour('eager loading with constraints', static function (Identity $who, Window $window) use ($make): array {
        $make($who);
        $window->open();
        $note = $who->choose('even', 'odd');
        $things = static function (Relation $things) use ($note, $window): void {
            $window->open();
            $things->where('note', $note)->orderBy('name');
        };
        $owners = Owner::query()->where('behaviour', $who->behaviour)->where('identity', $who->number)->orderBy('name');
        $owners = $owners->with(['things' => $things])->get();

        return $owners->map(static fn (Owner $owner): array => [$owner->name, $owner->things->pluck('name')->all()])->all();
    }, holdsAnyway: 'Laravel lowers its flag only while it builds the relation; the next behaviour waits there'),

    new Behaviour('relations built without constraints meanwhile', static function (Identity $who, Window $window) use ($make): array {
        $make($who, 2, 2);
        $owner = Owner::query()->where('behaviour', $who->behaviour)->where('identity', $who->number)->orderBy('name')->firstOrFail();
        if ($who->isEven()) {
            // builds relations with their constraints switched off, as eager loading does, and waits there
            $sql = Relation::noConstraints(static function () use ($owner, $window): string {
                $window->open();
                $window->open();

                return $owner->things()->toSql();
            });

            return [$sql];
        }
        $window->open();
        $one = $owner->things()->orderBy('name')->pluck('name')->all();
        $window->open();

        return [$owner->things()->toSql(), $one, $owner->things()->count()];
    }),

    new Behaviour('morph map', static function (Identity $who, Window $window): array {
        Relation::morphMap([$who->tag() => Owner::class, 'same' => $who->choose(Owner::class, Thing::class)]);
        $window->open();

        return [Relation::morphMap(), Relation::getMorphedModel('same'), (new Owner())->getMorphClass()];
    }),

    new Behaviour('relations resolved at run time', static function (Identity $who, Window $window) use ($make): array {
        $make($who, 1, 3);
        Owner::resolveRelationUsing('some', static fn (Model $owner): Relation => $owner->hasMany(Thing::class)->where('note', $who->choose('even', 'odd')));
        $window->open();
        $owner = Owner::query()->where('behaviour', $who->behaviour)->where('identity', $who->number)->firstOrFail();
        $window->open();

        return [$owner->getRelationValue('some')?->pluck('name')->sort()->values()->all()];
    }),

    new Behaviour('model observers and booting', static function (Identity $who, Window $window) use ($mine): array {
        Thing::saved(static fn (Thing $thing): bool => DB::table('effects')->insert([...$mine($who), 'what' => $who->tag('saved'), 'value' => $thing->name]));
        $window->open();
        $thing = (new Thing())->forceFill([...$mine($who), 'name' => $who->tag()]);
        $thing->save();
        $window->open();
        Thing::flushEventListeners();
        $thing->forceFill(['name' => $who->tag('again')])->save();

        return [Thing::getEventDispatcher()->hasListeners('eloquent.saved: ' . Thing::class), $thing->wasChanged('name')];
    }),

    new Behaviour('builder and collection macros', static function (Identity $who, Window $window): array {
        $before = Builder::hasGlobalMacro('visitor');
        Builder::macro('visitor', fn (): string => $who->tag());
        collect()->macro('visitor', fn (): string => $who->tag('collection'));
        $window->open();

        return [$before, Owner::query()->__call('visitor', []), collect([1])->__call('visitor', [])];
    }),

    new Behaviour('encrypter and serialisation of models', static function (Identity $who, Window $window): array {
        Model::encryptUsing(new Illuminate\Encryption\Encrypter(str_pad($who->tag(), 16, '.'), 'AES-128-CBC'));
        $window->open();
        $sealed = Model::currentEncrypter()->encrypt($who->tag());
        $window->open();

        return [Model::currentEncrypter()->decrypt($sealed), Model::currentEncrypter()->getKey()];
    }),

    new Behaviour('strictness of models', static function (Identity $who, Window $window): array {
        Model::preventSilentlyDiscardingAttributes($who->isEven());
        Model::preventAccessingMissingAttributes(!$who->isEven());
        $window->open();
        $try = static function (Closure $do): mixed {
            try {
                return $do();
            } catch (Throwable $error) {
                return $error::class;
            }
        };
        $owner = (new Owner())->forceFill(['name' => 'x']);
        $owner->exists = true;

        return [
            $try(static fn (): array => (new Owner())->fill(['nonsense' => 1])->getAttributes()),
            $try(static fn (): mixed => $owner->getAttribute('nonsense')),
            Model::preventsSilentlyDiscardingAttributes(), Model::preventsAccessingMissingAttributes(),
        ];
    }),
];
