import { z } from 'zod'
import { Fidelity } from '../schema/declaration.ts'
import { Outcome } from '../schema/outcome.ts'
import { type SummedRecord, TrialRecord } from '../schema/record.ts'
import { Spending } from '../schema/tokens.ts'
import type { Cursor } from './json-bytes.ts'
import type { LineBytes } from './lines.ts'
import { sumDigits } from './seal.ts'
import { type Field, objectReader } from './shape-bytes.ts'
import { createTextPool, decodeText } from './text-pool.ts'

/**
 * A record read from a line's bytes, until the next one is: one object serves them all. And where the text of its trial's id
 * begins, and where its data end, before `wall`.
 */
export interface QuickRecord {
  record: SummedRecord
  idAt: number
  /** Where the digits of its seal begin; -1: it has none. */
  sumAt: number
  dataEnd: number
}

const wallKey = ',"wall":'
const collaborationKey = '"collaboration":'
const quote = 0x22

/**
 * A reader of lines as bench writes them, for files without a torn one. Undefined for any other line, right or wrong: that
 * one is for whoever parses it whole and tells what is wrong with it.
 */
export function createRecordReader(): (line: LineBytes) => QuickRecord | undefined {
  const { agents, mode, wall } = TrialRecord.shape
  // Its seal, where the line bears one.
  const Wall = wall.extend({ sum: z.string().optional() })
  const [bill, outcome, fidelity] = [objectReader(Spending), objectReader(Outcome), objectReader(Fidelity)]
  const walls = objectReader(Wall)
  const { sum } = walls.fields
  const line = objectReader(TrialRecord, {
    spent: bill.read,
    outcome: outcome.read,
    fidelity: fidelity.read,
    wall: walls.read,
  })
  const cursor: Cursor = {
    bytes: Buffer.alloc(0),
    view: new DataView(new ArrayBuffer(0)),
    content: 0,
    at: 0,
    number: 0,
  }
  let content = 0

  const pool = createTextPool()
  /** What is made of a field, made anew only when that was read anew: for values that nobody changes. */
  const kept = <Value>(field: Field, make: (field: Field) => Value) => {
    let reads = -1
    let value: Value
    return () => {
      if (reads !== field.reads) {
        value = make(field)
        reads = field.reads
      }
      return value
    }
  }
  const textOf = ({ from, to }: Field) => pool(cursor.bytes, from, to)
  const jsonOf = ({ from, to }: Field) => JSON.parse(cursor.bytes.toString('utf8', from, to))
  const isText = ({ from }: Field) => cursor.bytes[from] === quote
  const orNull = ({ number }: Field) => (Number.isNaN(number) ? null : number)
  const { has } = line
  const [at, spent] = [line.fields, bill.fields]
  const [taskOf, suiteOf, methodOf] = [kept(at.task, textOf), kept(at.suite, textOf), kept(at.method, textOf)]
  const textOrNull = (field: Field) => (isText(field) ? textOf(field) : null)
  const [profileOf, claimedOf] = [kept(at.profile, textOrNull), kept(at.claimed, textOrNull)]
  const agentsOf = kept(at.agents, (field) => (isText(field) ? textOf(field) : agents.parse(jsonOf(field))))
  const outcomeOf = kept(at.outcome, () => ({
    status: Outcome.shape.status.options[outcome.fields.status.number] as Outcome['status'],
  }))
  const fidelityOf = kept(at.fidelity, () => ({
    status: Fidelity.shape.status.options[fidelity.fields.status.number] as Fidelity['status'],
    at: fidelity.has(fidelity.fields.at) ? jsonOf(fidelity.fields.at) : undefined,
  }))
  /** Its text is made when somebody asks, and that is when something is wrong with the record. */
  class TrialOfLine {
    get trial() {
      return decodeText(cursor.bytes, at.trial.from, at.trial.to)
    }
  }
  // Filled anew with each line, for a million of them would have to be made and collected.
  const record = new TrialOfLine() as SummedRecord
  const amounts = {} as SummedRecord['spent']
  const quick: QuickRecord = { record, idAt: 0, sumAt: 0, dataEnd: 0 }

  return ({ bytes, start, end, content: current }) => {
    if (current !== content) {
      content = current
      cursor.bytes = bytes
      cursor.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      cursor.content++
    }
    cursor.at = start
    const isRead = line.read(cursor) && cursor.at === end && line.last() === at.wall
    const isSealed = isRead && walls.has(sum)
    if (!isRead || (isSealed && (walls.last() !== sum || sum.to - sum.from !== sumDigits + 2))) {
      // What was read of it must not stand for anything.
      cursor.content++
      return undefined
    }
    record.task = taskOf()
    record.suite = suiteOf()
    record.method = methodOf()
    record.agents = agentsOf()
    record.agentSet = has(at.agentSet) ? textOf(at.agentSet) : undefined
    record.epoch = at.epoch.number
    record.mode = mode.options[at.mode.number] as TrialRecord['mode']
    record.simulated = at.simulated.number === 1
    record.profile = profileOf()
    record.outcome = outcomeOf()
    record.claimed = claimedOf()
    record.passed = Number.isNaN(at.passed.number) ? null : at.passed.number === 1
    record.score = orNull(at.score)
    record.delivered = !isText(at.delivered) ? null : has(at.candidates) ? textOf(at.delivered) : undefined
    amounts.input = spent.input.number
    amounts.output = spent.output.number
    amounts.cached = spent.cached.number
    amounts.costUsd = orNull(spent.costUsd)
    amounts.calls = spent.calls.number
    amounts.checks = spent.checks.number
    amounts.unreportedTokens = spent.unreportedTokens.number
    amounts.unreportedCost = spent.unreportedCost.number
    amounts.listCostUsd = bill.has(spent.listCostUsd) ? orNull(spent.listCostUsd) : undefined
    amounts.unknownListCost = bill.has(spent.unknownListCost) ? spent.unknownListCost.number : undefined
    amounts.reported = bill.has(spent.reported) ? jsonOf(spent.reported) : undefined
    record.spent = amounts
    record.faults = has(at.faults) ? textOf(at.faults) : undefined
    record.gradingCostUsd = orNull(at.gradingCostUsd)
    record.iterations = at.iterations.number
    record.durationMs = at.durationMs.number
    record.state = has(at.state) ? collaborationOf(at.state) : undefined
    record.candidates = has(at.candidates) ? jsonOf(at.candidates) : undefined
    record.deliveredFrom = has(at.deliveredFrom) ? jsonOf(at.deliveredFrom) : undefined
    record.fidelity = has(at.fidelity) ? fidelityOf() : undefined
    record.matched = has(at.matched) ? jsonOf(at.matched) : undefined
    record.ownJudge = has(at.ownJudge) ? textOf(at.ownJudge) : undefined
    quick.idAt = at.trial.from + 1
    // Fields of an object that stands as it stood before stay where they were.
    quick.sumAt = isSealed ? end - '"}}'.length - sumDigits : -1
    quick.dataEnd = end - 1 - (at.wall.to - at.wall.from) - wallKey.length
    return quick
  }

  function collaborationOf(state: Field): SummedRecord['state'] {
    return cursor.bytes.subarray(state.from, state.to).includes(collaborationKey) ? jsonOf(state) : undefined
  }
}
