import { z } from 'zod'
import { defineStrategy, type StrategyResult } from '../src/strategy.ts'
import { estimateTokens, tokenizer } from '../src/text/token-estimate.ts'
import {
  type ContractRole,
  contractRoles,
  contractWorkers,
  type Evaluation,
  violationList,
  type WorkerTexts,
} from '../src/workflows/contract-workers.ts'
import { endWith } from '../src/workflows/end.ts'
import { checkContext, replyContext, sections, trimToTokens } from '../src/workflows/work-context.ts'

// In the usual order of the flow.
const Decision = z.object({
  next: z.enum(['contract-writer', 'auditor', 'code-generator', 'evaluator', 'refiner', 'finish']),
  brief: z.string(),
})

/** One orchestrator reads every output in full at each decision, and decides who acts next. */
export const integrated = defineStrategy({
  name: 'integrated',
  aliases: ['adc-integrated'],
  summary: 'A central orchestrator accumulates every output in full and decides who acts next.',
  roles: { orchestrator: 'decide', ...contractRoles },
  declaration: ({ session }) => ({
    flow: {
      repeat: [
        'orchestrator',
        { either: ['contract-writer', 'auditor', 'code-generator', 'evaluator', 'refiner'] },
      ],
      most: 'maxDecisions',
      until: 'orchestrator',
    },
    stop: 'the orchestrator says finish, or the decisions or evaluations are used up',
    context: `the orchestrator reads every output in full, ${session ? 'once, in one conversation' : 'at each decision'}; workers read what their part needs`,
  }),
  options: z.strictObject({
    maxDecisions: z.int().positive().default(50).describe('maximum number of decisions of the orchestrator'),
    maxEvaluations: z
      .int()
      .positive()
      .default(5)
      .describe('maximum number of evaluations, like the rounds of sequential'),
    session: z
      .boolean()
      .default(false)
      .describe('the orchestrator keeps one conversation, and each ask shows only what is new'),
  }),

  async run(context) {
    const { instruction: task, options, ask, workspace, label } = context
    const workers = contractWorkers({ instruction: task, ask, workspace })
    const history: string[] = []
    let shown = 0 // entries of the history that are in the conversation
    const decisions: string[] = []
    const contextTokens: number[] = [] // what the orchestrator read, per decision
    const compliance: number[] = []
    let evaluations = 0
    const known: WorkerTexts = {}
    let verdict: Evaluation | undefined
    const end = (stopReason: StrategyResult['stopReason'], detail: string): StrategyResult => {
      const peakContextTokens = Math.max(...contextTokens)
      const read = { contextTokens, peakContextTokens, tokenizer }
      const { satisfied = false, feedback = '' } = verdict ?? {}
      const state = { decisions, compliance, evaluations, satisfied, feedback, ...read }
      return endWith(context, { answer: known.reply ?? '', stopReason, detail, state })
    }

    // Each worker's reply is kept for the others; the orchestrator reads it in full.
    const act: Record<ContractRole, (known: WorkerTexts) => Promise<string>> = {
      'contract-writer': async (known) => keep('contract', await workers.writeContract(known)),
      auditor: async (known) => {
        const audit = await workers.audit(known)
        compliance.push(audit.compliance)
        return `compliance: ${audit.compliance}\n${keep('toFix', violationList(audit.violations))}`
      },
      'code-generator': async (known) => {
        verdict = undefined // the last verdict judged earlier work
        return keep('reply', await workers.produce(known))
      },
      evaluator: async (known) => {
        const checks = keep('checks', checkContext(await workspace.check()))
        const { contract = '', reply = '' } = known
        const changes = workspace.diff()
        const work = sections({ contract, changes, 'last reply': replyContext(reply, workspace) })
        verdict = await workers.evaluate({ ...known, work, checks })
        evaluations++
        return sections({
          satisfied: String(verdict.satisfied),
          feedback: keep('feedback', verdict.feedback),
          checks,
        })
      },
      refiner: async (known) => keep('contract', await workers.refine(known)),
    }
    const keep = (name: keyof WorkerTexts, text: string) => {
      known[name] = text
      return text
    }

    for (let decision = 1; decision <= options.maxDecisions; decision++) {
      label({ decision })
      const said = history.join('\n\n')
      contextTokens.push(estimateTokens(`${task}\n${said}`))
      const { next, brief } = await (options.session
        ? ask('orchestrator', 'Who acts next?', {
            shape: Decision,
            session: 'orchestrator',
            // A long conversation loses its oldest turns, but never the system prompt.
            system: `${orchestrate}\n\n## task\n${task}`,
            show: { 'what was said since': history.slice(shown).join('\n\n') },
          })
        : ask('orchestrator', orchestrate, {
            shape: Decision,
            show: { task, 'all that was said so far': said },
          }))
      decisions.push(next)
      if (next === 'finish') {
        return end(verdict?.satisfied === false ? 'halted' : 'done', trimToTokens(brief, 100))
      }
      history.push(`### you, to ${next}\n${brief}`)
      shown = history.length // the conversation has the orchestrator's own words
      history.push(`### ${next}\n${await act[next]({ ...known, brief })}`)
      if (verdict && !verdict.satisfied && evaluations >= options.maxEvaluations) {
        return end('exhausted', `the evaluator was not satisfied in ${evaluations} evaluations`)
      }
    }
    return end('exhausted', `${options.maxDecisions} decisions`)
  },
})

const orchestrate =
  'You coordinate the work on the task below. Decide who acts `next` and write the `brief` for it. The usual order: ' +
  'contract-writer, then auditor and code-generator in turn until the contract is kept, then evaluator; if it is not ' +
  'satisfied, refiner, and again from the auditor. `finish` when the work is done or no more can be gained.'
