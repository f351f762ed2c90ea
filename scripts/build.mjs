// Builds dist/: tsc checks and compiles src/ and strategies/, rolldown bundles the result into dist/bench/. npm runs this at
// `npm ci`, and npx before it starts the bin, so an unchanged tree writes nothing.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const folders = ['src', 'strategies']
const info = 'dist/.tsbuildinfo'
const bundle = 'dist/bench'
const bin = `${bundle}/cli.cjs`
const tools = 'strategies/tools'

// npx remembers a build that failed: it would fail in this clone after `npm ci`, too.
if (!fs.existsSync('node_modules')) {
  fs.mkdirSync(bundle, { recursive: true })
  const text = `process.stderr.write('bench: this clone is not installed yet. Run npm ci in it first.\\n')`
  fs.writeFileSync(bin, `#!/usr/bin/env node\n${text}\nprocess.exitCode = 2\n`, { mode: 0o755 })
  process.exit(0)
}

// tsc neither removes what it compiled from files that are gone, nor compiles again what was deleted by hand.
const namesIn = (folder, ending) =>
  (fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }) : [])
    .flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []))
    .sort()
    .join()
if (folders.some((folder) => namesIn(folder, '.ts') !== namesIn(`dist/${folder}`, '.js')))
  for (const path of [...folders.map((folder) => `dist/${folder}`), info])
    fs.rmSync(path, { recursive: true, force: true })

const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: ['ignore', 2, 2] })
if (tsc.status !== 0) {
  process.stderr.write('build: the types are wrong (see above), so bench was not built again.\n')
  process.exit(tsc.status ?? 1)
}

// The tasks that a seeded script makes are part of the package, but not of the repository.
const [{ makeSuite, writeSuite }, { makeLong }] = await Promise.all([
  import('./separable/suite.mjs'),
  import('./long/suite.mjs'),
])
writeSuite('tasks/separable', makeSuite())
writeSuite('tasks/long', makeLong())

const madeAt = (path) => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
const phrases = 'src/replies/answers/phrases'
const running = ['src/graders/harness', 'src/sandbox/programs', phrases]
const programFiles = [...running, tools, 'strategies'].flatMap((folder) =>
  fs.readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
)
const inputs = [
  info,
  'node_modules/.package-lock.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  ...programFiles,
]
if (inputs.some((path) => madeAt(path) >= madeAt(bin))) await bundleAll()

async function bundleAll() {
  const draft = `${bundle}.${process.pid}`
  const { bundlePrograms } = await import('./bundle.mjs')
  await bundlePrograms(draft)
  // For programs in any language, and for the stages of chains, which have no zod.
  const [{ z }, { ChainState }] = await Promise.all([
    import('zod'),
    import('../dist/src/schema/stage/chain-state.js'),
  ])
  fs.writeFileSync(
    `${draft}/tools/state.schema.json`,
    `${JSON.stringify(z.toJSONSchema(ChainState), null, 2)}\n`,
  )
  // The bin's former name, too: npx keeps the link that it made then.
  fs.writeFileSync(`${draft}/cli.js`, "#!/usr/bin/env node\nimport './cli.cjs'\n")
  for (const name of ['cli.cjs', 'cli.js']) fs.chmodSync(`${draft}/${name}`, 0o755)
  for (const name of ['api', 'testing'])
    fs.writeFileSync(`${draft}/${name}.js`, `export * from './${name}.cjs'\n`)
  // The host of the probe loads it by itself, so that what is probed is how programs are started.
  fs.copyFileSync('dist/src/sandbox/machine/start-process.js', `${draft}/start-process.js`)
  // Another bench that starts meanwhile finds the old bundle or the new one, hardly ever none.
  fs.rmSync(bundle, { recursive: true, force: true, maxRetries: 5 })
  fs.renameSync(draft, bundle)
  await writeDigests()
}

/** Made here once: a run that read all these files at its start would wait for them, and the package does not hold them. */
async function writeDigests() {
  const graders = ['dist/src/replies', 'dist/src/graders', ...running]
  const code = [...folders.map((folder) => `dist/${folder}`), ...running, tools, 'strategies']
  const { builtInStrategies } = await import('../dist/src/commands/methods/built-in-strategies.js')
  const strategies = builtInStrategies().map(({ strategy, digest, programs }) => [
    strategy.name,
    { digest, programs },
  ])
  const digests = {
    graders: digestOf(graders),
    code: digestOf(code),
    strategies: Object.fromEntries(strategies),
  }
  const draft = `${bundle}/digests.${process.pid}`
  fs.writeFileSync(draft, `${JSON.stringify(digests)}\n`)
  fs.renameSync(draft, `${bundle}/digests.json`)
}

/** A hash of the names and texts of the files below these folders that run or are handed to a stage. */
function digestOf(among) {
  const hash = createHash('sha256')
  for (const folder of among)
    for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(?:m?js|json|py)$/.test(file) || folder === phrases)
        hash.update(`${basename(folder)}/${file}\n`).update(fs.readFileSync(`${folder}/${file}`))
  return hash.digest('hex')
}
