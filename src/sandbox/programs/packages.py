"""Prints where an installed package and its dependencies are, as one line of JSON."""
import importlib.metadata
import json
import os
import re
import sys


def owned(folder, files):
    """Whether every file in a folder belongs to the package; `__pycache__` is ignored."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != '__pycache__']
        if any(os.path.join(place, name) not in files for name in names):
            return False
    return True


def parts_below(folder, files):
    """Yields the fewest paths that hold all of the package's files and no others."""
    for name in sorted({path[len(folder) + 1 :].split('/')[0] for path in files if path.startswith(folder + '/')}):
        path = os.path.join(folder, name)
        if name == '__pycache__' or name.endswith('.pth'):
            continue
        if path in files or owned(path, files):
            yield path
        else:
            yield from parts_below(path, files)


def parts_of(distribution):
    root = os.path.realpath(str(distribution.locate_file('')))
    if distribution.read_text('RECORD'):
        files = {os.path.normpath(os.path.join(root, str(file))) for file in distribution.files or []}
        return root, list(parts_below(root, {file for file in files if os.path.exists(file)}))
    # A package of the operating system: it has no list of files, only names.
    name = distribution.metadata['Name'].replace('-', '_')
    modules = (distribution.read_text('top_level.txt') or name).split()
    wanted = {*modules, *(f'{module}.py' for module in modules)}
    return root, [
        os.path.join(root, entry)
        for entry in sorted(os.listdir(root))
        if entry in wanted
        or any(entry.startswith(f'{module}.') and entry.endswith('.so') for module in modules)
        or re.match(rf'{re.escape(name)}-[^-]*\.(egg|dist)-info$', entry, re.IGNORECASE)
    ]


def needs_of(distribution):
    for line in distribution.requires or []:
        requirement, _, marker = line.partition(';')
        if 'extra' not in marker:
            yield re.match(r'[A-Za-z0-9._-]+', requirement).group()


def find(name, found):
    """Adds a package and its dependencies. A dependency that is not installed is left out: it may be for another platform."""
    key = re.sub(r'[-_.]+', '-', name).lower()
    if key in found:
        return
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return
    root, parts = parts_of(distribution)
    found[key] = {'version': distribution.version, 'root': root, 'parts': [os.path.relpath(part, root) for part in parts]}
    for needed in needs_of(distribution):
        find(needed, found)


found = {}
find(sys.argv[1], found)
print(json.dumps(list(found.values())))
