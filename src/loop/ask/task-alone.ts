import type { AskOptions } from '../../ask.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { solveWords } from '../../workflows/work-context.ts'
import { spoil } from '../branch/recorded-steps.ts'
import type { Branch } from '../branch/trial-state.ts'
import { taskAsks, wantedSamples } from '../plan/task-asks.ts'
import { composePrompt, instructionOf } from './prompt.ts'

/** An ask as it would be sent. */
interface WholeAsk {
  role: string
  work: AskStep['work']
  prompt: string
  options: (AskOptions & { shape?: unknown }) | undefined
}

/**
 * Returns which recorded reply to its task an ask gets: a function of its role, its branch and the epoch alone. Throws an error that
 * names the strategy where the ask shows the agent anything but the task, or where the reply would be that of another ask.
 */
export function sampleOfAsk(branch: Branch, key: string, ask: WholeAsk): number {
  const { trialState, path } = branch
  const { plan, samples } = trialState
  const fault = (what: string) =>
    spoil(
      trialState,
      new InfrastructureError(
        `[strategy ${plan.strategy.name}] ask("${ask.role}"): ${what}; recorded replies answer solve() alone (bench help recorded)`,
      ),
    )
  const more = whatElse(branch, ask)
  if (more !== undefined) throw fault(`it asks more than the task alone, for ${more}`)
  const counts = taskAsks(plan.strategy, plan.options)
  const most = counts?.get(ask.role)?.most
  if (!counts || most === undefined) throw fault("its declaration does not say `asks: 'task'` with this role")
  const { name } = plan.agents[ask.role] ?? {}
  const wanted = wantedSamples(counts, (role) => plan.agents[role]?.name === name)
  const number = numberOf(path, most)
  if (number === undefined)
    throw fault(
      `its branch "${path}" does not end in a number from 1 to ${most}, as often as the role may be asked`,
    )
  const inTrial = (wanted.before.get(ask.role) ?? 0) + number
  const sample = (plan.trial.epoch - 1) * wanted.most + inTrial
  const owner = samples.get(`${name} ${sample}`) ?? key
  if (owner !== key) throw fault('it would get the same reply as another ask of its trial')
  samples.set(`${name} ${sample}`, key)
  return sample
}

/** Returns the number of an ask among those of its role: the number at the end of its branch's name, or 1 where there is one ask. */
function numberOf(path: string, most: number): number | undefined {
  if (most === 1) return 1
  const number = Number(/(?:^|[^\d~])(\d+)$/.exec(path)?.[1])
  return number >= 1 && number <= most ? number : undefined
}

/** Returns what an ask has beside the task alone; undefined if nothing. */
function whatElse({ trialState }: Branch, { work, prompt, options = {} }: WholeAsk): string | undefined {
  const { plan, run } = trialState
  if (work !== 'produce') return `its work is to ${work}`
  if (options.shape) return 'it wants data of a shape'
  if (plan.trial.cell.method.tools || options.tools) return 'it has tools'
  for (const option of ['system', 'session', 'maxOutput', 'timeoutMs'] as const)
    if (options[option] !== undefined) return `it has the option ${option}`
  if (options.limits?.timeMs !== undefined) return 'it has a limit of time'
  const alone = dataCleaner(run.redact)(taskPrompt(plan.task))
  return prompt === alone ? undefined : 'its words or texts are not those of solve()'
}

const taskPrompt = (task: Task): string => {
  const { files } = task
  const [prompt, options] = solveWords({ list: () => Object.keys(files), read: (path) => files[path] })
  return composePrompt({
    ...{ work: 'produce', instruction: instructionOf(task), prompt, options },
    format: undefined,
  })
}
