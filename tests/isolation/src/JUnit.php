<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use SimpleXMLElement;

/** A report that tools/test counts. */
final class JUnit
{
    private readonly SimpleXMLElement $suites;

    /** @var array<string, SimpleXMLElement> by mode */
    private array $suite = [];

    public function __construct(private readonly string $file)
    {
        $this->suites = new SimpleXMLElement('<testsuites/>');
    }

    public function add(string $mode, string $behaviour, ?string $failure): void
    {
        if (!isset($this->suite[$mode])) {
            $this->suite[$mode] = $this->suites->addChild('testsuite');
            $this->suite[$mode]->addAttribute('name', $mode);
        }
        $case = $this->suite[$mode]->addChild('testcase');
        $case->addAttribute('name', $behaviour);
        $case->addAttribute('classname', "isolation.$mode");
        if ($failure !== null) {
            $case->addChild('failure')->addAttribute('message', (string) preg_replace('/[^\x09\x0a\x20-\x7e]/', '?', $failure));
        }
    }

    public function write(): void
    {
        $this->suites->asXML($this->file);
    }
}
