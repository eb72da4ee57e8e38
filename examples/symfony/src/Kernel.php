<?php

declare(strict_types=1);

namespace App;

use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;

final class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    /** Where tests want it elsewhere, so that they leave nothing here. */
    public function getCacheDir(): string
    {
        return $this->variable("cache/$this->environment");
    }

    public function getLogDir(): string
    {
        return $this->variable('log');
    }

    private function variable(string $name): string
    {
        $directory = $_SERVER['APP_VAR_DIR'] ?? $this->getProjectDir() . '/var';

        return (is_string($directory) ? $directory : 'var') . "/$name";
    }
}
