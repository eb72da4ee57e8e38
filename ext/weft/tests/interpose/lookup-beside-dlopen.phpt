--TEST--
Import tables are gone through while another thread is in the middle of loading a library
--EXTENSIONS--
weft
ffi
pcntl
--SKIPIF--
<?php
if (trim((string) shell_exec('command -v gcc')) === '') die('skip needs a C compiler');
?>
--INI--
weft.proven_modules=FFI
--FILE--
<?php
// Who looks a name up while it goes through the loader's list waits for the thread that loads, and that one waits for
// the list. Then nothing goes on, and SIGALRM ends the process.
require __DIR__ . '/helper.inc';
$folder = sys_get_temp_dir() . '/weft-beside-dlopen-' . getmypid();
mkdir($folder);
$compile = static function (string $name, string $code, string $flags = '') use ($folder): void {
    file_put_contents("$folder/$name.c", $code);
    passthru("gcc -shared -fPIC -w -o $folder/$name.so $folder/$name.c $flags");
};
$compile('lazy', 'int poll(); int mine(void) { return poll(); }', '-Wl,-z,lazy');
$compile('inner', '');
$compile('outer', <<<C
    #include <dlfcn.h>
    #include <unistd.h>
    extern volatile int loading;
    __attribute__((constructor)) static void begin(void) {
        loading = 1;
        usleep(300000);
        dlopen("$folder/inner.so", RTLD_NOW);
    }
    C);
// named as libc's own, whose calls are not replaced: so nobody notices here that it loads
$compile('libnss_loads', <<<'C'
    #include <dlfcn.h>
    #include <pthread.h>
    volatile int loading;
    static pthread_t thread;
    static void *load(void *file) {
        return dlopen(file, RTLD_LAZY);
    }
    int load_here(const char *file) {
        return load((void *) file) != 0;
    }
    void load_there(const char *file) {
        pthread_create(&thread, 0, load, (void *) file);
        while (!loading) {
        }
    }
    int loaded_there(void) {
        void *handle = 0;
        pthread_join(thread, &handle);
        return handle != 0;
    }
    C, '-pthread');
libc('int getpid(void);');
$loads = FFI::cdef('int load_here(const char *); void load_there(const char *); int loaded_there(void);', "$folder/libnss_loads.so");
// so that outer.so finds the variable
FFI::cdef('void *dlopen(const char *, int);')->dlopen("$folder/libnss_loads.so", 0x102);

// a child goes through the tables again when it first needs a coroutine
$child = pcntl_fork();
if ($child === 0) {
    pcntl_alarm(10);
    $c = FFI::cdef();
    $file = $c->new('char[200]');
    FFI::memcpy($file, "$folder/outer.so\0", strlen($folder) + 10);
    var_dump($loads->load_here("$folder/lazy.so"));
    $loads->load_there($c->cast('char *', FFI::addr($file)));
    echo "it is being loaded\n";
    Async\await(Async\spawn(fn () => print "the tables are patched\n"));
    var_dump($loads->loaded_there(), Weft\Internal\interposition()['names']['poll'] > 0);
    exit;
}
pcntl_waitpid($child, $status);
var_dump(pcntl_wifexited($status));
?>
--CLEAN--
<?php
foreach (glob(sys_get_temp_dir() . '/weft-beside-dlopen-*') as $folder) {
    array_map(unlink(...), glob("$folder/*"));
    rmdir($folder);
}
?>
--EXPECT--
int(1)
it is being loaded
the tables are patched
int(1)
bool(true)
bool(true)
