// Writes a file of tests for one file of the current folder from what that file exports, without a model, and prints where it is
// as one line of JSON.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix, relative, resolve, sep } from 'node:path'
import { findTestRunners } from './find-tests.mjs'
import { filesOf, textOf } from './find-tools.mjs'
import { javascriptExports } from './javascript-exports.ts'
import { pythonExports } from './python-exports.mjs'
import { endWith, readFlags, refuse } from './run-program.mjs'
import { writeSkeleton } from './write-skeleton.ts'

const frameworks = ['node:test', 'vitest', 'pytest']
const usage = `usage: node test-generator.mjs --target-path FILE [--framework ${frameworks.join('|')}] [--out FILE]`
const flags = readFlags(usage, ['target-path', 'framework', 'out'])
if (flags['target-path'] === undefined) refuse(usage, '--target-path is missing.')
if (flags.words.length > 0) refuse(usage, `${flags.words[0]} is unknown.`)
if (flags.framework !== undefined && !frameworks.includes(flags.framework))
  refuse(usage, `--framework ${flags.framework} is unknown. Use ${frameworks.join(', ')}.`)
const workspace = process.cwd()
const target = fromWorkspace('--target-path', flags['target-path'])
const isPython = target.endsWith('.py')

endWith(await generate())

function fromWorkspace(flag, path) {
  const inside = relative(workspace, resolve(path)).split(sep).join('/')
  if (inside === '' || inside.startsWith('../'))
    refuse(usage, `${flag} ${path} is not a file of the current folder.`)
  return inside
}

async function generate() {
  if (!/\.(?:py|[cm]?[jt]s|[jt]sx)$/.test(target))
    return failed(`${target} is neither JavaScript, TypeScript nor Python`)
  if (/\.d\.[cm]?ts$/.test(target)) return failed(`${target} only declares types`)
  if (!existsSync(target)) return failed(`${target} does not exist`)
  const framework = flags.framework ?? usualFramework()
  if ((framework === 'pytest') !== isPython)
    return failed(`${framework} does not test ${extname(target)} files`, framework)
  if (framework === 'node:test' && /[jt]sx$/.test(target))
    return failed('node:test runs no JSX; use --framework vitest', framework)
  const found = isPython ? await pythonExports(target) : javascriptExports(textOf(target), target, findModule)
  if ('error' in found) return failed(found.error, framework)
  if (found.exported.length === 0)
    return failed(`${target} exports nothing, so there is nothing to test`, framework)
  const testFile = flags.out === undefined ? usualTestFile() : fromWorkspace('--out', flags.out)
  if (existsSync(testFile))
    return failed(`${testFile} exists already; remove it, or name another file with --out`, framework)
  const { text, tests } = writeSkeleton({
    ...found,
    framework,
    target,
    testFile,
    packageDepth: packageDepth(),
  })
  mkdirSync(dirname(testFile), { recursive: true })
  writeFileSync(testFile, text, { flag: 'wx' })
  const summary = { exports: found.exported.length, tests }
  return { success: true, target, framework, test_file: testFile, summary }
}

function failed(error, framework) {
  return { success: false, target, ...(framework && { framework }), summary: { exports: 0, tests: 0 }, error }
}

function usualFramework() {
  if (isPython) return 'pytest'
  return findTestRunners(workspace).runners[0]?.name === 'vitest' ? 'vitest' : 'node:test'
}

/** Beside the other tests of the workspace, named by the whole path, so that two targets never have one file. */
function usualTestFile() {
  const isTest = isPython ? /^(.*\/)?test_[^/]*\.py$/ : /^(.*\/)?[^/]+\.test\.[cm]?[jt]sx?$/
  const others = filesOf(workspace).flatMap((path) => (isTest.test(path) ? [posix.dirname(path)] : []))
  const folder = others[0] ?? (isPython ? 'tests' : 'test')
  const name = target
    .replace(/^(?:src|lib)\//, '')
    .replace(/\.\w+$/, '')
    .replace(/[^\p{L}\p{N}.]+/gu, isPython ? '_' : '-')
  const extension =
    { '.ts': 'ts', '.cts': 'mts', '.mts': 'mts', '.tsx': 'tsx', '.jsx': 'jsx' }[extname(target)] ?? 'mjs'
  const fileNamed = (end) =>
    posix.join(
      folder,
      isPython ? `test_${name.replaceAll('.', '_')}${end}.py` : `${name}${end}.test.${extension}`,
    )
  // The usual name may be that of tests that a person wrote.
  return existsSync(fileNamed('')) ? fileNamed(isPython ? '_exports' : '-exports') : fileNamed('')
}

function findModule(specifier, from) {
  if (!/^\.\.?\//.test(specifier)) return undefined
  const base = posix.join(posix.dirname(from), specifier)
  const sources = [base.replace(/\.([cm]?)js$/, '.$1ts'), base.replace(/\.jsx$/, '.tsx')]
  const endings = ['.ts', '.tsx', '.mts', '.js', '.mjs', '.jsx']
  const places = [
    base,
    ...sources,
    ...endings.map((end) => base + end),
    ...endings.map((end) => `${base}/index${end}`),
  ]
  const path = places.find(
    (one) => !one.startsWith('../') && extname(one) !== '' && existsSync(join(workspace, one)),
  )
  return path === undefined ? undefined : { path, source: textOf(path) }
}

function packageDepth() {
  let depth = 0
  for (
    let folder = dirname(target);
    isPython && folder !== '.' && existsSync(join(folder, '__init__.py'));
    folder = dirname(folder)
  )
    depth++
  return depth
}
