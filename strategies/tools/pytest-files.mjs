/** Where pytest reads its settings from, in its own order: the first section counts. */
const settings = [
  ['pytest.toml', 'pytest'],
  ['.pytest.toml', 'pytest'],
  ['pytest.ini', 'pytest'],
  ['.pytest.ini', 'pytest'],
  ['pyproject.toml', 'tool.pytest.ini_options'],
  ['pyproject.toml', 'tool.pytest'],
  ['tox.ini', 'pytest'],
  ['setup.cfg', 'tool:pytest'],
]

/** Returns whether pytest takes a file for one of tests. `read` returns the text of a file of the workspace. */
export function pytestFiles(read) {
  const section = settings
    .map(([file, name]) => sectionOf(read(file), name))
    .find((text) => text !== undefined)
  const patterns = patternsOf(section ?? '') ?? ['test_*.py', '*_test.py']
  const tests = patterns.map((pattern) => ({ isPath: pattern.includes('/'), matches: globPattern(pattern) }))
  return (path) =>
    path.endsWith('.py') &&
    tests.some(({ isPath, matches }) => matches.test(isPath ? `/${path}` : path.split('/').at(-1)))
}

function sectionOf(text, name) {
  const [, ...sections] = text.split(/^\[(?=[^\]\n]+\][ \t]*(?:[#;].*)?$)/m)
  const found = sections.find((section) => section.startsWith(`${name}]`))
  return found?.slice(found.indexOf('\n') + 1)
}

/** The value goes on in indented lines, or up to the bracket of a list. */
function patternsOf(section) {
  const [, value] =
    /^python_files\s*[=:]\s*(\[[\s\S]*?\](?=\s*(?:#.*)?$)|.*(?:\n[ \t]+\S.*)*)/m.exec(section) ?? []
  if (value === undefined) return undefined
  const list = value.startsWith('[') ? value.slice(1, -1) : value
  return list
    .replace(/(^|\s)[#;].*$/gm, '')
    .split(/[\s,"']+/)
    .filter((word) => word !== '')
}

/** A pattern of fnmatch; one without a star matches the end of a path, and one without a slash a name. */
function globPattern(pattern) {
  const source = pattern.replace(/\[!/g, '[^').replace(/[.+^${}()|\\](?![^[]*\])/g, '\\$&')
  const whole = source.replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(pattern.includes('/') ? `/${whole}$` : `^${whole}$`)
}
