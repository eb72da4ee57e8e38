<?php

declare(strict_types=1);

use Illuminate\Database\Schema\Blueprint;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Schema;
use Spatie\Translatable\Translatable;
use Weft\PackageTests\Item;
use Weft\PackageTests\Package;
use Weft\PackageTests\Window;
use Weft\TestSupport\Ask;

// Risky: the fallback is a property of a singleton, and the locale Laravel's.
return new Package(
    name: 'spatie/laravel-translatable',
    needs: ['spatie/laravel-package-tools'],
    effects: ['select key, name::text from items order by 1'],
    routes: static function (): void {
        Route::get('/pk/translatable', static function (Request $request): array {
            $locales = ['en', 'de', 'fr', 'nl'];
            $id = $request->user()->id;
            app()->setLocale($locales[$id % 4]);
            app(Translatable::class)->fallback($locales[($id + 1) % 4]);
            $item = Item::query()->firstOrNew(['key' => "item $id"]);
            $item->setTranslation('name', $locales[($id + 1) % 4], "name $id")->save();
            Window::open();

            return [Item::query()->where('key', "item $id")->firstOrFail()->name, app()->getLocale(), $item->getTranslations('name')];
        });
        Route::get('/pk/translatable/fallback', static fn (): array => [app(Translatable::class)->fallbackLocale ?? null, app()->getLocale()]);
    },
    seed: static fn (int $identities) => Schema::create('items', static function (Blueprint $table): void {
        $table->id();
        $table->string('key');
        $table->json('name')->nullable();
    }),
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/translatable');
        yield Ask::get('/pk/translatable/fallback');
        yield Ask::get('/pk/translatable');
    },
);
