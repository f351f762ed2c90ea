import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import type { KindOfAgent } from '../agents/kinds-of-agents.ts'

/** The options with which a place is tried. */
export interface Tried {
  kind: KindOfAgent
  mode: 'dev' | 'live'
  /** Text of a config file that names all agents. */
  config: string
  /** For files of the place's own. */
  folder: string
}

/** A place where a run's agent can be named. Whoever adds such a place to bench adds it here. */
export interface NamingPlace {
  name: string
  /** `default`: only for live mode, so that in dev mode simulated agents answer. `mixed`: a simulated agent answers as well. */
  is?: 'default' | 'mixed'
  /** Modes that can be tried; both where absent. */
  only?: 'dev'
  /** It goes on with a run folder, which is there before. */
  goesOn?: true
  /** It never asks an agent. */
  asksNobody?: true
  /** Begins what the place is part of; gives the run folder, where one is made. */
  begin(tried: Tried): Promise<string | undefined>
}

export const plan = {
  ...{ tasks: 'ferry-morning', methods: 'baseline', sandbox: 'none', parallel: '1' },
  // The files are the test's own.
  trustCode: true,
}
export const tools = (): Parameters<typeof executeRun>[1] => ({
  signal: new AbortController().signal,
  onEvent: () => {},
})

/** Runs with these options; live ones without a sandbox. */
export async function began({ mode, folder }: Tried, options: RunOptions): Promise<string> {
  const out = join(folder, 'run')
  await executeRun({ ...plan, mode, out, ...options }, tools())
  return out
}

export function configFile({ folder, config }: Tried, more = ''): string {
  const path = join(folder, 'bench.config.yaml')
  writeFileSync(path, `${config}${more}`)
  return path
}

/** A name that needs the config file: a program of the user's own. */
export const optionsOf = (tried: Tried): RunOptions =>
  tried.kind.provider === 'cli' ? { config: configFile(tried) } : {}
