<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * How many CPUs this process may use: its affinity mask, cut by the quotas of its control groups.
 *
 * @internal
 */
final class Cpus
{
    /**
     * @param string $root where /proc and /sys are; a test gives its own
     */
    public function __construct(private readonly string $root = '')
    {
    }

    public function usable(): int
    {
        $allowed = $this->allowed();
        $quota = $this->quota();

        return max(1, $quota === null ? $allowed : min($allowed, (int) ceil($quota)));
    }

    private function allowed(): int
    {
        if (preg_match('/^Cpus_allowed_list:\s*(\S+)/m', $this->read('/proc/self/status'), $match) !== 1) {
            return 1;
        }
        $count = 0;
        foreach (explode(',', $match[1]) as $range) {
            $ends = explode('-', $range);
            $count += (int) end($ends) - (int) $ends[0] + 1;
        }

        return $count;
    }

    /**
     * The smallest quota on the way from this process's group to the root, in CPUs.
     */
    private function quota(): ?float
    {
        $quotas = [];
        foreach (explode("\n", $this->read('/proc/self/cgroup')) as $line) {
            $parts = explode(':', $line, 3);
            if (count($parts) !== 3) {
                continue;
            }
            [, $controllers, $path] = $parts;
            if ($controllers === '') {
                $quotas = [...$quotas, ...$this->unified($path)];
            } elseif (in_array('cpu', explode(',', $controllers), true)) {
                $quotas = [...$quotas, ...$this->versionOne($path)];
            }
        }

        return $quotas === [] ? null : min($quotas);
    }

    /**
     * @return list<float>
     */
    private function unified(string $path): array
    {
        $quotas = [];
        foreach ($this->upwards($path) as $group) {
            $words = explode(' ', trim($this->read("/sys/fs/cgroup$group/cpu.max")));
            if (count($words) === 2 && is_numeric($words[0]) && (float) $words[1] > 0) {
                $quotas[] = (float) $words[0] / (float) $words[1];
            }
        }

        return $quotas;
    }

    /**
     * @return list<float>
     */
    private function versionOne(string $path): array
    {
        $quotas = [];
        foreach ($this->upwards($path) as $group) {
            $quota = (float) $this->read("/sys/fs/cgroup/cpu$group/cpu.cfs_quota_us");
            $period = (float) $this->read("/sys/fs/cgroup/cpu$group/cpu.cfs_period_us");
            if ($quota > 0 && $period > 0) {
                $quotas[] = $quota / $period;
            }
        }

        return $quotas;
    }

    /**
     * "/a/b" gives "/a/b", "/a" and "".
     *
     * @return list<string>
     */
    private function upwards(string $path): array
    {
        $groups = [];
        for ($group = rtrim($path, '/'); $group !== ''; $group = substr($group, 0, (int) strrpos($group, '/'))) {
            $groups[] = $group;
        }
        $groups[] = '';

        return $groups;
    }

    private function read(string $file): string
    {
        $text = is_readable($this->root . $file) ? file_get_contents($this->root . $file) : false;

        return $text === false ? '' : $text;
    }
}
