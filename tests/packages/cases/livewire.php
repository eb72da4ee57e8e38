<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Route;
use Livewire\Livewire;
use Weft\PackageTests\Child;
use Weft\PackageTests\Counter;
use Weft\PackageTests\Package;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

// Risky: its mechanisms keep the stack of components, what is rendered, and listeners in singletons and statics.
return new Package(
    name: 'livewire/livewire',
    boot: static function (): void {
        Livewire::component('counter', Counter::class);
        Livewire::component('child', Child::class);
    },
    routes: static function (): void {
        Route::get('/pk/livewire', Counter::class);
        Route::view('/pk/livewire/page', 'page');
    },
    warm: ['/pk/livewire', '/pk/livewire/page'],
    journey: static function (int $who, int $round): Generator {
        yield Ask::get('/pk/livewire/page');
        /** @var Reply $page */
        $page = yield Ask::get("/pk/livewire?search=s$who");
        $address = $page->find('/data-update-uri="([^"]+)"/');
        $token = $page->find('/data-csrf="(\w+)"/');
        $snapshot = html_entity_decode($page->find('/wire:snapshot="([^"]*)"/'), ENT_QUOTES);
        $steps = [
            [['increment', []], []],
            [['increment', []], ['title' => "t$who"]],
            [['save', []], ['title' => 'x']],
            [['save', []], ['title' => "title $who"]],
            [['__dispatch', ['counted', ['by' => $who]]], []],
            [['away', []], []],
        ];
        foreach ($steps as [[$method, $parameters], $updates]) {
            /** @var Reply $reply */
            $reply = yield Ask::json($address, ['_token' => $token, 'components' => [[
                'snapshot' => $snapshot, 'updates' => (object) $updates, 'calls' => [['path' => '', 'method' => $method, 'params' => $parameters]],
            ]]], ['X-Livewire' => '']);
            $snapshot = $reply->value('components', 0, 'snapshot') ?? $snapshot;
        }
    },
);
