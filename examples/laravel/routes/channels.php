<?php

declare(strict_types=1);

use App\Models\User;
use Illuminate\Support\Facades\Broadcast;

Broadcast::channel('chat', fn (User $user): array => ['id' => $user->id, 'name' => $user->name]);
