import { z } from 'zod'
import { defineStrategy, type StrategyContext, type StrategyResult } from '../src/strategy.ts'
import { bestAttempt } from '../src/workflows/attempts.ts'
import {
  type Audit,
  contractRoles,
  contractWorkers,
  violationList,
} from '../src/workflows/contract-workers.ts'
import { endWith } from '../src/workflows/end.ts'
import { adaptedLimits, isStuck } from '../src/workflows/progress.ts'
import { type AskSummary, createSummariser, summaryOptions } from '../src/workflows/summary.ts'
import { checkContext, replyContext, sections } from '../src/workflows/work-context.ts'

const roles = { ...contractRoles, summarizer: 'summarise', 'pr-writer': 'summarise' } as const
const count = z.int().positive()
const Options = z.strictObject({
  maxOuter: count.default(5).describe('maximum number of rounds, each with its own contract'),
  maxInner: count.default(10).describe('maximum number of productions in a round'),
  compliance: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('compliance from which work goes to the evaluator'),
  patience: count.default(2).describe('audits without better compliance after which the method gives up'),
  adaptive: z.boolean().default(false).describe('fewer rounds if the first audit finds little missing'),
  parallel: count
    .max(9)
    .default(1)
    .describe('number of productions side by side; the most compliant one is kept'),
  ...summaryOptions,
  contractTokens: count.default(10_000).describe('maximum tokens of a contract summary'),
  violationTokens: count.default(5_000).describe('maximum tokens of a summary of violations'),
  evaluatorTokens: count.default(20_000).describe("maximum tokens of the evaluator's context"),
})

const fixing = { repeat: ['auditor', 'code-generator'], most: 'maxInner', until: 'auditor' } as const
const attempting = [
  'auditor',
  { repeat: { beside: ['code-generator', 'auditor'], times: 'parallel' }, most: 'maxInner' },
] as const

/** Two nested loops without a coordinator: the method keeps the state, and agents read summaries of it. */
export const sequential = defineStrategy({
  name: 'sequential',
  aliases: ['adc-sequential'],
  summary:
    'Contract; audit and fix until compliant; evaluate, refine the contract, again. Agents read summaries.',
  roles,
  declaration: ({ parallel }) => ({
    flow: [
      'contract-writer',
      {
        repeat: [parallel === 1 ? fixing : attempting, 'evaluator', 'refiner'],
        most: 'maxOuter',
        until: 'evaluator',
      },
      'pr-writer',
    ],
    onDemand: ['summarizer'],
    stop: 'the evaluator is satisfied, compliance is stuck, or the rounds are used up',
    context: 'summaries of the contract, violations and evidence; nobody reads earlier replies',
  }),
  options: Options,

  async run(context) {
    const { instruction: task, options, ask, workspace, label, checkpoint, delivers } = context
    const workers = contractWorkers(context)
    const short = summariesOf(context)
    let state = newState(options)
    const end = (stopReason: StrategyResult['stopReason'], detail: string): StrategyResult => {
      const { reply: answer, ...rest } = state
      const all = { ...rest, summaries: short.measured, summaryTotals: short.totals() }
      return endWith(context, { answer, stopReason, detail, state: all })
    }

    let contract = await workers.writeContract()
    state.contract = await short.contract(contract)

    for (let outer = 1; outer <= state.limits.maxOuter; outer++) {
      state = await checkpoint({ ...state, outer })
      state.compliance.push([]) // a new contract needs a new audit
      let audit: Audit | undefined
      for (let inner = 1; inner <= state.limits.maxInner; inner++) {
        label({ outer: state.outer, inner })
        // The round's first audit belongs to the inner loop: only then do the sums of the ADC document add up.
        audit ??= record(context, state, await workers.audit(state))
        if (options.adaptive && state.outer === 1 && inner === 1)
          state.limits = adaptedLimits(state.limits, audit.compliance, options.compliance)
        if (audit.compliance >= options.compliance && delivers(state.reply)) break
        const scores = state.compliance.at(-1) ?? []
        if (isStuck(scores, options.patience))
          return end('stuck', `compliance did not improve in ${options.patience} runs: ${scores.join(', ')}`)

        state = await checkpoint({ ...state, inner })
        const toFix = await short.violations(violationList(state.violations))
        const made = await produce(context, state, toFix)
        state.reply = made.reply
        audit = made.audit && record(context, state, made.audit)
      }

      label({ outer })
      const checks = checkContext(await workspace.check())
      const work = await short.evidence(
        sections({
          contract,
          violations: violationList(state.violations),
          changes: workspace.diff(),
          'last reply': replyContext(state.reply, workspace),
        }),
      )
      const { satisfied, feedback } = await workers.evaluate({ work, checks })
      state = { ...state, satisfied, feedback }
      if (satisfied) {
        if (delivers(state.reply)) state.pr = await ask('pr-writer', pullRequest, { show: { task, work } })
        return end('done', 'the evaluator was satisfied')
      }
      if (outer === state.limits.maxOuter) break // no agent would read another contract

      contract = await workers.refine({ contract, feedback, checks })
      state.contract = await short.contract(contract)
    }
    return end('exhausted', `the evaluator was not satisfied in ${state.outer} rounds`)
  },
})

/** Produces once; or several times side by side, and keeps the most compliant production with its audit. */
async function produce(
  context: Context,
  state: State,
  toFix: string,
): Promise<{ reply: string; audit?: Audit }> {
  const { parallel } = context.options
  if (parallel === 1) return { reply: await contractWorkers(context).produce({ ...state, toFix }) }
  const name = `round-${state.outer}-run-${state.inner}-attempt`
  return bestAttempt(context, name, parallel, async (branch) => {
    const workers = contractWorkers(branch)
    const reply = await workers.produce({ ...state, toFix })
    const audit = correctAudit(branch, reply, await workers.audit({ ...state, reply }))
    return { score: audit.compliance, value: { reply, audit } }
  })
}

function record(context: Context, state: State, given: Audit): Audit {
  const audit = correctAudit(context, state.reply, given)
  state.compliance.at(-1)?.push(audit.compliance)
  state.violations = audit.violations
  return audit
}

function correctAudit({ delivers, options }: Context, reply: string, audit: Audit): Audit {
  return audit.compliance < options.compliance || delivers(reply) ? audit : { ...audit, compliance: 0 }
}

function summariesOf({ ask, note, options }: Context) {
  const askSummarizer: AskSummary = (prompt, show) => ask('summarizer', prompt, { show })
  const { summarise, measured, totals } = createSummariser(askSummarizer, { ...options, note })
  return {
    contract: (text: string) => summarise('contract', text, options.contractTokens),
    violations: (text: string) => summarise('violations', text, options.violationTokens),
    evidence: (text: string) => summarise('evaluator context', text, options.evaluatorTokens),
    measured,
    totals,
  }
}

type Context = StrategyContext<keyof typeof roles, z.output<typeof Options>>
type State = ReturnType<typeof newState>

const newState = ({ maxOuter, maxInner }: z.output<typeof Options>) => ({
  outer: 0,
  inner: 0,
  limits: { maxOuter, maxInner },
  contract: '', // the summary that agents see
  compliance: [] as number[][], // by round
  violations: [] as Audit['violations'],
  satisfied: false,
  feedback: '',
  reply: '',
  pr: '',
})

const pullRequest =
  'The work below is accepted. Write its pull request in at most 400 tokens: a title, what was done and why, what was checked.'
