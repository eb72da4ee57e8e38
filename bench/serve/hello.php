<?php

declare(strict_types=1);

// The smallest application: what bin/weft itself costs a request.

return static fn (Weft\Http\Request $request): string => "Hello, world!\n";
