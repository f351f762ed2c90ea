import { z } from 'zod'
import { Config } from '../../schema/run/config.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { type ConfigFile, findConfig, readConfig, readConfigText } from '../config/config-file.ts'
import { keysOfAgent } from '../config/config-keys.ts'
import type { Finding } from './doctor-sandbox.ts'

/** A config file without those of its agents that have mistakes or keys, so that these do not keep the rest from being looked at. */
interface SoundConfig {
  file: ConfigFile
  /** What is wrong with the others, each with its label. */
  wrong: { label: string; problem: Problem }[]
}

/** Reads the config file of this folder; undefined if there is none. Throws `UserError` if it has a mistake that is no agent's. */
export function readSoundConfig(): SoundConfig | undefined {
  const path = findConfig()
  if (path === undefined) return undefined
  const { file, wrong } = readParts(path)
  const { agents = {} } = file.config
  const keys = Object.keys(agents).flatMap((label) =>
    keysOfAgent(file, label).map((problem) => ({ label, problem })),
  )
  return { file: withAgents(file, withoutWrong(agents, keys)), wrong: [...wrong, ...keys] }
}

function readParts(path: string): SoundConfig {
  try {
    return { file: readConfig(path), wrong: [] }
  } catch (error) {
    const text = error instanceof UserError ? readConfigText(path) : ''
    const read = readYaml(text, path, Fields, [])
    if (!(error instanceof UserError) || !read) throw error
    const { agents, ...rest } = read.data
    const wrong = error.problems.flatMap((problem) => {
      const field = problem.where.slice(path.length).replace(/^\S* /, '')
      const label = Object.keys(agents).find((one) => `${field}.`.startsWith(`agents.${one}.`))
      return label === undefined ? [] : [{ label, problem }]
    })
    const { data: config } = Config.safeParse(
      { ...rest, agents: withoutWrong(agents, wrong) },
      { jitless: true },
    )
    if (wrong.length < error.problems.length || !config) throw error
    return { file: { file: path, digest: sha256(text), config, where: read.where }, wrong }
  }
}

const Fields = z.looseObject({ agents: z.record(z.string(), z.unknown()) })

function withoutWrong<Agent>(
  agents: Readonly<Record<string, Agent>>,
  wrong: SoundConfig['wrong'],
): Record<string, Agent> {
  const labels = new Set(wrong.map(({ label }) => label))
  return Object.fromEntries(Object.entries(agents).filter(([label]) => !labels.has(label)))
}

const withAgents = (file: ConfigFile, agents: NonNullable<Config['agents']>): ConfigFile => ({
  ...file,
  config: { ...file.config, ...(file.config.agents && { agents }) },
})

/** Finds something about an agent. One that cannot be made does not keep the others from being checked. */
export async function findUnlessWrong(label: string, find: () => Promise<Finding>): Promise<Finding> {
  try {
    return await find()
  } catch (error) {
    const [problem] = error instanceof UserError ? error.problems : []
    if (!problem) throw error
    return wrongAgent(label, problem)
  }
}

/** Returns what is wrong with an agent as a line of its own. */
export const wrongAgent = (label: string, { where, what, fix = '' }: Problem): Finding => ({
  name: `agent ${label}`,
  ok: false,
  state: `${where} ${what}`,
  fix,
})
