import type { Step } from '../../schema/ledger/step.ts'
import type { Spending } from '../../schema/tokens.ts'
import { addCall, addDifference, type Bill, emptyBill, finalSpending } from '../budget/spending.ts'
import { allSteps, stepName } from '../journal/ledger-index.ts'

/** The total spending of a run by payer: the methods, the grading, and void (calls taken back or lost in a crash). */
interface RunBill {
  method: Spending
  grading: Spending
  void: Spending
}

/** Returns the sum of all calls in the ledger, failed and voided attempts included. */
export function sumRunBill(folder: string): RunBill {
  const bills = { method: emptyBill(), grading: emptyBill(), void: emptyBill() }
  // A void step names earlier steps, so trials with a void step need the bill of each step.
  const voided = new Set<string>()
  for (const step of allSteps(folder)) if (step.kind === 'void') voided.add(step.trial)
  const kept = new Map<string, Bill>()
  for (const step of allSteps(folder)) {
    if (step.kind === 'ask' || step.kind === 'check') {
      const own = emptyBill()
      if (step.kind === 'ask') addCall(own, step)
      else own.checks++
      addDifference(bills[step.payer], own, emptyBill())
      if (voided.has(step.trial) && step.payer !== 'void') kept.set(nameOf(step), own)
    } else if (step.kind === 'void')
      for (const key of step.keys) {
        const own = kept.get(`${step.trial} ${key}`)
        if (!own) continue
        addDifference(bills.void, own, emptyBill())
        addDifference(bills.method, emptyBill(), own)
        kept.delete(`${step.trial} ${key}`)
      }
  }
  return {
    method: finalSpending(bills.method, { list: true }),
    grading: finalSpending(bills.grading, { list: true }),
    void: finalSpending(bills.void, { list: true }),
  }
}

const nameOf = ({ trial, key, attempt }: Step) => `${trial} ${stepName(key, attempt)}`
