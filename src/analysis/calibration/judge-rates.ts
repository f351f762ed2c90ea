import { wilsonInterval } from '../tasks/binomial-intervals.ts'

/** A trial that a person has labelled: whether the person and the judges say that it passes. */
interface Labelled {
  label: boolean
  verdict: boolean
}

/** A share with its interval; null without trials. */
export interface Rate {
  value: number | null
  lower: number | null
  upper: number | null
  /** Trials that count. */
  trials: number
}

/** How the judges' verdicts relate to labels of people. */
export interface JudgeRates {
  /** Of the trials that people pass, the share that the judges pass. */
  sensitivity: Rate
  /** Of the trials that people fail, the share that the judges fail. */
  specificity: Rate
  /** Share of trials with the same verdict. */
  agreement: Rate
}

/** Returns sensitivity, specificity and agreement of verdicts, with Wilson intervals. */
export function judgeRates(labelled: readonly Labelled[], confidence: number): JudgeRates {
  const rate = (of: readonly Labelled[], isRight: (one: Labelled) => boolean): Rate => {
    const right = of.filter(isRight).length
    if (of.length === 0) return { value: null, lower: null, upper: null, trials: 0 }
    const { lower, upper } = wilsonInterval(right, of.length, confidence)
    return { value: right / of.length, lower, upper, trials: of.length }
  }
  return {
    sensitivity: rate(
      labelled.filter(({ label }) => label),
      ({ verdict }) => verdict,
    ),
    specificity: rate(
      labelled.filter(({ label }) => !label),
      ({ verdict }) => !verdict,
    ),
    agreement: rate(labelled, ({ label, verdict }) => label === verdict),
  }
}
