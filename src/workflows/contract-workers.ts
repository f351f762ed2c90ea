import { z } from 'zod'
import type { KindOfWork } from '../ask.ts'
import type { StrategyContext } from '../strategy.ts'
import { filesContext, replyContext } from './work-context.ts'

/** The roles of the contract workflow, which `integrated` and `sequential` share. */
export const contractRoles = {
  'contract-writer': 'decide',
  auditor: 'judge',
  'code-generator': 'produce',
  evaluator: 'judge',
  refiner: 'decide',
} as const satisfies Record<string, KindOfWork>
/** The name of a role of the contract workflow. */
export type ContractRole = keyof typeof contractRoles

/** The shape of an auditor's reply: how far the work keeps the contract, 0 to 1, and what breaks it. */
export const Audit = z.object({
  compliance: z.number().min(0).max(1),
  violations: z.array(z.object({ id: z.string(), text: z.string() })),
})
export type Audit = z.infer<typeof Audit>

/** The shape of an evaluator's reply: whether it is satisfied, and what is missing. */
export const Evaluation = z.object({ satisfied: z.boolean(), feedback: z.string() })
export type Evaluation = z.infer<typeof Evaluation>

/** Returns violations as text for a prompt, one per line. */
export const violationList = (violations: Audit['violations']) =>
  violations.map(({ id, text }) => `- ${id}: ${text}`).join('\n')

/** Texts that workers see beside the task and the files. A worker does not see those that are missing or empty. */
export interface WorkerTexts {
  /** A coordinator's own words. */
  brief?: string
  contract?: string
  /** The violations of the last audit. */
  toFix?: string
  /** The evaluator's feedback. */
  feedback?: string
  /** The code generator's last reply: the work itself if the task wants an answer. */
  reply?: string
  /** The work as an evaluator sees it. */
  work?: string
  /** The results of the visible checks. */
  checks?: string
}

/**
 * Returns a function for each worker of the contract workflow. It asks for the worker's part with the prompt that all methods
 * share, and shows what that part needs and nothing else.
 */
export function contractWorkers(
  context: Pick<StrategyContext<ContractRole, unknown>, 'ask' | 'instruction' | 'workspace'>,
) {
  const { ask, instruction: task, workspace } = context
  const files = () => filesContext(workspace)
  const lastReply = (reply = '') => replyContext(reply, workspace)
  return {
    writeContract: ({ brief }: WorkerTexts = {}) =>
      ask('contract-writer', prompts['contract-writer'], { show: texts({ brief, task, files: files() }) }),
    audit: ({ brief, contract, reply }: WorkerTexts) =>
      ask('auditor', prompts.auditor, {
        shape: Audit,
        show: texts({ brief, task, contract, files: files(), 'last reply': lastReply(reply) }),
      }),
    // The prompt of a `produce` role begins with the task anyway.
    produce: ({ brief, contract, toFix, feedback, reply }: WorkerTexts) =>
      ask('code-generator', prompts['code-generator'], {
        show: texts({
          brief,
          contract,
          violations: toFix,
          feedback,
          files: files(),
          'last reply': lastReply(reply),
        }),
      }),
    evaluate: ({ brief, work, checks }: WorkerTexts) =>
      ask('evaluator', prompts.evaluator, {
        shape: Evaluation,
        show: texts({ brief, task, work, checks }),
      }),
    refine: ({ brief, contract, feedback, checks }: WorkerTexts) =>
      ask('refiner', prompts.refiner, { show: texts({ brief, task, contract, feedback, checks }) }),
  }
}

const texts = (given: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, text ?? '']))

const prompts: Readonly<Record<ContractRole, string>> = {
  'contract-writer':
    'Write the contract for the task below: numbered requirements (R1, R2, ...), each of which can be checked, with the ' +
    'names, files, numbers and edge cases that it fixes. Do not solve the task.',
  auditor:
    'Audit the work below against the contract. `compliance` is the share of requirements that it keeps, from 0 (no ' +
    'work yet) to 1. List each violation with the id of its requirement and what is wrong.',
  'code-generator':
    'Do the task so that the work keeps the contract below. Fix the violations, if any are listed.',
  evaluator:
    'Does the work below do the whole task? Lean on the results of the visible checks. `feedback` says what is wrong or ' +
    'missing, and whether the contract itself misled the work.',
  refiner:
    'The work was judged not to do the task. Rewrite the contract below so that work which keeps it will: answer the ' +
    'feedback, keep the ids of requirements that stay. Reply with the whole contract.',
}
