import type { AskStep } from '../../schema/ledger/step.ts'

/** What tokens can be spent on. */
export const spendingKinds = [
  'work',
  'hand-off',
  'summary',
  'vote',
  'judging',
  'orchestration',
  'repair',
] as const
/** What tokens can be spent on; see `spendingKinds`. */
export type SpendingKind = (typeof spendingKinds)[number]

/** Tokens by what they were spent on. */
export type ByKind = Record<SpendingKind, number>

/** No tokens at all. */
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
 * Splits the tokens that a call reported. A repair turn or a retry is `repair`, whoever is asked; a call that its
 * strategy named a vote is `vote`; else the role's kind of work decides. Of a producing role's input, the part that
 * other agents had written (`handedOn`, a share of the prompt) is `hand-off`: it reads them in order to work.
 */
export function tokensByKind(ask: AskStep, handedOn: number): ByKind {
  const tokens = noTokens()
  const input = ask.tokens.input ?? 0
  const output = ask.tokens.output ?? 0
  if (ask.repair || ask.retry) tokens.repair = input + output
  else if (ask.purpose === 'vote') tokens.vote = input + output
  else if (ask.work !== 'produce') tokens[kindOfWork[ask.work]] = input + output
  else {
    tokens['hand-off'] = input * handedOn
    tokens.work = input * (1 - handedOn) + output
  }
  return tokens
}
