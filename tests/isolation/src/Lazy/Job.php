<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Weft\IsolationTests\Effects;
use Weft\IsolationTests\Identity;
use Weft\IsolationTests\Window;

final class Job implements ShouldQueue
{
    use Dispatchable;

    public function __construct(private readonly Identity $who, private readonly string $name)
    {
    }

    public function handle(): void
    {
        config(['app.job' => $this->name]);
        (new Window($this->who->number))->open();
        Effects::add($this->who, 'job', [$this->name, config('app.job')]);
    }
}
