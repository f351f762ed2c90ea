import { z } from 'zod'
import type { KindOfWork, StrategyContext } from '../strategy.ts'
import { filesContext, replyContext } from './work-context.ts'

/** The workers of the contract workflow: the same, with the same instructions, whoever coordinates them. */
export const contractRoles = {
  'contract-writer': 'decide',
  auditor: 'judge',
  'code-generator': 'produce',
  evaluator: 'judge',
  refiner: 'decide',
} as const satisfies Record<string, KindOfWork>
/** The roles that work on a contract. */
export type ContractRole = keyof typeof contractRoles

/** An auditor's reply: how far the work keeps the contract, 0 to 1, and what breaks it. */
export const Audit = z.object({
  compliance: z.number().min(0).max(1),
  violations: z.array(z.object({ id: z.string(), text: z.string() })),
})
export type Audit = z.infer<typeof Audit>

/** An evaluator's reply. */
export const Evaluation = z.object({ satisfied: z.boolean(), feedback: z.string() })
export type Evaluation = z.infer<typeof Evaluation>

/** One violation a line. */
export const violationList = (violations: Audit['violations']) =>
  violations.map(({ id, text }) => `- ${id}: ${text}`).join('\n')

/** What a worker is told beside the task and the files. What is missing or empty is not there yet. */
export interface Known {
  /** A coordinator's own words. */
  brief?: string
  contract?: string
  /** Of the last audit, as text. */
  toFix?: string
  feedback?: string
  /** The code generator's last reply: the work itself where the task wants an answer. */
  reply?: string
  /** The work as an evaluator sees it, where that is not the files as they are. */
  work?: string
  checks?: string
}

/** Asks each worker for its part, with all that its part needs and nothing else. */
export function contractWorkers(
  context: Pick<StrategyContext<ContractRole, unknown>, 'ask' | 'instruction' | 'workspace'>,
) {
  const { ask, instruction: task, workspace } = context
  const files = () => filesContext(workspace)
  const lastReply = (reply = '') => replyContext(reply, workspace)
  return {
    writeContract: ({ brief }: Known = {}) =>
      ask('contract-writer', prompts['contract-writer'], { show: texts({ brief, task, files: files() }) }),
    audit: ({ brief, contract, reply }: Known) =>
      ask('auditor', prompts.auditor, {
        shape: Audit,
        show: texts({ brief, task, contract, files: files(), 'last reply': lastReply(reply) }),
      }),
    // The door itself puts the task before a producing role's prompt.
    produce: ({ brief, contract, toFix, feedback, reply }: Known) =>
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
    evaluate: ({ brief, work, checks }: Known) =>
      ask('evaluator', prompts.evaluator, {
        shape: Evaluation,
        show: texts({ brief, task, work, checks }),
      }),
    refine: ({ brief, contract, feedback, checks }: Known) =>
      ask('refiner', prompts.refiner, { show: texts({ brief, task, contract, feedback, checks }) }),
  }
}

const texts = (known: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(known).map(([name, text]) => [name, text ?? '']))

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
