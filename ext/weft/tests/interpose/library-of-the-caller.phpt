--TEST--
dlopen() of a bare name searches the directories that the calling library's file names
--EXTENSIONS--
weft
ffi
--SKIPIF--
<?php
if (trim((string) shell_exec('command -v gcc')) === '') die('skip needs a C compiler');
?>
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$folder = sys_get_temp_dir() . '/weft-runpath-' . getmypid();
mkdir("$folder/inner", recursive: true);
file_put_contents("$folder/inner.c", 'int value(void) { return 42; }');
file_put_contents("$folder/caller.c", <<<'C'
    #include <dlfcn.h>
    int ask(const char *name) {
        void *library = dlopen(name, RTLD_NOW);
        int (*value)(void) = library ? dlsym(library, "value") : 0;
        return value ? value() : -1;
    }
    C);
passthru("gcc -shared -fPIC -Wl,-soname,libweftinner.so -o $folder/inner/libweftinner.so $folder/inner.c");
foreach (['runpath' => '--enable-new-dtags', 'rpath' => '--disable-new-dtags'] as $tag => $flag) {
    passthru("gcc -shared -fPIC -Wl,$flag,-rpath,'\$ORIGIN/inner' -o $folder/$tag.so $folder/caller.c -ldl");
}
passthru("gcc -shared -fPIC -o $folder/neither.so $folder/caller.c -ldl");
libc('int getpid(void);');
foreach (['neither', 'runpath', 'rpath', 'neither'] as $tag) {
    $library = FFI::cdef('int ask(const char *name);', "$folder/$tag.so");
    echo "$tag: ", $library->ask('libweftinner.so'), ' ', $library->ask('libweftmissing.so'), "\n";
}
array_map(unlink(...), glob("$folder/{,inner/}*.{c,so}", GLOB_BRACE));
rmdir("$folder/inner");
rmdir($folder);
?>
--EXPECT--
neither: -1 -1
runpath: 42 -1
rpath: 42 -1
neither: 42 -1
