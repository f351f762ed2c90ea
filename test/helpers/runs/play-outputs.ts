import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from './trial.ts'

/** What a method does in a test. */
export type Run = (context: AnyContext) => Promise<unknown>

/** An agent that answers 42. */
const agent = agentOf(() => '42')

/** Plays a method; returns its record and the trial's outputs in the run folder, by path. */
export async function play(run: Run, setting: Partial<Setting> = {}) {
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done', answer: '42' }
  })
  const played = await playTrial({ agent, strategy, ...setting })
  return { ...played, written: outputsOf(played.folder) }
}

/** Returns the outputs of the one trial in a run folder, by path. */
export function outputsOf(folder: string): Record<string, string> {
  const artifacts = join(folder, 'artifacts')
  if (!existsSync(artifacts)) return {}
  const [trial = ''] = readdirSync(artifacts)
  const outputs = join(artifacts, trial, 'outputs')
  if (!existsSync(outputs)) return {}
  const files = readdirSync(outputs, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(outputs, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(outputs, path), 'utf8')]))
}

/** A method that writes one output. */
export const write =
  (path: string, text = path): Run =>
  async ({ outputs }) =>
    outputs.write(path, text)
