import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../src/schema/run/run.ts'
import { sha256 } from '../../src/text/canonical-json.ts'
import { familyEnv, key } from '../helpers/agents/wire-families.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { asksOf, bench, type Ended, recordsOf, type Setting } from '../helpers/runs/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import type { Script } from '../model-server/script.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { programFolder } from './clients.ts'

/** Longest test; ms. */
export const patience = 2_400_000

/** A model server, and the user's home folder from which it is asked. */
export interface LiveSetting {
  server: ModelServer
  env: Record<string, string>
  /** The user's. */
  home: string
  /** Where the run goes. */
  folder: string
}

/** Starts a model server, and makes the environment that leads programs and families to it. */
export async function liveSetting(script: Script): Promise<LiveSetting> {
  const server = await startModelServer(script, { ollamaModels: ['test:latest'] })
  onTestFinished(() => server.close())
  const home = tempFolder()
  const env = {
    HOME: home,
    PATH: `${programFolder()}${delimiter}${process.env.PATH}`,
    ...familyEnv(server.url),
    DASHSCOPE_API_KEY: key,
  }
  return { server, env, home, folder: join(tempFolder(), 'run') }
}

/** Arguments of a live run, two trials at a time. */
export const liveArgs = (folder: string, agent: string, tasks: string, methods: string): string[] =>
  argv`--mode live --tasks ${tasks} --methods ${methods} --agents ${agent} --parallel 2 --quiet
    --out ${folder}`

/** Runs bench until it succeeds, and checks that the key is in nothing that it left. */
export async function runLive(
  { env, home, folder }: LiveSetting,
  args: readonly string[],
  setting: Setting = {},
): Promise<Ended> {
  const ended = await bench(args, { ...setting, env: { ...env, ...setting.env } })
  expect(ended, `${args.join(' ')}\n${ended.stderr}\n${troubles(folder)}`).toMatchObject({ code: 0 })
  expect(ended.stdout + ended.stderr).not.toContain(key)
  for (const place of [folder, home]) expect(filesWith(place, key), place).toEqual([])
  return ended
}

/** Returns the errors of a run, whose folder is removed with the test. */
const troubles = (folder: string) =>
  asksOf(folder)
    .flatMap(({ trial, key, error }) => (error ? [`${trial} ${key}: ${error.reason}, ${error.message}`] : []))
    .join('\n')

/** Files under a folder that hold a text. */
export function filesWith(folder: string, text: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path, 'latin1').includes(text))
}

/** Returns all attempts of asks from the ledger. */

/** The server's log by the trial that each request belongs to, in the order in which requests came. */
export function logByTrial({
  server,
  folder,
}: Pick<LiveSetting, 'server' | 'folder'>): Map<string, LogEntry[]> {
  const trials = new Map(recordsOf(folder).map(({ trial }) => [markIn(folder, trial), trial]))
  const log = new Map<string, LogEntry[]>([...trials.values()].map((trial) => [trial, []]))
  const asked = server.log.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number)
  for (const entry of asked) {
    const trial = trials.get(/\[([0-9a-f]{24})\]/.exec(JSON.stringify(entry.body))?.[1] ?? '')
    expect(trial, `request ${entry.number} belongs to no trial`).toBeDefined()
    log.get(trial as string)?.push(entry)
  }
  return log
}

/** The mark with which the prompts of a run's trial begin. */
export function markIn(folder: string, trial: string): string {
  const { id } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunManifest
  return sha256(`${id}/${trial}`).slice(0, 24)
}

/** Returns the tokens of an attempt from the ledger: input, output, and input read from a cache. */
export const tokensOf = ({ tokens }: AskStep) => [tokens.input, tokens.output, tokens.cached]

/** The same as the server counts them. Ollama tells nothing of its cache. */
export const counted = ({ usage, wire }: LogEntry): (number | null)[] =>
  usage ? [usage.input, usage.output, wire === 'ollama' ? null : usage.cached] : [null, null, null]

/** What the server counts for an ask, over all its requests. */
export const sumOf = (requests: readonly LogEntry[]) =>
  requests
    .map(counted)
    .reduce((sum, own) =>
      sum.map((part, i) => (part === null || own[i] == null ? null : part + (own[i] ?? 0))),
    )

/** Counts of asks in an order of their own. */
export const inOrder = (counts: readonly (number | null)[][]) =>
  counts.map((one) => JSON.stringify(one)).sort()
