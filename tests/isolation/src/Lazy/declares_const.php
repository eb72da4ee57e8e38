<?php

declare(strict_types=1);

const CONST_OF_A_FILE = 'only those who have loaded it see it';
