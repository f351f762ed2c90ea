import { z } from 'zod'
import { type BenchTool, changing, flags, page, pageOf, run, text, tool } from './bench-tool.ts'
import { callBench } from './call-bench.ts'
import type { NamedRuns } from './run-names.ts'

const trial = z.string().describe('the id of a trial, or its beginning')

/** Returns the tools that read trials. */
export function trialTools({ path, opened }: NamedRuns): BenchTool[] {
  return [
    tool(
      'list_trials',
      'List the trials of a run with their outcomes, a page at a time.',
      {
        run,
        method: text('only trials of this method'),
        task: text('only trials of this task'),
        failed: z.boolean().default(false).describe('only trials that did not pass'),
        ...page,
      },
      async ({ run, method, task, failed, offset, limit }, signal) => {
        const options = flags({ method, task, failed })
        const printed = await callBench(['show', opened(run), '--json', '--no-answers', ...options], signal)
        if (printed.isError) return printed
        const { trials, ...facts } = JSON.parse(printed.text) as { trials: unknown[] }
        return {
          ...printed,
          text: JSON.stringify({ ...facts, ...pageOf('trials', trials, { offset, limit }) }),
        }
      },
    ),
    tool(
      'show_trial',
      'The story of one trial: prompts, replies, what was handed in, verdicts, the bill. Right answers are never shown.',
      { run, trial, full: z.boolean().default(false).describe('prompts and replies in full') },
      ({ run, trial, full }, signal) =>
        callBench(['show', opened(run), trialWord(trial), '--no-answers', ...flags({ full })], signal),
    ),
    tool(
      'method_state',
      'The journaled state of a trial, or of all trials, as the method left it at its last checkpoint.',
      { run, trial: trial.optional() },
      ({ run, trial }, signal) =>
        callBench(['state', path(run), ...(trial ? [trialWord(trial)] : [])], signal),
    ),
  ]
}

/** Changes the state of a stopped trial. `bench state` refuses a run that works. */
export const setState = ({ path }: NamedRuns) =>
  changing(
    'set_state',
    'Change fields of the journaled state of a trial while its run is stopped; the resumed run uses them.',
    { run, trial, fields: z.record(z.string().regex(/^\w+$/), z.json()).describe('values by field') },
    ({ run, trial, fields }, signal) =>
      callBench(
        [
          ...['state', path(run), trialWord(trial)],
          ...Object.entries(fields).map(([field, value]) => `--set=${field}=${JSON.stringify(value)}`),
        ],
        signal,
      ),
  )

/** An id is no option. */
const trialWord = (id: string): string => id.replace(/^-+/, '')
