import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import { MachineRecord } from '../../src/schema/machine/machine-record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { recordsOf, root } from '../helpers/runs/cli.ts'
import { asksOf, type LiveSetting, runLive } from './live-run.ts'

const path = 'src/parse-duration.mjs'

/** What solves the code task: a file and its content. */
export const solution = {
  path,
  text: readFileSync(join(root, `tasks/code/duration-text/solution/${path}`), 'utf8'),
}
/** What solves the writing task. */
export const post = readFileSync(join(root, 'tasks/writing/night-bread/solution/answer.txt'), 'utf8')

/** An agent behind HTTP, as a workflow names it. Its model has the agent's name. */
export const remote = (name: string): string => `"${name}=openai-compatible:${name}"`

type Edit = readonly [RegExp, string]

/** Who directs a workflow. */
export const ledBy = (agent: string, more = ''): Edit => [
  /^ {2}persona: orchestrator$/m,
  `  persona: orchestrator\n  agent: ${agent}${more}`,
]

/** The agents of a workflow, each with its settings. */
export const withAgents = (agents: Readonly<Record<string, string>>): Edit => [
  /^agents:(?: .*)?\n(?: {2}.*\n)*/m,
  `agents:\n${Object.entries(agents)
    .map(([name, settings]) => `  ${name}: { ${settings} }\n`)
    .join('')}`,
]

/** A shipped workflow in a file of its own, with its personas beside it. `edits` replace parts of its text. */
export function liveWorkflow(name: string, edits: readonly Edit[]): string {
  const folder = tempFolder()
  const shipped = join(root, 'strategies/fanout')
  cpSync(join(shipped, 'personas'), join(folder, 'personas'), { recursive: true })
  let text = readFileSync(join(shipped, `${name}.yaml`), 'utf8')
  for (const [part, edit] of edits) {
    if (!part.test(text)) throw new Error(`${name}.yaml has no ${part}`)
    text = text.replace(part, edit)
  }
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, text)
  return file
}

/** Arguments of a live run of a workflow on a task. */
export const workflowArgs = (folder: string, workflow: string, task: string): string[] => [
  ...['--mode', 'live', '--tasks', task, '--methods', `fanout:${workflow}`],
  ...['--retries', '0', '--quiet', '--out', folder],
]

/** Runs a workflow on a task; gives what record and ledger say, and the path as `state: transition`. */
export async function runsWorkflow(setting: LiveSetting, workflow: string, task: string) {
  const { folder } = setting
  await runLive(setting, workflowArgs(folder, workflow, task))
  const [record] = recordsOf(folder)
  const machine = MachineRecord.parse(record?.state?.machine)
  return {
    record,
    machine,
    asks: asksOf(folder),
    states: machine.visits.map(({ state, result }) => (result === null ? state : `${state}: ${result}`)),
  }
}

/** How each ask of a role went on with its session. */
export const continuedOf = (asks: readonly AskStep[], role: string): AskStep['continued'][] =>
  asks.filter((ask) => ask.role === role && !ask.maybePaid).map(({ continued }) => continued)
