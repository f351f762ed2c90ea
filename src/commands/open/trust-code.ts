import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RunManifest } from '../../schema/run/run.ts'
import type { NamedProgram } from '../../suites/suite.ts'
import { agentNamesByRole, moduleOf } from '../agents/make-agents.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { toolServers } from '../tools/tool-files.ts'
import { graderPower } from '../trust/grader-code.ts'
import {
  agentPowers,
  filePower,
  isAsked,
  modulePower,
  type Power,
  power,
  programPower,
} from '../trust/powers.ts'
import { requireTrust } from '../trust/require-trust.ts'
import { displayPath } from './find-changes.ts'
import { verifyOrigin } from './run-origin.ts'

/** Reports whether a run takes something for which the user of another machine would be asked. */
export const takesPowers = (manifest: RunManifest): boolean =>
  manifest.graderFiles !== undefined || runPowers(manifest, true).some(isAsked)

interface Opening {
  trusted: boolean
  startsServers: boolean
  /** Code that the tables of the run name now, whatever its run.json says. */
  graders: readonly NamedProgram[]
  signal: AbortSignal
}

/**
 * Checks before a run folder is resumed or replayed that it may take what it names. It may if this user started the run, or if the
 * user allows it, as for every file of somebody else. Else throws `UserError`.
 */
export async function requireTrustedCode(
  folder: string,
  manifest: RunManifest,
  { trusted, startsServers, graders, signal }: Opening,
): Promise<void> {
  if (trusted || verifyOrigin(folder)) return
  const texts = [readFileSync(join(folder, 'run.json'), 'utf8'), ...graders.map(({ digest }) => digest)]
  const powers = [...runPowers(manifest, startsServers), ...graders.map(graderPower)]
  const run = { name: folder, texts, powers }
  const about = 'was not started by you at this path, and would do this with your permissions'
  await requireTrust([run], { trusted, signal, about })
}

/** Returns what a run takes when it goes on. A replay asks no agent and starts no server, but it loads the modules of both. */
function runPowers(manifest: RunManifest, goesOn: boolean): Power[] {
  const { cwd, methods, agentSettings = {}, providers = {}, allowUnpriced } = manifest
  const inRun = (power: Power): Power => ({
    ...power,
    ...(power.kind === 'module' && { value: displayPath(resolve(cwd, power.value)) }),
    files: power.files?.map((file) => resolve(cwd, file)) ?? [],
  })
  const ofAgents = [...new Set(Object.values(agentNamesByRole(manifest)))].flatMap((name) =>
    agentPowers(name, agentSettings[name] ?? {}, (setting) => `run.json ${setting ?? 'agents'}`).filter(
      ({ kind }) =>
        goesOn || moduleOf(name, cwd) !== undefined || (kind === 'program' && agentSettings[name]),
    ),
  )
  const files = methods.flatMap(({ file }) =>
    file === undefined ? [] : [modulePower(file, 'run.json methods')],
  )
  const later = goesOn
    ? [...providerPowers(providers), ...toolPowersOf(manifest), ...programPowersOf(manifest)]
    : []
  const safeguard = goesOn && allowUnpriced ? [power('safeguard', 'allowUnpriced', 'run.json')] : []
  return [...files, ...ofAgents, ...later, ...safeguard].map(inRun)
}

const providerPowers = (providers: NonNullable<RunManifest['providers']>): Power[] =>
  Object.entries(providers).flatMap(([id, { baseUrl, keyVariable }]) => [
    ...(baseUrl === undefined ? [] : [power('address', baseUrl, `run.json providers.${id}`)]),
    ...(keyVariable === undefined ? [] : [power('variable', keyVariable, `run.json providers.${id}`)]),
  ])

function toolPowersOf({ methods }: RunManifest): Power[] {
  const tools = methods.flatMap(({ tools }) => Object.values(tools?.known ?? {}))
  const files = tools.flatMap((tool) =>
    tool.kind === 'mcp' ? tool.files : tool.kind === 'memory' && tool.file ? [tool.file] : [],
  )
  return [
    ...toolServers({ methods }).map(({ command }) => programPower(command.split(' '), 'run.json tools')),
    ...[...new Set(files.map(({ path }) => path))].map((path) => filePower(path, 'run.json tools')),
  ]
}

/** The programs of methods that ask models themselves, and the folders that these read. */
function programPowersOf({ methods }: RunManifest): Power[] {
  const strategies = builtInStrategies()
  return methods.flatMap(({ strategy: name, options }) => {
    const program = strategies.find(({ strategy }) => strategy.name === name)?.strategy.asksModels?.(options)
    if (!program) return []
    const { command, folder } = program
    return [
      programPower(command, 'run.json methods'),
      ...(folder === undefined ? [] : [filePower(folder, 'run.json methods')]),
    ]
  })
}
