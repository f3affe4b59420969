#!/usr/bin/env bash
# Test of the Debian package: made from a program that is built already, it has the right files, is installed, runs without a display and opens its
# window, is found by man, shells and desktops, and leaves nothing behind. Installs what it needs, and needs root or sudo.
# Usage: tests/package.sh [PROFILE]; without one, dev
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-dev}
name=sampler-lab

# Whether there is such a line. All is read, so that who writes it is not cut off, which would be a failure.
has() { grep "$@" >/dev/null; }

fail() { echo "package: $1" >&2; exit 1; }

sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
needed=(binutils desktop-file-utils dpkg-dev appstream lintian man-db bash-completion zsh fish xvfb xdotool libgl1-mesa-dri)
missing=()
for package in "${needed[@]}"; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | has 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
    $sudo apt-get update -q
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends "${missing[@]}"
fi
cargo deb --version >/dev/null 2>&1 || cargo install --debug --locked cargo-deb --version '^3'
dpkg-query --show "$name" >/dev/null 2>&1 && fail "$name is installed on this machine already"

scratch=$(mktemp -d)
server=""
pid=""
installed=""
clean() {
    for process in $pid $server; do kill "$process" 2>/dev/null || true; done
    [ -z "$installed" ] || $sudo dpkg --purge "$name" >/dev/null
    rm -rf "$scratch"
}
trap clean EXIT

cargo run --quiet --package xtask -- deb --no-build --profile "$profile" -- --quiet --fast --output "$scratch/$name.deb" >/dev/null
deb=$scratch/$name.deb

# Contents: names, modes and owners of files.
[ "$(dpkg-deb --field "$deb" Package Version)" = "Package: $name
Version: $(cargo pkgid --package "$name" | sed 's/.*[#@]//')-1" ] || fail "name or version: $(dpkg-deb --field "$deb" Package Version)"
head -n 1 packaging/changelog | has -F "$name ($(dpkg-deb --field "$deb" Version))" || fail "packaging/changelog is of another version"
dpkg-deb --contents "$deb" >"$scratch/contents"
awk '{ print $1, $6 }' "$scratch/contents" | sed -n 's|^-\([rwx-]*\) \./|\1 |p' | grep -v ' usr/share/sampler-lab/web/' | sort -k 2 >"$scratch/files"
{
    echo "rwxr-xr-x usr/bin/$name"
    while read -r file; do echo "rw-r--r-- usr/share/$file"; done <<FILES
applications/$name.desktop
bash-completion/completions/$name
doc/$name/changelog.Debian.gz
doc/$name/changelog.gz
doc/$name/copyright
doc/$name/crates.txt.gz
fish/vendor_completions.d/$name.fish
icons/hicolor/128x128/apps/$name.png
icons/hicolor/16x16/apps/$name.png
icons/hicolor/256x256/apps/$name.png
icons/hicolor/32x32/apps/$name.png
icons/hicolor/48x48/apps/$name.png
icons/hicolor/512x512/apps/$name.png
icons/hicolor/64x64/apps/$name.png
icons/hicolor/scalable/apps/$name.svg
man/man1/$name.1.gz
metainfo/internal.sampler_lab.sampler_lab.metainfo.xml
zsh/vendor-completions/_$name
FILES
} | sort -k 2 | diff - "$scratch/files" || fail "these files or modes differ"
awk '$2 != "0/0" && $2 != "root/root"' "$scratch/contents" | grep . && fail "these do not belong to root"

# The libraries that the program opens by name are there wherever the package is installed.
dpkg-deb --extract "$deb" "$scratch/tree"
program=$scratch/tree/usr/bin/$name
for library in $(strings --all "$program" | grep --only-matching --extended-regexp '\blib(EGL|GL|X[[:alnum:]]+(-xcb)?|xcb|xkbcommon(-x11)?|wayland-[a-z]+)\.so\.[0-9]+' | sort -u); do
    path=$(ldconfig -p | awk -v library="$library" '$1 == library { path = $NF } END { print path }')
    [ -n "$path" ] || continue
    owner=$(dpkg-query --search "$(realpath "$path")" | sed 's/[:,].*//')
    dpkg-deb --field "$deb" Depends | tr ', ' '\n\n' | has -x "$owner" || fail "the program opens $library of $owner, on which the package does not depend"
done

# No folder of this machine is in the files; the program of a development build names the sources of crates, also those that were generated.
grep --recursive --text --only-matching --extended-regexp "$PWD(/[[:graph:]]*)?" "$scratch/tree" | grep --invert-match '/build/[^/]*/out/' &&
    fail "these name the folder of the project"
zgrep --files-with-matches --fixed-strings "$HOME/" "$scratch/tree/usr/share/doc/$name"/*.gz "$scratch/tree/usr/share/man/man1"/*.gz &&
    fail "these name a home folder"
readelf --section-headers --wide "$program" | has -w '\.debug_info' && fail "the program has debug symbols"

# What the tools of Debian and of desktops say. The one thing that is let pass is for uploads to Debian.
lintian --allow-root --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning "$deb" || fail "lintian"
desktop-file-validate --no-hints "$scratch/tree/usr/share/applications/$name.desktop" || fail "the desktop file"
appstreamcli validate --no-net "$scratch/tree/usr/share/metainfo/"*.xml >"$scratch/appstream" || fail "$(cat "$scratch/appstream")"

# Everything with the name of the program where packages and what dpkg, man and desktops note of them are, for comparison at the end.
state() { find /usr/bin /usr/share /var/lib/dpkg/info "(" -name "*$name*" -o -name '*sampler_lab*' ")" -not -path "$PWD/*" | sort; }
before=$(state)
[ -z "$before" ] || fail "files of $name are there before it is installed: $before"
installed=yes
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends "$deb" >"$scratch/apt.log" 2>&1 || fail "$(cat "$scratch/apt.log")"

# The command line, without a display and without the environment of the build.
export HOME=$scratch/home XDG_DATA_HOME=$scratch/data
mkdir -p "$HOME"
cd "$scratch"
clear=(env --ignore-environment PATH=/usr/bin:/bin HOME="$HOME" LC_ALL=C.UTF-8)
version=$("${clear[@]}" /usr/bin/$name --version)
[ "$version-1" = "$name $(dpkg-query --show --showformat='${Version}' $name)" ] || fail "it says that it is $version"
"${clear[@]}" /usr/bin/$name check beta-posterior | has "^beta-posterior: valid" || fail "check"
"${clear[@]}" /usr/bin/$name render beta-posterior --size 400x300 --out figure.png || fail "render"

# Manual and completions are found by name.
"${clear[@]}" man --warnings $name 2>"$scratch/warnings" | col -b | has -- '--preset' || fail "the manual is not found"
[ ! -s "$scratch/warnings" ] || fail "the manual: $(cat "$scratch/warnings")"
"${clear[@]}" whatis $name | has "^$name (1)" || fail "whatis does not know $name"
"${clear[@]}" bash --norc -c ". /usr/share/bash-completion/bash_completion; _completion_loader $name 2>/dev/null || _comp_load $name 2>/dev/null
    complete -p $name" | has _sampler__lab || fail "bash does not find the completions"
"${clear[@]}" zsh --no-rcs -c "autoload -U compinit; compinit -u -D; echo \$_comps[$name]" | has -x "_$name" || fail "zsh does not find the completions"
"${clear[@]}" fish -c "complete -C '$name ren'" | has ^render || fail "fish does not find the completions"

# The desktop finds program, icon and window by the same name.
desktop=/usr/share/applications/$name.desktop
[ "$(sed -n 's/^Icon=//p' $desktop)" = "$name" ] || fail "the icon of the desktop file"
command -v "$(sed -n 's/^TryExec=//p' $desktop)" >/dev/null || fail "TryExec of the desktop file"

mkfifo display
Xvfb -displayfd 3 -screen 0 1440x900x24 -nolisten tcp -noreset 3>display 2>xvfb.log &
server=$!
read -r -t 20 number <display || fail "no virtual display: $(cat xvfb.log)"
"${clear[@]}" DISPLAY=":$number" XDG_DATA_HOME="$XDG_DATA_HOME" LIBGL_ALWAYS_SOFTWARE=1 /usr/bin/$name authors-code 2>window.log &
pid=$!
export DISPLAY=:$number
window=""
for _ in $(seq 200); do
    kill -0 "$pid" 2>/dev/null || fail "the window: $(cat window.log)"
    window=$(xdotool search --onlyvisible --class "$(sed -n 's/^StartupWMClass=//p' $desktop)" 2>/dev/null | head -n 1) && [ -n "$window" ] && break
    sleep 0.1
done
[ -n "$window" ] || fail "no window after 20 seconds"
kill -TERM "$pid"
wait "$pid" || [ $? -eq 143 ] || fail "the window ends with another status than 143"
pid=""

# A removed package leaves nothing.
$sudo dpkg --purge "$name" >purge.log 2>&1 || fail "$(cat purge.log)"
installed=""
grep -i "not empty\|warning" purge.log && fail "purge leaves something behind"
[ -z "$(state)" ] || fail "these stay behind: $(state)"

echo "package: $(du --apparent-size -h "$deb" | cut -f 1), right files, no complaints, installs, runs, opens its window, is found, leaves nothing"
