import type { AskStep } from '../../schema/ledger/step.ts'

/** Kinds of token spending. */
export const spendingKinds = [
  'work',
  'hand-off',
  'summary',
  'vote',
  'judging',
  'orchestration',
  'repair',
] as const
/** A kind of token spending; see `spendingKinds`. */
export type SpendingKind = (typeof spendingKinds)[number]

/** Tokens by kind of spending. */
export type ByKind = Record<SpendingKind, number>

/** Returns zero tokens of every kind. */
export const noTokens = (): ByKind => ({
  work: 0,
  'hand-off': 0,
  summary: 0,
  vote: 0,
  judging: 0,
  orchestration: 0,
  repair: 0,
})

const kindOfWork = {
  produce: 'work',
  judge: 'judging',
  summarise: 'summary',
  decide: 'orchestration',
} as const satisfies Record<AskStep['work'], SpendingKind>

/**
 * Splits the reported tokens of a call by kind. A repair or a retry is `repair` for any role; a call with the purpose
 * `vote` is `vote`; else the role's kind of work decides. In the input of a producing role the part that other agents wrote
 * (`shareOfOthers`, a share of the prompt) is `hand-off`.
 */
export function tokensByKind(ask: AskStep, shareOfOthers: number): ByKind {
  const tokens = noTokens()
  const input = ask.tokens.input ?? 0
  const output = ask.tokens.output ?? 0
  if (ask.repair || ask.retry) tokens.repair = input + output
  else if (ask.purpose === 'vote') tokens.vote = input + output
  else if (ask.work !== 'produce') tokens[kindOfWork[ask.work]] = input + output
  else {
    tokens['hand-off'] = input * shareOfOthers
    tokens.work = input * (1 - shareOfOthers) + output
  }
  return tokens
}
