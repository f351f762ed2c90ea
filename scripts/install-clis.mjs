// Installs the agent CLIs that `npm run test:live` asks, and the packages of applications in fixtures, each at the version that was
// tried: into the cache, never into the project nor among the programs of this machine. What is there already is left as it is.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Packages of the npm registry, with their versions. Exact ones: under Node 20 npm would choose older releases. */
export const clis = {
  '@anthropic-ai/claude-code': '2.1.330',
  '@google/gemini-cli': '0.61.0',
  '@openai/codex': '0.169.0',
  '@qwen-code/qwen-code': '0.24.4',
  // The newest release for Node 20.
  '@zed-industries/claude-code-acp': '0.16.2',
  'opencode-ai': '1.18.33',
}

const cacheFolder = (env) =>
  env.ORCHESTRATION_BENCH_CACHE ||
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')

/** The folder of the CLIs; ORCHESTRATION_BENCH_CACHE changes it. */
export const cliFolder = (env = process.env) => join(cacheFolder(env), 'clis')

/** Applications in fixtures/applications that import packages: the example of LangGraph, and one program for each SDK. */
const examples = ['langgraph', 'sdks']

/** The folder of the packages that such an application imports. */
export const exampleFolder = (name, env = process.env) => join(cacheFolder(env), name)

function isInstalled(folder, [name, version]) {
  const path = join(folder, 'node_modules', name, 'package.json')
  return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === version
}

/** Installs the CLIs that are missing. Throws when npm fails. */
export const installClis = (folder = cliFolder()) => install(clis, folder)

/** Installs the packages of an application that are missing. Throws when npm fails. */
export function installExample(name, folder = exampleFolder(name)) {
  const manifest = new URL(`../fixtures/applications/${name}/package.json`, import.meta.url)
  install(JSON.parse(readFileSync(manifest, 'utf8')).dependencies, folder)
}

function install(packages, folder) {
  const missing = Object.entries(packages).filter((one) => !isInstalled(folder, one))
  if (missing.length === 0) return
  const names = missing.map(([name, version]) => `${name}@${version}`)
  console.error(`installing ${names.join(', ')} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  const args = ['install', '--prefix', folder, '--save-exact', '--no-audit', '--no-fund', ...names]
  // HOME of their install scripts, so that they write nothing into the user's folders.
  const own = Object.fromEntries(
    ['CACHE', 'CONFIG', 'DATA', 'STATE'].map((kind) => [`XDG_${kind}_HOME`, join(folder, '.xdg')]),
  )
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    env: { ...process.env, ...own },
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm could not install ${names.join(', ')}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  installClis()
  for (const name of examples) installExample(name)
}
