import { z } from 'zod'
import { Fidelity } from '../schema/declaration.ts'
import { Outcome } from '../schema/outcome.ts'
import { type SummedRecord, TrialRecord } from '../schema/record.ts'
import { Spending } from '../schema/tokens.ts'
import type { Cursor } from './json-bytes.ts'
import type { LineBytes } from './lines.ts'
import { type Field, objectReader } from './shape-bytes.ts'
import { createTextPool, decodeText } from './text-pool.ts'

/** A record read from a line's bytes, its trial's name until the next one is, and where the text of its trial's id begins, and where its data end, before `wall`. */
export interface QuickRecord {
  record: SummedRecord
  idAt: number
  dataEnd: number
}

const { agents, mode, wall } = TrialRecord.shape
// Its seal, where the line bears one.
const Wall = wall.extend({ sum: z.string().optional() })
const wallKey = ',"wall":'
const collaborationKey = '"collaboration":'
const quote = 0x22

/**
 * A reader of lines as bench writes them, for files without a torn one. Undefined for any other line, right or wrong: that
 * one is for whoever parses it whole and tells what is wrong with it.
 */
export function createRecordReader(): (line: LineBytes) => QuickRecord | undefined {
  const [bill, outcome, fidelity] = [objectReader(Spending), objectReader(Outcome), objectReader(Fidelity)]
  const line = objectReader(TrialRecord, {
    spent: bill.read,
    outcome: outcome.read,
    fidelity: fidelity.read,
    wall: objectReader(Wall).read,
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
  const profileOf = kept(at.profile, (field) => (isText(field) ? textOf(field) : null))
  const agentsOf = kept(at.agents, (field) => (isText(field) ? textOf(field) : agents.parse(jsonOf(field))))
  const outcomeOf = kept(at.outcome, () => ({
    status: Outcome.shape.status.options[outcome.fields.status.number] as Outcome['status'],
  }))
  const fidelityOf = kept(at.fidelity, () => ({
    status: Fidelity.shape.status.options[fidelity.fields.status.number] as Fidelity['status'],
    at: fidelity.has(fidelity.fields.at) ? jsonOf(fidelity.fields.at) : undefined,
  }))
  /** As the line stands now, all of it but the trial's name: its text is made when somebody asks, and then something is wrong. */
  class LineRecord implements SummedRecord {
    get trial() {
      return decodeText(cursor.bytes, at.trial.from, at.trial.to)
    }
    task = taskOf()
    suite = suiteOf()
    method = methodOf()
    agents = agentsOf()
    agentSet = has(at.agentSet) ? textOf(at.agentSet) : undefined
    epoch = at.epoch.number
    mode = mode.options[at.mode.number] as TrialRecord['mode']
    simulated = at.simulated.number === 1
    profile = profileOf()
    outcome = outcomeOf()
    passed = Number.isNaN(at.passed.number) ? null : at.passed.number === 1
    score = orNull(at.score)
    delivered = has(at.candidates) ? jsonOf(at.delivered) : undefined
    spent = {
      input: spent.input.number,
      output: spent.output.number,
      cached: spent.cached.number,
      costUsd: orNull(spent.costUsd),
      calls: spent.calls.number,
      checks: spent.checks.number,
      unreportedTokens: spent.unreportedTokens.number,
      unreportedCost: spent.unreportedCost.number,
      listCostUsd: bill.has(spent.listCostUsd) ? orNull(spent.listCostUsd) : undefined,
      unknownListCost: bill.has(spent.unknownListCost) ? spent.unknownListCost.number : undefined,
      reported: bill.has(spent.reported) ? jsonOf(spent.reported) : undefined,
    }
    faults = has(at.faults) ? textOf(at.faults) : undefined
    gradingCostUsd = orNull(at.gradingCostUsd)
    iterations = at.iterations.number
    durationMs = at.durationMs.number
    state = has(at.state) ? collaborationOf(at.state) : undefined
    candidates = has(at.candidates) ? jsonOf(at.candidates) : undefined
    deliveredFrom = has(at.deliveredFrom) ? jsonOf(at.deliveredFrom) : undefined
    fidelity = has(at.fidelity) ? fidelityOf() : undefined
    matched = has(at.matched) ? jsonOf(at.matched) : undefined
    ownJudge = has(at.ownJudge) ? textOf(at.ownJudge) : undefined
  }

  return ({ bytes, start, end, content: current }) => {
    if (current !== content) {
      content = current
      cursor.bytes = bytes
      cursor.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      cursor.content++
    }
    cursor.at = start
    if (!line.read(cursor) || cursor.at !== end || line.last() !== at.wall) {
      // What was read of it must not stand for anything.
      cursor.content++
      return undefined
    }
    return {
      record: new LineRecord(),
      idAt: at.trial.from + 1,
      dataEnd: end - 1 - (at.wall.to - at.wall.from) - wallKey.length,
    }
  }

  function collaborationOf(state: Field): SummedRecord['state'] {
    return cursor.bytes.subarray(state.from, state.to).includes(collaborationKey) ? jsonOf(state) : undefined
  }
}
