import { join } from 'node:path'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { indexJournal } from '../../loop/journal/ledger-index.ts'
import { taskAsks } from '../../loop/plan/task-asks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { verifyLedger } from '../../loop/record/verify-ledger.ts'
import { counted, present } from '../../reports/words/numbers.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RecordedReply, RepliesHeader } from '../../schema/ledger/recorded-replies.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { UserError } from '../../text/errors.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { openOwnRun } from '../open/open-run.ts'

/** What is imported, before it is written: the replies, what is known of them, and what a user should know. */
export interface ToWrite {
  replies: readonly RecordedReply[]
  origin: Partial<Pick<RepliesHeader, 'model' | 'source' | 'licence' | 'date'>>
  prompts: RepliesHeader['prompts']
  notes: string[]
  /** What is said and not kept in the file. */
  told?: string[]
}

/**
 * Returns the replies that agents gave to tasks alone in live runs: further samples of a task follow each other in the order of
 * runs, methods, epochs and branches. Throws `UserError` for runs whose replies no model gave.
 */
export async function repliesOfRuns(
  folders: readonly string[],
  { agent, model }: { agent?: string; model?: string },
): Promise<ToWrite> {
  const found = folders.flatMap((folder) => asksOfRun(folder))
  const agents = [...new Set(found.map(({ step }) => step.agent))].toSorted()
  const name = agent ?? agents[0]
  if (name === undefined || !agents.includes(name) || (agent === undefined && agents.length > 1))
    throw new UserError({
      where: agent === undefined ? folders.join(', ') : `--agent ${agent}`,
      what:
        agents.length === 0
          ? 'has no reply to a task alone: only asks of methods such as baseline can be recorded'
          : agent === undefined
            ? `has replies of ${counted(agents.length, 'agent')}`
            : 'gave no reply to a task alone in these runs',
      fix:
        agents.length === 0
          ? 'Name a live run of baseline.'
          : `Choose one with --agent: ${agents.join(', ')}.`,
    })
  const own = found.filter(({ step }) => step.agent === name)
  const samples = new Map<string, number>()
  const replies = own.map(({ record, step }): RecordedReply => {
    const task = refOfVersion(record.task)
    const sample = (samples.get(task) ?? 0) + 1
    samples.set(task, sample)
    const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = step.tokens
    return {
      ...{ task, sample, reply: step.reply ?? '' },
      tokens: {
        ...{ input, output },
        ...(cached !== null && { cached }),
        ...(cacheWrite !== undefined && { cacheWrite }),
        ...(cacheWriteHour !== undefined && { cacheWriteHour }),
        ...(reasoning !== undefined && { reasoning }),
      },
      ...(step.finish && { finish: step.finish }),
    }
  })
  const dates = own.map(({ manifest }) => manifest.createdAt.slice(0, 10)).toSorted()
  const runs = [...new Set(own.map(({ manifest }) => manifest.id))]
  const empty = replies.filter(({ reply }) => reply.trim() === '').length
  const cut = replies.filter(({ finish }) => finish === 'length').length
  return {
    replies,
    origin: {
      ...{ model: model ?? name, source: `bench ${runs.length > 1 ? 'runs' : 'run'} ${runs.join(', ')}` },
      ...(dates[0] !== undefined && { date: dates[0] }),
    },
    prompts: 'bench',
    notes: present([
      empty > 0 && `${counted(empty, 'empty reply', 'empty replies')}, which will count as failed`,
      cut > 0 && `${counted(cut, 'reply', 'replies')} cut off by a limit`,
    ]),
  }
}

/** An ask of the task alone that was answered. */
interface RunAsk {
  manifest: RunManifest
  record: TrialRecord
  step: AskStep
}

function asksOfRun(folder: string): RunAsk[] {
  const { manifest } = openOwnRun(folder, 'read as replies')
  const kind = manifest.simulated ? 'simulated' : manifest.recorded ? 'recorded already' : undefined
  if (kind !== undefined)
    throw new UserError({
      where: folder,
      what: `has replies that are ${kind}`,
      fix: 'Name a live run, whose replies are those of models.',
    })
  verifyLedger(folder)
  const strategies = builtInStrategies()
  const methods = manifest.methods.filter(({ strategy, options, tools, file }) => {
    const known = strategies.find((one) => one.strategy.name === strategy)
    return known && !tools && file === undefined && taskAsks(known.strategy, options)
  })
  const labels = methods.map(({ label }) => label)
  const records = [...readRecords(folder)].filter(({ method, faults }) => labels.includes(method) && !faults)
  const order = (one: TrialRecord) => labels.indexOf(one.method)
  const sorted = records.toSorted((a, b) => order(a) - order(b) || a.epoch - b.epoch)
  const index = indexJournal(folder, openBlobs(join(folder, 'blobs')), () => true)
  try {
    return sorted.flatMap((record) =>
      [...index.readTrial(record.trial).steps.values()]
        .filter((step) => step.kind === 'ask' && step.payer === 'method' && wasAnswered(step))
        .map((step) => ({ manifest, record, step: step as AskStep }))
        .toSorted((a, b) => a.step.key.localeCompare(b.step.key, 'en', { numeric: true })),
    )
  } finally {
    index.close()
  }
}

/** Whether a model answered, if only with nothing: other failures say nothing of what it would have said. */
const wasAnswered = ({ error, system, session, repair, replyHash }: AskStep) =>
  (!error || error.reason === 'empty') && !system && !session && !repair && replyHash === undefined
