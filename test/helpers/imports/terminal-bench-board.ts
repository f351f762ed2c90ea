import { join } from 'node:path'
import { seededRandom } from '../../../src/base/random.ts'
import { foreignFiles } from './import-run.ts'

type Verdict = boolean | null

/** A made board in the layout of the public board of Terminal-Bench, with the outcomes that its files have. */
export interface MadeBoard {
  folder: string
  dataset: string
  /** The verdicts of each agent, by task. */
  verdicts: ReadonlyMap<string, ReadonlyMap<string, readonly Verdict[]>>
}

const families = Array.from({ length: 12 }, (_, i) => `task-${i + 1}`)
const tasks = [...families, ...families.slice(0, 4).map((name) => `${name}.hard`), 'task-1.easy']
const epochs = 5

/** The folder of each agent, how often it passes what is graded, and how often it has no grade. */
const agents = {
  '20250911_chaterm_claude-4-sonnet': [0.7, 0.3],
  '20250923_droid_claude-4-sonnet': [0.6, 0],
  '20250829_goose_claude-4-sonnet': [0.5, 0.05],
  '20250711_openhands_claude-4-sonnet': [0.5, 0.05],
  '20250902_orchestrator_claude-4-sonnet': [0.4, 0.05],
  '20250811_cursor-cli_claude-4-sonnet': [0.3, 0.05],
  '20250825_swe-agent-mini_claude-4-sonnet': [0.2, 0.4],
} as const

const trialOf = (task: string, name: string, verdict: Verdict, at: number) => ({
  ...{ id: `${task}-${name}`, trial_name: `${task}.${name}`, task_id: task, instruction: `Do ${task}.` },
  ...{ is_resolved: verdict, failure_mode: verdict === null ? 'parse_error' : 'unset' },
  ...(at % 7 === 0 && verdict !== null && { failure_mode: 'agent_timeout' }),
  ...{ total_input_tokens: 0, total_output_tokens: null as number | null },
})

const metadata = (more: object = {}) => ({
  ...{ dataset_name: 'terminal-bench-core', dataset_version: '0.1.1', ...more },
})

/** The file of one run: what a trial has no grade of is not solved in its totals. */
function resultsOf(trials: readonly ReturnType<typeof trialOf>[], more: object = {}) {
  const solved = trials.filter(({ is_resolved: verdict }) => verdict).length
  return { results: trials, n_resolved: solved, accuracy: solved / trials.length, ...more }
}

/** Makes a board whose leader depends on what happens to trials without a grade. As on the public one, agents lay out their runs in different ways. */
export function makeBoard(): MadeBoard {
  const random = seededRandom('board')
  const dataset = 'results/terminal-bench-core@0.1.1'
  const files: Record<string, unknown> = {}
  const verdicts = new Map<string, Map<string, Verdict[]>>()
  for (const [name, [rate, ungraded]] of Object.entries(agents)) {
    const own = new Map(
      tasks.map((task) => [
        task,
        Array.from({ length: epochs }, (): Verdict => (random() < ungraded ? null : random() < rate)),
      ]),
    )
    verdicts.set(name.split('_')[1] as string, own)
    Object.assign(files, filesOf(`${dataset}/${name}`, own))
  }
  const folder = foreignFiles(files)
  return { folder, dataset: join(folder, dataset), verdicts }
}

function filesOf(folder: string, verdicts: ReadonlyMap<string, readonly Verdict[]>): Record<string, unknown> {
  const runs = Array.from({ length: epochs }, (_, epoch) => {
    const name = `2025-08-0${epoch + 1}__10-00-00`
    const trials = [...verdicts].map(([task, own], at) =>
      trialOf(task, `1-of-1.${name}`, own[epoch] as Verdict, at),
    )
    return { name, trials, results: resultsOf(trials) }
  })
  if (folder.includes('goose'))
    return Object.fromEntries(runs.map(({ name, results }) => [`${folder}/${name}__results.json`, results]))
  if (folder.includes('orchestrator')) {
    const trials = [...verdicts].flatMap(([task, own], at) =>
      own.map((verdict, epoch) => ({
        ...trialOf(task, `${epoch + 1}-of-${epochs}`, verdict, at),
        ...(epoch < 3 && { total_input_tokens: 1000 * (at + 1), total_output_tokens: 100 }),
      })),
    )
    const rates = { 5: share([...verdicts.values()].map((own) => (own.includes(true) ? 1 : 0))) }
    return {
      [`${folder}/run_metadata.json`]: metadata({ agent_name: 'LeadArchitectAgent' }),
      [`${folder}/results.json`]: resultsOf(trials, { pass_at_k: rates }),
    }
  }
  const own = runs.flatMap(({ name, results }, at) => [
    [`${folder}/${name}/results.json`, results],
    ...(folder.includes('cursor')
      ? []
      : [[`${folder}/${name}/run_metadata.json`, metadata({ model_name: `sonnet-${at % 2}` })]]),
  ])
  return { ...Object.fromEntries(own), ...copiesOf(folder, runs) }
}

/** What stands twice on the board: trials in folders of their own, and a run inside of another one. */
function copiesOf(
  folder: string,
  [first, second]: readonly { name: string; trials: ReturnType<typeof trialOf>[]; results: object }[],
): Record<string, unknown> {
  if (!first || !second) return {}
  if (folder.includes('mini'))
    return {
      [`${folder}/${second.name}/${first.name}/results.json`]: first.results,
      [`${folder}/${second.name}/${first.name}/run_metadata.json`]: metadata({ model_name: 'sonnet-0' }),
    }
  if (!folder.includes('droid')) return {}
  return Object.fromEntries(
    first.trials.map((trial) => [
      `${folder}/${first.name}/${trial.task_id}/${trial.trial_name}/results.json`,
      trial,
    ]),
  )
}

/** The mean of values. */
export const share = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
