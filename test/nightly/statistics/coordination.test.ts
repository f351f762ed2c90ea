import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MethodCoordination } from '../../../src/analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../../src/analysis/coordination/error-flow.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { startBench } from '../../helpers/runs/cli.ts'

const bench = (...args: string[]) => startBench(args).ended

it('report --coordination shows how agents worked together and where right answers were lost, in every format', async () => {
  const out = join(tempFolder(), 'run')
  const plan = ['--tasks', 'answers', '--methods', 'baseline,sequential', '--epochs', '4', '--quiet']
  await bench(...plan, '--grade-candidates', '--out', out)
  const records = readFileSync(join(out, 'records.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TrialRecord)

  const { stdout } = await bench('report', out, '--coordination', '--format', 'json')
  const json = JSON.parse(stdout) as { coordination: MethodCoordination[]; errorFlow: MethodErrorFlow[] }
  const [baseline, sequential] = json.coordination
  expect(baseline).toMatchObject({
    isBaseline: true,
    perTrial: { turns: 1, messages: 0 },
    shares: { work: 1 },
  })
  expect(sequential?.overhead?.tokens).toBeGreaterThan(100)
  expect(sequential?.perTrial.messages).toBeGreaterThan(3)
  expect(Object.values(sequential?.shares ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)

  const graded = records.filter(
    ({ method, passed, candidates }) => method === 'sequential' && passed !== null && candidates?.length,
  )
  expect(json.errorFlow.find(({ method }) => method === 'sequential')).toMatchObject({
    trials: graded.length,
    withRight: graded.filter(({ candidates }) => candidates?.some(({ passed }) => passed)).length,
    lost: graded.filter(({ candidates, passed }) => !passed && candidates?.some(({ passed }) => passed))
      .length,
  })

  const shown = async (format: string) =>
    (await bench('report', out, '--coordination', '--format', format)).stdout
  expect(await shown('text')).toMatch(/Coordination: .*\(simulated\)[\s\S]*oracle gap/)
  expect(await shown('markdown')).toContain('| oracle gap (of trials) |')
  expect(await shown('latex')).toMatch(/coordination-1[\s\S]*errorFlow-1/)
  expect((await shown('csv')).split('\n')[0]).toContain('share_hand_off (share of tokens)')
  expect((await bench('report', out)).stdout).toContain('oracle gap')

  const revised = graded.find(({ candidates = [] }) => candidates.length > 1) as TrialRecord
  expect((await bench('show', out, revised.trial)).stdout).toMatch(
    /on the way +\S*#\d+ \S+: (right|wrong), made from/,
  )
  expect(await bench('replay', out)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
})
