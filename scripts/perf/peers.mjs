// npm run bench:peers: installs the peers of bench:perf into the cache, outside this package. promptfoo takes 2 GB and several
// minutes, LangGraph.js 70 MB.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { scriptOptions } from '../script-options.mjs'

/** Pinned: a ratio against an unknown version says nothing. */
export const promptfooVersion = '0.123.1'
export const langgraphVersion = '1.7.3'

/** promptfoo wants a newer Node than ours, so one is installed beside it; both sides of the comparison run on that one. */
const nodeMajor = 24

/** What keeps promptfoo from calling home. */
export const promptfooEnvironment = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
}

/** What keeps LangGraph.js from sending traces, also where the user's environment asks for them. */
export const langgraphEnvironment = { LANGSMITH_TRACING: 'false', LANGCHAIN_TRACING_V2: 'false' }

const cache =
  process.env.ORCHESTRATION_BENCH_CACHE ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orchestration-bench')

const promptfoo = describePeer('promptfoo', promptfooVersion)
const node = join(promptfoo.modules, 'node/bin/node')
const program = join(promptfoo.modules, 'promptfoo/dist/src/entrypoint.js')
const langgraph = describePeer('langgraph', langgraphVersion)

/** The Node and the program that `npm run bench:peers` installed; undefined where it did not. */
export const installedPromptfoo = () => (existsSync(promptfoo.finished) ? { node, program } : undefined)

/** The folder of the modules that `npm run bench:peers` installed; undefined where it did not. */
export const installedLanggraph = () => (existsSync(langgraph.finished) ? langgraph.modules : undefined)

function describePeer(name, version) {
  const folder = join(cache, 'peers', `${name}-${version}`)
  const modules = join(folder, 'node_modules')
  return { name, version, folder, modules, finished: join(folder, 'installed') }
}

/** Installs groups of packages, one after another, and notes that all are there once the peer starts. */
async function install({ folder, modules, finished }, groups, environment, start) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const env = { ...environment, PATH: `${join(modules, 'node/bin')}${delimiter}${process.env.PATH}` }
  const options = { cwd: folder, env, stdio: 'inherit' }
  for (const packages of groups)
    await execa('npm', ['install', '--no-audit', '--no-fund', ...packages], options)
  await execa(...start, options)
  writeFileSync(finished, '')
}

const installs = {
  // The Node first: native modules must be built for the one that will run them.
  promptfoo: () =>
    install(promptfoo, [[`node@${nodeMajor}`], [`promptfoo@${promptfooVersion}`]], promptfooEnvironment, [
      node,
      [program, '--version'],
    ]),
  langgraph: () =>
    install(
      langgraph,
      [[`@langchain/langgraph@${langgraphVersion}`, '@langchain/core@1.4.0', 'zod@4.2.0']],
      langgraphEnvironment,
      [process.execPath, ['--eval', 'require("@langchain/langgraph").StateGraph.name']],
    ),
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = Object.keys(installs)
  const { only } = scriptOptions('npm run bench:peers [-- --only NAME,NAME]', {
    only: { type: 'string', default: names.join() },
  })
  const chosen = only.split(',').map((name) => name.trim())
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    process.stderr.write(`bench:peers: no peer ${unknown.join(', ')}; there are ${names.join(', ')}\n`)
    process.exit(2)
  }
  for (const peer of [promptfoo, langgraph].filter(({ name }) => chosen.includes(name))) {
    if (!existsSync(peer.finished)) await installs[peer.name]()
    process.stdout.write(`${peer.name} ${peer.version} is installed: ${peer.folder}\n`)
  }
}
