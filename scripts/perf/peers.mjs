// npm run bench:peers: installs promptfoo for bench:perf into the cache, outside this package (2 GB, several minutes).
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'

/** Pinned: a ratio against an unknown version says nothing. */
export const promptfooVersion = '0.123.1'

/** promptfoo wants a newer Node than ours, so one is installed beside it; both sides of the comparison run on that one. */
const nodeMajor = 24

const cache =
  process.env.ORCHESTRATION_BENCH_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')
const folder = join(cache, 'peers', `promptfoo-${promptfooVersion}`)
const modules = join(folder, 'node_modules')
const node = join(modules, 'node/bin/node')
const program = join(modules, 'promptfoo/dist/src/entrypoint.js')
const finished = join(folder, 'installed')

/** What keeps promptfoo from calling home. */
export const promptfooEnvironment = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
}

/** The Node and the program that `npm run bench:peers` installed; undefined where it did not. */
export const installedPromptfoo = () => (existsSync(finished) ? { node, program } : undefined)

async function install() {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  // The Node first: native modules must be built for the one that will run them.
  const env = { ...promptfooEnvironment, PATH: `${join(modules, 'node/bin')}${delimiter}${process.env.PATH}` }
  for (const name of [`node@${nodeMajor}`, `promptfoo@${promptfooVersion}`])
    await execa('npm', ['install', '--no-audit', '--no-fund', name], { cwd: folder, env, stdio: 'inherit' })
  await execa(node, [program, '--version'], { cwd: folder, env, stdio: 'inherit' })
  writeFileSync(finished, '')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!installedPromptfoo()) await install()
  process.stdout.write(`promptfoo ${promptfooVersion} is installed: ${folder}\n`)
}
