import { join } from 'node:path'
import type { LedgerLine } from '../../schema/ledger/step.ts'
import type { Spending } from '../../schema/tokens.ts'
import { addCall, addDifference, type Bill, emptyBill, finalSpending } from '../budget/spending.ts'
import { journalFiles } from '../journal/journal.ts'
import { readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { allSteps, readLedger, stepName } from '../journal/ledger-index.ts'

/** The total spending of a run by payer: the methods, the grading, and void (calls taken back or lost in a crash). */
interface RunBill {
  method: Spending
  grading: Spending
  void: Spending
}

/** Returns the sum of all calls in the ledgers of some folders, failed and voided attempts included. */
export function sumRunBill(...folders: string[]): RunBill {
  const bills = folders.map((folder) => sumLedger(folder).bills)
  const spent = (payer: keyof RunBill) => {
    const sum = emptyBill()
    for (const bill of bills) addDifference(sum, bill[payer], emptyBill())
    return finalSpending(sum, { list: true })
  }
  return { method: spent('method'), grading: spent('grading'), void: spent('void') }
}

/** Counts the calls in the void row of a run's bill that went to a paid agent: what was made again may have been charged twice. */
export function countPaidTwice(folder: string): number {
  // Few runs have such a row, and a line is read faster than it is parsed.
  for (const { text } of readJournalLines(join(folder, journalFiles.steps), stepRemedy))
    if (text.includes('"payer":"void"')) return sumLedger(folder).paidTwice
  return 0
}

/** Counts the paid calls that have no result. */
export function countCutOff(folder: string): number {
  const open = new Map<string, number>()
  for (const line of readLedger(folder)) {
    const name = `${line.trial} ${stepName(line.key, line.attempt)}`
    if (line.kind === 'intent') open.set(name, (open.get(name) ?? 0) + 1)
    else if (line.kind === 'ask' && open.has(name)) open.set(name, (open.get(name) ?? 0) - 1)
  }
  return [...open.values()].reduce((sum, calls) => sum + Math.max(0, calls), 0)
}

function sumLedger(folder: string) {
  const bills = { method: emptyBill(), grading: emptyBill(), void: emptyBill() }
  // A void step names earlier steps, so trials with a void step need the bill of each step.
  const voided = new Set<string>()
  for (const step of allSteps(folder)) if (step.kind === 'void') voided.add(step.trial)
  const kept = new Map<string, Bill>()
  // Paid calls have an intent.
  const paid = new Set<string>()
  let paidTwice = 0
  for (const line of readLedger(folder)) {
    if (line.kind === 'intent' && voided.has(line.trial)) paid.add(nameOf(line))
    else if (line.kind === 'ask' || line.kind === 'check') {
      const own = emptyBill()
      if (line.kind === 'ask') addCall(own, line)
      else own.checks++
      addDifference(bills[line.payer], own, emptyBill())
      // Of free calls none is lost, and a repair finds duplicates of paid ones alone.
      if (line.payer === 'void') paidTwice += own.calls
      else if (voided.has(line.trial)) kept.set(nameOf(line), own)
    } else if (line.kind === 'void')
      for (const key of line.keys) {
        const name = `${line.trial} ${key}`
        const own = kept.get(name)
        if (!own) continue
        addDifference(bills.void, own, emptyBill())
        addDifference(bills.method, emptyBill(), own)
        if (paid.has(name)) paidTwice += own.calls
        kept.delete(name)
      }
  }
  return { bills, paidTwice }
}

const nameOf = ({ trial, key, attempt }: LedgerLine) => `${trial} ${stepName(key, attempt)}`
