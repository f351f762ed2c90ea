import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { SkippedItems } from '../../schema/run/skipped-items.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Note } from '../tables/table.ts'
import { counted } from '../words/numbers.ts'
import { oneProcessNotes } from '../words/one-process-text.ts'
import { skippedTexts } from '../words/skipped-text.ts'
import { baselineNotes, baselineTexts } from './baseline-notes.ts'
import { errorNotes } from './error-notes.ts'
import { machineNotes } from './machine-notes.ts'
import { claimNotes, fidelityNotes, gatewayNotes, leftOutNotes, peopleNotes } from './method-conduct-notes.ts'
import { missingNotes } from './missing-notes.ts'
import { priceNotes, priceTexts } from './price-notes.ts'
import { finishNotes, otherModelNotes } from './reply-notes.ts'
import { spendingNotes, spendingTexts } from './spending-notes.ts'
import { noIntervalNotes, successTexts } from './success-notes.ts'
import { toolNotes } from './tool-notes.ts'
import { boundTexts, matchNotes, trialNotes } from './trial-notes.ts'
import { workflowNotes } from './workflow-notes.ts'

/** What notes on methods need besides the summary. */
interface MethodFacts {
  run: string
  prices: RunPrices | null
  limits: string
  /** How the plan was changed during the run; null if it was not. */
  amended: string | null
  skipped: readonly SkippedItems[]
  /** A comparison has the intervals and verdicts of pairs. */
  compared: boolean
  /** A stop rule ended the run as planned. */
  settled: boolean
}

/** Returns the notes of the table of methods: facts, then definitions, last the commands that lead to the records. */
export function methodNotes(summary: Summary, facts: MethodFacts): Note[] {
  const path = shellWord(facts.run)
  return [
    ...factTexts(summary, facts).map((text): Note => ({ text })),
    ...definitionTexts(summary, facts).map((text): Note => ({ text, kind: 'definition' })),
    {
      text: 'Every number comes from these records:',
      kind: 'definition',
      commands: [`bench show ${path}`, `jq . ${shellWord(`${facts.run.replace(/\/+$/, '')}/records.jsonl`)}`],
    },
  ]
}

function factTexts(summary: Summary, facts: MethodFacts): string[] {
  const { amended, limits, compared } = facts
  return [
    ...(amended === null ? [] : [amended]),
    ...skippedTexts(facts.skipped),
    ...legendNotes(summary),
    ...trialNotes(summary, facts),
    ...errorNotes(summary),
    ...missingNotes(summary, facts),
    ...finishNotes(summary),
    ...otherModelNotes(summary),
    ...fidelityNotes(summary),
    ...claimNotes(summary),
    ...leftOutNotes(summary),
    ...gatewayNotes(summary),
    ...peopleNotes(summary),
    ...workflowNotes(summary),
    ...machineNotes(summary),
    ...toolNotes(summary),
    ...matchNotes(summary),
    ...noIntervalNotes(summary),
    ...baselineNotes(summary, compared),
    ...spendingNotes(summary),
    ...priceNotes(summary),
    ...(limits === '' ? [] : [`Limits of the run: ${limits}.`]),
    ...(summary.faults === null
      ? []
      : [
          `Faults were injected on purpose (${summary.faults}): these numbers describe the faults and the methods.`,
        ]),
    ...(summary.unsandboxed === undefined
      ? []
      : [
          `In ${counted(summary.unsandboxed, 'trial')} code or an agent ran without a sandbox, with the rights of the user who started bench.`,
        ]),
    ...oneProcessNotes(summary.oneProcess),
    ...(summary.simulated ? [`These numbers describe ${profileName(summary)}, not the methods.`] : []),
  ]
}

/** What the columns mean, and how their numbers are computed. */
function definitionTexts(summary: Summary, { prices }: MethodFacts): string[] {
  return [
    ...successTexts(summary),
    ...baselineTexts(summary),
    ...spendingTexts(summary),
    ...priceTexts(summary, prices),
    ...boundTexts(summary),
  ]
}

/** Returns one note on the agents that have a label or settings. */
function legendNotes({ methods }: Summary): string[] {
  const agents = [...new Set(methods.flatMap(({ agentLegend = [] }) => agentLegend))]
  return agents.length === 0 ? [] : [`Agents: ${agents.join('; ')}.`]
}

/** Returns `profile X`, or a text for simulated agents without a profile. */
export function profileName({ profiles }: Pick<Summary, 'profiles'>): string {
  if (profiles.length === 0) return 'simulated agents without a profile'
  return `${profiles.length === 1 ? 'profile' : 'profiles'} ${profiles.join(', ')}`
}
