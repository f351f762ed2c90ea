// Builds dist/: tsc checks and compiles src/ and strategies/, then one bundle of it, since to load some four hundred
// small modules costs more than most commands do. npm runs this at `npm ci`, and npx again until it has
// kept a link to the bin, so an unchanged tree must be answered quickly and write nothing.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plainWidths } from './plain-widths.mjs'
import { seldomLoaded } from './seldom-loaded.mjs'
import { unusedTable } from './unused-table.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = `${root}node_modules/typescript/bin/tsc`
const info = `${root}dist/.tsbuildinfo`
const bundle = `${root}dist/bench`
const bin = `${bundle}/cli.cjs`
const harness = `${root}src/graders/harness`

// npx builds before it starts the bin, and remembers a build that failed: it would fail in this clone after `npm ci`, too.
if (!existsSync(`${root}node_modules`)) {
  mkdirSync(bundle, { recursive: true })
  writeFileSync(
    bin,
    `#!/usr/bin/env node
process.stderr.write('bench: this clone is not installed yet. Run npm ci in it first.\\n')
process.exitCode = 2
`,
    { mode: 0o755 },
  )
  process.exit(0)
}

// Outputs deleted by hand would never come back while the build info claims that they are current.
if (!existsSync(`${root}dist/src/cli.js`)) rmSync(info, { force: true })

const { status } = spawnSync(process.execPath, [tsc, '-p', root], { cwd: root, stdio: ['ignore', 2, 2] })
if (status !== 0) process.exit(status ?? 1)

// What was compiled from files that are gone since would still count in the digests of methods and of the harness.
const leftOver = ['src', 'strategies'].flatMap((folder) =>
  readdirSync(`${root}dist/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((entry) => entry.endsWith('.js') && !existsSync(`${root}${folder}/${entry.slice(0, -3)}.ts`))
    .map((entry) => `${root}dist/${folder}/${entry.slice(0, -3)}`),
)
for (const path of leftOver) for (const ending of ['.js', '.d.ts']) rmSync(path + ending, { force: true })

const madeAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const newest = Math.max(
  madeAt(info),
  madeAt(`${root}node_modules/.package-lock.json`),
  ...['build', 'plain-widths', 'seldom-loaded', 'unused-table'].map((name) =>
    madeAt(`${root}scripts/${name}.mjs`),
  ),
  ...readdirSync(harness).map((name) => madeAt(`${harness}/${name}`)),
)

// All that a run loads before it begins is one file, for each file costs a millisecond; other commands share most of it. Not
// in it: what the command line itself loads, since help and version do without the rest, and what is loaded when it is
// wanted, with all that only that needs.
const imports = new Map()
const importsOf = {
  name: 'imports',
  moduleParsed: ({ id, importedIds }) => {
    imports.set(id, importedIds)
  },
}
const loadedBy = (id, all = new Set()) => {
  if (all.has(id)) return all
  all.add(id)
  for (const next of imports.get(id) ?? []) loadedBy(next, all)
  return all
}
let ofRun
let ofCommandLine
// What answers `--help`, `--version` and `bench` alone; the command line loads it when it is asked for.
const isOfCommandLine = (id) =>
  /dist.src.(?:cli|package-root|commands.(?:run-flags|first-words|packaged-file|typed-command))\.js$|node_modules.commander./.test(
    id,
  )
const isCore = (id) => {
  ofRun ??= loadedBy(`${root}dist/src/commands/run.js`)
  ofCommandLine ??= new Set([...imports.keys()].filter(isOfCommandLine).flatMap((one) => [...loadedBy(one)]))
  return ofRun.has(id) && !ofCommandLine.has(id)
}

// An import of a built-in module reads all that it exports, and so loads what of it is lazy: half of the built-in code
// that a run would load. Node's own door to it does not.
const builtins = {
  name: 'builtins',
  // The command line has its own, so that it shares no file with what it does without.
  resolveId: (id, importer = '') =>
    id.startsWith('node:') && id !== 'node:module'
      ? `\0${id}${isOfCommandLine(importer) ? '?alone' : ''}`
      : null,
  load: (id) =>
    id.startsWith('\0node:')
      ? `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1).replace('?alone', ''))})`
      : null,
}

// Of built-in modules that most calls do without, our own files get functions that load them when they are called:
// together they are a twentieth of a short run.
const seldom = /^node:(?:child_process|fs.promises|http|net|readline|readline.promises|timers.promises|v8)$/
const seldomUsed = {
  name: 'seldom used builtins',
  resolveId: (id, importer = '') => {
    if (!seldom.test(id)) return null
    // Commander would load what starts programs, which none of our commands are.
    if (isOfCommandLine(importer)) return `\0seldom-${id}?alone`
    return importer.startsWith(`${root}dist/`) ? `\0seldom-${id}` : null
  },
  load: (id) => {
    if (!id.startsWith('\0seldom-')) return null
    const name = JSON.stringify(id.slice('\0seldom-'.length).replace('?alone', ''))
    const functions = Object.entries(process.getBuiltinModule(JSON.parse(name)))
      .filter(([key, value]) => typeof value === 'function' && /^[a-z]/.test(key))
      .map(
        ([key]) =>
          `export const ${key} = /* @__PURE__ */ lazy(() => process.getBuiltinModule(${name}).${key})`,
      )
    return `${lazy}\n${functions.join('\n')}`
  },
}
// What a function is promisified to is read from the function itself.
const lazy = `
const custom = Symbol.for('nodejs.util.promisify.custom')
const lazy = (load) => {
  let loaded
  const own = () => (loaded ??= load())
  return Object.defineProperty((...args) => own()(...args), custom, { get: () => own()[custom] })
}`

// What the bundle is made of is noted in it: a file beside it might be another build's.
const noteDigests = (digests) => ({
  name: 'digests of the build',
  load: (id) =>
    id === `${root}dist/src/commands/built-digests.js`
      ? `export const builtDigests = ${JSON.stringify(digests)}`
      : null,
})

// Whoever takes all of zod, as our API does for strategies of one's own, would load its messages in sixty languages.
const englishAlone = {
  name: 'english alone',
  load: (id) => (/zod.v4.locales.index\.js$/.test(id) ? `export { default as en } from './en.js'` : null),
}

// Runs are compared with one another only if the same harness made them, so each notes what it was made by.
const digestOf = (folders) => {
  const hash = createHash('sha256')
  for (const folder of folders)
    for (const entry of readdirSync(`${root}dist/${folder}`, { recursive: true, encoding: 'utf8' }).sort())
      if (entry.endsWith('.js'))
        hash.update(`${folder}/${entry}\n`).update(readFileSync(`${root}dist/${folder}/${entry}`))
  return hash.digest('hex')
}

// Names stay, so that a stack trace can be read; white space and comments are a third of what Node would scan.
const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } }

/** The two programs of grading by node:test, a file each: they start with every check and grade. */
async function bundleHarness(rolldown, dir) {
  for (const name of ['node-test', 'solution']) {
    const build = await rolldown({ input: `${harness}/${name}.mjs`, platform: 'node', logLevel: 'warn' })
    await build.write({ file: `${dir}/${name}.mjs`, format: 'esm', minify, codeSplitting: false })
    await build.close()
  }
}

/**
 * A file of the bundle as its loader takes it: a function, in ASCII, since other text takes twice the memory and the
 * time to read.
 */
function wrapped(name, text, imports) {
  let code = text
  // By the loader's own hands: in code that was compiled earlier, Node 20 no longer knows who asks.
  for (const { start } of imports.reverse())
    code = `${code.slice(0, start)}importOutside${code.slice(start + 'import'.length)}`
  const strange = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.exec(code)
  if (strange) throw new Error(`${name} cannot be written in ASCII: ${strange[0]}`)
  const ascii = code
    .replace(/^#!.*/, '')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `(function(exports,require,module,__filename,importOutside){"use strict";${ascii}\n})`
}

/**
 * What loads the rest, and the two files that others know by name. The command line's is CommonJS: Node 20 loads more than it
 * has in its snapshot to begin with an ES module, a quarter of a call for help.
 */
async function addLaunch(rolldown, dir, output) {
  const build = await rolldown({ input: `${root}dist/src/launch.js`, platform: 'node', logLevel: 'warn' })
  await build.write({ file: `${dir}/launch.cjs`, format: 'cjs', minify, codeSplitting: false })
  await build.close()
  const [main, api] = ['main', 'api'].map((name) => output.find((one) => one.isEntry && one.name === name))
  writeFileSync(
    `${dir}/cli.cjs`,
    `#!/usr/bin/env node
const { keptCode, load } = require('./launch.cjs')
load(__dirname, '${main.fileName}', keptCode(__dirname + '/kept', process.argv.slice(2)))
`,
  )
  // The bin's name before: npx goes on using the link that it made then.
  writeFileSync(`${dir}/cli.js`, "#!/usr/bin/env node\nimport './cli.cjs'\n")
  writeFileSync(
    `${dir}/api.js`,
    `import launch from './launch.cjs'
export const { ${api.exports.join(', ')} } = launch.load(import.meta.dirname, '${api.fileName}')
`,
  )
  mkdirSync(`${dir}/kept`)
}

async function bundleAll() {
  const { rolldown } = await import('rolldown')
  const { builtInStrategies } = await import(`${root}dist/src/commands/sources.js`)
  const digests = {
    graders: digestOf(['src/answers', 'src/graders']),
    code: digestOf(['src', 'strategies']),
    strategies: Object.fromEntries(
      builtInStrategies().map(({ strategy, digest }) => [strategy.name, digest]),
    ),
  }
  const draft = `${bundle}.${process.pid}`
  const build = await rolldown({
    input: { main: `${root}dist/src/cli.js`, api: `${root}dist/src/api.js` },
    platform: 'node',
    logLevel: 'warn',
    // It finds its own compiler by a path beside it.
    external: ['jiti'],
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      noteDigests(digests),
      importsOf,
      seldomLoaded(`${root}dist/`),
      seldomUsed,
      builtins,
      englishAlone,
      plainWidths,
      unusedTable,
    ],
  })
  const { output } = await build.write({
    dir: draft,
    format: 'cjs',
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: 'core', minShareCount: 2, test: isCore }],
    },
  })
  await build.close()
  const { parseSync } = await import('rolldown/utils')
  for (const { fileName, code } of output) {
    const { module } = parseSync(fileName, code, { sourceType: 'script' })
    writeFileSync(`${draft}/${fileName}`, wrapped(fileName, code, module.dynamicImports))
  }
  await addLaunch(rolldown, draft, output)
  await bundleHarness(rolldown, `${draft}/harness`)
  // tsc and bundler write 0644, and npm makes the bin executable only when it links it the first time.
  for (const name of ['cli.cjs', 'cli.js']) chmodSync(`${draft}/${name}`, 0o755)
  // Another bench that starts meanwhile finds the old bundle or the new one, hardly ever none.
  rmSync(bundle, { recursive: true, force: true, maxRetries: 5 })
  renameSync(draft, bundle)
}

if (leftOver.length > 0 || madeAt(bin) <= newest) await bundleAll()
