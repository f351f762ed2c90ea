import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import compare from '../../../src/commands/compare.ts'
import gate from '../../../src/commands/gate.ts'
import { addTimesum } from '../../../src/loop/journal/checksum.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { callHere, writePlantedRun } from '../../helpers/runs/planted-gate.ts'

const policyText = `level: 5
gates:
  - { method: solid, against: weak, margin: 5, cost: 1.5 }
  - { method: solid, against: OLD:solid, margin: 10, relativeMargin: 5 }
  - { method: weak, against: solid, suite: s, margin: 10, tokens: 2, time: 3 }
`

/** Two runs of two methods, of which the later one has another price list and other code. */
function twoRuns() {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const [old, now, policy] = [at('old'), at('now'), at('policy.yaml')]
  const methods = { solid: { tasks: '58x1 2x0', costs: 0.11 }, weak: { tasks: '20x1 40x0' } }
  writePlantedRun(old, methods)
  writePlantedRun(now, methods, {
    methods: ['solid', 'weak'].map((label) => {
      return { label, strategy: 'baseline', options: {}, digest: 'f0'.repeat(32) }
    }),
    limits: { calls: 7 },
    agents: { '*': 'test:model2' },
  })
  writeFileSync(policy, policyText.replace('OLD', old))
  return { at, old, now, policy, plain: (text: string) => text.replaceAll(folder, 'DIR') }
}

const refs = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ref: `s/${String(index).padStart(4, '0')}`,
    digest: 'd4'.repeat(32),
  }))

it('says of each row of a policy whether it passes, why, and what differs between two runs', async () => {
  const { now, policy, plain } = twoRuns()
  const { code, stdout } = await callHere(() => gate(now, { policy }))
  expect(plain(stdout)).toMatchSnapshot()
  expect(code).toBe(1)
})

it('writes the answers as JUnit, with outcome and cost, and into the summary of a CI step', async () => {
  const { at, now, policy, plain } = twoRuns()
  const [junit, stepSummary] = [at('gate.xml'), at('summary.md')]
  await callHere(() => gate(now, { policy, junit, stepSummary }))
  expect(plain(readFileSync(junit, 'utf8'))).toMatchSnapshot()
  expect(plain(readFileSync(stepSummary, 'utf8'))).toMatchSnapshot()
})

it('finds all mistakes of a policy at once, with their lines', async () => {
  const { at, old, now, plain } = twoRuns()
  const policy = at('wrong.yaml')
  writeFileSync(
    policy,
    `level: 60
gate: 1
gates:
  - method: sold
    against: week
    margin: 100
  - method: solid
    against: ${old}:week
    suite: code
    marginn: 3
  - method: solid
    against: solid
    cost: -1
  - against: nowhere:solid
    time: fast
  - method: solid
    against: weak
`,
  )
  await expect(gate(now, { policy })).rejects.toSatisfy((error: Error) => {
    expect(plain(error.message)).toMatchSnapshot()
    return true
  })
  await expect(gate(now, { policy: at('none.yaml') })).rejects.toThrow('cannot be read')
})

it('marks what simulated numbers say, since they describe a profile', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  const methods = { a: { tasks: '40x1' }, b: { tasks: '40x1' } }
  const simulated = {
    simulated: true,
    mode: 'dev' as const,
    profile: { id: 'default@1', digest: 'a', content: {} },
  }
  writePlantedRun(run, methods, simulated)
  writeFileSync(policy, 'gates: [{ method: a, against: b, margin: 20 }]')
  const { code, stdout } = await callHere(() => gate(run, { policy }))
  expect(stdout).toContain('pass (simulated): a against b')
  expect(stdout).toContain('describe profile default@1, not the method: so does each answer')
  expect(code).toBe(0)
})

it('has no limits where more trials may come, or came after a look', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  writePlantedRun(run, { a: { tasks: '40x1' }, b: { tasks: '40x1' } }, { trials: 200 })
  writeFileSync(policy, 'gates: [{ method: a, against: b, margin: 20 }]')
  await expect(gate(run, { policy })).rejects.toThrow('is not whole')
  const { code, stdout } = await callHere(() => gate(run, { policy, peek: true }))
  expect(stdout).toContain('not enough evidence; the run is not finished')
  expect(code).toBe(5)
  expect(readFileSync(join(run, 'looks.jsonl'), 'utf8')).toContain('"command":"bench gate"')
})

it('counts what has no known cost against the answer, and says how much it is', async () => {
  const folder = tempFolder()
  const [run, policy] = [join(folder, 'run'), join(folder, 'policy.yaml')]
  writePlantedRun(run, { a: { tasks: '22x1 18x-' }, b: { tasks: '40x1', costs: 0.11 } })
  writeFileSync(policy, 'gates: [{ method: a, against: b, cost: 1 }, { method: a, against: b, cost: 4 }]')
  const { code, stdout } = await callHere(() => gate(run, { policy }))
  expect(stdout.replaceAll(folder, 'DIR')).toMatchSnapshot()
  expect(code).toBe(5)
})

it('counts planned trials that a limit left out as missing, in one run and in two', async () => {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const planned = { tasks: refs(40), trials: 80 }
  writePlantedRun(at('old'), { a: { tasks: '40x1' }, b: { tasks: '40x1' } })
  writePlantedRun(at('stopped'), { a: { tasks: '15x1' }, b: { tasks: '15x1' } }, planned)
  const sessions = [
    { type: 'begin', startedAt: '2026-01-01T00:00:00.000Z', parallel: 1, budgets: { run: {}, methods: {} } },
    { type: 'end', ms: 1, reason: 'limit', limits: [] },
  ]
  const lines = sessions.map((line) => `${addTimesum(JSON.stringify(line), '}')}\n`)
  writeFileSync(at('stopped/sessions.jsonl'), lines.join(''))
  const policy = at('policy.yaml')
  writeFileSync(
    policy,
    `gates: [{ method: a, against: b, margin: 30, cost: 1.2 }, { method: a, against: '${at('old')}:a', margin: 30 }]`,
  )
  const { code, stdout } = await callHere(() => gate(at('stopped'), { policy, peek: true }))
  expect(stdout.replaceAll(folder, 'DIR')).toMatchSnapshot()
  expect(code).toBe(5)
})

it('bench compare --fail-if judges the second method against the first, of two runs', async () => {
  const { at, old, now, plain } = twoRuns()
  const sides = [`${old}:solid`, `${now}:weak`] as const
  const options = { format: 'json', failIf: 'success<-5, cost>1.5x, success(s)<-10%', junit: at('gate.xml') }
  const { code, stdout, stderr } = await callHere(() => compare(...sides, options))
  expect(plain(stderr)).toMatchSnapshot()
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ gate: { answer: 'fail', gates: [{ checks: [{}, {}, {}] }] } })
  expect(readFileSync(options.junit, 'utf8')).toContain('<failure message="fail: success')
})

it('names all wrong conditions of bench compare at once', async () => {
  const { at, old, now, plain } = twoRuns()
  const wrong = async (failIf: string) => {
    const sides = [`${old}:solid`, `${now}:solid`] as const
    const message = await compare(...sides, { format: 'text', failIf }).catch((error: Error) => error.message)
    return plain(String(message))
  }
  expect(
    await wrong('sucess<-5, cost<1.5x, success>5, success<-5x, cost>1.5%, success<-0%, success<-500'),
  ).toMatchSnapshot()
  expect(await wrong('success(code)<-5, cost(s)>2x')).toMatchSnapshot()
  const junit = compare(`${old}:solid`, `${now}:solid`, { format: 'text', junit: at('gate.xml') })
  await expect(junit).rejects.toThrow('needs a condition')
})
