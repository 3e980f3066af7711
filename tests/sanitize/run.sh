#!/usr/bin/env bash
# The kernels' tests in a bounds-checked build, and in one under AddressSanitizer and UndefinedBehaviorSanitizer, for
# every vector width that this processor has. First, planted faults must be found. Needs GCC, and a Python that has the
# package's dependencies: tests/sanitize/run.sh [arguments for pytest instead of the folders of tests]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tests=("${@:-tests/unit/kernels}")
[ $# -gt 0 ] || tests+=(tests/unit/{networks,machines}/{inference,scorers} tests/unit/orders/inference)
export MESONPY_EDITABLE_SKIP # an editable install of this folder, which would come before the builds
MESONPY_EDITABLE_SKIP=$(printf '%s:' "$PWD"/build/cp*)
sanitize=(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
suffix=$(python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
include=$(python -c 'import sysconfig; print(sysconfig.get_path("include"))')

# A build of the package in a folder of its own, with these options of meson.
build() {
    local name=$1
    shift
    pip install --quiet --no-deps --target "$folder/$name" . "$@"
}

# The planted faults, built with this bounds check and these options of the compiler.
plant() {
    local name=$1 check=$2
    shift 2
    mkdir -p "$folder/$name"
    cython -3 -X "boundscheck=$check" tests/sanitize/planted.pyx -o "$folder/$name/planted.c"
    gcc -O2 -g -fPIC -shared -I "$include" "$@" "$folder/$name/planted.c" -o "$folder/$name/planted$suffix"
}

# Python with a build on its path; the sanitizers need their library before all others.
checked() { PYTHONPATH="$folder/checks" python "$@"; }
sanitized() {
    LD_PRELOAD=$(gcc -print-file-name=libasan.so) PYTHONMALLOC=malloc PYTHONPATH="$folder/sanitizers" \
        ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 python "$@"
}

# A planted fault must end the process and be told in these words.
found() {
    local words=$1
    shift
    if "$@" > "$folder/fault" 2>&1 || ! grep -q "$words" "$folder/fault"; then
        echo "NOT FOUND: $words: $*" >&2
        cat "$folder/fault" >&2
        exit 1
    fi
    echo "found: $words"
}

# Every module given must have been compiled with what finds faults.
instrumented() {
    local words=$1
    shift
    for module in "$@"; do
        grep -q "$words" "$module" || { echo "NOT INSTRUMENTED: $module" >&2 && exit 1; }
    done
}

# The tests with a build, for every vector width.
run() {
    "$1" -c "import ockham; assert ockham.__file__.startswith('$folder/'), ockham.__file__"
    for vector in $("$1" -c 'from ockham.kernels import VECTORS; print(*VECTORS)'); do
        echo "== $1, $vector: ${tests[*]}"
        OCKHAM_VECTOR=$vector "$1" -m pytest --quiet -p no:cacheprovider "${tests[@]}"
    done
}

values='import array, planted; values = array.array("d", [0.0] * 8)'
echo "== planted faults"
plant checks True
plant sanitizers False "${sanitize[@]}"
found IndexError checked -c "$values; planted.read_beyond(values, 8)"
found heap-buffer-overflow sanitized -c "$values; planted.read_beyond(values, 8)"
found heap-use-after-free sanitized -c 'import planted; planted.read_freed()'
found 'signed integer overflow' sanitized -c 'import planted; planted.overflow(2**31 - 1)'

build checks -Csetup-args=-Dchecks=true
instrumented 'Out of bounds on buffer access' "$folder"/checks/ockham/kernels/*/*.so
run checked

build sanitizers -Csetup-args=-Db_sanitize=address,undefined -Csetup-args=-Db_lundef=false \
    "-Csetup-args=-Dc_args=${sanitize[*]}"
instrumented __asan_report_load "$folder"/sanitizers/ockham/kernels/{,*/}*.so
instrumented __ubsan_handle "$folder"/sanitizers/ockham/kernels/{,*/}*.so
run sanitized
echo "== all passed"
