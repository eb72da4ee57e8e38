<?php

declare(strict_types=1);

use App\Models\User;
use Illuminate\Support\Facades\Broadcast;

Broadcast::channel('chat', fn (User $user): array => ['name' => $user->name]);
