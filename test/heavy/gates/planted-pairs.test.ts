import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import gate from '../../../src/commands/gate.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { callHere, writePlantedRun } from '../../helpers/runs/planted-gate.ts'

interface Pair {
  was: string
  is: string
  costs?: number
  limits: Record<string, number>
  answer: 'pass' | 'fail' | 'not-enough-evidence'
}

const codes = { pass: 0, fail: 1, 'not-enough-evidence': 5 }

it.each(tableOf<Pair[]>(import.meta.url, 'pairs'))(
  'bench gate judges planted runs: $was, then $is, with $limits: $answer',
  async ({ was, is, costs = 0.1, limits, answer }) => {
    const folder = tempFolder()
    const [old, now, policy] = [join(folder, 'old'), join(folder, 'now'), join(folder, 'policy.yaml')]
    writePlantedRun(old, { m: { tasks: was } })
    writePlantedRun(now, { m: { tasks: is, costs } })
    writeFileSync(policy, JSON.stringify({ gates: [{ method: 'm', against: `${old}:m`, ...limits }] }))
    const { code, stdout } = await callHere(() => gate(now, { policy, json: true }))
    const report = JSON.parse(stdout) as { answer: string }
    expect([report.answer, code]).toEqual([answer, codes[answer]])
  },
)
